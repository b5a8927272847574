// The attack on paths beside an enumeration of all sets of releases, person by person.
#include "core/attack/region_paths.h"

#include <gtest/gtest.h>

#include <random>

#include "core/base/checkpoint.h"

namespace anon_seq::testing {
namespace {

std::int64_t fewest(std::vector<std::vector<std::int32_t>> const& tracks, std::vector<std::int32_t> const& path) {
  std::int64_t least = -1;
  for (unsigned set = 1; set < 1U << path.size(); ++set) {
    bool shown = false;
    for (std::size_t i = 0; i < path.size(); ++i) shown |= (set >> i & 1) != 0 && path[i] != kNowhere;
    if (!shown) continue;
    std::int64_t left = 0;
    for (auto const& track : tracks) {
      bool hit = false, missed = false;
      for (std::size_t i = 0; i < path.size(); ++i) {
        if ((set >> i & 1) == 0 || track[i] == kNowhere) continue;
        (track[i] == path[i] ? hit : missed) = true;
      }
      left += hit && !missed;
    }
    if (least < 0 || left < least) least = left;
  }
  return least;
}

PathAttack attack(std::vector<std::vector<std::int32_t>> const& tracks,
                  std::vector<std::vector<std::int32_t>> const& paths, std::int64_t k) {
  std::vector<std::int32_t> flat_tracks, flat_paths;
  for (auto const& track : tracks) flat_tracks.insert(flat_tracks.end(), track.begin(), track.end());
  for (auto const& path : paths) flat_paths.insert(flat_paths.end(), path.begin(), path.end());
  NoCheckpoint checkpoint;
  return attack_paths(flat_tracks, flat_paths, paths.empty() ? 1 : paths.front().size(), k, checkpoint);
}

// A region of four is cut in two; one of them leaves meanwhile.
TEST(RegionPaths, CutRegion) {
  auto const found = attack({{0, 1}, {0, 1}, {0, 2}, {0, kNowhere}}, {{0, 1}, {0, 2}}, 3);
  EXPECT_EQ(found.smallest, 1);  // in the newest alone region 2 has one
  EXPECT_EQ(found.at_risk, 2);
}

// Who left may have been in the part that is not shown any more: no one else can be.
TEST(RegionPaths, EmptyPartOfALeftRegion) {
  auto const found = attack({{0, 1}, {0, 1}, {0, kNowhere}}, {{0, 1}, {0, kNowhere}}, 2);
  EXPECT_EQ(found.smallest, 1);
  EXPECT_EQ(found.at_risk, 1);
  EXPECT_EQ(found.releases, (std::vector<std::int32_t>{0, 1}));
}

TEST(RegionPaths, NothingIsShownAround) {
  auto const found = attack({{0}}, {{kNowhere}}, 2);
  EXPECT_EQ(found.smallest, 0);
  EXPECT_EQ(found.at_risk, 0);
}

TEST(RegionPaths, RandomTracks) {
  std::mt19937 random(20261120);
  auto const below = [&](int n) { return static_cast<std::int32_t>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 2000; ++round) {
    auto const releases = static_cast<std::size_t>(1 + below(4));
    std::vector<std::vector<std::int32_t>> tracks, paths;
    for (int i = below(12); i >= 0; --i) {
      auto& track = tracks.emplace_back();
      for (std::size_t r = 0; r < releases; ++r) track.push_back(below(4) - 1);
    }
    for (int i = below(4); i >= 0; --i) {
      auto& path = paths.emplace_back();
      for (std::size_t r = 0; r < releases; ++r) path.push_back(below(4) - 1);
    }
    std::int64_t const k = 1 + below(4);
    std::int64_t smallest = -1, at_risk = 0;
    for (auto const& path : paths) {
      auto const left = fewest(tracks, path);
      if (left < 0) continue;
      smallest = smallest < 0 ? left : std::min(smallest, left);
      at_risk += left < k;
    }
    auto const found = attack(tracks, paths, k);
    ASSERT_EQ(found.smallest, std::max<std::int64_t>(smallest, 0)) << "round " << round;
    ASSERT_EQ(found.at_risk, at_risk) << "round " << round;
    ASSERT_EQ(found.releases.empty(), at_risk == 0) << "round " << round;
  }
}

}  // namespace
}  // namespace anon_seq::testing
