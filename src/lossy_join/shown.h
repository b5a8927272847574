// What classes show of quasi-identifiers, and what that loses: of topdown(), whose classes are nodes, and of
// regional_shown().
#pragma once

#include "core/sequential/loss.h"
//
#include "lossy_join/problem.h"

namespace anon_seq::lossy_join {

class ShownClasses {
 public:
  // REQUIRES: both outlive it.
  ShownClasses(LossyProblem const& problem, Classes const& classes) : problem_(problem), classes_(classes) {}

  // The label of a node, a range, or nothing for NULL. An outermost bound is that of the domain, or none; where NULL is
  // among the values there is no bound at all.
  std::optional<std::string> text(ClassId id, std::size_t quasi) const;

  // What measure_loss() takes, whose regions of lines are intervals between bounds: REQUIRES the codes' source.
  std::vector<LossAxis> loss_axes(SourceTable const& source) const;
  Extent loss_region(ClassId id, std::size_t quasi) const;  // empty: NULL

  // Of topdown(): each node that rows were specialized from, from the roots down, with where they went and how many.
  // Json, see trace() in doc/reference.md.
  std::string trace_json() const;

 private:
  struct Steps;
  std::optional<std::string> region_text(std::size_t quasi, Extent region) const;
  std::string range_text(LossyProblem::Quasi const& of, Extent codes) const;
  Steps steps_of(std::size_t quasi, Vector<std::int64_t> const& sizes) const;

  LossyProblem const& problem_;
  Classes const& classes_;
};

}  // namespace anon_seq::lossy_join
