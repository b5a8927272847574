// Every arrangement of the secret values of a small table, released; and what a reader of the code then believes.
#pragma once

#include <map>
#include <numeric>
#include <optional>

#include "runs.h"
#include "sequential_fixture.h"

namespace anon_seq::testing::reader {

using SecretTuple = std::vector<Code>;

// A table of which some columns are secret, and the arrangements of their values over its rows.
class Table {
 public:
  Case c;

  void keep_secret(std::vector<std::string> const& columns) {
    for (auto const& name : columns) c.problem.secret.push_back(c.at(0, name).column);
    for (std::size_t row = 0; row < c.problem.table->rows(); ++row) {
      SecretTuple tuple;
      for (std::size_t column : c.problem.secret) tuple.push_back(c.problem.table->columns[column].codes[row]);
      tuples_.push_back(tuple);
    }
  }

  // Calls visit() with each arrangement in the table; false if there are more than `most`.
  template <class Visit>
  bool each_arrangement(double most, Visit visit) {
    std::vector<SecretTuple> kinds(tuples_);
    std::sort(kinds.begin(), kinds.end());
    if (orders(kinds) > most) return false;
    do {
      for (std::size_t row = 0; row < kinds.size(); ++row)
        for (std::size_t i = 0; i < c.problem.secret.size(); ++i)
          c.mutable_column({0, c.problem.secret[i]}).codes[row] = kinds[row][i];
      tuples_ = kinds;
      visit();
    } while (std::next_permutation(kinds.begin(), kinds.end()));
    return true;
  }

  std::vector<SecretTuple> const& tuples() const { return tuples_; }
  static double orders(std::vector<SecretTuple> bag) {
    std::sort(bag.begin(), bag.end());
    double all = 1, same = 0;
    for (std::size_t i = 0; i < bag.size(); ++i) {
      same = i > 0 && bag[i] == bag[i - 1] ? same + 1 : 1;
      all = all * static_cast<double>(i + 1) / same;
    }
    return std::round(all);
  }

  // Rows that a reader tells apart by all that is published but the secrets.
  std::vector<std::vector<Code>> classes_of(SequentialOutcome const& outcome) const {
    std::vector<std::vector<Code>> classes;
    for (std::size_t row = 0; row < tuples_.size(); ++row) {
      classes.push_back({static_cast<Code>(outcome.classes.class_of(row))});
      for (std::size_t column = 0; column < c.problem.table->columns.size(); ++column)
        if (c.problem.generalizes(column) == kNoColumn &&
            std::find(c.problem.secret.begin(), c.problem.secret.end(), column) == c.problem.secret.end())
          classes.back().push_back(c.problem.table->columns[column].codes[row]);
    }
    return classes;
  }

 private:
  std::vector<SecretTuple> tuples_;  // row -> its secrets
};

// What a release shows: who is in which class, the cut, and the secrets of each class in any order.
struct Release {
  std::vector<std::vector<Code>> classes;
  std::vector<std::int32_t> cut;
  std::map<std::vector<Code>, std::vector<SecretTuple>> bags;
  auto operator<=>(Release const&) const = default;
};

inline Release release_of(Table const& table, SequentialOutcome const& outcome) {
  Release release;
  release.classes = table.classes_of(outcome);
  for (auto const& values : outcome.cut)
    for (auto const& value : values) {
      release.cut.push_back(value.ranks.begin);
      release.cut.push_back(value.ranks.end);
    }
  for (std::size_t row = 0; row < release.classes.size(); ++row)
    release.bags[release.classes[row]].push_back(table.tuples()[row]);
  for (auto& bag : release.bags) std::sort(bag.second.begin(), bag.second.end());
  return release;
}

// Of a rule about one secret column: the values that a set bounds.
inline bool is_in(Table const& table, Rule const& rule, std::size_t set, SecretTuple const& tuple) {
  auto const& secret = table.c.problem.secret;
  SecretTuple y;
  for (auto const& ref : rule.y)
    y.push_back(tuple[static_cast<std::size_t>(std::find(secret.begin(), secret.end(), ref.column) - secret.begin())]);
  for (auto const& listed : rule.sensitive[set].values) {
    bool all = true;
    for (std::size_t i = 0; i < y.size(); ++i)
      all = all &&
            std::find(listed.parts[i].codes.begin(), listed.parts[i].codes.end(), y[i]) != listed.parts[i].codes.end();
    if (all) return true;
  }
  return false;
}

// Beliefs of the reader of one release: of each row and set how many arrangements give it to him.
struct Beliefs {
  double arrangements = 0;
  std::map<std::array<std::size_t, 3>, double> holds;  // rule, set or value, row
};

struct Verdict {
  std::size_t releases = 0, several = 0;  // several: of more than one class
  double worst = 0, excess = 0;           // largest chance, and by how much a bound is exceeded
  bool all_accepted = true;
};

// All rows but the secret ones are in x: of these rules the promise is one about persons.
inline bool speaks_of_persons(Table const& table, Rule const& rule) {
  return rule.kind == Rule::Kind::kLinkability && rule.y.front().table == 0 &&
         rule.x.size() + table.c.problem.secret.size() >= table.c.problem.table->columns.size();
}

inline void believe(Table const& table, Beliefs& beliefs) {
  ++beliefs.arrangements;
  for (std::size_t r = 0; r < table.c.problem.rules.size(); ++r) {
    Rule const& rule = table.c.problem.rules[r];
    if (!speaks_of_persons(table, rule)) continue;
    for (std::size_t row = 0; row < table.tuples().size(); ++row) {
      if (rule.sensitive.empty()) {
        auto const& secret = table.c.problem.secret;
        auto const i = std::find(secret.begin(), secret.end(), rule.y.front().column) - secret.begin();
        Code const value = table.tuples()[row][static_cast<std::size_t>(i)];
        if (value != kNull || rule.nulls) ++beliefs.holds[{r, static_cast<std::size_t>(value), row}];
      }
      for (std::size_t set = 0; set < rule.sensitive.size(); ++set)
        if (is_in(table, rule, set, table.tuples()[row])) ++beliefs.holds[{r, set, row}];
    }
  }
}

// Every arrangement released; nothing if there are too many. `measure`: levels of every rule are counted exactly, too.
inline std::optional<Verdict> judge(Table& table, double most, bool measure) {
  std::map<Release, Beliefs> releases;
  Verdict verdict;
  bool const few = table.each_arrangement(most, [&] {
    auto const outcome = table.c.run();
    if (!outcome.feasible) return;
    auto const release = release_of(table, outcome);
    believe(table, releases[release]);
    if (!measure) return;
    NoCheckpoint checkpoint;
    Problem plain = table.c.problem;
    plain.simulatable = false;
    auto const levels = measure_rules(plain, outcome.cut, true, checkpoint);
    for (std::size_t r = 0; r < levels.size(); ++r) EXPECT_FALSE(Judge(plain.rules[r]).violates(levels[r]));
  });
  if (!few) return std::nullopt;
  for (auto const& [release, beliefs] : releases) {
    ++verdict.releases;
    verdict.several += release.bags.size() > 1;
    double inside = 1;
    for (auto const& bag : release.bags) inside *= Table::orders(bag.second);
    verdict.all_accepted &= inside == beliefs.arrangements;
    for (auto const& [key, count] : beliefs.holds) {
      Rule const& rule = table.c.problem.rules[key[0]];
      Ratio const max = rule.sensitive.empty() ? rule.max : rule.sensitive[key[1]].max;
      double const chance = count / beliefs.arrangements;
      verdict.worst = std::max(verdict.worst, chance);
      verdict.excess = std::max(verdict.excess, chance - static_cast<double>(max.num) / static_cast<double>(max.den));
    }
  }
  return verdict;
}

}  // namespace anon_seq::testing::reader
