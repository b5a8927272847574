// Where regions are cut, carved and opened, whoever is in them.
#include <gtest/gtest.h>

#include "incremental_words.h"

namespace anon_seq::testing {
namespace {

TEST(IncrementalCuts, CrossOfFivePointsHasNoAllowableCut) {
  History history({numbers(4), numbers(4)}, 2);
  add(history, {{"2", "2"}, {"1", "2"}, {"3", "2"}, {"2", "1"}, {"2", "3"}});
  auto const& version = history.publish();
  EXPECT_EQ(version.refined.leaves, 1);
  EXPECT_EQ(version.refined.smallest_leaf, 5);
  EXPECT_EQ(version.partition.regions.size(), 5U);  // the root, and unknown beside known in each attribute
}

TEST(IncrementalCuts, CutsNearestTheMedianAtTheRoundestPlace) {
  History history({numbers(21)}, 2);
  add(history, {{"1"}, {"2"}, {"8"}, {"9"}});
  history.publish();
  EXPECT_EQ(line(history, 0), Bounds(1, 5));
  EXPECT_EQ(line(history, 3), Bounds(5, kNoBound));
  History tied({numbers(21)}, 2);  // cuts below and above the 3s are as near: the lower one
  add(tied, {{"1"}, {"1"}, {"3"}, {"3"}, {"4"}, {"4"}});
  tied.publish();
  EXPECT_EQ(line(tied, 0), Bounds(1, 2));
  EXPECT_EQ(line(tied, 2), Bounds(2, 4));
}

TEST(IncrementalCuts, AttributeIsChosenBySpanOrEntropy) {
  for (bool const by_entropy : {false, true}) {
    History history({numbers(21), numbers(21)}, 2);
    history.demands.by_entropy = by_entropy;
    add(history, {{"1", "9"}, {"1", "10"}, {"1", "11"}, {"1", "9"}, {"20", "10"}, {"20", "11"}});
    EXPECT_EQ(history.publish().partition.regions[5].attribute, by_entropy ? 1 : 0);
  }
}

// Two leaves that both occur are all of their column: from the first to the last it is one step, as a number's range is
// one. Of the numbers, 1 to 20, these show 18 of 19.
TEST(Incremental, ATaxonomyIsAsWideAsTheStepsBetweenItsLeaves) {
  History history({numbers(21), {0, {{"x", "r"}, {"y", "r"}}}}, 2);
  add(history, {{"1", "x"}, {"1", "y"}, {"19", "x"}, {"19", "y"}});
  EXPECT_EQ(history.publish().partition.regions[3].attribute, 1);
}

TEST(IncrementalCuts, WhatMayBeUnknownShowsEverythingAndIsCutOffOnceTheRestHasABound) {
  History history({numbers(10)}, 2);
  add(history, {{""}, {""}, {"3"}, {"3"}});
  EXPECT_EQ(history.publish().refined.leaves, 1);  // the 3s by themselves could not be shown as known
  EXPECT_EQ(line(history, 0), Bounds(0, kNoBound));
  add(history, {{"8"}, {"9"}});
  history.publish();
  EXPECT_TRUE(history.shown_now(0)[0].unknown);
  EXPECT_EQ(line(history, 2), Bounds(1, 5));
  EXPECT_EQ(line(history, 4), Bounds(5, kNoBound));
  History few({numbers(10)}, 2);
  add(few, {{""}, {"1"}, {"5"}, {"6"}});
  few.publish();
  EXPECT_EQ(line(few, 0), Bounds(0, kNoBound));
  EXPECT_EQ(line(few, 2), Bounds(5, kNoBound));
  EXPECT_EQ(few.region(0), few.region(1));
}

TEST(IncrementalCuts, WhereNobodyIsUnknownAtFirstTheLowestRangeIsShown) {
  History history({numbers(10)}, 2);
  add(history, {{"1"}, {"2"}, {"8"}, {"9"}});
  history.publish();
  EXPECT_EQ(line(history, 0), Bounds(1, 5));
  add(history, {{""}});
  EXPECT_EQ(history.publish().refined.waiting, 1);
  add(history, {{""}});
  EXPECT_EQ(history.publish().refined.waiting, 0);
  EXPECT_TRUE(history.shown_now(4)[0].unknown);
  EXPECT_EQ(line(history, 0), Bounds(1, 5));
}

// A bounding box that follows the data would grow to [2, 8], which is unsafe: doc/semantics.md, "Regions, not boxes".
TEST(IncrementalCuts, BoxIsFrozenAndWhoIsOutsideWaits) {
  History history({numbers(11)}, 2);
  history.demands.box = true;
  add(history, {{"2"}, {"4"}});
  history.publish();
  EXPECT_EQ(line(history, 0), Bounds(2, 5));
  add(history, {{"8"}, {""}, {"3"}});
  EXPECT_EQ(history.publish().refined.waiting, 2);
  EXPECT_EQ(line(history, 0), Bounds(2, 5));
  EXPECT_EQ(history.region(4), history.region(0));
  add(history, {{"9"}, {"1"}});
  EXPECT_EQ(history.publish().refined.waiting, 2);
  EXPECT_EQ(line(history, 2), Bounds(8, 10));
  add(history, {{""}, {"1"}});
  EXPECT_EQ(history.publish().refined.waiting, 0);
  EXPECT_TRUE(history.shown_now(3)[0].unknown);
  EXPECT_EQ(line(history, 6), Bounds(1, 2));
  EXPECT_TRUE(breaches(history.sight(true), 2, false).empty());
}

TEST(IncrementalCuts, BoxOfACategoryHoldsItsLeavesOnly) {
  History history({tree(false)}, 2);
  history.demands.box = true;
  add(history, {{"a1"}, {"a2"}, {"c"}});
  history.publish();
  EXPECT_EQ(nodes(history, 0), "a c ");
  add(history, {{"b1"}, {""}});
  history.publish();
  EXPECT_EQ(nodes(history, 3), "NULL b1 ");
}

// Objects of releases 1 and 2 lie at 1 or 3; a tight box around the 3s would leave whom we saw at 9 alone.
TEST(IncrementalCuts, NothingIsCarvedOffWhereSomebodyHasLeft) {
  History history({numbers(11)}, 2);
  history.demands.box = true;
  add(history, {{"1"}, {"1"}, {"9"}});
  history.publish();
  history.remove(2);
  add(history, {{"3"}, {"3"}});
  EXPECT_EQ(history.publish().refined.left, 1);
  EXPECT_EQ(line(history, 0), Bounds(1, 2));
  EXPECT_EQ(line(history, 3), Bounds(2, 10));
  EXPECT_TRUE(breaches(history.sight(true), 2, false).empty());
}

TEST(IncrementalCuts, ShortChildrenAreLumpedWithTheSmallest) {
  History history({tree(true)}, 2);
  add(history, {{"a1"}, {"a2"}, {"b1"}, {"b2"}, {"b2"}, {"c"}});
  history.publish();
  EXPECT_EQ(nodes(history, 2), "b ");
  EXPECT_EQ(nodes(history, 0), "r ");
  EXPECT_EQ(history.region(0), history.region(5));
}

TEST(IncrementalCuts, ChildrenAreThoseOfTheLowestNodeAboveTheRows) {
  History history({tree(true)}, 2);
  add(history, {{"a1"}, {"a1"}, {"a2"}, {"a2"}});
  history.publish();
  EXPECT_EQ(nodes(history, 0), "a1 ");
  EXPECT_EQ(nodes(history, 2), "a2 ");
}

TEST(IncrementalCuts, NewValueJoinsItsParentOrWaitsAmongTheOthers) {
  for (bool const by_children : {true, false}) {
    History history({tree(by_children)}, 2);
    add(history, {{"a1"}, {"a1"}, {"c"}, {"c"}});
    history.publish();
    auto& edges = history.attributes[0].edges;
    edges.insert(edges.end(), {{"a3", "a"}, {"d", "r"}});
    add(history, {{"a3"}, {"d"}});
    EXPECT_EQ(history.publish().refined.waiting, 1);
    EXPECT_EQ(history.region(4), history.region(0));
    EXPECT_EQ(nodes(history, 4), by_children ? "a " : "NULL a ");
    add(history, {{"d"}});
    EXPECT_EQ(history.publish().refined.waiting, 0);
    EXPECT_EQ(nodes(history, 5), "r ");
  }
}

// Leaves of an open taxonomy are those that occur. Which comes first is said by what they mean, so nobody moves when
// there are more of them, and neighbours are numbers, not texts.
TEST(IncrementalCuts, AnOpenTaxonomyIsCutInOrderWhateverOccurs) {
  Attribute ages{0, {}};
  ages.open = make_range_rule("0", "20", {"1"});
  History history({ages}, 3);
  for (int i = 1; i <= 12; ++i) history.insert(i, {std::to_string(i)});
  history.publish();
  for (std::size_t i = 0; i < 12; i += 3) EXPECT_EQ(history.region(i), history.region(i + 2)) << i;
  EXPECT_EQ(nodes(history, 1), "NULL [1,2) [2,3) [3,4) ");
  EXPECT_EQ(nodes(history, 11), "[10,11) [11,12) [12,13) ");
  auto const before = history.versions.back().regions;
  add(history, {{"0.5"}, {"2.25"}, {"19"}, {"100e-1"}});
  EXPECT_EQ(history.publish().refined.waiting, 2);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(history.region(i), before[i]) << i;
  EXPECT_EQ(history.region(13), history.region(1));
  EXPECT_EQ(history.region(15), history.region(9));
}

TEST(IncrementalCuts, OutsideTheDeclaredDomainPeopleWait) {
  Attribute declared = numbers(11);
  declared.domain_from = 2;
  declared.domain_below = 8;
  History history({declared}, 2);
  add(history, {{"2"}, {"7"}, {"9"}, {""}});
  auto const& first = history.publish();
  EXPECT_EQ(first.refined.waiting, 2);
  EXPECT_EQ(line(history, 0), Bounds(2, 8));
  add(history, {{"8"}});
  history.publish();
  EXPECT_EQ(line(history, 2), Bounds(8, kNoBound));
  EXPECT_EQ(history.region(3), kNoRegion);
}

TEST(IncrementalCuts, ALowerKCutsWhatNobodyCameTo) {
  History history({numbers(11)}, 3);
  add(history, {{"1"}, {"2"}, {"8"}, {"9"}});
  EXPECT_EQ(history.publish().refined.leaves, 1);
  history.demands.k = 2;
  EXPECT_EQ(history.publish().refined.leaves, 1);
  history.demands.cut_all = true;
  EXPECT_EQ(history.publish().refined.leaves, 2);
}

}  // namespace
}  // namespace anon_seq::testing
