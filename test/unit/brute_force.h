// The join of small releases by enumeration, for tests: shares no code with what it checks.
//
// Values are labels, a node's instances the leaves found by walking parents. A record is a map from column
// names to labels; NULL is "". T1's records are given as they would be published.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace anon_seq::brute {

using Label = std::string;
using Record = std::map<std::string, Label>;

struct Tree {
  std::map<Label, Label> parent;  // the root is absent
  std::vector<Label> leaves;
  Label root;

  bool above(Label const& a, Label d) const {  // a is d, or above it
    for (;;) {
      if (a == d) return true;
      auto const up = parent.find(d);
      if (up == parent.end()) return false;
      d = up->second;
    }
  }
};

// How an attribute that tables have in common compares.
struct Shared {
  std::string column;
  Tree const* tree = nullptr;  // none: plain values, or intervals
  bool intervals = false;      // labels are "lower upper", "" is NULL, "any" covers everything
  std::set<std::size_t> tables;
};

struct Stated {  // column = u excludes other = v
  std::string column, other;
  Label u, v;
};

struct World {
  std::vector<std::vector<Record>> tables;         // T1 first
  std::vector<std::vector<std::int64_t>> weights;  // a record that stands for several
  std::vector<Shared> shared;
  std::vector<Stated> stated;
  std::map<std::string, Tree const*> trees;
  std::map<std::string, std::set<std::size_t>> holders;  // of columns in stated pairs
  bool outer = false;
};

struct Y {
  std::vector<std::pair<std::size_t, std::string>> columns;
  std::vector<Label> nothing;  // per column, the label that says nothing; "": none
  std::set<std::size_t> keys;
  std::string person;  // column of T1 that names persons; "": rows are persons
  bool nulls = false;  // NULL is a value that is bounded singly

  bool is_value(std::size_t i, Label const& label) const {
    return label.empty() ? nulls : nothing[i].empty() || nothing[i] != label;
  }
};

using Match = std::vector<int>;  // record of each table, -1: the empty partner

inline bool same_path(Tree const& tree, Label const& a, Label const& b) {
  auto covers = [&](Label const& x, Label const& y) {
    if (x == y) return true;
    if (x.empty()) return false;
    if (y.empty()) return x == tree.root;
    return tree.above(x, y);
  };
  return covers(a, b) || covers(b, a);
}

inline bool overlap(Label const& a, Label const& b) {
  if (a == "any" || b == "any") return true;
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  auto bounds = [](Label const& x) {
    auto const space = x.find(' ');
    return std::pair(std::stod(x.substr(0, space)), std::stod(x.substr(space + 1)));
  };
  auto const [l1, u1] = bounds(a);
  auto const [l2, u2] = bounds(b);
  return l1 < u2 && l2 < u1;
}

inline bool excluded(World const& world, std::string const& column, Label const& a, std::string const& other,
                     Label const& b) {
  Tree const &ta = *world.trees.at(column), &tb = *world.trees.at(other);
  auto instances = [&](Tree const& tree, Label const& value) {
    std::vector<Label> found;
    for (auto const& leaf : tree.leaves)
      if (!value.empty() && tree.above(value, leaf)) found.push_back(leaf);
    if (value.empty() || value == tree.root) found.push_back("");
    return found;
  };
  for (auto const& x : instances(ta, a))
    for (auto const& y : instances(tb, b)) {
      bool covered = false;
      for (auto const& stated : world.stated) {
        auto under = [](Tree const& tree, Label const& top, Label const& leaf) {
          return leaf.empty() ? top == tree.root : tree.above(top, leaf);
        };
        if (stated.column == column && stated.other == other && under(ta, stated.u, x) && under(tb, stated.v, y))
          covered = true;
        if (stated.column == other && stated.other == column && under(tb, stated.u, y) && under(ta, stated.v, x))
          covered = true;
      }
      if (!covered) return false;
    }
  return true;
}

inline bool compatible(World const& world, std::size_t i, Record const& a, std::size_t j, Record const& b) {
  for (auto const& shared : world.shared) {
    if (shared.tables.count(i) == 0 || shared.tables.count(j) == 0) continue;
    Label const &x = a.at(shared.column), &y = b.at(shared.column);
    bool const fits = shared.tree != nullptr ? same_path(*shared.tree, x, y)
                      : shared.intervals     ? overlap(x, y)
                                             : x == y;
    if (!fits) return false;
  }
  if (world.stated.empty()) return true;
  std::set<std::pair<std::string, std::string>> pairs;
  for (auto const& stated : world.stated) {
    pairs.insert({stated.column, stated.other});
    pairs.insert({stated.other, stated.column});
  }
  for (auto const& [column, other] : pairs) {
    if (world.holders.at(column).count(i) == 0 || world.holders.at(other).count(j) == 0) continue;
    if (excluded(world, column, a.at(column), other, b.at(other))) return false;
  }
  return true;
}

inline std::vector<Match> join(World const& world) {
  // Whether record r of table i and record s of table j may stand together, found out once: -1 unknown.
  std::size_t const tables = world.tables.size();
  std::vector<std::vector<signed char>> known(tables * tables);
  auto fits_together = [&](std::size_t i, std::size_t r, std::size_t j, std::size_t s) {
    auto& pairs = known[i * tables + j];
    if (pairs.empty()) pairs.assign(world.tables[i].size() * world.tables[j].size(), -1);
    auto& answer = pairs[r * world.tables[j].size() + s];
    if (answer < 0) answer = compatible(world, i, world.tables[i][r], j, world.tables[j][s]);
    return answer != 0;
  };
  auto fits = [&](Match const& match, std::size_t j, std::size_t r) {
    for (std::size_t i = 0; i < match.size(); ++i) {
      if (i == j || match[i] < 0) continue;
      auto const s = static_cast<std::size_t>(match[i]);
      if (i < j ? !fits_together(i, s, j, r) : !fits_together(j, r, i, s)) return false;
    }
    return true;
  };
  std::vector<Match> matches;
  for (std::size_t r = 0; r < world.tables[0].size(); ++r) matches.push_back({static_cast<int>(r)});
  for (std::size_t j = 1; j < world.tables.size(); ++j) {
    std::vector<Match> longer;
    for (auto const& match : matches) {
      for (std::size_t r = 0; r < world.tables[j].size(); ++r) {
        if (!fits(match, j, r)) continue;
        longer.push_back(match);
        longer.back().push_back(static_cast<int>(r));
      }
      if (!world.outer) continue;
      longer.push_back(match);
      longer.back().push_back(-1);
    }
    matches.swap(longer);
  }
  // With empty partners: those to which nothing can be added.
  std::erase_if(matches, [&](Match const& match) {
    for (std::size_t j = 1; j < match.size(); ++j)
      for (std::size_t r = 0; match[j] < 0 && r < world.tables[j].size(); ++r)
        if (fits(match, j, r)) return true;
    return false;
  });
  return matches;
}

using X = std::vector<std::pair<std::size_t, std::string>>;

inline std::vector<Label> x_of(World const& world, Match const& match, X const& x) {
  std::vector<Label> value;
  for (auto const& [table, column] : x) {
    int const row = match[table];
    value.push_back(row < 0 ? "<none>" : "=" + world.tables[table][static_cast<std::size_t>(row)].at(column));
  }
  return value;
}

inline std::int64_t weight_of(World const& world, Match const& match, std::set<std::size_t> const& tables) {
  std::int64_t weight = 1;
  for (std::size_t table : tables)
    if (match[table] >= 0) weight *= world.weights[table][static_cast<std::size_t>(match[table])];
  return weight;
}

// A_Y(X); none for an empty join.
inline std::optional<std::int64_t> anonymity(World const& world, std::vector<Match> const& matches, X const& x,
                                             Y const& y) {
  std::map<std::vector<Label>, std::map<std::vector<Label>, std::int64_t>> found;
  for (auto const& match : matches) {
    auto& tuples = found[x_of(world, match, x)];
    std::vector<Label> tuple;
    bool null = false;
    std::set<std::size_t> counted;
    for (std::size_t i = 0; i < y.columns.size(); ++i) {
      auto const& [table, column] = y.columns[i];
      if (match[table] < 0) {
        null = true;
        continue;
      }
      auto const& label = world.tables[table][static_cast<std::size_t>(match[table])].at(column);
      null |= label.empty() || !y.is_value(i, label);
      tuple.push_back("=" + label);
    }
    for (std::size_t key : y.keys) {
      if (match[key] < 0) {
        null = true;
        continue;
      }
      if (key == 0 && !y.person.empty()) {
        auto const& label = world.tables[0][static_cast<std::size_t>(match[0])].at(y.person);
        null |= label.empty();
        tuple.push_back("p" + label);
      } else {
        tuple.push_back("#" + std::to_string(match[key]));
        counted.insert(key);
      }
    }
    if (!null) tuples[tuple] = weight_of(world, match, counted);
  }
  std::optional<std::int64_t> least;
  for (auto const& [value, tuples] : found) {
    std::int64_t sum = 0;
    for (auto const& [tuple, weight] : tuples) sum += weight;
    if (!least || sum < *least) least = sum;
  }
  return least;
}

struct Share {
  std::int64_t num, den;
};

// The largest share l of the sets' values over its threshold k, as num / den of l / k; of every value singly
// if `sets` is empty. `sets`: tuples, threshold as num / den.
struct Set {
  std::vector<std::vector<std::set<Label>>> listed;  // per listed value and column of y: the labels that have it
  std::int64_t num, den;

  bool holds(std::vector<Label> const& tuple) const {
    return std::any_of(listed.begin(), listed.end(), [&](auto const& value) {
      for (std::size_t i = 0; i < tuple.size(); ++i)
        if (value[i].count(tuple[i]) == 0) return false;
      return true;
    });
  }
};
inline std::optional<Share> linkability(World const& world, std::vector<Match> const& matches, X const& x, Y const& y,
                                        std::vector<Set> const& sets, bool& within, Share threshold) {
  std::set<std::size_t> all;
  for (std::size_t i = 0; i < world.tables.size(); ++i) all.insert(i);
  std::map<std::vector<Label>, std::int64_t> totals;
  std::map<std::vector<Label>, std::map<std::vector<Label>, std::int64_t>> counts;
  for (auto const& match : matches) {
    auto const value = x_of(world, match, x);
    auto const weight = weight_of(world, match, all);
    totals[value] += weight;
    std::vector<Label> tuple;
    bool null = false, missing = false;
    for (std::size_t i = 0; i < y.columns.size(); ++i) {
      auto const& [table, column] = y.columns[i];
      if (match[table] < 0) {
        missing = true;
        break;
      }
      tuple.push_back(world.tables[table][static_cast<std::size_t>(match[table])].at(column));
      null |= !y.is_value(i, tuple.back());
    }
    if (missing || (sets.empty() && null)) continue;
    if (sets.empty()) counts[value][tuple] += weight;
    for (std::size_t s = 0; s < sets.size(); ++s)
      if (sets[s].holds(tuple)) counts[value][{std::to_string(s)}] += weight;
  }
  within = true;
  std::optional<Share> worst;
  double worst_key = -1;
  for (auto const& [value, total] : totals) {
    if (!worst) worst = Share{0, 1};
    for (auto const& [key, count] : counts[value]) {
      Share limit = threshold;
      if (!sets.empty())
        limit = {sets[static_cast<std::size_t>(std::stoi(key[0]))].num,
                 sets[static_cast<std::size_t>(std::stoi(key[0]))].den};
      if (count * limit.den > limit.num * total) within = false;
      double const l = static_cast<double>(count) / static_cast<double>(total) * static_cast<double>(limit.den) /
                       static_cast<double>(limit.num);
      if (l > worst_key + 1e-12) {
        worst_key = l;
        worst = Share{count * limit.den, total * limit.num};
      }
    }
  }
  return worst;
}

}  // namespace anon_seq::brute
