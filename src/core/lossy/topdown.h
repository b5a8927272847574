// Top-down local recoding: (alpha,k)-anonymous classes that are nodes of the taxonomies.
//
// Wong et al., ... by Lossy Join, 2007, Algorithm 1, for several attributes (Wong, Li, Fu, Wang, KDD 2006). A part P
// begins with all rows at the roots. On each attribute that has a level left its rows are pushed one level down, and
// some are sent back; P takes the attribute that specializes most rows, ties to the fewest branches, then to the order
// of attributes. Its children go on; what was sent back is a class with P's own nodes. Classes are told apart by their
// node in this search, not by what they show.
//
// kPaper: children that are not ok return whole; while what is left in P is not ok, one row at a time returns from the
// child with most slack (send_back.h). Whether rows return depends on the children's sensitive values: a reader of the
// code may learn more than alpha (doc/semantics.md).
//
// kSimulatable: m = max(k, max over bounds of ceil(c(P) / alpha)). Children of fewer than m rows stay in P together and
// whole; if fewer than m rows stay, the smallest child that left returns, ties to the first. What leaves and what stays
// has m rows or more, so it is ok whatever it holds. All that is read of sensitive values is c(P), and P is a union of
// classes: so the choice of attribute, by these sizes, is simulatable too.
//
// Rows may come in groups that the reader tells apart anyhow, by what is published as it is: each group is a P to begin
// with, so a class has rows of one group. Groups are unions of classes; that each is ok is read of it alone.
#pragma once

#include "core/lossy/grouping.h"

namespace anon_seq {

enum class Decisions { kPaper, kSimulatable };

struct Recoding {
  Grouping grouping;
  Vector<Node> nodes;  // class * axes + axis -> node, kNoNode: NULL
};

struct FixedGroups {
  std::span<std::int32_t const> of_row;  // row -> group
  std::size_t count = 0;                 // 0: one group of all rows
};

// Before classes are numbered at random. Every axis has a taxonomy. Throws kData if the table, or a group, as one class
// is not ok. REQUIRES: no groups with the decisions of the paper. Cost: rows times axes times levels.
Recoding recode(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Decisions decisions,
                Draws& draws, Checkpoint& checkpoint, FixedGroups const& groups = {});

// Numbered at random. A node n is shown as the region [n, end(n)), NULL as an empty one. rows: see bare_classes().
Classes shown_classes(Recoding made, std::span<QuasiAxis const> axes, Draws& draws, Checkpoint& checkpoint,
                      std::size_t rows = 0);

// All of that, checked.
Classes topdown(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Decisions decisions,
                Draws& draws, Checkpoint& checkpoint, FixedGroups const& groups = {});

}  // namespace anon_seq
