// Small problems in few words, for the tests of the sequential method.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/sequential/finest_cut.h"
#include "core/sequential/specialize.h"

namespace anon_seq::testing {

using Row = std::vector<std::string>;  // "" is NULL
using Rows = std::vector<Row>;

// child -> parent, in preorder or not; the first parent named is the root.
inline Taxonomy make_taxonomy(std::vector<std::pair<std::string, std::string>> const& edges) {
  Dictionary labels;
  Vector<Node> parents;
  labels.intern(edges.front().second);
  parents.push_back(kNoNode);
  for (auto const& [child, parent] : edges) {
    labels.intern(child);
    parents.push_back(labels.find(parent));
  }
  return Taxonomy(labels, parents);
}

inline bool is_number(std::string const& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

// Codes ascend by number where every value is one, else by bytes.
inline Column make_column(std::string name, std::vector<std::string> const& values) {
  std::vector<std::string> distinct(values);
  std::erase(distinct, "");
  bool const numbers = !distinct.empty() && std::all_of(distinct.begin(), distinct.end(), is_number);
  std::sort(distinct.begin(), distinct.end(),
            [&](auto const& a, auto const& b) { return numbers ? std::stod(a) < std::stod(b) : a < b; });
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Column column;
  column.name = std::move(name);
  column.kind = numbers ? ValueKind::kNumeric : ValueKind::kText;
  column.values.add_hidden("");
  for (auto const& value : distinct) column.values.intern(value);
  if (numbers) {
    column.positions.push_back(0);
    for (auto const& value : distinct) column.positions.push_back(std::stod(value));
  }
  for (auto const& value : values) column.codes.push_back(value.empty() ? kNull : column.values.find(value));
  return column;
}

inline CodedTable make_table(std::vector<std::string> const& names, Rows const& rows) {
  CodedTable table;
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::vector<std::string> values;
    for (auto const& row : rows) values.push_back(row[c]);
    table.columns.push_back(make_column(names[c], values));
  }
  return table;
}

// A problem that owns what it borrows. Table 0 first, then what it generalizes, then the rest.
class Case {
 public:
  Case() = default;
  Case(Case const&) = delete;

  Problem problem;

  std::size_t add_table(std::vector<std::string> const& names, Rows const& rows, Vector<std::int64_t> weights = {}) {
    tables_.push_back(make_table(names, rows));
    tables_.back().weights = std::move(weights);
    if (tables_.size() == 1)
      problem.table = &tables_.back();
    else
      problem.earlier.push_back(&tables_.back());
    return tables_.size() - 1;
  }
  Taxonomy const& add_taxonomy(std::string const& name, std::vector<std::pair<std::string, std::string>> const& edges) {
    taxonomies_.push_back(make_taxonomy(edges));
    by_name_[name] = &taxonomies_.back();
    return taxonomies_.back();
  }
  // T1's column by the taxonomy of its name, or as a continuous one.
  void generalize(std::string const& column) {
    Attribute attribute;
    attribute.column = at(0, column).column;
    auto const found = by_name_.find(column);
    if (found != by_name_.end()) {
      attribute.taxonomy = found->second;
      attribute.leaves = nodes(0, column, *found->second);
    }
    problem.attributes.push_back(std::move(attribute));
  }
  // The column of that name in each of the tables is one attribute.
  std::size_t join(std::string const& column, std::vector<std::size_t> const& tables) {
    JoinAttribute attribute;
    attribute.name = column;
    auto const found = by_name_.find(column);
    if (found != by_name_.end()) attribute.taxonomy = found->second;
    Dictionary shared;
    shared.add_hidden("");
    for (std::size_t table : tables) {
      JoinAttribute::Holder holder;
      holder.table = table;
      holder.column = at(table, column).column;
      auto const& source = problem.at(table).columns[holder.column];
      if (attribute.taxonomy != nullptr)
        holder.nodes = nodes(table, column, *attribute.taxonomy);
      else
        for (Code code = 0; code < source.distinct(); ++code)
          holder.values.push_back(code == kNull ? 0 : shared.intern(source.values[code]));
      attribute.holders.push_back(std::move(holder));
    }
    problem.join.push_back(std::move(attribute));
    return problem.join.size() - 1;
  }
  void exclude(std::size_t a, std::string const& u, std::size_t b, std::string const& v) {
    problem.inconsistent.push_back({a, b, problem.join[a].taxonomy->find(u), problem.join[b].taxonomy->find(v)});
  }

  ColumnRef at(std::size_t table, std::string const& column) const {
    auto const& columns = problem.at(table).columns;
    auto const found = std::find_if(columns.begin(), columns.end(), [&](auto const& c) { return c.name == column; });
    if (found == columns.end()) std::abort();
    return {table, static_cast<std::size_t>(found - columns.begin())};
  }
  // "T1.D" is table 0, column D.
  std::vector<ColumnRef> refs(std::vector<std::string> const& names) const {
    std::vector<ColumnRef> refs;
    for (auto const& name : names) refs.push_back(at(static_cast<std::size_t>(name[1] - '1'), name.substr(3)));
    return refs;
  }
  Rule& anonymity(std::vector<std::string> const& x, std::vector<std::string> const& y, std::vector<std::size_t> keys,
                  std::int64_t min) {
    Rule rule;
    rule.x = refs(x);
    rule.y = refs(y);
    rule.y_keys = std::move(keys);
    rule.min = min;
    rule.allow_partial_x = true;
    problem.rules.push_back(std::move(rule));
    return problem.rules.back();
  }
  // One set of values per entry of `sets`; values of one column of Y.
  Rule& linkability(std::vector<std::string> const& x, std::vector<std::string> const& y, Ratio max,
                    std::vector<std::vector<std::string>> const& sets = {}) {
    Rule rule;
    rule.kind = Rule::Kind::kLinkability;
    rule.x = refs(x);
    rule.y = refs(y);
    rule.max = max;
    rule.allow_partial_x = true;
    for (auto const& set : sets) {
      SensitiveSet sensitive;
      sensitive.max = max;
      for (auto const& value : set)
        sensitive.values.push_back({{{{column(rule.y[0]).values.find(value)}, {0, 0}, false}}});
      rule.sensitive.push_back(std::move(sensitive));
    }
    problem.rules.push_back(std::move(rule));
    return problem.rules.back();
  }
  Column const& column(ColumnRef ref) const { return problem.at(ref.table).columns[ref.column]; }
  Column& mutable_column(ColumnRef ref) { return tables_[ref.table].columns[ref.column]; }
  CodedTable& mutable_table(std::size_t table) { return tables_[table]; }

  SequentialOutcome run() {
    NoCheckpoint checkpoint;
    return specialize(problem, checkpoint);
  }
  // Levels of all rules where `cut` names T1's values: attribute -> labels.
  std::vector<Level> measure(std::vector<std::vector<std::string>> const& cut, bool general = false) {
    NoCheckpoint checkpoint;
    std::vector<Vector<CutValue>> values;
    for (std::size_t a = 0; a < cut.size(); ++a) {
      values.emplace_back();
      for (auto const& label : cut[a]) {
        Taxonomy const& taxonomy = *problem.attributes[a].taxonomy;
        Node const node = label.empty() ? kNoNode : taxonomy.find(label);
        Extent const whole{0, taxonomy.leaves(kRoot) + 1};
        Extent const ranks = node == kNoNode ? Extent{0, 1}
                             : node == kRoot ? whole
                                             : Extent{taxonomy.leaf_rank(node) + 1,
                                                      taxonomy.leaf_rank(node) + 1 + taxonomy.leaves(node)};
        CutValue value;
        value.ranks = ranks;
        value.node = node;
        values.back().push_back(value);
      }
    }
    return measure_rules(problem, values, general, checkpoint);
  }

 private:
  Vector<Node> nodes(std::size_t table, std::string const& name, Taxonomy const& taxonomy) const {
    Column const& source = column(at(table, name));
    Vector<Node> nodes;
    for (Code code = 0; code < source.distinct(); ++code)
      nodes.push_back(code == kNull ? kNoNode : taxonomy.find(source.values[code]));
    return nodes;
  }

  std::deque<CodedTable> tables_;
  std::deque<Taxonomy> taxonomies_;
  std::map<std::string, Taxonomy const*> by_name_;
};

// Steps in the order of a search for k, if k is to be had.
inline void lead(Problem& problem, std::int64_t k) {
  NoCheckpoint none;
  KDemands const demands{k, 0, Vector<std::int64_t>(problem.attributes.size(), kLossUnit)};
  auto const finest = find_finest_cut(problem, demands, none);
  if (finest.found) problem.order = order_towards(problem, finest, demands, none);
}

inline void expect_count(Level level, std::int64_t count) {
  EXPECT_EQ(level.num, count);
  EXPECT_EQ(level.den, 1);
}
inline void expect_share(Level level, std::int64_t num, std::int64_t den) {
  ASSERT_GT(level.den, 0);
  EXPECT_EQ(level.num * den, num * level.den) << level.num << "/" << level.den;
}

inline void add_flat(Case& c, std::string const& name, std::vector<std::string> const& leaves) {
  std::vector<std::pair<std::string, std::string>> edges;
  for (auto const& leaf : leaves) edges.push_back({leaf, "ANY"});
  c.add_taxonomy(name, edges);
}

}  // namespace anon_seq::testing
