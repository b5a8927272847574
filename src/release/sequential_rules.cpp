// Rules of SequentialProblem: bound rules in terms of tables, columns and codes.
#include <algorithm>

#include "release/sequential_problem.h"

namespace anon_seq::pg {

ColumnRef SequentialProblem::column_ref(BoundRule const& bound, RuleColumn const& column) const {
  std::size_t const r = bound.release_of(column);
  if (r == BoundRule::kSource) {
    std::size_t const index = source_.column(column.column);
    if (index == SourceTable::kNoIndex)
      throw Error(Fault::kNoColumn, "column " + quoted(column.column) + " of a rule was not read from the source");
    return {0, index};
  }
  auto const* const theirs = releases_[r].find_column(column.column);
  if (theirs == nullptr)
    throw Error(Fault::kNoColumn,
                "release " + quoted(releases_[r].reference()) + " has no column " + quoted(column.column));
  return {r + 1, releases_[r].number_of(*theirs) - 1};
}

// Codes of a column whose value is the listed one, or lies below it where it is a node of the taxonomy.
Vector<Code> SequentialProblem::codes_under(ColumnRef ref, std::string const& value) const {
  auto const& column = problem_.at(ref.table).columns[ref.column];
  Vector<Code> codes;
  if (Code const code = column.values.find(value); code != kNoCode) codes.push_back(code);
  auto const* const shown = published(ref);
  if (shown == nullptr || shown->taxonomy.empty()) return codes;
  auto const& tree = const_cast<TaxonomyPool&>(pool_).tree(shown->taxonomy);
  Node const above = tree.find(value);
  if (above == kNoNode) return codes;
  codes.clear();
  for (Code code = 1; code < column.distinct(); ++code)
    if (Node const node = tree.find(column.values[code]); node != kNoNode && tree.covers(above, node))
      codes.push_back(code);
  return codes;
}

// False if none of the listed values occurs: the rule then holds whatever is done.
bool SequentialProblem::add_sensitive(BoundRule const& bound, Rule& rule) const {
  for (auto const& listed : bound.spec.values) {
    std::vector<Vector<Code>> parts;  // per column of y
    for (std::size_t i = 0; i < rule.y.size(); ++i) parts.push_back(codes_under(rule.y[i], listed.parts[i]));
    Vector<Code> tuples;
    Vector<std::size_t> at(parts.size(), 0);
    bool const occurs = std::all_of(parts.begin(), parts.end(), [](auto const& codes) { return !codes.empty(); });
    for (bool more = occurs; more;) {  // every combination of the parts
      for (std::size_t i = 0; i < parts.size(); ++i) tuples.push_back(parts[i][at[i]]);
      std::size_t i = 0;
      while (i < parts.size() && ++at[i] == parts[i].size()) at[i++] = 0;
      more = i < parts.size();
    }
    if (tuples.empty()) continue;
    Ratio const max = listed.max ? *listed.max : rule.max;
    if (rule.sensitive.empty() || bound.spec.each || listed.max)
      rule.sensitive.push_back({std::move(tuples), max});
    else
      rule.sensitive.back().tuples.insert(rule.sensitive.back().tuples.end(), tuples.begin(), tuples.end());
  }
  return bound.spec.values.empty() || !rule.sensitive.empty();
}

bool SequentialProblem::add_rule(BoundRule const& bound) {
  Rule rule;
  rule.kind = bound.spec.anonymity ? Rule::Kind::kAnonymity : Rule::Kind::kLinkability;
  rule.min = bound.spec.min;
  rule.max = bound.spec.max.value_or(Ratio{1, 1});
  rule.allow_partial_x = bound.spec.partial_x;
  rule.tables.emplace();
  for (std::size_t r : bound.releases) rule.tables->push_back(r + 1);
  std::sort(rule.tables->begin(), rule.tables->end());
  for (auto const& column : bound.spec.x) rule.x.push_back(column_ref(bound, column));
  for (auto const& column : bound.spec.y) {
    if (means_person(policy_, column))
      rule.y_keys.push_back(0);
    else if (column.column.empty())
      rule.y_keys.push_back(bound.release_of(column) + 1);
    else
      rule.y.push_back(column_ref(bound, column));
  }
  if (!add_sensitive(bound, rule)) return false;
  problem_.rules.push_back(std::move(rule));
  return true;
}

void SequentialProblem::add_rules() {
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    auto const& spec = bound_[i].spec;
    if (spec.anonymity && spec.min > source_.persons &&
        std::any_of(spec.y.begin(), spec.y.end(), [&](auto const& c) { return means_person(policy_, c); }))
      throw Error(Fault::kData,
                  "the source has fewer persons than the " + std::to_string(spec.min) + " that are demanded",
                  "It has " + std::to_string(source_.persons) + ".", "Lower k, or publish when more have arrived.");
    if (add_rule(bound_[i]))
      rule_of_.push_back(i);
    else
      notices_.push_back("no value listed in rule " + spec.text() + " occurs");
  }
}

}  // namespace anon_seq::pg
