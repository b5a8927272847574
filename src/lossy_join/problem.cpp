#include "lossy_join/problem.h"

#include "lossy_join/listed.h"

namespace anon_seq::lossy_join {

LossyProblem::LossyProblem(SpiSession& session, Policy const& policy, LossyPolicy const& demands,
                           SourceTable const& source, Checkpoint& checkpoint)
    : source_(source), pool_(session, checkpoint) {
  for (auto const& ours : policy.columns) {  // before the first tree is made
    if (!ours.is_quasi() || ours.taxonomy.empty()) continue;
    auto const& column = source.table.columns[source.column(ours.column)];
    for (Code code = 1; code < column.distinct(); ++code) pool_.expect(ours.taxonomy, column.values[code]);
    if (auto const misfits = pool_.misfits(ours.taxonomy); misfits > 0)
      throw_misfits(ours.column, ours.taxonomy, misfits, "not of the form");
  }
  for (auto const& ours : policy.columns)
    if (ours.role == Role::kSensitive) add_sensitive(session, ours, demands);
  for (auto const& ours : policy.columns)
    if (ours.is_quasi()) add_axis(ours, demands, checkpoint);
}

Vector<Node> LossyProblem::leaves_of(Column const& column, std::string const& taxonomy) {
  auto const& tree = pool_.tree(taxonomy);
  Vector<Node> leaves(static_cast<std::size_t>(column.distinct()), kNoNode);
  std::int64_t unknown = 0, inner = 0;
  for (Code code = 1; code < column.distinct(); ++code) {
    Node const node = leaves[static_cast<std::size_t>(code)] = tree.find(column.values[code]);
    unknown += node == kNoNode;
    inner += node != kNoNode && !tree.is_leaf(node);
  }
  if (unknown > 0) throw_misfits(column.name, taxonomy, unknown, "no part");
  if (inner > 0) throw_misfits(column.name, taxonomy, inner, "inner nodes, not leaves,");
  return leaves;
}

// Without a taxonomy an axis is a line in the order of its type; top-down gives it one of medians.
void LossyProblem::add_axis(PublishedColumn const& ours, LossyPolicy const& demands, Checkpoint& checkpoint) {
  auto const& column = source_.table.columns[source_.column(ours.column)];
  QuasiAxis axis;
  axis.codes = column.codes;
  axis.distinct = column.distinct();
  if (!ours.taxonomy.empty()) {
    axis.leaves = leaves_.emplace_back(leaves_of(column, ours.taxonomy));
    axis.taxonomy = &pool_.tree(ours.taxonomy);
  } else if (demands.classes == ClassKind::kTopdown) {
    if (column.distinct() < 2) return;  // nobody has a value: nothing to cut
    Vector<std::int64_t> counts(static_cast<std::size_t>(column.distinct()));
    for (Code const code : column.codes) ++counts[static_cast<std::size_t>(code)];
    auto const& tree = trees_.emplace_back(interval_tree(counts, checkpoint));
    axis.taxonomy = &tree.taxonomy;
    axis.leaves = tree.leaves;
  } else {
    axis.positions = column.positions;
  }
  axes_.push_back(axis);
}

void LossyProblem::add_sensitive(SpiSession& session, PublishedColumn const& ours, LossyPolicy const& demands) {
  auto const& column = source_.table.columns[source_.column(ours.column)];
  SensitiveColumn sensitive;
  sensitive.name = ours.column;
  sensitive.codes = column.codes;
  sensitive.distinct = column.distinct();
  sensitive.positions = column.positions;
  sensitive.alpha = demands.alpha;
  sensitive.listing = demands.listing(ours.column);
  if (sensitive.listing != Listing::kEvery) {
    std::vector<std::string_view> texts;
    for (Code code = 1; code < column.distinct(); ++code) texts.push_back(column.values[code]);
    auto const found = find_listed(session, ours, texts, demands.listed.at(ours.column), pool_);
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (found.is_listed[i] != 0) sensitive.listed.push_back(static_cast<Code>(i) + 1);
    absent_ += found.absent;
  }
  columns_.push_back(std::move(sensitive));
}

}  // namespace anon_seq::lossy_join
