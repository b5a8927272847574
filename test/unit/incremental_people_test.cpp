// Who of a region's people is published, who waits and who may leave.
#include <gtest/gtest.h>

#include "error_of.h"
#include "incremental_words.h"

namespace anon_seq::testing {
namespace {

// The leaf that fell below k may not be withheld (doc/semantics.md, "Deletions").
TEST(IncrementalPeople, DepartureIsDeferredUntilOthersCome) {
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

TEST(IncrementalPeople, ErasureAtOnceWithholdsAndIsFoundByTheAttacker) {
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

TEST(IncrementalPeople, TwoObjectsOfAPersonAreNeverInOneLeaf) {
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

TEST(IncrementalPeople, WhoMovedWaitsAsLongAsHisOldRowStays) {
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

// Whoever recognises him by a rare value knows that he is not the one who came: doc/semantics.md, "Who moves".
TEST(IncrementalPeople, WhoMovedCountsTowardsNoK) {
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
TEST(IncrementalPeople, AChangeWithinARegionIsNoMove) {
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
TEST(IncrementalPeople, WithKnownArrivalsWhoLeftDoesNotComeBack) {
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
TEST(IncrementalPeople, WhoIsForgottenIsPutAnywhere) {
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

TEST(IncrementalPeople, WithKnownArrivalsPeopleComeAndGoInGroups) {
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

TEST(IncrementalPeople, FewerThanKWait) {
  History history({numbers(11)}, 3);
  add(history, {{"1"}, {"2"}});
  auto const& version = history.publish();
  EXPECT_EQ(version.refined.waiting, 2);
  EXPECT_EQ(version.refined.leaves, 0);
  EXPECT_EQ(version.refined.smallest_leaf, 0);
}

TEST(IncrementalPeople, RefusesRowsThatAreNotWhereTheyShouldBe) {
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
