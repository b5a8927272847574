// When two values may belong to one person: every join attribute as a line of ranks.
//
// The instances of an attribute are numbered 0 (NULL), 1, 2, ...: leaves of a taxonomy in preorder, places
// between all cuts and bounds of a continuous attribute, codes of a shared dictionary. Any published value is
// then a range of ranks [begin, end); on a tree, two values lie on one root-to-leaf path iff their ranges
// intersect, and values that intersect pairwise have an instance in common. Only a root covers rank 0, whether NULL
// occurs or not; but the root of a declared domain only if it does. On a continuous attribute a taxonomy's nodes are
// the intervals that they name.
#pragma once

#include <span>

#include "core/sequential/sequential.h"

namespace anon_seq {

using Rank = std::int32_t;

inline bool intersect(Extent a, Extent b) { return a.begin < b.end && b.begin < a.end; }

// The ranks of a taxonomy's node; all of them for the root, rank 0 for kNoNode.
Extent ranks_of(Taxonomy const& taxonomy, Node node);

// A column of one table that takes part in matching.
struct JoinColumn {
  std::size_t attribute = 0;            // of Problem::join
  std::size_t column = 0;               // of the table
  Vector<Extent> extents;               // code -> ranks, where the column is not generalized
  std::size_t generalized = kNoColumn;  // T1: index of its Attribute
  Extent whole{0, 0};                   // T1, generalized: the ranks of its root
  Vector<Rank> axis;                    // T1, continuous: code -> first rank; empty: ranks are the attribute's own
  Vector<Extent> nodes;                 // T1, by a taxonomy on a line, or an open one: node -> ranks
};

// An inconsistency of two join attributes: the pairs stated, as rectangles of ranks.
struct Exclusion {
  std::size_t a, b;
  Vector<Extent> us, vs;
  bool forbids(Extent a_value, Extent b_value) const;  // whether every pair of instances is covered
};

class JoinModel {
 public:
  explicit JoinModel(Problem const& problem);

  std::vector<JoinColumn> const& columns(std::size_t table) const { return columns_[table]; }

  // Whether column c of table i says anything about the records of table j.
  bool concerns(std::size_t i, std::size_t c, std::size_t j) const { return !tie(i, c, j).empty(); }
  bool linked(std::size_t i, std::size_t j) const;

  // Whether a record of table i with `value` in its join column c may stand beside a record of table j with
  // `others` (one range per join column of j), as far as column c can tell.
  bool compatible(std::size_t i, std::size_t c, Extent value, std::size_t j, std::span<Extent const> others) const;

  // T1: a value of the generalized attribute on the join line: by its node, if that is how it is compared, or by the
  // range of the attribute's own ranks (NULL, leaves; or codes).
  Extent place(JoinColumn const& column, Extent own, Node node) const;

 private:
  struct Tie {
    std::size_t other;                     // join column of table j
    Exclusion const* exclusion = nullptr;  // none: the same attribute
    bool swapped = false;                  // our column is the exclusion's b
  };
  std::vector<Tie> const& tie(std::size_t i, std::size_t c, std::size_t j) const {
    return ties_[i][c * columns_.size() + j];
  }
  void add_columns(Problem const& problem);
  void add_exclusions(Problem const& problem);
  void tie_all();

  std::vector<std::vector<JoinColumn>> columns_;  // per table
  std::vector<Exclusion> exclusions_;
  std::vector<std::vector<std::vector<Tie>>> ties_;
};

}  // namespace anon_seq
