#include "core/sequential/sequential.h"

#include <algorithm>

#include "core/sequential/simulatable.h"

namespace anon_seq {
namespace {

void expect(bool holds, char const* what) {
  if (!holds) throw Error(Fault::kInternal, std::string("sequential problem: ") + what);
}

std::string number(std::size_t i) { return std::to_string(i + 1); }

void check_column(Problem const& problem, ColumnRef ref) {
  expect(ref.table < problem.tables() && ref.column < problem.at(ref.table).columns.size(), "a rule names no column");
}

void check_threshold(Ratio max, std::size_t rule) {
  if (max.den > 0 && max.num > 0 && max.num <= max.den) return;
  throw Error(Fault::kParameter, "the threshold of linkability rule " + number(rule) + " is out of range",
              "It must be greater than 0 and at most 1.");
}

void check_attributes(Problem const& problem) {
  for (auto const& attribute : problem.attributes) {
    expect(attribute.column < problem.table->columns.size(), "an attribute is no column");
    auto const& column = problem.table->columns[attribute.column];
    auto const distinct = static_cast<std::size_t>(column.distinct());
    if (attribute.taxonomy == nullptr) {
      expect(column.positions.size() == distinct, "a continuous attribute has no positions");
      expect(attribute.cuts.empty() || attribute.cuts.size() == distinct, "cuts and values differ in number");
      expect(attribute.barred.empty() || attribute.barred.size() == distinct, "bars and values differ in number");
      continue;
    }
    expect(attribute.leaves.size() == distinct, "leaves and values differ in number");
    for (std::size_t code = 1; code < distinct; ++code)
      expect(attribute.leaves[code] >= 0 && attribute.leaves[code] < attribute.taxonomy->size() &&
                 attribute.taxonomy->is_leaf(attribute.leaves[code]),
             "a value is no leaf of its taxonomy");
  }
}

void check_join(Problem const& problem) {
  for (auto const& attribute : problem.join) {
    std::vector<std::size_t> tables;
    for (auto const& holder : attribute.holders) {
      expect(holder.table < problem.tables() && holder.column < problem.at(holder.table).columns.size(),
             "a holder is no column");
      expect(std::find(tables.begin(), tables.end(), holder.table) == tables.end(), "a table holds an attribute twice");
      tables.push_back(holder.table);
      auto const distinct = static_cast<std::size_t>(problem.at(holder.table).columns[holder.column].distinct());
      std::size_t const generalized = holder.table == 0 ? problem.generalizes(holder.column) : kNoColumn;
      if (generalized != kNoColumn)
        expect(attribute.overlap
                   ? problem.attributes[generalized].taxonomy == nullptr
                         ? problem.attributes[generalized].cuts.size() == distinct
                         : holder.intervals.size() ==
                               static_cast<std::size_t>(problem.attributes[generalized].taxonomy->size())
                   : attribute.taxonomy != nullptr && problem.attributes[generalized].taxonomy == attribute.taxonomy,
               "a generalized join attribute is matched in another way than it is generalized");
      else
        expect((attribute.taxonomy != nullptr ? holder.nodes.size()
                : attribute.overlap           ? holder.intervals.size()
                                              : holder.values.size()) == distinct,
               "a holder does not say what its codes mean");
    }
  }
  for (auto const& stated : problem.inconsistent)
    expect(stated.a < problem.join.size() && stated.b < problem.join.size() && stated.a != stated.b &&
               !problem.join[stated.a].overlap && !problem.join[stated.b].overlap,
           "an inconsistency names no two join attributes");
}

// X with one copy of a common attribute and not another says less than it seems to.
void check_copies(Problem const& problem, Rule const& rule, std::size_t index) {
  auto in_x = [&](auto const& holder) {
    return std::find(rule.x.begin(), rule.x.end(), ColumnRef{holder.table, holder.column}) != rule.x.end();
  };
  if (rule.allow_partial_x) return;
  for (auto const& attribute : problem.join) {
    auto const held = std::count_if(attribute.holders.begin(), attribute.holders.end(), in_x);
    auto const joined = std::count_if(attribute.holders.begin(), attribute.holders.end(),
                                      [&](auto const& holder) { return rule.joins(holder.table); });
    if (held != 0 && held != joined)
      throw Error(Fault::kParameter,
                  "x of rule " + number(index) + " holds " + quoted(attribute.name) +
                      " of some releases but not of all that have it",
                  "Either copy may be the more specific one, so X should list them all.",
                  "Add the missing copies to x, or set \"partial_x\": true in the rule.");
  }
}

void check_population_rule(Problem const& problem, Rule const& rule, std::size_t index) {
  expect(*rule.population < problem.populations.size(), "a rule names no population");
  auto const& population = problem.populations[*rule.population];
  expect(rule.y.empty() && rule.y_keys.empty() && !population.axes.empty() && population.axes.size() == rule.x.size(),
         "a rule about a population has another x, or a y");
  for (std::size_t i = 0; i < rule.x.size(); ++i) {
    auto const& axis = population.axes[i];
    expect(rule.x[i].table == 0 && problem.generalizes(rule.x[i].column) == axis.attribute &&
               axis.attribute != kNoColumn && axis.codes.size() == population.people.size(),
           "a population does not say what x shows of it");
  }
  if (rule.kind == Rule::Kind::kLinkability) return check_threshold(rule.max, index);
  if (rule.min < 1) throw Error(Fault::kParameter, "the minimum of k-map rule " + number(index) + " is less than 1");
}

void check_rule(Problem const& problem, Rule const& rule, std::size_t index) {
  if (rule.population) return check_population_rule(problem, rule, index);
  for (auto const* side : {&rule.x, &rule.y})
    for (auto const& ref : *side) expect(rule.joins(ref.table), "a rule names a table that it does not join");
  for (auto const& ref : rule.x) check_column(problem, ref);
  for (auto const& ref : rule.y) {
    check_column(problem, ref);
    if (std::find(rule.x.begin(), rule.x.end(), ref) != rule.x.end())
      throw Error(Fault::kParameter, "column " + quoted(problem.at(ref.table).columns[ref.column].name) +
                                         " is in both x and y of rule " + number(index));
  }
  for (std::size_t table : rule.y_keys) expect(table < problem.tables(), "a rule names no table");
  expect(rule.nothing.empty() || rule.nothing.size() == rule.y.size(), "what says nothing is not told for all of y");
  if (rule.y.empty() && rule.y_keys.empty())
    throw Error(Fault::kParameter, "rule " + number(index) + " has an empty y");
  if (rule.kind == Rule::Kind::kAnonymity) {
    if (rule.min < 1)
      throw Error(Fault::kParameter, "the minimum of anonymity rule " + number(index) + " is less than 1");
  } else {
    if (!rule.y_keys.empty())
      throw Error(Fault::kUnsupported, "linkability of persons or records in rule " + number(index), "",
                  "Name columns in y, or state an anonymity rule.");
    check_threshold(rule.max, index);
    for (auto const& set : rule.sensitive) {
      check_threshold(set.max, index);
      for (auto const& value : set.values)
        expect(value.parts.size() == rule.y.size(), "a listed value has not one part per column of y");
    }
  }
  check_copies(problem, rule, index);
}

}  // namespace

std::size_t Problem::generalizes(std::size_t column) const {
  for (std::size_t a = 0; a < attributes.size(); ++a)
    if (attributes[a].column == column) return a;
  return kNoColumn;
}

bool Problem::reads_other_columns(Rule const& rule) const {
  auto const other = [&](auto const& ref) { return ref.table == 0 && generalizes(ref.column) == kNoColumn; };
  if (std::any_of(rule.x.begin(), rule.x.end(), other) || std::any_of(rule.y.begin(), rule.y.end(), other)) return true;
  bool joins = false;
  for (std::size_t table = 1; table < tables(); ++table) joins = joins || rule.joins(table);
  return joins && std::any_of(join.begin(), join.end(), [&](auto const& attribute) {
           return std::any_of(attribute.holders.begin(), attribute.holders.end(), other);
         });
}

void Problem::check() const {
  expect(table != nullptr, "there is no table");
  expect(person == kNoColumn || person < table->columns.size(), "the person is no column");
  expect(informs.empty() || informs.size() == table->rows(), "informing rows and rows differ in number");
  if (objective == Objective::kEntropy) expect(label < table->columns.size(), "entropy needs a label");
  check_attributes(*this);
  check_join(*this);
  for (std::size_t i = 0; i < rules.size(); ++i) check_rule(*this, rules[i], i);
  for (std::size_t column : secret)
    expect(column < table->columns.size() && generalizes(column) == kNoColumn, "what is secret is no such column");
  check_simulatable(*this);
}

}  // namespace anon_seq
