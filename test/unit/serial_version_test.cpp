// A version from beginning to end: the paper's figures, charges, who is withheld, and what is refused.
#include "core/serial/version.h"

#include "error_of.h"
#include "serial_fixture.h"

namespace anon_seq::testing {
namespace {

constexpr Code kChlamydia = 1, kFlu = 2, kFever = 3;

std::vector<SensitiveColumn> disease() {
  SensitiveColumn column;
  column.name = "disease";
  column.distinct = 4;
  column.listing = Listing::kEach;
  column.listed.push_back(kChlamydia);
  column.alpha = {1, 2};
  return {column};
}

// Persons o1 to o5 are 1 to 5; sex and zip code as one line.
LossyTable table_of(std::vector<int> const& persons, std::vector<Code> const& held) {
  LossyTable table;
  table.statement = disease();
  auto& places = table.quasi.emplace_back();
  for (auto const person : persons) places.push_back(person);
  QuasiAxis axis;
  axis.codes = places;
  axis.distinct = 6;
  table.axes.push_back(axis);
  for (auto const code : held) table.tuples.push_back({code});
  return table;
}

// Wong et al., Global Privacy Guarantee, Figures 2 and 4: what is kept of o2 and chlamydia, of o2 and flu.
TEST(SerialVersion, FiguresOfThePaper) {
  EXPECT_EQ(kept_after(kept_after(kUntouched, 1, 2), 1, 2), (Ratio{1, 4}));   // 3/4
  EXPECT_EQ(kept_after(kept_after(kUntouched, 1, 4), 1, 4), (Ratio{9, 16}));  // 7/16
  EXPECT_EQ(kept_after(kept_after(kUntouched, 2, 4), 2, 4), (Ratio{1, 4}));   // flu in Figure 4: 3/4
}

// Figure 1 under l = 2 and two versions: classes of four.
TEST(SerialVersion, TablesOfThePaper) {
  SerialRules rules;
  rules.plan = {PlanKind::kFixed, 2, {1, 2}};
  SerialHistory history(rules, disease());
  Draws draws = seeded(1);
  std::vector<int> const first{1, 2, 3, 4}, second{1, 2, 3, 5};
  ASSERT_TRUE(history.publish(table_of(first, {kFlu, kChlamydia, kFlu, kFever}), first, draws));
  ASSERT_TRUE(history.publish(table_of(second, {kChlamydia, kFlu, kFever, kFlu}), second, draws));
  auto const accounts = history.accounts();
  EXPECT_EQ(accounts.at({2, 0}).kept, (Ratio{9, 16}));
  EXPECT_EQ(accounts.at({4, 0}).kept, (Ratio{3, 4}));
  EXPECT_EQ(accounts.at({2, 0}).times, 2);
  // The horizon is used up for who met it twice.
  std::vector<int> const third{1, 4, 5, 6, 7};
  LossyTable const last = table_of({1, 4, 5, 0, 0}, {kChlamydia, kFlu, kFlu, kFever, kFever});
  auto const version = history.make(last, third, last.tuples, draws);
  EXPECT_EQ(version.withheld, 1);
  EXPECT_EQ(version.classes.class_of(0), kWithheld);
  EXPECT_TRUE(version.charges.empty());  // none of those who are shown has it
}

TEST(SerialVersion, ChargesAreOfRowsAndListedBounds) {
  SerialRules rules;
  rules.plan = {PlanKind::kFixed, 1, {1, 2}};
  auto statement = disease();
  statement[0].listed = {0, kFever, kChlamydia};  // in any order; 0 is NULL
  SerialHistory history(rules, statement);
  Draws draws = seeded(1);
  std::vector<int> const first{1, 2}, second{2, 1, 3, 4};
  LossyTable one = table_of(first, {kChlamydia, kFlu});
  one.statement = statement;
  ASSERT_TRUE(history.publish(one, first, draws));
  LossyTable two = table_of(second, {kFlu, kFlu, kFlu, 0});
  two.statement = statement;
  auto const version = history.make(two, second, two.tuples, draws);
  EXPECT_EQ(version.withheld, 2);
  ASSERT_EQ(version.charges.size(), 2u);
  EXPECT_EQ(version.charges[0].row, 2);
  EXPECT_EQ(version.charges[1].row, 3);
  EXPECT_EQ(version.charges[1].bound, 0);
  EXPECT_EQ(version.charges[1].kept, (Ratio{1, 2}));
}

TEST(SerialVersion, PaidIsBothTogether) {
  NoCheckpoint checkpoint;
  std::vector<Met> const before{{0, 1, 1, {1, 2}}, {1, 0, 1, {2, 3}}, {1, 2, 2, {1, 2}}, {4, 0, 1, {3, 4}}};
  std::vector<Met> const charges{{1, 0, 1, {3, 4}}, {1, 1, 1, {4, 5}}, {2, 0, 1, {4, 5}}, {5, 0, 1, {4, 5}}};
  auto const after = paid(before, charges, checkpoint);
  auto const text = [](Met const& met) {
    return std::to_string(met.row) + "," + std::to_string(met.bound) + ": " + std::to_string(met.times) + " " +
           std::to_string(met.kept.num) + "/" + std::to_string(met.kept.den) + "; ";
  };
  std::string all;
  for (auto const& met : after) all += text(met);
  EXPECT_EQ(all, "0,1: 1 1/2; 1,0: 2 1/2; 1,1: 1 4/5; 1,2: 2 1/2; 2,0: 1 4/5; 4,0: 1 3/4; 5,0: 1 4/5; ");
  EXPECT_EQ(paid({}, charges, checkpoint).size(), 4u);
  EXPECT_EQ(paid(before, {}, checkpoint).size(), 4u);
}

TEST(SerialVersion, NobodyIsLeft) {
  SerialRules rules;
  rules.plan = {PlanKind::kFixed, 1, {1, 2}};
  for (bool const by_cut : {false, true}) {
    rules.cohorts.by_cut = by_cut;
    SerialHistory history(rules, disease());
    Draws draws = seeded(1);
    std::vector<int> const persons{1, 2};
    auto const table = table_of(persons, {kChlamydia, kFlu});
    ASSERT_TRUE(history.publish(table, persons, draws));
    auto const version = history.make(table, persons, table.tuples, draws);
    EXPECT_EQ(version.withheld, 2);
    EXPECT_EQ(version.classes.count(), 0);
    EXPECT_EQ(version.classes.rows(), 2u);
    auto const empty = table_of({}, {});
    EXPECT_EQ(history.make(empty, {}, {}, draws).classes.rows(), 0u);
  }
}

TEST(SerialVersion, RefusalsAndWhatCannotBe) {
  SerialRules rules;
  rules.plan = {PlanKind::kFixed, 1, {1, 2}};
  SerialHistory history(rules, disease());
  Draws draws = seeded(1);
  std::vector<int> const persons{1, 2, 3};
  auto const table = table_of(persons, {kChlamydia, kChlamydia, kFlu});
  EXPECT_FALSE(history.publish(table, persons, draws));
  EXPECT_TRUE(history.accounts().empty());
  EXPECT_TRUE(history.published().empty());
  auto columns = disease();
  Vector<Code> const codes{kChlamydia, kFlu, kFlu};
  columns[0].codes = codes;
  EXPECT_ERROR(error_of([&] {
                 make_version(table.axes, columns, std::vector<ListedBound>{{0, kFever}}, {}, rules.demands(), draws,
                              table.checkpoint);
               }),
               Fault::kInternal, "a bounded value is not listed");
}

}  // namespace
}  // namespace anon_seq::testing
