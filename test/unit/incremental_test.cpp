#include <gtest/gtest.h>

#include "error_of.h"
#include "incremental_fixture.h"

namespace anon_seq::testing {
namespace {

using Bounds = std::pair<std::int32_t, std::int32_t>;
constexpr std::int32_t kNoBound = Shown::kUnbounded;

Attribute numbers(std::int32_t size) { return {size, {}}; }
Attribute tree(bool by_children) {
  return {0, {{"a", "r"}, {"a1", "a"}, {"a2", "a"}, {"b", "r"}, {"b1", "b"}, {"b2", "b"}, {"c", "r"}}, by_children};
}

// Inserts a person each. Returns the first object.
std::size_t add(History& history, std::vector<Values> const& people) {
  std::size_t const first = history.objects.size();
  for (auto const& values : people) history.insert(static_cast<int>(history.objects.size()), values);
  return first;
}

Bounds line(History const& history, std::size_t object, std::size_t attribute = 0) {
  Shown const shown = history.shown_now(object)[attribute];
  return {shown.from, shown.below};
}

std::string nodes(History const& history, std::size_t object, std::size_t attribute = 0) {
  std::string text;
  auto const shown = history.shown_now(object);
  for (Node const n : shown[attribute].nodes)
    text += n == kUnknown ? "NULL " : std::string(history.all_taxonomies()[attribute]->label(n)) + " ";
  return text;
}

TEST(Incremental, CrossOfFivePointsHasNoAllowableCut) {
  History history({numbers(4), numbers(4)}, 2);
  add(history, {{"2", "2"}, {"1", "2"}, {"3", "2"}, {"2", "1"}, {"2", "3"}});
  auto const& version = history.publish();
  EXPECT_EQ(version.refined.leaves, 1);
  EXPECT_EQ(version.refined.smallest_leaf, 5);
  EXPECT_EQ(version.partition.regions.size(), 5U);  // the root, and unknown beside known in each attribute
}

TEST(Incremental, CutsNearestTheMedianAtTheRoundestPlace) {
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

TEST(Incremental, AttributeIsChosenBySpanOrEntropy) {
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

TEST(Incremental, WhatMayBeUnknownShowsEverythingAndIsCutOffOnceTheRestHasABound) {
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

TEST(Incremental, WhereNobodyIsUnknownAtFirstTheLowestRangeIsShown) {
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

// The leaf that fell below k may not be withheld: SEMANTICS, section 2.
TEST(Incremental, DepartureIsDeferredUntilOthersCome) {
  History history({numbers(11)}, 2);
  add(history, {{"2"}, {"7"}});
  history.publish();
  EXPECT_EQ(line(history, 0), Bounds(0, kNoBound));
  std::size_t const c = add(history, {{"3"}, {"8"}});
  history.publish();
  EXPECT_EQ(line(history, 0), Bounds(1, 5));
  history.remove(c);
  auto const& third = history.publish();
  EXPECT_EQ(third.refined.deferred, 1);
  EXPECT_EQ(third.refined.published, 4);
  EXPECT_NE(history.region(c), kNoRegion);
  EXPECT_TRUE(breaches(history.sight(true), 2, false).empty());
  add(history, {{"4"}});
  auto const& fourth = history.publish();
  EXPECT_EQ(fourth.refined.left, 1);
  EXPECT_EQ(history.region(c), kNoRegion);
  EXPECT_EQ(fourth.refined.smallest_arrival, 1);
  EXPECT_EQ(fourth.refined.smallest_departure, 1);
}

TEST(Incremental, ErasureAtOnceWithholdsAndIsFoundByTheAttacker) {
  History history({numbers(11)}, 2);
  history.demands.erase_at_once = true;
  add(history, {{"2"}, {"7"}});
  history.publish();
  std::size_t const c = add(history, {{"3"}, {"8"}});
  history.publish();
  history.remove(c);
  auto const& third = history.publish();
  EXPECT_EQ(third.refined.withheld, 1);
  EXPECT_EQ(third.refined.published, 2);
  EXPECT_EQ(third.refined.waiting, 0);
  EXPECT_EQ(history.region(0), kNoRegion);
  auto const found = breaches(history.sight(false), 2, false);
  bool first_and_third = false;
  for (auto const& breach : found)
    first_and_third |= breach.versions == 0b101 && breach.victim == 0 && breach.candidates == 1;
  EXPECT_TRUE(first_and_third);
  add(history, {{"1"}});
  EXPECT_EQ(history.publish().refined.withheld, 0);
  EXPECT_EQ(line(history, 0), Bounds(1, 5));
}

// A bounding box that follows the data would grow to [2, 8]: SEMANTICS, section 2.
TEST(Incremental, BoxIsFrozenAndWhoIsOutsideWaits) {
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

TEST(Incremental, BoxOfACategoryHoldsItsLeavesOnly) {
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
TEST(Incremental, NothingIsCarvedOffWhereSomebodyHasLeft) {
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

TEST(Incremental, ShortChildrenAreLumpedWithTheSmallest) {
  History history({tree(true)}, 2);
  add(history, {{"a1"}, {"a2"}, {"b1"}, {"b2"}, {"b2"}, {"c"}});
  history.publish();
  EXPECT_EQ(nodes(history, 2), "b ");
  EXPECT_EQ(nodes(history, 0), "r ");
  EXPECT_EQ(history.region(0), history.region(5));
}

TEST(Incremental, ChildrenAreThoseOfTheLowestNodeAboveTheRows) {
  History history({tree(true)}, 2);
  add(history, {{"a1"}, {"a1"}, {"a2"}, {"a2"}});
  history.publish();
  EXPECT_EQ(nodes(history, 0), "a1 ");
  EXPECT_EQ(nodes(history, 2), "a2 ");
}

TEST(Incremental, NewValueJoinsItsParentOrWaitsAmongTheOthers) {
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
TEST(Incremental, AnOpenTaxonomyIsCutInOrderWhateverOccurs) {
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

TEST(Incremental, OutsideTheDeclaredDomainPeopleWait) {
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

TEST(Incremental, TwoObjectsOfAPersonAreNeverInOneLeaf) {
  for (bool const known : {false, true}) {
    History history({numbers(11)}, 2);
    history.demands.arrivals_known = known;
    add(history, {{"1"}, {"2"}});
    history.publish();
    std::size_t const next = history.change(0, {"3"});
    if (known) add(history, {{"4"}, {"5"}});
    auto const& second = history.publish();
    EXPECT_EQ(second.refined.left, known ? 0 : 1);
    EXPECT_EQ(second.refined.deferred, known ? 1 : 0);
    EXPECT_EQ(history.region(next) == kNoRegion, known);
  }
}

TEST(Incremental, WhoMovedWaitsAsLongAsHisOldRowStays) {
  History history({numbers(11)}, 2);
  add(history, {{"1"}, {"1"}, {"9"}, {"9"}});
  history.publish();
  std::size_t const next = history.change(0, {"9"});
  auto const& second = history.publish();
  EXPECT_EQ(second.refined.deferred, 1);
  EXPECT_EQ(second.refined.waiting, 1);
  EXPECT_EQ(history.region(0), history.region(1));
  EXPECT_EQ(history.region(next), kNoRegion);
  add(history, {{"2"}});
  history.publish();
  EXPECT_EQ(history.region(0), kNoRegion);
  EXPECT_EQ(history.region(next), history.region(2));
}

// Whoever recognises him by a rare value knows that he is not the one who came: SEMANTICS, section 2.
TEST(Incremental, WhoMovedCountsTowardsNoK) {
  for (bool const waits : {false, true}) {
    History history({numbers(31)}, 2);
    add(history, {{"1"}, {"2"}, {"7"}, {"8"}});
    history.publish();
    std::size_t const mover = history.change(0, {"20"});
    std::size_t const other = add(history, {{waits ? "3" : "21"}, {"3"}});
    history.publish();
    // Neither do 20 and 21 make a side of a cut, nor does he make one with those who leave.
    EXPECT_TRUE(history.objects[mover].moved);
    EXPECT_EQ(history.region(mover), history.region(2));
    if (!waits) {
      EXPECT_EQ(history.region(other), history.region(2));
    }
    history.remove(2);
    history.remove(3);
    auto const& third = history.publish();
    EXPECT_EQ(third.refined.deferred, waits ? 2 : 1);
    // For good, wherever he goes; his old row is of no use and leaves.
    std::size_t const again = history.change(mover, {"1"});
    history.publish();
    EXPECT_EQ(history.region(mover), kNoRegion);
    EXPECT_TRUE(history.objects[again].moved);
    EXPECT_EQ(history.region(again), history.region(1));
    EXPECT_TRUE(breaches(history.sight(true), 2, false).empty());
  }
}

// In the region that showed him he is who he was.
TEST(Incremental, AChangeWithinARegionIsNoMove) {
  History history({numbers(31)}, 2);
  add(history, {{"1"}, {"20"}});
  history.publish();
  std::size_t const changed = history.change(0, {"3"});
  std::size_t const low = add(history, {{"4"}, {"21"}});
  auto const& second = history.publish();
  EXPECT_FALSE(history.objects[changed].moved);
  EXPECT_EQ(second.refined.leaves, 2);
  EXPECT_EQ(history.region(changed), history.region(low));
  // Nor is a return to it.
  history.remove(changed);
  add(history, {{"2"}});
  history.publish();
  std::size_t const back = history.insert(0, {"1"});
  history.publish();
  EXPECT_EQ(history.region(back), history.region(low));
  EXPECT_FALSE(history.objects[back].moved);
}

// Who knows when people came must not take somebody who is recognised for one of those who left for good.
TEST(Incremental, WithKnownArrivalsWhoLeftDoesNotComeBack) {
  History history({numbers(11)}, 2);
  history.demands.arrivals_known = true;
  add(history, {{"1"}, {"1"}, {"1"}, {"1"}});
  history.publish();
  history.remove(0);
  history.remove(1);
  EXPECT_EQ(history.publish().refined.left, 2);
  std::size_t const back = history.insert(0, {"1"});
  add(history, {{"1"}, {"1"}});
  EXPECT_EQ(history.publish().refined.waiting, 1);
  EXPECT_EQ(history.region(back), kNoRegion);
}

// Where the forgotten one was nobody knows: he is put anywhere, and where he was there are k too.
TEST(Incremental, WhoIsForgottenIsPutAnywhere) {
  History history({numbers(31)}, 2);
  history.demands.box = true;
  add(history, {{"1"}, {"20"}, {"9"}});
  history.publish();
  history.remove(1);
  history.forget(1);
  add(history, {{"2"}});
  history.publish();
  EXPECT_EQ(history.region(1), kNoRegion);
  // A cut at 5, boxed, would leave nobody around 20.
  add(history, {{"8"}});
  history.publish();
  EXPECT_EQ(line(history, 2).second, 21);
  EXPECT_TRUE(breaches(history.sight(false), 2, false).empty());
  history.remove(0);
  history.forget(0);
  history.remove(3);
  EXPECT_EQ(history.publish().refined.deferred, 2);
  add(history, {{"3"}, {"4"}});
  history.publish();
  EXPECT_TRUE(breaches(history.sight(false), 2, false).empty());
}

TEST(Incremental, WithKnownArrivalsPeopleComeAndGoInGroups) {
  History history({numbers(11)}, 2);
  history.demands.arrivals_known = true;
  add(history, {{"1"}, {"2"}, {"3"}});
  history.publish();
  std::size_t const lonely = add(history, {{"4"}});
  EXPECT_EQ(history.publish().refined.waiting, 1);
  add(history, {{"5"}});
  auto const& third = history.publish();
  EXPECT_EQ(third.refined.waiting, 0);
  EXPECT_EQ(third.refined.smallest_arrival, 2);
  // Cut, as each side has one version's people only.
  EXPECT_EQ(third.refined.leaves, 2);
  EXPECT_EQ(history.region(lonely), history.region(4));
  history.remove(0);
  EXPECT_EQ(history.publish().refined.deferred, 1);
  history.remove(1);
  history.remove(2);
  add(history, {{"1"}, {"2"}});
  auto const& last = history.publish();
  EXPECT_EQ(last.refined.left, 3);
  EXPECT_EQ(last.refined.smallest_departure, 3);
  EXPECT_TRUE(breaches(history.sight(true), 2, true).empty());
}

TEST(Incremental, ALowerKCutsWhatNobodyCameTo) {
  History history({numbers(11)}, 3);
  add(history, {{"1"}, {"2"}, {"8"}, {"9"}});
  EXPECT_EQ(history.publish().refined.leaves, 1);
  history.demands.k = 2;
  EXPECT_EQ(history.publish().refined.leaves, 1);
  history.demands.cut_all = true;
  EXPECT_EQ(history.publish().refined.leaves, 2);
}

TEST(Incremental, FewerThanKWait) {
  History history({numbers(11)}, 3);
  add(history, {{"1"}, {"2"}});
  auto const& version = history.publish();
  EXPECT_EQ(version.refined.waiting, 2);
  EXPECT_EQ(version.refined.leaves, 0);
  EXPECT_EQ(version.refined.smallest_leaf, 0);
}

TEST(Incremental, RefusesRowsThatAreNotWhereTheyShouldBe) {
  History history({numbers(11)}, 2);
  add(history, {{"1"}, {"2"}, {"8"}, {"9"}});
  history.publish();
  History inner = history;
  inner.objects[0].region = kWholeSpace;
  EXPECT_ERROR(error_of([&] { inner.publish(); }), Fault::kDamaged, "an object is in a region that is not open");
  std::swap(history.objects[0].values, history.objects[2].values);
  add(history, {{"3"}, {"4"}});
  EXPECT_ERROR(error_of([&] { history.publish(); }), Fault::kDamaged, "an object is outside its region");
}

}  // namespace
}  // namespace anon_seq::testing
