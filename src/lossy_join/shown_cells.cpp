#include "lossy_join/shown_cells.h"

#include <map>

namespace anon_seq::lossy_join {
namespace {

using Texts = std::vector<std::optional<std::string>>;

std::vector<KeyColumn> as_is_keys(Policy const& policy, SourceTable const& source) {
  std::vector<KeyColumn> keys;
  for (auto const& name : policy.publish_as_is) {
    auto const& column = source.table.columns[source.column(name)];
    keys.push_back({column.codes, column.distinct()});
  }
  return keys;
}

// Class -> the first of those that show the same, and these in the order of what they show.
struct Alike {
  Vector<ClassId> to;
  Vector<ClassId> first;
};

// REQUIRES: rows of a class are equal in columns that are published as they are.
Alike merge_alike(std::vector<Texts> const& texts, std::vector<KeyColumn> const& as_is, Classes const& classes) {
  Vector<std::size_t> row_of(static_cast<std::size_t>(classes.count()));
  for (std::size_t row = 0; row < classes.rows(); ++row) row_of[static_cast<std::size_t>(classes.class_of(row))] = row;
  std::map<std::pair<Texts, std::vector<Code>>, std::vector<ClassId>> same;
  for (ClassId id = 0; id < classes.count(); ++id) {
    std::vector<Code> codes;
    for (auto const& key : as_is) codes.push_back(key.of(row_of[static_cast<std::size_t>(id)]));
    same[{texts[static_cast<std::size_t>(id)], codes}].push_back(id);
  }
  Alike alike{Vector<ClassId>(texts.size()), {}};
  for (auto const& [shown, ids] : same) {
    for (auto const id : ids) alike.to[static_cast<std::size_t>(id)] = static_cast<ClassId>(alike.first.size());
    alike.first.push_back(ids.front());
  }
  return alike;
}

Alike as_they_are(ClassId count) {
  Alike alike;
  for (ClassId id = 0; id < count; ++id) alike.first.push_back(id);
  alike.to = alike.first;
  return alike;
}

}  // namespace

ShownCells shown_cells(Policy const& policy, LossyPolicy const& demands, SourceTable const& source,
                       LossyProblem const& problem, Classes const& classes, Checkpoint& checkpoint) {
  ShownClasses const shown(problem, classes);
  std::size_t const width = problem.quasi().size();
  std::vector<Texts> texts(static_cast<std::size_t>(classes.count()));
  for (ClassId id = 0; id < classes.count(); ++id) {
    checkpoint.tick();
    for (std::size_t quasi = 0; quasi < width; ++quasi)
      texts[static_cast<std::size_t>(id)].push_back(shown.text(id, quasi));
  }
  auto const alike = demands.generalized && !demands.numbered ? merge_alike(texts, as_is_keys(policy, source), classes)
                                                              : as_they_are(classes.count());
  Classes told(classes.rows(), width);
  for (ClassId const id : alike.first) {
    told.add_class();
    for (std::size_t quasi = 0; quasi < width; ++quasi) {
      auto const region = shown.loss_region(id, quasi);
      told.add_region(std::span(&region, region.begin < region.end ? 1 : 0));
    }
  }
  for (std::size_t row = 0; row < classes.rows(); ++row)
    told.assign(row, alike.to[static_cast<std::size_t>(classes.class_of(row))]);
  auto const text = [&](std::size_t id, std::size_t quasi) -> std::optional<std::string> const& {
    return texts[static_cast<std::size_t>(alike.first[id])][quasi];
  };
  ShownCells made;
  made.cells = make_cells(source, policy, told, text, checkpoint);
  made.loss = measure_loss(source.table, told, shown.loss_axes(source), demands.k, checkpoint);
  if (demands.classes == ClassKind::kTopdown) made.trace = shown.trace_json();
  return made;
}

RowGroups as_is_groups(Policy const& policy, LossyPolicy const& demands, SourceTable const& source,
                       Checkpoint& checkpoint) {
  if (!demands.generalized || policy.publish_as_is.empty()) return {};
  return group_rows(source.table.rows(), as_is_keys(policy, source), checkpoint);
}

}  // namespace anon_seq::lossy_join
