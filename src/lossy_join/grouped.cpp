#include "lossy_join/grouped.h"

#include "core/lossy/anatomy.h"

namespace anon_seq::lossy_join {
namespace {

Rerun regional_again(LossyProblem const& problem, Sensitive const& sensitive, std::int64_t k, Checkpoint& checkpoint) {
  auto const regions = find_regions(problem.axes(), sensitive, k, checkpoint);
  Rerun run{signature_of(regions), Classes(problem.rows(), 0), {}};
  for (auto const& part : regions.parts) {
    ClassId const id = run.parts.add_class();
    for (std::size_t place = part.begin; place < part.end; ++place) run.parts.assign(regions.rows[place], id);
    run.dealt.push_back(regions.classes_in(part));
  }
  return run;
}

FixedGroups fixed(RowGroups const& as_is) { return {as_is.of_row, as_is.count()}; }

Rerun topdown_again(LossyProblem const& problem, Sensitive const& sensitive, LossyPolicy const& demands,
                    RowGroups const& as_is, Draws& draws, Checkpoint& checkpoint) {
  auto made = recode(problem.axes(), sensitive, demands.k, demands.decisions, draws, checkpoint, fixed(as_is));
  auto signature = draws_rows(demands) ? bags_of(made, sensitive) : signature_of(made);
  Vector<ClassId> dealt(static_cast<std::size_t>(made.grouping.count), 1);
  return {std::move(signature), shown_classes(std::move(made), problem.axes(), draws, checkpoint), std::move(dealt)};
}

// Which nodes' counts were read, and how many classes there are: the rest is chance.
Rerun anatomy_again(LossyProblem const& problem, Sensitive const& sensitive, std::int64_t l, Draws& draws,
                    Checkpoint& checkpoint) {
  auto const made = bucketize(sensitive, l, draws, checkpoint);
  Rerun run{{made.count}, Classes(problem.rows(), 0), {made.count}};
  for (auto const& part : made.tested) {
    run.signature.push_back(static_cast<std::int64_t>(part.begin));
    run.signature.push_back(static_cast<std::int64_t>(part.end));
  }
  ClassId const all = run.parts.add_class();
  for (std::size_t row = 0; row < problem.rows(); ++row) run.parts.assign(row, all);
  return run;
}

}  // namespace

Classes make_classes(LossyProblem const& problem, Sensitive const& sensitive, LossyPolicy const& demands,
                     RowGroups const& as_is, Draws& draws, Checkpoint& checkpoint) {
  switch (demands.classes) {
    case ClassKind::kAnatomy: return anatomy(sensitive, demands.k, draws, checkpoint);
    case ClassKind::kTopdown:
      return topdown(problem.axes(), sensitive, demands.k, demands.decisions, draws, checkpoint, fixed(as_is));
    default:
      return demands.coarse ? regional_shown(problem.axes(), sensitive, demands.k, draws, checkpoint)
                            : regional(problem.axes(), sensitive, demands.k, draws, checkpoint);
  }
}

Rerun run_again(LossyProblem const& problem, Sensitive const& sensitive, LossyPolicy const& demands,
                RowGroups const& as_is, Draws& draws, Checkpoint& checkpoint) {
  switch (demands.classes) {
    case ClassKind::kAnatomy: return anatomy_again(problem, sensitive, demands.k, draws, checkpoint);
    case ClassKind::kTopdown: return topdown_again(problem, sensitive, demands, as_is, draws, checkpoint);
    default: return regional_again(problem, sensitive, demands.k, checkpoint);
  }
}

}  // namespace anon_seq::lossy_join
