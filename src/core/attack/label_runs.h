// Labels that are sets of values, nodes of a tree: what they cover in pieces, and what a set is called.
#pragma once

#include <optional>
#include <string>

#include "core/attack/value_sets.h"

namespace anon_seq {

// Labels of one attribute and the run of each. Two runs are disjoint or one lies in the other.
class LabelRuns {
 public:
  LabelRuns(std::vector<std::string> labels, Vector<PieceRun> runs);  // REQUIRES: labels ascend

  PieceRun run_of(std::string_view label) const;  // REQUIRES: it is one of the labels
  // The fewest labels that make up a set, nullopt for the unknown value, in the order of their pieces.
  // REQUIRES: the set is a union of intersections of labels' runs.
  std::vector<std::optional<std::string>> names_of(std::span<PieceRun const> set) const;

 private:
  std::vector<std::string> labels_;
  Vector<PieceRun> runs_;
  Vector<std::uint32_t> order_;  // by first piece, wider runs before narrower
};

// Labels without a taxonomy: one that ends in stars is all that begins with the text before them, "2043*"; stars
// alone are everything, the unknown value too; any other stands for itself.
LabelRuns prefix_runs(std::vector<std::string> labels);

}  // namespace anon_seq
