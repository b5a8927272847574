// The nested regions of an incremental policy: a tree that is only ever refined.
//
// A region is a part of the quasi space; the children of a cut region are disjoint and lie in it. A leaf is
// open (published, with at least k persons, in every version since it was opened) or closed: whoever falls
// into it waits until there are k. What a person shows is the region of his leaf, never how the data lies in it.
//
// Points. On a line (numbers, dates, timestamps) a point is the code of a sorted column: 0 is unknown
// (NULL), the others ascend. A cut at t keeps codes below t, and unknown with them, from those at t or above.
// With a taxonomy a point is a leaf node, kUnknown for NULL; a region has a set of nodes and holds what lies
// below them, also what is added to the taxonomy later. Whatever is in no set of a cut, new values and unknown
// too, is in its last child, the "others": it shows those nodes of its parent that no sister has as a whole.
#pragma once

#include <limits>
#include <span>

#include "core/base/checkpoint.h"
#include "core/taxonomy/taxonomy.h"

namespace anon_seq {

using RegionId = std::int32_t;
inline constexpr RegionId kNoRegion = -1;
inline constexpr RegionId kWholeSpace = 0;  // the root's id
inline constexpr Node kUnknown = -1;        // NULL as a point of a taxonomy

enum class Side : std::uint8_t {
  kRoot,
  kUnknownOnly,  // a line: unknown values
  kKnown,        // a line: all but those
  kBelow,        // a line: codes below `at`, and unknown unless that was cut off above
  kFrom,         // a line: codes from `at`
  kNodes,        // a taxonomy: what lies below `nodes`, of which kUnknown may be one
  kOthers        // a taxonomy: what is in no sister
};

struct Region {
  RegionId parent = kNoRegion;
  RegionId first_child = kNoRegion;  // children have consecutive ids, "others" is the last
  std::int32_t children = 0;         // 0: a leaf
  std::int32_t at = 0;               // kBelow, kFrom: a code, 1 .. size of the axis (then above all that occur)
  std::uint32_t nodes_begin = 0, nodes_end = 0;  // kNodes: into Partition::nodes
  std::int16_t attribute = -1;                   // of the cut that made it
  Side side = Side::kRoot;
  bool open = false;      // only a leaf
  bool departed = false;  // somebody who was published in it is not any more: no part of it may be closed
};

// What a region shows of one attribute.
struct Shown {
  // A line: codes [from, below). from == 0: everything, whatever is in it: so the region shows that may hold unknown
  // values, as a range with a bound says "known". from == 1 with `known`: unbounded below; below == kUnbounded:
  // unbounded.
  static constexpr std::int32_t kUnbounded = std::numeric_limits<std::int32_t>::max();
  std::int32_t from = 0, below = kUnbounded;
  bool known = false;    // unknown was cut off and no lower bound since
  bool unknown = false;  // all but unknown was cut off; below == 1 alone may also be a bound below all codes
  // A taxonomy: nodes in preorder, kUnknown first; none above another. The root holds unknown too, unless `known`.
  Vector<Node> nodes;
};

struct Partition {
  Vector<Region> regions;  // [kWholeSpace] is the root
  Vector<Node> nodes;

  std::span<Node const> nodes_of(Region const& region) const {
    return {nodes.data() + region.nodes_begin, nodes.data() + region.nodes_end};
  }
  bool is_leaf(RegionId id) const { return regions[static_cast<std::size_t>(id)].children == 0; }
};

// A tree of one closed leaf, the whole space.
Partition whole_space();

// The leaf that a point (one entry per axis) lies in, searched below `from`. taxonomies[a] is nullptr for a line.
RegionId leaf_of(Partition const& partition, std::span<Taxonomy const* const> taxonomies,
                 std::span<std::int32_t const> point, RegionId from = kWholeSpace);

// Whether a point of its attribute is on a region's side of the cut that made it; of the root's every point is.
bool is_on_side(Partition const& partition, RegionId id, Taxonomy const* taxonomy, std::int32_t point);

// What a region shows, per attribute. Cost: its depth.
std::vector<Shown> shown_of(Partition const& partition, std::span<Taxonomy const* const> taxonomies, RegionId id);

// Whether a region's known values of an attribute, a line, have an upper bound. Cost: its depth.
bool is_bounded_above(Partition const& partition, std::size_t attribute, RegionId id);

}  // namespace anon_seq
