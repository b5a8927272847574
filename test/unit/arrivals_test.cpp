// Who came and went: the six checks on a history small enough to count by hand.
#include "core/attack/arrivals.h"

#include <gtest/gtest.h>

namespace anon_seq {
namespace {

// Groups are numbered boxes; 0: not there.
std::vector<ArrivalFinding> find(std::vector<std::vector<int>> const& releases) {
  PublishedObjects published;
  published.objects = releases.front().size();
  for (auto const& release : releases) {
    auto& boxes = published.releases.emplace_back();
    for (int const group : release) boxes.push_back(group);
  }
  NoCheckpoint checkpoint;
  return find_arrivals(published, checkpoint);
}

struct Expected {
  std::int64_t smallest, groups, objects;
  BoxId from, to;
  std::int32_t cohort;
};

void expect(std::vector<ArrivalFinding> const& found, std::size_t release, std::vector<Expected> const& expected) {
  for (std::size_t check = 0; check < expected.size(); ++check) {
    auto const& finding = found[(release - 1) * kArrivalChecks + check];
    SCOPED_TRACE(arrival_check_name(finding.check));
    EXPECT_EQ(static_cast<std::size_t>(finding.check), check);
    EXPECT_EQ(static_cast<std::size_t>(finding.release), release);
    EXPECT_EQ(finding.smallest, expected[check].smallest);
    EXPECT_EQ(finding.groups, expected[check].groups);
    EXPECT_EQ(finding.objects, expected[check].objects);
    EXPECT_EQ(finding.from, expected[check].from);
    EXPECT_EQ(finding.to, expected[check].to);
    EXPECT_EQ(finding.cohort, expected[check].cohort);
  }
}

TEST(Arrivals, EveryCheck) {
  // Group 1 is cut into 2 and 3; group 4 stays; the last object but one leaves, and comes back in release 2.
  auto const found = find({{1, 1, 1, 4, 4, 0, 0, 4, 0}, {2, 2, 3, 4, 4, 3, 3, 0, 4}, {2, 2, 3, 4, 4, 3, 3, 4, 4}});
  ASSERT_EQ(found.size(), 2u * kArrivalChecks);
  expect(found, 1,
         {{1, 2, 3, 0, 4, -1},   // newcomers: two in 3, one in 4
          {1, 1, 1, 4, 0, -1},   // leavers: one from 4
          {1, 2, 3, 1, 3, -1},   // cut: two and one of group 1
          {1, 3, 5, 1, 3, 0},    // forward
          {1, 3, 5, 0, 3, 0},    // cross: of group 3 only one was there before
          {1, 2, 3, 0, 4, 1}});  // backward
  expect(found, 2,
         {{1, 1, 1, 0, 4, -1},  // who comes back is new to an onlooker
          {0, 0, 0, 0, 0, -1},
          {0, 0, 0, 0, 0, -1},
          {1, 5, 8, 3, 3, 0},
          {1, 5, 9, 0, 3, 0},
          {0, 0, 0, 0, 0, -1}});  // nobody came for the first time
}

TEST(Arrivals, OneReleaseHasNone) { EXPECT_TRUE(find({{1, 1, 2}}).empty()); }

}  // namespace
}  // namespace anon_seq
