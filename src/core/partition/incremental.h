// One version of an incremental policy: persons come and go, regions are refined (Pei et al., SSDBM'07, with
// the corrections that doc/semantics.md lists).
//
// Strict Mondrian. A leaf with 2k persons or more is cut on the attribute with the widest data (span: the share of
// the whole line, or of the steps from the first leaf to the last, between the extremes; unknown lies lowest) or the
// most even data (entropy), ties by order of attributes, the next one if it has no allowable cut. Allowable: every side
// that is to be open keeps k, and a bound is nobody's own value (Axis::roundness). On a line and in leaf order the cut
// is the one nearest the median, ties to the lower, at the roundest place of its gap. By children, of the lowest node
// above the data: every child with k persons a region of its own, the others lumped with the smallest of those as need
// be. Cuts depend on the points only, never on the order of rows. Unknown is cut off a line only where the known rest
// has a bound, which says that it is known.
//
// Why it is safe: in every version each open leaf has k persons, and no part of a region in which somebody was ever
// published is closed. So whoever was published has k around him in the last version that an attacker looks at, and
// what those showed before holds him too. A region that somebody left (Region::departed) is cut into open leaves only.
//
// Those k are persons who never showed anything else: who is recognised (by a rare value) in two places is in neither
// crowd. So who was shown elsewhere before counts towards no k, for good (Objects::moved), and is not shown in his new
// place as long as his old row stays.
#pragma once

#include "core/numbers/line_bounds.h"
#include "core/partition/partition.h"

namespace anon_seq {

struct Axis {
  Taxonomy const* taxonomy = nullptr;           // none: a line
  bool by_children = false;                     // a taxonomy is cut into children; else in leaf order
  std::int32_t size = 0;                        // a line: number of codes, NULL's included
  std::span<double const> positions;            // a line: code -> place
  std::span<std::int32_t const> roundness;      // a line: code t -> how round a cut at t is published, more is rounder;
                                                // kNoPlace: it would show a value that fewer than k persons have
  bool ends_below = false, ends_above = false;  // a line: no bound fits below the least, above the greatest value
  double width = 0;                             // a line: of the declared domain; 0: of the data in the root
  std::int32_t domain_from = 0, domain_below = Shown::kUnbounded;  // a line: codes of the declared domain
  bool unknown_elsewhere = false;                                  // somebody who is none of the objects has no value
};

struct IncrementalDemands {
  std::int64_t k = 2;
  bool by_entropy = false;
  // A leaf that opens, or is made by a cut, is carved to a tight box around the persons in it; what is around the
  // box becomes closed leaves.
  bool box = false;
  // Who knows when people came and went: per leaf and version of arrival, those who come, stay, go, or are on
  // a side of a cut are none or at least k; who does not make up such a group waits, or stays. So are those
  // of them who did not move, and who left for good.
  bool arrivals_known = false;
  // Who has gone is never kept; a leaf left with fewer than k is not shown until it has k again.
  bool erase_at_once = false;
  // Also leaves that nobody came to or went from are cut, if they can be: k is lower than it was.
  bool cut_all = false;
};

// Instead of a region, in Objects::before: regions that do not lie in each other; one who is never shown again.
inline constexpr RegionId kScattered = -2, kNeverAgain = -3;

// Persons that are published or want to be: rows, one per object.
struct Objects {
  Vector<std::int32_t> points;  // row * axes + attribute -> point
  Vector<RegionId> region;      // open leaf of the last version; kNoRegion: not published there
  Vector<std::int32_t> since;   // version, > 0, in which it was first published; read only if arrivals are known
  Vector<char> gone;            // no longer in the source, or there with other values. Of those the first rows stay
  // gone: the row that has the same person with other values and is not gone, or -1. Two objects of one person are
  // never shown in one version: in one leaf the gone one gives way (not with arrivals_known), else the new one waits.
  Vector<std::int32_t> successor;
  // Shorter than there are rows where the rest is as at first: kNoRegion, no.
  Vector<RegionId> before;  // not published yet: the last region that the person was shown in, as another object
  Vector<char> moved;       // counts towards no k. refine() sets it of those who are not published yet
  Vector<char> placeless;   // gone, and nobody knows any more where in its region it was: its point is any

  std::size_t rows() const { return region.size(); }
  bool has_moved(std::size_t row) const { return row < moved.size() && moved[row] != 0; }
  bool is_placeless(std::size_t row) const { return row < placeless.size() && placeless[row] != 0; }
  RegionId before_of(std::size_t row) const { return row < before.size() ? before[row] : kNoRegion; }
};

struct Refined {
  Vector<RegionId> region;  // row -> open leaf; kNoRegion: waits, is withheld, or has left
  std::int64_t published = 0, waiting = 0, deferred = 0, left = 0, withheld = 0;
  std::int64_t leaves = 0, smallest_leaf = 0;  // that are shown
  // The fewest persons that came to, or went from, one leaf of the last version; 0: nobody did.
  std::int64_t smallest_arrival = 0, smallest_departure = 0;
};

// Refines the partition and places every row. Objects may lack those of leaves, each as a whole, that nobody comes to
// or goes from, unless all are cut (cut_all): the others get what they would with all, if axes are those of all. The
// first version is that of whole_space(); a declared domain is carved out of it, and the unknown values of a line where
// nobody has one: they would keep it from showing its lowest ranges. May take objects.points; with arrivals_known, sets
// `since` of those who are not published yet to this version. Throws kDamaged if a row's point is not in its region, as
// far as that region changes. Cost: n log n in the rows of the leaves that change, linear in the others; 16 bytes a
// row, and 4 * axes more for the greatest leaf that does not hold all rows.
Refined refine(Partition& partition, std::span<Axis const> axes, IncrementalDemands const& demands, Objects& objects,
               std::int32_t version, Checkpoint& checkpoint);

}  // namespace anon_seq
