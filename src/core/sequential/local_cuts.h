// Which cuts of a box there are, and what they save: by counts and quasi values alone.
//
// A node is cut into its children, a range in two at a place that may be cut, between two values that rows of the box
// have; the root, where NULL occurs, into NULL and these at once. Saved is NCP, in shares of the domain, times the
// attribute's weight: whole numbers, so that the order of rows plays no part. As k leaves a row so many bits, about
// log2(rows / k), the most useful cut is the one that saves most for each that it takes; what takes none comes first.
#pragma once

#include "core/sequential/local_boxes.h"

namespace anon_seq {

struct LocalCut {
  std::size_t attribute = 0;
  Code m = kNull;           // continuous: the cut is below it; kNull: NULL, which is all that the box holds, set apart
  std::int64_t saved = 0;   // kLossUnit: what a row loses that shows nothing
  std::int64_t fewest = 0;  // rows of a part
  double score = 0;         // saved for each bit by which the cut tells its rows apart
};

class LocalCuts {
 public:
  // `weights`: of the order of kLossUnit, per attribute. REQUIRES: roots outlives it.
  LocalCuts(Problem const& problem, std::vector<AttributeCut> const& roots, Vector<std::int64_t> weights,
            Checkpoint& checkpoint);

  // The cuts whose parts have `least` rows or more, most useful first; ties in the order of attributes and places. Of a
  // line the `places` best. Valid until the next call. Cost: cells of the box times attributes.
  std::span<LocalCut const> of(LocalBoxes const& boxes, BoxId box, std::int64_t least, std::size_t places);
  // The sides that a cut of `side` makes, ascending, also those that hold no rows.
  Vector<Side> parts(Side side, LocalCut const& cut) const;
  // What a row loses by showing it.
  std::int64_t cost(std::size_t a, Side side) const;
  std::int64_t loss(LocalBoxes const& boxes) const;

 private:
  struct Held {
    Rank rank;
    std::int64_t rows;
  };
  bool may_be_cut(Side side, std::size_t a, std::int64_t rows, std::int64_t least) const;
  void count(LocalBoxes const& boxes, BoxId box, std::int64_t least);
  bool has_null(std::size_t a) const { return has_null_[a] != 0; }
  void offer_children(Side side, std::size_t a, std::int64_t least);
  void offer_places(Side side, std::size_t a, std::int64_t rows, std::int64_t least, std::size_t places);

  std::vector<Taxonomy const*> taxonomies_;  // per attribute; continuous: nullptr
  std::vector<AttributeCut> const& roots_;
  Vector<std::int64_t> weights_;
  Checkpoint& checkpoint_;
  Vector<char> has_null_;
  std::vector<Vector<char>> whole_;    // taxonomy: node -> not 0 if it is not cut; empty: all may be
  std::vector<Vector<Code>> allowed_;  // continuous: rank -> the greatest code, not above it, below which a cut may be
  std::vector<Vector<Node>> leaf_at_;  // taxonomy: rank -> leaf
  std::vector<Vector<Held>> held_;     // attribute -> ranks that rows of the box have, ascending
  Vector<std::int64_t> counts_;
  Vector<LocalCut> found_, line_;
};

}  // namespace anon_seq
