// The coded table: what check() refuses, and how renumber() puts codes into the order of a type.
#include "core/table/table.h"

#include <algorithm>
#include <random>

#include "error_of.h"

namespace anon_seq {
namespace {

// A column as a reader leaves it: codes in the order of first sight, 0 for NULL ("-" here).
Column column_of(std::vector<std::string> const& cells) {
  Column column;
  column.name = "c";
  column.values.add_hidden("");
  for (auto const& cell : cells) column.codes.push_back(cell == "-" ? kNull : column.values.intern(cell));
  return column;
}

Vector<Code> order_by_bytes(Column const& column) {
  Vector<Code> order;
  for (Code code = 1; code < column.distinct(); ++code) order.push_back(code);
  std::sort(order.begin(), order.end(), [&](Code a, Code b) { return column.values[a] < column.values[b]; });
  return order;
}

std::vector<std::string> cells_of(Column const& column) {
  std::vector<std::string> cells;
  for (Code code : column.codes) cells.emplace_back(code == kNull ? "-" : column.values[code]);
  return cells;
}

CodedTable sound_table() {
  CodedTable table;
  table.columns = {column_of({"a", "-", "b"}), column_of({"x", "x", "x"})};
  table.weights = {1, 2, 3};
  return table;
}

TEST(Table, CountsRowsAndWeights) {
  auto table = sound_table();
  EXPECT_NO_THROW(table.check());
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.weight(1), 2);
  EXPECT_EQ(table.total_weight(), 6);
  table.weights.clear();
  EXPECT_EQ(table.weight(1), 1);
  EXPECT_EQ(table.total_weight(), 3);
  EXPECT_EQ(CodedTable().rows(), 0u);
}

TEST(Table, FindsColumnsByName) {
  auto table = sound_table();
  table.columns[1].name = "d";
  EXPECT_EQ(table.find("d"), &table.columns[1]);
  EXPECT_EQ(table.find("D"), nullptr);
}

TEST(Table, TotalWeightDoesNotOverflow) {
  auto table = sound_table();
  table.weights[0] = std::int64_t{1} << 62;
  table.weights[1] = std::int64_t{1} << 62;
  EXPECT_ERROR(error_of([&]() { table.total_weight(); }), Fault::kLimit, "too many rows to count");
}

TEST(Table, CheckFindsWhatIsWrong) {
  auto broken = [](auto change) {
    auto table = sound_table();
    change(table);
    return error_of([&]() { table.check(); });
  };
  EXPECT_ERROR(broken([](auto& t) { t.weights.pop_back(); }), Fault::kInternal,
               "coded table: weights and rows differ in number");
  EXPECT_ERROR(broken([](auto& t) { t.weights[1] = 0; }), Fault::kInternal, "coded table: a weight is not positive");
  EXPECT_ERROR(broken([](auto& t) { t.columns[1].codes.push_back(0); }), Fault::kInternal,
               "coded table: columns differ in length");
  EXPECT_ERROR(broken([](auto& t) { t.columns[1].values = {}; }), Fault::kInternal,
               "coded table: a column has no code for NULL");
  EXPECT_ERROR(broken([](auto& t) { t.columns[0].codes[0] = 3; }), Fault::kInternal,
               "coded table: a code is out of range");
  EXPECT_ERROR(broken([](auto& t) { t.columns[0].codes[0] = -1; }), Fault::kInternal,
               "coded table: a code is out of range");
  EXPECT_ERROR(broken([](auto& t) {
                 t.columns[0].positions = {0, 1};
               }),
               Fault::kInternal, "coded table: positions and values differ in number");
}

TEST(Table, RenumberMergesNeighboursOfOneTextForm) {
  Column column = column_of({"1.00", "2", "1.0", "-"});
  column.positions = {0, 1, 2, 1};
  Dictionary labels;
  for (auto label : {"", "1", "2", "1"}) labels.add_hidden(label);
  renumber(column, {1, 3, 2}, labels);
  EXPECT_EQ(column.distinct(), 3);
  EXPECT_EQ(cells_of(column), (std::vector<std::string>{"1", "2", "1", "-"}));
  EXPECT_EQ(column.codes, (Vector<Code>{1, 2, 1, 0}));
  EXPECT_EQ(column.positions, (Vector<double>{0, 1, 2}));
}

TEST(Table, RenumberOfAColumnWithoutValues) {
  Column column = column_of({"-", "-"});
  renumber(column, {}, column.values);
  EXPECT_EQ(column.distinct(), 1);
  EXPECT_EQ(column.codes, (Vector<Code>{0, 0}));
}

// The same cells in another order of rows get the same codes.
TEST(Table, CodesDoNotDependOnTheOrderOfRows) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<std::string> cells;
    for (int i = 0; i < 60; ++i) cells.push_back(random() % 10 == 0 ? "-" : std::to_string(random() % 30));
    Column column = column_of(cells);
    renumber(column, order_by_bytes(column), column.values);
    EXPECT_EQ(cells_of(column), cells);

    auto shuffled = cells;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    Column other = column_of(shuffled);
    renumber(other, order_by_bytes(other), other.values);
    ASSERT_EQ(other.distinct(), column.distinct());
    for (Code code = 1; code < column.distinct(); ++code) EXPECT_EQ(other.values[code], column.values[code]);
    for (Code code = 2; code < column.distinct(); ++code) EXPECT_LT(column.values[code - 1], column.values[code]);
  }
}

}  // namespace
}  // namespace anon_seq
