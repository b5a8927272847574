#include "core/taxonomy/grown_taxonomy.h"

#include <gtest/gtest.h>

#include <random>

namespace anon_seq {
namespace {

std::string leaves(OpenTaxonomy const& open, ValueTexts const& values) {
  NoCheckpoint checkpoint;
  auto const tree = grow_taxonomy("t", open, values, checkpoint);
  std::string text;
  for (Node n = 0; n < tree.size(); ++n)
    if (tree.is_leaf(n)) text += (text.empty() ? "" : " ") + std::string(tree.label(n));
  return text;
}

TEST(GrownTaxonomy, NumbersStandAsNumbers) {
  auto const rule = make_range_rule("-10", "30", {"2", "4"});
  EXPECT_EQ(leaves(rule, {"11", "9", "3", "-2", "-1.75", "-1.255", "-1.25", "2.5e0", "2.25", "10"}),
            "-2 -1.75 -1.255 -1.25 2.25 2.5e0 3 9 10 11");
  EXPECT_EQ(leaves(rule, {"[2,4)", "0", "12", "[6,10)", "1"}), "0 1 [2,4) [6,10) 12");
}

TEST(GrownTaxonomy, DatesStandByTime) {
  auto const rule = make_date_rule({"month", "quarter", "year", "decade"});
  EXPECT_EQ(
      leaves(rule, {"2024-12-31", "2024-Q1", "2024-04", "infinity", "2030s", "-infinity", "12000-01-01", "1999-05-05"}),
      "-infinity 1999-05-05 2024-Q1 2024-04 2024-12-31 2030s 12000-01-01 infinity");
}

TEST(GrownTaxonomy, CodesStandByTheirBytes) {
  auto const rule = make_prefix_rule({4, 3});
  EXPECT_EQ(leaves(rule, {"20433", "1", "204!1", "20431", "2043*", "211111", "29999"}),
            "1 204!1 20431 20433 211111 29999");
}

// Two nodes stand in one order, whatever else there is.
TEST(GrownTaxonomy, TheOrderDoesNotDependOnWhatElseOccurs) {
  std::mt19937 random(1);
  OpenTaxonomy const rules[] = {make_range_rule("-50", "50", {"1", "5", "25"}), make_range_rule("-50", "50", {"0.5"}),
                                make_prefix_rule({3, 1}), make_date_rule({"day", "quarter", "decade"})};
  auto const draw = [&](unsigned n) { return static_cast<int>(random() % n); };
  auto const value = [&](OpenTaxonomy const& open) -> std::string {
    if (std::holds_alternative<RangeRule>(open)) return std::to_string(draw(99) - 49) + "." + std::to_string(draw(100));
    if (std::holds_alternative<PrefixRule>(open)) {
      std::string code;
      for (int n = 1 + draw(5); n > 0; --n) code += static_cast<char>('!' + draw(90));
      return code;
    }
    return std::to_string(1000 + draw(20000)) + "-0" + std::to_string(1 + draw(9)) + "-1" + std::to_string(draw(10));
  };
  NoCheckpoint checkpoint;
  for (int i = 0; i < 300; ++i)
    for (auto const& rule : rules) {
      ValueTexts few, many;
      for (int n = 2 + draw(8); n > 0; --n) few.insert(value(rule));
      many = few;
      for (int n = draw(30); n > 0; --n) many.insert(value(rule));
      auto const small = grow_taxonomy("few", rule, few, checkpoint),
                 large = grow_taxonomy("many", rule, many, checkpoint);
      for (Node n = 1; n < small.size(); ++n) {
        ASSERT_NE(large.find(small.label(n)), kNoNode);
        EXPECT_LT(large.find(small.label(n - 1)), large.find(small.label(n)))
            << small.label(n - 1) << " before " << small.label(n);
      }
    }
}

}  // namespace
}  // namespace anon_seq
