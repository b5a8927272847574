// KDD'06 and the counterexamples to its claims, with the numbers that were worked out by hand.
#include <gtest/gtest.h>

#include "core/sequential/loss.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

// Example 1, Table 1: both published as they are, joined on job.
void example_one(Case& c) {
  c.add_table({"name", "job", "class"}, {{"Alice", "Banker", "c1"},
                                         {"Alice", "Banker", "c1"},
                                         {"Bob", "Clerk", "c2"},
                                         {"Bob", "Driver", "c3"},
                                         {"Cathy", "Engineer", "c4"}});
  c.add_table(
      {"job", "disease"},
      {{"Banker", "Cancer"}, {"Banker", "Cancer"}, {"Clerk", "HIV"}, {"Driver", "Cancer"}, {"Engineer", "HIV"}});
  c.join("job", {0, 1});
}

TEST(SequentialExamples, TableOneCountsJoinRowsAndDistinctPersons) {
  Case c;
  example_one(c);
  std::vector<std::string> const x{"T1.name", "T2.disease"};
  c.anonymity(x, {}, {0, 1}, 1);
  c.anonymity(x, {}, {0}, 1);
  c.anonymity(x, {"T1.class"}, {}, 1);
  c.linkability({"T1.name"}, {"T2.disease"}, {1, 1}, {{"Cancer"}});
  c.linkability({"T1.name"}, {"T2.disease"}, {1, 1}, {{"HIV"}});
  for (bool general : {false, true}) {
    auto const levels = c.measure({}, general);
    expect_count(levels[0], 1);
    expect_count(levels[1], 1);
    expect_count(levels[2], 1);
    expect_share(levels[3], 1, 1);
    expect_share(levels[4], 1, 1);
  }
}

TEST(SequentialExamples, AliceIsFourJoinRowsButTwoPersons) {
  Case c;
  c.add_table({"name", "job"}, {{"Alice", "Banker"}, {"Alice", "Banker"}});
  c.add_table({"job", "disease"}, {{"Banker", "Cancer"}, {"Banker", "Cancer"}});
  c.join("job", {0, 1});
  c.anonymity({"T1.name", "T2.disease"}, {}, {0, 1}, 1);
  c.anonymity({"T1.name", "T2.disease"}, {}, {0}, 1);
  c.anonymity({"T1.name"}, {"T2.disease"}, {}, 1);
  for (bool general : {false, true}) {
    auto const levels = c.measure({}, general);
    expect_count(levels[0], 4);
    expect_count(levels[1], 2);
    expect_count(levels[2], 1);
  }
}

TEST(SequentialExamples, SectionFourIsNotAntiMonotoneOnUnrelatedPopulations) {
  for (bool after : {false, true}) {
    Case c;
    c.add_taxonomy("D", {{"d", "ANY"}, {"d1", "d"}, {"d2", "d"}, {"d3", "ANY"}});
    c.add_table({"C", "D"}, {{"c1", "d3"}, {"c2", after ? "d2" : "d"}});
    c.add_table({"D", "Y"}, {{"d3", "y3"}, {"d3", "y2"}, {"d1", "y1"}});
    c.join("D", {0, 1});
    c.problem.dangling = Dangling::kInner;
    c.anonymity({"T1.C", "T1.D", "T2.D"}, {"T2.Y"}, {}, 1);
    expect_count(c.measure({})[0], after ? 2 : 1);
  }
}

TEST(SequentialExamples, DanglingRecordsAreCounted) {
  Case c;
  c.add_taxonomy("D", {{"d", "ANY"}, {"d1", "d"}, {"d2", "d"}, {"d3", "ANY"}});
  c.add_table({"C", "D"}, {{"c1", "d3"}, {"c2", "d2"}});
  c.add_table({"D", "Y"}, {{"d3", "y3"}, {"d3", "y2"}, {"d1", "y1"}});
  c.generalize("D");
  c.join("D", {0, 1});
  c.anonymity({"T1.C", "T1.D", "T2.D"}, {"T2.Y"}, {}, 1);
  try {
    c.run();
    FAIL();
  } catch (Error const& error) {
    EXPECT_EQ(error.fault(), Fault::kData);
    EXPECT_EQ(error.detail(), "Records without a match: 1 of the source, 1 of earlier release number 1.");
  }
  c.problem.dangling = Dangling::kOuter;
  auto const outcome = c.run();
  EXPECT_EQ(outcome.dangling, (Vector<std::int64_t>{1, 1}));
}

// CE-1: the most general T1 violates at 1/2, a specialized one satisfies.
void ce_one(Case& c, bool y_in_t1) {
  add_flat(c, "D", {"d1", "d2"});
  add_flat(c, "E", {"e1", "e2"});
  Rows const with_s{{"d1", "e1", "y"}, {"d1", "e2", "n"}, {"d2", "e1", "y"}, {"d2", "e1", "n"}};
  Rows const other{{"d1", "e1"}, {"d1", "e2"}, {"d2", "e1"}, {"d2", "e1"}};
  if (y_in_t1) {
    c.add_table({"D", "E", "S"}, with_s);
    c.add_table({"D", "E"}, other);
  } else {
    c.add_table({"D", "E"}, other);
    c.add_table({"D", "E", "S"}, with_s);
  }
  c.generalize("D");
  c.join("D", {0, 1});
  c.join("E", {0, 1});
}

TEST(SequentialExamples, CounterexampleOne) {
  for (bool y_in_t1 : {true, false}) {
    Case c;
    ce_one(c, y_in_t1);
    std::string const y = y_in_t1 ? "T1.S" : "T2.S";
    c.linkability({"T1.D"}, {y}, {1, 2}, {{"y"}});
    c.linkability({"T1.D", "T2.D"}, {y}, {1, 1}, {{"y"}});
    for (bool general : {false, true}) {
      auto const root = c.measure({{"ANY"}}, general), split = c.measure({{"d1", "d2"}}, general);
      expect_share(root[0], 3, 5);
      expect_share(split[0], 1, 2);
      expect_share(root[1], y_in_t1 ? 2 : 3, y_in_t1 ? 3 : 4);
      expect_share(split[1], 1, 2);
    }
    auto outcome = c.run();
    EXPECT_FALSE(outcome.feasible);
    EXPECT_FALSE(outcome.proof);
    EXPECT_EQ(outcome.obstacle, 0U);
    expect_share(outcome.rules[0].reached, 3, 5);
    c.problem.search = true;
    outcome = c.run();
    EXPECT_TRUE(outcome.feasible);
    ASSERT_EQ(outcome.trace.size(), 1U);
    EXPECT_TRUE(outcome.trace[0].searching);
    expect_share(outcome.rules[0].reached, 1, 2);
  }
}

TEST(SequentialExamples, CounterexampleOneWithAThirdRelease) {
  Case c;
  ce_one(c, true);
  c.add_table({"D"}, {{"d1"}, {"d1"}, {"d2"}, {"d2"}});
  for (auto& attribute : c.problem.join)
    if (attribute.name == "D") {
      JoinAttribute::Holder holder;
      holder.table = 2;
      for (Code code = 0; code < c.column({2, 0}).distinct(); ++code)
        holder.nodes.push_back(code == kNull ? kNoNode : attribute.taxonomy->find(c.column({2, 0}).values[code]));
      attribute.holders.push_back(holder);
    }
  c.linkability({"T1.D"}, {"T1.S"}, {1, 1}, {{"y"}});
  for (bool general : {false, true}) {
    // D at ANY: T3's copy must agree with T2's, so each T2 partner brings two: the shares stay.
    expect_share(c.measure({{"ANY"}}, general)[0], 3, 5);
    expect_share(c.measure({{"d1", "d2"}}, general)[0], 1, 2);
  }
}

// CE-2: inside the paper's Case 1.
void ce_two(Case& c) {
  add_flat(c, "C", {"c1", "c2"});
  add_flat(c, "D", {"d1", "d2"});
  c.add_table({"C", "D"}, {{"c1", "d1"}, {"c1", "d1"}, {"c1", "d2"}, {"c1", "d2"}, {"c2", "d1"}});
  c.add_table({"D"}, {{"d1"}, {"d1"}, {"d1"}, {"d2"}, {"d2"}});
  c.generalize("C");
  c.generalize("D");
  c.join("D", {0, 1});
  c.anonymity({"T1.C", "T1.D", "T2.D"}, {}, {0, 1}, 3);
}

TEST(SequentialExamples, CounterexampleTwo) {
  Case c;
  ce_two(c);
  for (bool general : {false, true}) {
    expect_count(c.measure({{"c1", "c2"}, {"ANY"}}, general)[0], 2);
    expect_count(c.measure({{"c1", "c2"}, {"d1", "d2"}}, general)[0], 3);
    expect_count(c.measure({{"ANY"}, {"ANY"}}, general)[0], 10);
    expect_count(c.measure({{"ANY"}, {"d1", "d2"}}, general)[0], 4);
  }
}

TEST(SequentialExamples, CounterexampleTwoEndsAtDistortionZeroOrOne) {
  for (auto const& [pruning, distortion] : {std::pair{Pruning::kExact, 0.0}, std::pair{Pruning::kPaper, 1.0}}) {
    Case c;
    ce_two(c);
    c.problem.pruning = pruning;
    auto const outcome = c.run();
    ASSERT_TRUE(outcome.feasible);
    NoCheckpoint checkpoint;
    auto const loss = measure_loss(*c.problem.table, outcome.classes, loss_axes(c.problem, outcome.cut), 3, checkpoint);
    EXPECT_DOUBLE_EQ(*loss.distortion_categorical, distortion);
    EXPECT_FALSE(loss.distortion_continuous.has_value());
  }
}

TEST(SequentialExamples, PartialXIsRefusedUnlessAllowed) {
  Case c;
  ce_two(c);
  c.anonymity({"T1.D"}, {}, {0}, 1).allow_partial_x = false;
  EXPECT_THROW(c.run(), Error);
}

TEST(SequentialExamples, CounterexampleThree) {
  Case c;
  add_flat(c, "D", {"d1", "d2"});
  add_flat(c, "E", {"e1", "e2", "e3"});
  Rows const rows{{"d1", "e1"}, {"d1", "e2"}, {"d2", "e1"}, {"d2", "e3"}};
  c.add_table({"D", "E"}, rows);
  c.add_table({"D", "E"}, rows);
  c.generalize("D");
  c.join("D", {0, 1});
  c.join("E", {0, 1});
  c.linkability({"T1.D"}, {"T1.E"}, {1, 1});
  c.linkability({"T1.D", "T2.D"}, {"T1.E"}, {1, 1});
  for (bool general : {false, true}) {
    auto const root = c.measure({{"ANY"}}, general), split = c.measure({{"d1", "d2"}}, general);
    for (std::size_t rule : {0U, 1U}) {
      expect_share(root[rule], 2, 3);
      expect_share(split[rule], 1, 2);
    }
  }
}

TEST(SequentialExamples, AnonymityWithPersonsAndAJoinAttributeOutsideX) {
  Case c;
  add_flat(c, "D", {"d1", "d2"});
  c.add_table({"C", "D", "E"}, {{"c1", "d2", "e1"}, {"c1", "d2", "e1"}, {"c2", "d1", "e1"}, {"c2", "d1", "e2"}});
  c.add_table({"D", "E"}, {{"d1", "e1"}, {"d1", "e2"}, {"d2", "e1"}, {"d2", "e1"}});
  c.generalize("D");
  c.join("D", {0, 1});
  c.join("E", {0, 1});
  c.anonymity({"T1.C", "T1.D", "T2.D"}, {}, {0}, 1);
  for (bool general : {false, true}) {
    expect_count(c.measure({{"ANY"}}, general)[0], 1);
    expect_count(c.measure({{"d1", "d2"}}, general)[0], 2);
  }
}

TEST(SequentialExamples, LocallyRecodedReleaseLowersLinkability) {
  Case c;
  add_flat(c, "D", {"d1", "d2"});
  c.add_table({"D"}, {{"d1"}, {"d2"}, {"d2"}});
  c.add_table({"D", "S"}, {{"ANY", "y"}, {"d1", "n"}, {"d2", "n"}});
  c.generalize("D");
  c.join("D", {0, 1});
  c.linkability({"T1.D"}, {"T2.S"}, {1, 1}, {{"n"}});
  for (bool general : {false, true}) {
    expect_share(c.measure({{"ANY"}}, general)[0], 2, 3);
    expect_share(c.measure({{"d1", "d2"}}, general)[0], 1, 2);
  }
}

TEST(SequentialExamples, DanglingReleaseLowersLinkability) {
  Case c;
  add_flat(c, "D", {"d1", "d2"});
  c.add_table({"D"}, {{"d1"}});
  c.add_table({"D", "S"}, {{"d1", "n"}, {"d1", "y"}, {"d2", "y"}});
  c.generalize("D");
  c.join("D", {0, 1});
  c.problem.dangling = Dangling::kInner;
  c.linkability({"T1.D", "T2.D"}, {"T2.S"}, {1, 1}, {{"y"}});
  expect_share(c.measure({{"ANY"}})[0], 1, 1);
  expect_share(c.measure({{"d1", "d2"}})[0], 1, 2);
}

TEST(SequentialExamples, CaseTwoOverstates) {
  Case c;
  add_flat(c, "E", {"e1", "e2"});
  c.add_table({"C", "E"}, {{"c1", "e1"}, {"c1", "e2"}});
  c.add_table({"E", "U"}, {{"ANY", "u"}, {"ANY", "v"}});
  c.join("E", {0, 1});
  c.anonymity({"T1.C"}, {}, {1}, 1);
  for (bool general : {false, true}) expect_count(c.measure({}, general)[0], 2);
}

TEST(SequentialExamples, CaseThreeSumsItsPartitions) {
  Case c;
  c.add_table({"C", "E"}, {{"c1", "e1"}, {"c1", "e2"}, {"c1", "e2"}});
  c.add_table({"E"}, {{"e1"}, {"e2"}});
  c.join("E", {0, 1});
  c.anonymity({"T1.C"}, {}, {0}, 1);
  for (bool general : {false, true}) expect_count(c.measure({}, general)[0], 3);
}

TEST(SequentialExamples, CaseFourCountsJoinRows) {
  Case c;
  c.add_table({"C", "E"}, {{"c1", "e1"}, {"c1", "e2"}, {"c1", "e2"}});
  c.add_table({"E"}, {{"e1"}, {"e2"}, {"e2"}});
  c.join("E", {0, 1});
  c.anonymity({"T1.C"}, {}, {0, 1}, 1);
  for (bool general : {false, true}) expect_count(c.measure({}, general)[0], 5);
}

TEST(SequentialExamples, OneToOneAttackKeepsTheJoinsOwnShare) {
  Case c;
  add_flat(c, "Sex", {"F", "M"});
  add_flat(c, "Cond", {"flu", "pregnant"});
  c.add_table({"Name", "Sex"}, {{"Ann", "F"}, {"Bob", "M"}, {"Carl", "M"}});
  c.add_table({"Cond"}, {{"pregnant"}, {"flu"}, {"flu"}});
  auto const sex = c.join("Sex", {0}), cond = c.join("Cond", {1});
  c.exclude(sex, "M", cond, "pregnant");
  c.linkability({"T1.Name"}, {"T2.Cond"}, {1, 1}, {{"pregnant"}});
  for (bool general : {false, true}) expect_share(c.measure({}, general)[0], 1, 3);
}

TEST(SequentialExamples, InconsistencyHoldsAboveWhereEveryInstanceIsExcluded) {
  Case c;
  c.add_taxonomy("Sex", {{"male", "ANY"}, {"boy", "male"}, {"man", "male"}, {"F", "ANY"}});
  add_flat(c, "Cond", {"flu", "pregnant"});
  c.add_table({"Sex"}, {{"boy"}, {"man"}, {"F"}});
  c.add_table({"Cond"}, {{"pregnant"}, {"flu"}, {"flu"}});
  c.generalize("Sex");
  auto const sex = c.join("Sex", {0}), cond = c.join("Cond", {1});
  c.exclude(sex, "boy", cond, "pregnant");
  c.anonymity({"T1.Sex"}, {}, {1}, 1);
  expect_count(c.measure({{"male", "F"}})[0], 3);
  c.exclude(sex, "man", cond, "pregnant");
  expect_count(c.measure({{"male", "F"}})[0], 2);
  expect_count(c.measure({{"ANY"}})[0], 3);
}

TEST(SequentialExamples, AnyOfBoundsTheMergedValue) {
  Case c;
  c.add_table({"D", "S"}, {{"d", "B20"}, {"d", "B21"}, {"d", "flu"}, {"d", "flu"}});
  c.linkability({"T1.D"}, {"T1.S"}, {1, 3}, {{"B20", "B21"}});
  c.linkability({"T1.D"}, {"T1.S"}, {1, 3}, {{"B20"}, {"B21"}});
  auto const levels = c.measure({});
  expect_share(levels[0], 1, 2);
  expect_share(levels[1], 1, 4);
}

TEST(SequentialExamples, NullAddsNothingAndIsNotSensitiveUnlessListed) {
  Case c;
  c.add_table({"D", "S"}, {{"d", ""}, {"d", "a"}, {"d", "b"}, {"d", ""}});
  c.anonymity({"T1.D"}, {"T1.S"}, {}, 1);
  c.linkability({"T1.D"}, {"T1.S"}, {1, 1});
  auto& listed = c.linkability({"T1.D"}, {"T1.S"}, {1, 1});
  listed.sensitive.push_back({{{{{{kNull}, {0, 0}, false}}}}, {1, 1}});
  for (bool general : {false, true}) {
    auto const levels = c.measure({}, general);
    expect_count(levels[0], 2);
    expect_share(levels[1], 1, 4);
    expect_share(levels[2], 1, 2);
  }
}

TEST(SequentialExamples, OuterKeepsUnmatchedPersons) {
  Case c;
  c.add_table({"C", "D"}, {{"c1", "d1"}, {"c1", "d2"}, {"c1", "d2"}});
  c.add_table({"D", "S"}, {{"d1", "s"}});
  c.join("D", {0, 1});
  c.problem.dangling = Dangling::kOuter;
  c.anonymity({"T1.C", "T2.S"}, {}, {0}, 1);
  c.anonymity({"T1.D"}, {}, {0, 1}, 1);
  c.anonymity({"T1.C"}, {}, {1}, 1);
  auto const levels = c.measure({}, false);
  expect_count(levels[0], 1);
  expect_count(levels[1], 0);  // no record of T2, no y
  expect_count(levels[2], 1);
}

}  // namespace
}  // namespace anon_seq::testing
