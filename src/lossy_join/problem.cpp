#include "lossy_join/problem.h"

#include <algorithm>
#include <cstdlib>

#include "core/numbers/cut_point.h"
//
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
  if (std::ranges::any_of(columns_, [](auto const& column) { return column.listing == Listing::kAny; }))
    below_ = values_below(session, policy.columns, demands, pool_);
}

// Without a taxonomy an axis is a line in the order of its type; top-down gives it a taxonomy of medians.
void LossyProblem::add_axis(PublishedColumn const& ours, LossyPolicy const& demands, Checkpoint& checkpoint) {
  auto const& column = source_.table.columns[source_.column(ours.column)];
  auto& made = quasi_.emplace_back();
  made.column = &column;
  QuasiAxis axis;
  axis.codes = column.codes;
  axis.distinct = column.distinct();
  if (!ours.taxonomy.empty()) {
    axis.leaves = leaves_.emplace_back(leaves_of(column, pool_.tree(ours.taxonomy), ours.taxonomy));
    axis.taxonomy = &pool_.tree(ours.taxonomy);
  } else if (demands.classes == ClassKind::kTopdown || demands.coarse) {
    if (column.distinct() < 2) return;  // nobody has a value
    Vector<std::int64_t> holders(static_cast<std::size_t>(column.distinct()));
    for (Code const code : column.codes) ++holders[static_cast<std::size_t>(code)];
    made.bins = bins_of(column, holders, demands);
    made.has_null = holders[kNull] > 0;
    add_domain(made, demands);
    if (demands.classes == ClassKind::kTopdown)
      add_tree(made, axis, holders, checkpoint);
    else
      axis.positions = column.positions;
  } else {
    axis.positions = column.positions;
  }
  made.number = axes_.size();
  axes_.push_back(axis);
}

void LossyProblem::add_domain(Quasi& made, LossyPolicy const& demands) {
  auto const declared = demands.domains.find(made.column->name);
  if (declared == demands.domains.end()) return;
  made.domain = declared->second;
  auto const [lower, upper] = domain_places(*made.column, *made.domain);
  auto const& places = made.column->positions;
  for (std::size_t code = 1; code < places.size(); ++code)
    if (places[code] < lower || places[code] > upper)
      throw Error(Fault::kData, "column " + quoted(made.column->name) + " has values outside its declared domain");
}

Vector<Code> LossyProblem::bins_of(Column const& column, std::span<std::int64_t const> holders,
                                   LossyPolicy const& demands) {
  Vector<char> barred(holders.size());
  if (demands.generalized || demands.coarse)
    barred = barred_cuts(column, holders, std::max<std::int64_t>(demands.k, 2));
  Vector<Code> bins(1, kNull);
  for (Code code = 1; code < column.distinct(); ++code)
    if (code == 1 || barred[static_cast<std::size_t>(code)] == 0) bins.push_back(code);
  bins.push_back(column.distinct());
  return bins;
}

void LossyProblem::add_tree(Quasi& made, QuasiAxis& axis, std::span<std::int64_t const> holders,
                            Checkpoint& checkpoint) {
  Vector<std::int64_t> counts(made.bins.size() - 1);
  for (std::size_t bin = 1; bin < counts.size(); ++bin)
    for (Code code = made.bins[bin]; code < made.bins[bin + 1]; ++code)
      counts[bin] += holders[static_cast<std::size_t>(code)];
  made.line = &trees_.emplace_back(interval_tree(counts, checkpoint));
  auto& leaves = leaves_.emplace_back(holders.size(), kNoNode);
  for (std::size_t bin = 1; bin < counts.size(); ++bin)
    for (Code code = made.bins[bin]; code < made.bins[bin + 1]; ++code)
      leaves[static_cast<std::size_t>(code)] = made.line->leaves[bin];
  axis.taxonomy = &made.line->taxonomy;
  axis.leaves = leaves;
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
  if (demands.near) sensitive.near = std::strtod(demands.near->c_str(), nullptr);
  auto& together = together_.emplace_back();
  auto& found = listed_.emplace_back();
  if (sensitive.listing != Listing::kEvery || demands.alphas.contains(ours.column)) {
    std::vector<std::string_view> texts;
    for (Code code = 1; code < column.distinct(); ++code) texts.push_back(column.values[code]);
    found = find_listed(session, ours, texts, demands, pool_);
    for (std::size_t i = 0; i < texts.size() && sensitive.listing != Listing::kEvery; ++i)
      if (found.is_listed[i] != 0 && (sensitive.listing == Listing::kAny || found.first(i) == i))
        sensitive.listed.push_back(static_cast<Code>(i) + 1);
    if (!found.bounded.empty() && sensitive.listing != Listing::kAny) {
      together.push_back(kNull);
      for (std::size_t i = 0; i < texts.size(); ++i) together.push_back(static_cast<Code>(found.first(i)) + 1);
      auto& codes = codes_.emplace_back();
      codes.reserve(column.codes.size());
      for (Code const code : column.codes) codes.push_back(together[static_cast<std::size_t>(code)]);
      sensitive.codes = codes;
    }
    for (auto const& [text, alpha] : found.own) sensitive.own.emplace_back(static_cast<Code>(text) + 1, alpha);
    absent_ += found.absent;
  }
  columns_.push_back(std::move(sensitive));
}

ListedValues::Bounded const* LossyProblem::bounded(std::size_t column, Code code) const {
  auto const& found = listed_[column];
  auto const text = static_cast<std::size_t>(code) - 1;
  if (code <= kNull || text >= found.bound_of.size() || found.bound_of[text] == ListedValues::kSingly) return nullptr;
  return &found.bounded[found.bound_of[text]];
}

}  // namespace anon_seq::lossy_join
