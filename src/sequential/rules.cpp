// Rules of SequentialProblem: bound rules in terms of tables, columns and codes.
#include <algorithm>

#include "core/numbers/decimal.h"
#include "core/sequential/join_model.h"
//
#include "sequential/problem.h"

namespace anon_seq::sequential {

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

// Codes of a column whose value is the listed one, or lies below it where it is a node of the taxonomy. Numbers are
// listed in any spelling.
Vector<Code> SequentialProblem::codes_under(ColumnRef ref, std::string const& value) {
  auto const& column = problem_.at(ref.table).columns[ref.column];
  Vector<Code> codes;
  auto const* const shown = published(ref);
  auto const* const tree = shown == nullptr || shown->taxonomy.empty() ? nullptr : &pool_.tree(shown->taxonomy);
  Node const above = tree == nullptr ? kNoNode : tree->find(value);
  bool const number = line_of(column.kind) == Line::kNumbers && decimal_scale(value).has_value();
  if (above == kNoNode && !number) {
    if (Code const code = column.values.find(value); code != kNoCode) codes.push_back(code);
    return codes;
  }
  for (Code code = 1; code < column.distinct(); ++code) {
    auto const text = column.values[code];
    Node const node = above == kNoNode ? kNoNode : tree->find(text);
    bool const same = number ? same_decimal(text, value) : text == value;
    if (same || (node != kNoNode && tree->covers(above, node))) codes.push_back(code);
  }
  return codes;
}

// What a listed value means in one column of y.
ListedY::Part SequentialProblem::listed_part(ColumnRef ref, std::optional<std::string> const& value) {
  ListedY::Part part;
  std::size_t const a = ref.table == 0 ? problem_.generalizes(ref.column) : kNoColumn;
  if (a == kNoColumn) {
    if (value)
      part.codes = codes_under(ref, *value);
    else
      part.codes.push_back(kNull);
    return part;
  }
  part.null = !value;
  if (!value) return part;
  auto const* const tree = problem_.attributes[a].taxonomy;  // of ranges nothing can be listed
  if (Node const node = tree->find(*value); node != kNoNode) part.ranks = ranks_of(*tree, node);
  return part;
}

// False if none of the listed values occurs: the rule then holds whatever is done, but for records without a match.
bool SequentialProblem::add_sensitive(BoundRule const& bound, Rule& rule) {
  bool any = bound.spec.values.empty();
  for (auto const& listed : bound.spec.values) {
    ListedY value;
    bool occurs = true;
    for (std::size_t i = 0; i < rule.y.size(); ++i) {
      value.parts.push_back(listed_part(rule.y[i], listed.parts[i]));
      auto const& part = value.parts.back();
      occurs = occurs && (!part.codes.empty() || part.null || part.ranks.begin < part.ranks.end);
    }
    any = any || occurs;
    Ratio const max = listed.max ? *listed.max : rule.max;
    if (rule.sensitive.empty() || bound.spec.each || listed.max) rule.sensitive.push_back({{}, max});
    if (occurs) rule.sensitive.back().values.push_back(std::move(value));
  }
  return any;
}

// The codes of a column of y that say nothing: the root of its taxonomy, the range of everything.
Vector<Code> SequentialProblem::says_nothing(ColumnRef ref) {
  auto const* const shown = published(ref);
  if (shown == nullptr) return {};
  auto const& values = problem_.at(ref.table).columns[ref.column].values;
  std::string root = "(,)";
  if (!is_range_type(shown->type)) {
    if (shown->taxonomy.empty()) return {};
    auto const& tree = pool_.tree(shown->taxonomy);
    root = tree.label(kRoot);
  }
  Code const code = values.find(root);
  return code == kNoCode ? Vector<Code>() : Vector<Code>{code};
}

// Whether any value that it lists occurs.
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
  rule.nulls = bound.spec.nulls;
  for (auto const& ref : rule.y) rule.nothing.push_back(says_nothing(ref));
  bool const occurs = add_sensitive(bound, rule);
  problem_.rules.push_back(std::move(rule));
  return occurs;
}

void SequentialProblem::add_rules() {
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    auto const& spec = bound_[i].spec;
    if (spec.anonymity && spec.min > source_.persons && spec.y.size() == 1 && means_person(policy_, spec.y.front()))
      throw Error(Fault::kData,
                  "the source has fewer persons than the " + std::to_string(spec.min) + " that are demanded",
                  "It has " + std::to_string(source_.persons) + ".", "Lower k, or publish when more have arrived.");
    rule_of_.push_back(i);
    if (!spec.population.empty())
      add_population_rule(bound_[i]);
    else if (!add_rule(bound_[i]))
      notices_.push_back("no value listed in rule " + spec.text() + " occurs");
  }
}

}  // namespace anon_seq::sequential
