#include "lossy_join/content.h"

#include <map>

#include "lossy_join/row_ledger.h"

namespace anon_seq::lossy_join {
namespace {

using Shown = std::vector<std::optional<std::string>>;

Shown shown_of(LossyProblem const& problem, Policy const& policy, Classes const& classes, ClassId id) {
  Shown shown;
  for (std::size_t quasi = 0; quasi < policy.quasi.size(); ++quasi) shown.push_back(problem.shown(classes, id, quasi));
  return shown;
}

// Classes keep their numbers, and every row of one shows the same.
ReleaseCells coarse_cells(LossyProblem const& problem, Policy const& policy, SourceTable const& source,
                          Classes const& classes, Checkpoint& checkpoint) {
  std::vector<Shown> all;
  for (ClassId id = 0; id < classes.count(); ++id) all.push_back(shown_of(problem, policy, classes, id));
  auto const text = [&](std::size_t id, std::size_t quasi) -> std::optional<std::string> const& {
    return all[id][quasi];
  };
  return make_cells(source, policy, classes, text, checkpoint);
}

ReleaseCells table_cells(LossyProblem const& problem, Policy const& policy, SourceTable const& source,
                         Classes const& classes, Checkpoint& checkpoint) {
  std::map<Shown, std::vector<ClassId>> same;
  for (ClassId id = 0; id < classes.count(); ++id) same[shown_of(problem, policy, classes, id)].push_back(id);
  Vector<ClassId> to(static_cast<std::size_t>(classes.count()));
  std::vector<Shown> all;
  Classes merged(classes.rows(), 0);
  for (auto const& [shown, ids] : same) {
    for (auto const id : ids) to[static_cast<std::size_t>(id)] = static_cast<ClassId>(all.size());
    all.push_back(shown);
    merged.add_class();
  }
  for (std::size_t row = 0; row < classes.rows(); ++row)
    merged.assign(row, to[static_cast<std::size_t>(classes.class_of(row))]);
  auto const text = [&](std::size_t id, std::size_t quasi) -> std::optional<std::string> const& {
    return all[id][quasi];
  };
  return make_cells(source, policy, merged, text, checkpoint);
}

}  // namespace

SourceTable read_content(SpiSession& session, Policy const& policy, PolicySource const& source,
                         Checkpoint& checkpoint) {
  std::vector<std::string> wanted;
  for (auto const& column : policy.columns)
    if (column.role != Role::kClass) wanted.push_back(column.column);
  return read_policy_source(session, policy, source, wanted, checkpoint);
}

void spell_out(SourceTable& source) {
  auto& table = source.table;
  if (table.weights.empty()) return;
  for (auto& column : table.columns) {
    Vector<Code> codes;
    codes.reserve(static_cast<std::size_t>(table.total_weight()));
    for (std::size_t row = 0; row < column.codes.size(); ++row)
      codes.insert(codes.end(), static_cast<std::size_t>(table.weights[row]), column.codes[row]);
    column.codes = std::move(codes);
  }
  table.weights.clear();
}

ReleaseCells cells_of(LossyProblem const& problem, Policy const& policy, LossyPolicy const& demands,
                      SourceTable& source, Classes const& classes, Checkpoint& checkpoint) {
  if (demands.generalized) return table_cells(problem, policy, source, classes, checkpoint);
  return demands.coarse ? coarse_cells(problem, policy, source, classes, checkpoint)
                        : take_rows(source, policy, classes, checkpoint);
}

}  // namespace anon_seq::lossy_join
