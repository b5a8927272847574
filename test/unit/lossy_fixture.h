// Random small tables for the lossy join: quasi axes, sensitive columns and what is asked of them, as the core takes
// them; and what holds of classes, counted again from the statement by code that shares nothing with the core.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <set>

#include "core/lossy/grouping.h"
#include "core/taxonomy/taxonomy_builder.h"
#include "runs.h"

namespace anon_seq::testing {

using Tuple = std::vector<Code>;  // sensitive codes of a row, by column

struct LossyTable {
  std::vector<std::unique_ptr<Taxonomy>> trees;
  std::vector<std::vector<Node>> leaves;
  std::vector<std::vector<Code>> quasi;  // by axis
  std::vector<std::vector<double>> positions;
  std::vector<QuasiAxis> axes;
  std::vector<Tuple> tuples;               // row -> sensitive codes
  std::vector<SensitiveColumn> statement;  // codes are given by sensitive()
  std::int64_t k = 2;

  std::size_t rows() const { return tuples.size(); }
  Sensitive sensitive(std::vector<Tuple> const& held) const {
    std::vector<Vector<Code>> codes(statement.size());
    auto columns = statement;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (auto const& tuple : held) codes[c].push_back(tuple[c]);
      columns[c].codes = codes[c];
    }
    return Sensitive(held.size(), columns, checkpoint);
  }
  mutable NoCheckpoint checkpoint;
};

// Things that are bounded, from the statement alone: a name, and whether a tuple has it.
struct Thing {
  Ratio alpha;
  std::function<bool(Tuple const&)> held;
  std::string name;
  bool of_several = false;  // columns
};

// A row with a listed value in any column, of lists that are bounded together.
inline void add_merged(LossyTable const& table, std::vector<Thing>& things) {
  std::vector<std::pair<std::size_t, Vector<Code>>> lists;
  Ratio least{1, 1};
  for (std::size_t c = 0; c < table.statement.size(); ++c) {
    auto const& column = table.statement[c];
    bool const occurs = std::ranges::any_of(table.tuples, [&](Tuple const& tuple) {
      return std::ranges::find(column.listed, tuple[c]) != column.listed.end();
    });
    if (column.listing != Listing::kAny || column.alpha == Ratio{1, 1} || !occurs) continue;
    lists.push_back({c, column.listed});
    if (column.alpha.num * least.den < least.num * column.alpha.den) least = column.alpha;
  }
  if (lists.size() < 2) return;
  things.push_back({least,
                    [lists](Tuple const& tuple) {
                      return std::ranges::any_of(lists, [&](auto const& list) {
                        return std::ranges::find(list.second, tuple[list.first]) != list.second.end();
                      });
                    },
                    "listed of any column", true});
}

inline std::vector<Thing> things_of(LossyTable const& table) {
  std::vector<Thing> things;
  for (std::size_t c = 0; c < table.statement.size(); ++c) {
    auto const& column = table.statement[c];
    auto const listed = [&](Code code) { return std::ranges::find(column.listed, code) != column.listed.end(); };
    if (column.listing == Listing::kAny) {
      things.push_back(
          {column.alpha,
           [c, list = column.listed](Tuple const& tuple) { return std::ranges::find(list, tuple[c]) != list.end(); },
           "listed of column " + std::to_string(c)});
      continue;
    }
    for (Code code = 0; code < column.distinct; ++code) {
      if (column.listing == Listing::kEach && !listed(code)) continue;
      Ratio alpha = column.alpha;
      for (auto const& [own, ratio] : column.own)
        if (own == code) alpha = ratio;
      double const from = column.positions.empty() ? 0 : column.positions[static_cast<std::size_t>(code)];
      if (column.near && code != kNull)
        things.push_back({alpha,
                          [c, from, width = *column.near, places = column.positions](Tuple const& tuple) {
                            double const at = places[static_cast<std::size_t>(tuple[c])];
                            return tuple[c] != kNull && at >= from && at <= from + width;
                          },
                          "near " + std::to_string(code)});
      else
        things.push_back({alpha, [c, code](Tuple const& tuple) { return tuple[c] == code; },
                          "value " + std::to_string(code) + " of column " + std::to_string(c)});
    }
  }
  add_merged(table, things);
  return things;
}

inline bool within(std::int64_t count, std::int64_t size, Ratio alpha) { return count * alpha.den <= alpha.num * size; }

using Members = std::vector<std::vector<std::size_t>>;  // class -> rows

inline Members members_of(Classes const& classes) {
  Members members(static_cast<std::size_t>(classes.count()));
  for (std::size_t row = 0; row < classes.rows(); ++row)
    if (classes.class_of(row) >= 0) members[static_cast<std::size_t>(classes.class_of(row))].push_back(row);
  return members;
}

// Nobody lost, every class large enough, every thing within its alpha.
inline void expect_ok(LossyTable const& table, Members const& members, std::int64_t k) {
  std::size_t rows = 0;
  auto const things = things_of(table);
  for (auto const& group : members) {
    rows += group.size();
    EXPECT_GE(static_cast<std::int64_t>(group.size()), k);
    for (auto const& thing : things) {
      std::int64_t count = 0;
      for (auto const row : group) count += thing.held(table.tuples[row]);
      EXPECT_TRUE(within(count, static_cast<std::int64_t>(group.size()), thing.alpha))
          << thing.name << ": " << count << " of " << group.size();
    }
  }
  EXPECT_EQ(rows, table.rows());
}

inline Draws seeded(std::uint64_t seed) {
  return Draws([random = std::make_shared<std::mt19937_64>(seed)] { return (*random)(); });
}

class RandomTable {
 public:
  explicit RandomTable(std::uint64_t seed) : random_(seed) {}
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return draw(100) < percent; }

  // Axes with a taxonomy only, or lines as well.
  void make(LossyTable& table, int rows, bool lines, int columns);

 private:
  void add_axis(LossyTable& table, std::size_t rows, bool line);
  void add_column(LossyTable& table, int distinct, bool alone);
  Ratio alpha();

  std::mt19937_64 random_;
};

inline Ratio RandomTable::alpha() {
  Ratio const some[] = {{1, 2}, {1, 3}, {33, 100}, {2, 5}, {3, 4}, {1, 4}, {2, 3}, {1, 1}};
  return some[draw(chance(90) ? 5 : 8)];
}

inline void RandomTable::add_axis(LossyTable& table, std::size_t rows, bool line) {
  auto& codes = table.quasi.emplace_back();
  auto& leaves = table.leaves.emplace_back();
  auto& positions = table.positions.emplace_back();
  QuasiAxis axis;
  axis.distinct = 1;
  if (line) {
    axis.distinct = 2 + draw(6);
    if (chance(50)) {
      positions.push_back(0);
      for (double at = 0; static_cast<Code>(positions.size()) < axis.distinct; at += 1 + draw(5))
        positions.push_back(at);
    }
  } else {
    std::vector<std::pair<std::string, std::string>> edges{{"a", "r"}, {"b", "r"}};
    if (chance(40)) edges.push_back({"c", "r"});
    if (chance(70)) edges.insert(edges.end(), {{"a1", "a"}, {"a2", "a"}});
    if (chance(50)) edges.insert(edges.end(), {{"b1", "b"}, {"b2", "b"}, {"b3", "b"}});
    if (chance(20)) edges.insert(edges.end(), {{"a1x", "a1"}, {"a2x", "a2"}, {"a2y", "a2"}});
    Dictionary labels;
    Vector<Node> parents;
    labels.intern("r");
    parents.push_back(kNoNode);
    for (auto const& [child, parent] : edges) {
      if (labels.find(parent) == kNoCode) {
        labels.intern(parent);
        parents.push_back(0);
      }
      if (labels.find(child) != kNoCode) continue;
      labels.intern(child);
      parents.push_back(labels.find(parent));
    }
    table.trees.push_back(std::make_unique<Taxonomy>(labels, parents));
    axis.taxonomy = table.trees.back().get();
    leaves.push_back(kNoNode);
    for (Node n = 0; n < axis.taxonomy->size(); ++n)
      if (axis.taxonomy->is_leaf(n)) leaves.push_back(n);
    axis.distinct = static_cast<Code>(leaves.size());
  }
  bool const nulls = chance(25);
  for (std::size_t row = 0; row < rows; ++row)
    codes.push_back(nulls && chance(20) ? kNull : 1 + draw(axis.distinct - 1));
  axis.codes = codes;
  axis.leaves = leaves;
  axis.positions = positions;
  table.axes.push_back(axis);
}

inline void RandomTable::add_column(LossyTable& table, int distinct, bool alone) {
  SensitiveColumn column;
  column.name = "s" + std::to_string(table.statement.size());
  column.distinct = distinct;
  column.alpha = alpha();
  column.listing = static_cast<Listing>(draw(3));
  if (column.listing != Listing::kEvery)
    for (Code code = 0; code < distinct; ++code)
      if (chance(40)) column.listed.push_back(code);
  if (column.listing != Listing::kAny && chance(30)) column.own.push_back({draw(distinct), alpha()});
  if (alone && column.listing == Listing::kEvery && column.own.empty() && chance(30)) {
    column.near = draw(3);
    static std::vector<double> const places{0, 1, 2, 4, 5, 9, 10, 11};
    column.positions = places;
  }
  table.statement.push_back(column);
}

inline void RandomTable::make(LossyTable& table, int rows, bool lines, int columns) {
  auto const n = static_cast<std::size_t>(rows);
  table.quasi.reserve(8);
  table.leaves.reserve(8);
  table.positions.reserve(8);
  for (int a = 1 + draw(3); a > 0; --a) add_axis(table, n, lines && chance(60));
  table.k = 1 + draw(3);
  for (int c = 0; c < columns; ++c) add_column(table, 2 + draw(c == 0 ? 6 : 3), columns == 1);
  int const plain = draw(60);  // how often a row has the last value, as most are healthy
  for (int row = 0; row < rows; ++row) {
    Tuple tuple;
    for (auto const& column : table.statement)
      tuple.push_back(chance(plain) ? column.distinct - 1 : draw(column.distinct));
    table.tuples.push_back(tuple);
  }
}

inline std::string text_of(LossyTable const& table) {
  std::string text = "k " + std::to_string(table.k);
  for (auto const& column : table.statement) {
    text += "\ncolumn: " +
            std::string(column.listing == Listing::kEvery ? "every"
                        : column.listing == Listing::kAny ? "any"
                                                          : "each") +
            " alpha " + std::to_string(column.alpha.num) + "/" + std::to_string(column.alpha.den);
    for (Code const code : column.listed) text += " " + std::to_string(code);
    for (auto const& [code, own] : column.own)
      text += ", " + std::to_string(code) + ": " + std::to_string(own.num) + "/" + std::to_string(own.den);
    if (column.near) text += ", near " + std::to_string(*column.near);
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    text += "\nrow " + std::to_string(row) + ":";
    for (std::size_t a = 0; a < table.axes.size(); ++a)
      text += " " + std::to_string(table.quasi[a][row]) + (table.axes[a].taxonomy != nullptr ? "t" : "");
    text += " |";
    for (Code const code : table.tuples[row]) text += " " + std::to_string(code);
  }
  return text;
}

}  // namespace anon_seq::testing
