// The inference attack: the paper's tables, the counterexamples of the readings, and random histories against an
// attacker who enumerates every subset of releases and every point.
#include "core/attack/inference.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "error_of.h"

namespace anon_seq {
namespace {

using Pieces = std::set<std::int32_t>;
using Box = std::vector<Pieces>;
using History = std::vector<std::optional<Box>>;  // release -> what it shows, if it has the object

// Objects as sets of pieces, the way an attacker would write them down.
struct World {
  std::vector<History> objects;
  std::vector<std::vector<std::int32_t>> points;  // may be empty
  std::size_t releases() const { return objects.front().size(); }
};

Box intersection(Box const& a, Box const& b) {
  Box both(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    std::set_intersection(a[i].begin(), a[i].end(), b[i].begin(), b[i].end(), std::inserter(both[i], both[i].end()));
  return both;
}

bool is_empty(Box const& box) {
  return std::any_of(box.begin(), box.end(), [](auto const& set) { return set.empty(); });
}

bool contains(Box const& outer, Box const& inner) {
  for (std::size_t i = 0; i < outer.size(); ++i)
    if (!std::includes(outer[i].begin(), outer[i].end(), inner[i].begin(), inner[i].end())) return false;
  return true;
}

std::optional<Box> inferred(History const& history, std::uint32_t subset) {
  std::optional<Box> known;
  for (std::size_t r = 0; r < history.size(); ++r)
    if ((subset >> r & 1) != 0 && history[r]) known = known ? intersection(*known, *history[r]) : history[r];
  return known;
}

std::vector<Box> points_of(Box const& box) {
  std::vector<Box> points{{}};
  for (auto const& set : box) {
    std::vector<Box> longer;
    for (auto const& point : points)
      for (auto const piece : set) {
        longer.push_back(point);
        longer.back().push_back({piece});
      }
    points = std::move(longer);
  }
  return points;
}

std::int64_t brute_group(World const& world, std::vector<std::optional<Box>> const& known, std::size_t object,
                         Reading reading) {
  Box const& own = *known[object];
  if (is_empty(own)) return 0;
  auto const count = [&](auto good) {
    return std::count_if(known.begin(), known.end(),
                         [&](auto const& box) { return box && !is_empty(*box) && good(*box); });
  };
  if (reading == Reading::kEqual) return count([&](Box const& box) { return box == own; });
  if (reading == Reading::kContain) return count([&](Box const& box) { return contains(box, own); });
  std::vector<Box> points;
  if (world.points.empty()) {
    points = points_of(*inferred(world.objects[object], ~0u));
  } else {
    points.emplace_back();
    for (auto const piece : world.points[object]) points.back().push_back({piece});
  }
  std::int64_t fewest = points.empty() ? 0 : static_cast<std::int64_t>(known.size());
  for (auto const& point : points)
    fewest = std::min<std::int64_t>(fewest, count([&](Box const& box) { return contains(box, point); }));
  return fewest;
}

// The worst group of each object over the subsets of releases.
std::vector<std::int64_t> brute_groups(World const& world, Reading reading) {
  std::vector<std::int64_t> worst(world.objects.size(), std::numeric_limits<std::int64_t>::max());
  for (std::uint32_t subset = 1; subset < 1u << world.releases(); ++subset) {
    std::vector<std::optional<Box>> known;
    for (auto const& history : world.objects) known.push_back(inferred(history, subset));
    for (std::size_t object = 0; object < known.size(); ++object)
      if (known[object]) worst[object] = std::min(worst[object], brute_group(world, known, object, reading));
  }
  return worst;
}

// The same for infer().
struct Coded {
  Boxes boxes;
  PublishedObjects published;

  explicit Coded(World const& world) : boxes(width(world)) {
    published.objects = world.objects.size();
    for (std::size_t r = 0; r < world.releases(); ++r) {
      auto& release = published.releases.emplace_back();
      for (auto const& history : world.objects) release.push_back(history[r] ? add(*history[r]) : kAbsent);
    }
    for (auto const& point : world.points) {
      Box box;
      for (auto const piece : point) box.push_back({piece});
      published.points.push_back(add(box));
    }
  }

  static std::size_t width(World const& world) {
    for (auto const& shown : world.objects.front())
      if (shown) return shown->size();
    return 0;
  }

  BoxId add(Box const& box) {
    Vector<SetId> sets;
    for (std::size_t i = 0; i < box.size(); ++i) {
      Vector<PieceRun> runs;
      for (auto const piece : box[i]) runs.push_back({piece, piece});
      sets.push_back(boxes.sets_of(i).add(runs));
    }
    return boxes.add(sets);
  }
};

Inference infer_world(World const& world, InferenceDemands const& demands) {
  Coded coded(world);
  NoCheckpoint checkpoint;
  return infer(coded.boxes, coded.published, demands, checkpoint);
}

std::vector<std::int64_t> groups_of(World const& world, InferenceDemands const& demands) {
  auto const inference = infer_world(world, demands);
  std::vector<std::int64_t> groups;
  for (std::size_t object = 0; object < world.objects.size(); ++object) groups.push_back(inference.of(object).group);
  return groups;
}

Pieces span(std::int32_t first, std::int32_t last) {
  Pieces pieces;
  for (auto piece = first; piece <= last; ++piece) pieces.insert(piece);
  return pieces;
}

History on_a_line(std::vector<std::pair<int, int>> const& ranges) {
  History history;
  for (auto const& [first, last] : ranges) history.push_back(Box{span(first, last)});
  return history;
}

InferenceDemands with(Reading reading, std::int64_t k = 2) {
  InferenceDemands demands;
  demands.k = k;
  demands.reading = reading;
  return demands;
}

// Tables 2 and 5: zip codes 20433, 20435, 20437 are 1-3, female and male 1-2, ages themselves.
World paper() {
  Pieces const zips{1, 2, 3}, a{1}, c{3}, any{1, 2}, f{1}, m{2};
  auto const age = [](int from, int to) { return span(from, to); };
  return {{{Box{zips, any, age(21, 48)}, Box{a, f, age(21, 26)}},
           {Box{zips, any, age(21, 48)}, Box{c, m, age(48, 54)}},
           {Box{zips, f, age(26, 31)}, Box{a, f, age(21, 26)}},
           {Box{zips, f, age(26, 31)}, Box{zips, f, age(31, 31)}},
           {std::nullopt, Box{c, m, age(48, 54)}},
           {std::nullopt, Box{zips, f, age(31, 31)}}},
          {}};
}

TEST(Inference, PaperTable6) {
  using Groups = std::vector<std::int64_t>;
  EXPECT_EQ(groups_of(paper(), with(Reading::kEqual)), (Groups{1, 1, 1, 2, 1, 2}));
  EXPECT_EQ(groups_of(paper(), with(Reading::kContain)), (Groups{1, 2, 2, 2, 1, 2}));
  EXPECT_EQ(groups_of(paper(), with(Reading::kCover)), (Groups{1, 2, 2, 2, 1, 2}));
  auto const inference = infer_world(paper(), with(Reading::kEqual));
  EXPECT_EQ(inference.at_risk, 4);
  EXPECT_EQ(inference.smallest, 1);
  EXPECT_EQ(inference.subsets.size(), 3u);
  EXPECT_FALSE(inference.sampled);
  EXPECT_EQ(inference.subsets[static_cast<std::size_t>(inference.of(0).subset)].size(), 2u);
}

TEST(Inference, TruePointsDecideCover) {
  auto world = paper();
  world.points = {{1, 1, 21}, {3, 2, 48}, {1, 1, 26}, {3, 1, 31}, {3, 2, 54}, {2, 1, 31}};
  EXPECT_EQ(groups_of(world, with(Reading::kCover)), (std::vector<std::int64_t>{1, 2, 2, 2, 1, 2}));
  world.points[0] = {1, 1, 26};  // now Carol's range holds it
  EXPECT_EQ(groups_of(world, with(Reading::kCover))[0], 2);
}

// Three share release 2, and u stays in the box of release 1: t is one of two who cover his point, but his I is his
// own.
TEST(Inference, EqualMayLeaveAloneWhomOthersCover) {
  World const world{{{Box{span(0, 10)}, Box{span(3, 15)}},
                     {Box{span(0, 10)}, std::nullopt},
                     {std::nullopt, Box{span(3, 15)}},
                     {std::nullopt, Box{span(3, 15)}}},
                    {}};
  EXPECT_EQ(groups_of(world, with(Reading::kEqual))[0], 1);
  EXPECT_GE(groups_of(world, with(Reading::kCover))[0], 2);
}

TEST(Inference, EqualIsNotMonotoneInTheSetOfReleases) {
  World const world{{on_a_line({{1, 5}, {3, 9}, {3, 5}}), on_a_line({{3, 9}, {3, 9}, {3, 5}})}, {}};
  auto demands = with(Reading::kEqual);
  EXPECT_EQ(infer_world(world, demands).at_risk, 2);
  demands.subsets = Subsets::kFull;
  auto const full = infer_world(world, demands);
  EXPECT_EQ(full.at_risk, 0);
  EXPECT_TRUE(full.sampled);
}

// Every release is 2-anonymous, nobody disappears, the prefixes are safe, and releases 2 and 3 are not: contain
// counts whose I holds I(o), and without release 1 I(o) is wider.
TEST(Inference, PrefixesDoNotDecideContain) {
  World const world{{on_a_line({{5, 9}, {0, 12}, {2, 10}}), on_a_line({{5, 9}, {0, 12}, {5, 20}}),
                     on_a_line({{5, 9}, {1, 9}, {2, 10}}), on_a_line({{5, 9}, {1, 9}, {5, 20}})},
                    {}};
  auto demands = with(Reading::kContain);
  EXPECT_GT(infer_world(world, demands).at_risk, 0);
  demands.subsets = Subsets::kPrefixes;
  EXPECT_EQ(infer_world(world, demands).at_risk, 0);
}

// k = 2: {a, b} in [0, 10); c and d come and it is cut at 5; c goes, and release 3 withholds a.
TEST(Inference, WithholdingALeafDisclosesWhoWasInIt) {
  Box const whole{span(0, 9)}, left{span(0, 4)}, right{span(5, 9)};
  auto const none = std::nullopt;
  World world{{{whole, left, none}, {whole, right, right}, {none, left, none}, {none, right, right}}, {}};
  EXPECT_EQ(groups_of(world, with(Reading::kCover)), (std::vector<std::int64_t>{1, 2, 2, 2}));
  auto const inference = infer_world(world, with(Reading::kCover));
  EXPECT_EQ(inference.subsets[static_cast<std::size_t>(inference.of(0).subset)], (std::vector<std::int32_t>{0, 2}));
  world.objects[0][2] = world.objects[2][2] = left;  // deferred: both stay
  EXPECT_EQ(infer_world(world, with(Reading::kCover)).at_risk, 0);
}

TEST(Inference, ContradictionsAreUnsafeAndCounted) {
  World const world{{on_a_line({{1, 2}, {4, 5}}), on_a_line({{1, 2}, {1, 2}}), on_a_line({{1, 2}, {4, 5}})}, {}};
  for (Reading const reading : {Reading::kEqual, Reading::kContain, Reading::kCover}) {
    auto const inference = infer_world(world, with(reading));
    EXPECT_EQ(inference.contradictions, 2);
    EXPECT_EQ(inference.of(0).group, 0);
    EXPECT_EQ(inference.smallest, 0);
    EXPECT_GE(inference.at_risk, 2);
  }
}

TEST(Inference, TooLittleWorkIsUnsafeAndSaysSo) {
  World world;
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    Box box;
    for (int a = 0; a < 3; ++a) {
      auto const from = static_cast<std::int32_t>(random() % 6);
      box.push_back(span(from, from + 3 + static_cast<std::int32_t>(random() % 4)));
    }
    world.objects.push_back({box});
  }
  auto demands = with(Reading::kCover, 3);
  demands.object_budget = 1;
  auto const inference = infer_world(world, demands);
  EXPECT_GT(inference.undecided, 0);
  EXPECT_TRUE(inference.sampled);
  auto const truly = infer_world(world, with(Reading::kCover, 3));
  EXPECT_EQ(truly.undecided, 0);
  for (std::size_t object = 0; object < world.objects.size(); ++object)
    EXPECT_TRUE(truly.of(object).group >= 3 || inference.of(object).group < 3) << object;
}

TEST(Inference, WhichSubsets) {
  bool sampled = true;
  auto const count = [&](std::size_t n, Reading reading, Subsets subsets, bool only_grows) {
    auto demands = with(reading);
    demands.subsets = subsets;
    return subsets_to_examine(n, demands, only_grows, sampled).size();
  };
  EXPECT_EQ(count(6, Reading::kEqual, Subsets::kAuto, true), 63u);
  EXPECT_FALSE(sampled);
  EXPECT_EQ(count(7, Reading::kEqual, Subsets::kAuto, true), 7u + 6u + 20u);
  EXPECT_TRUE(sampled);
  EXPECT_EQ(count(7, Reading::kEqual, Subsets::kAll, true), 127u);
  EXPECT_FALSE(sampled);
  EXPECT_EQ(count(11, Reading::kCover, Subsets::kAuto, true), 11u);
  EXPECT_FALSE(sampled);
  EXPECT_EQ(count(5, Reading::kCover, Subsets::kAuto, false), 31u);
  EXPECT_EQ(count(5, Reading::kCover, Subsets::kPrefixes, false), 5u);
  EXPECT_TRUE(sampled);
  EXPECT_EQ(count(1, Reading::kContain, Subsets::kFull, false), 1u);
  EXPECT_FALSE(sampled);
  EXPECT_ERROR(error_of([&]() { count(17, Reading::kEqual, Subsets::kAll, true); }), Fault::kLimit,
               "all subsets of 17 releases are too many");
}

// Random histories. Sets are runs, or any pieces; values repeat often enough for groups to form.
World random_world(std::mt19937& random, bool only_grows) {
  auto const below = [&](std::uint32_t n) { return static_cast<std::int32_t>(random() % n); };
  auto const width = static_cast<std::size_t>(1 + below(3)), releases = static_cast<std::size_t>(1 + below(4));
  std::int32_t const pieces = 2 + below(4);
  bool const only_runs = below(2) == 0;
  auto const set = [&]() {
    Pieces chosen;
    std::int32_t const from = below(static_cast<std::uint32_t>(pieces));
    if (only_runs) return span(from, from + below(static_cast<std::uint32_t>(pieces - from)));
    for (std::int32_t piece = 0; piece < pieces; ++piece)
      if (piece == from || below(2) == 0) chosen.insert(piece);
    return chosen;
  };
  auto const box = [&]() {
    Box made;
    for (std::size_t a = 0; a < width; ++a) made.push_back(set());
    return made;
  };
  World world;
  std::vector<Box> common;
  for (int i = 0; i < 3; ++i) common.push_back(box());
  int const objects = 1 + below(10);
  for (int i = 0; i < objects; ++i) {
    History history(releases);
    auto const arrival = static_cast<std::size_t>(below(static_cast<std::uint32_t>(releases)));
    for (std::size_t r = arrival; r < releases; ++r)
      if (only_grows || r == arrival || below(4) > 0)
        history[r] = below(3) > 0 ? common[static_cast<std::size_t>(below(3))] : box();
    world.objects.push_back(std::move(history));
  }
  return world;
}

void compare(World const& world, Reading reading, std::int64_t k) {
  auto demands = with(reading, k);
  auto wanted = brute_groups(world, reading);
  if (reading != Reading::kEqual)
    for (auto& group : wanted) group = std::min(group, k);
  EXPECT_EQ(groups_of(world, demands), wanted) << "reading " << static_cast<int>(reading) << ", k " << k;
}

TEST(Inference, AgreesWithAnAttackerWhoEnumerates) {
  std::mt19937 random(20240229);
  for (int round = 0; round < 1500 && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    auto world = random_world(random, random() % 2 == 0);
    auto const k = static_cast<std::int64_t>(1 + random() % 4);
    for (Reading const reading : {Reading::kEqual, Reading::kContain, Reading::kCover}) compare(world, reading, k);
    for (auto const& history : world.objects) {  // a point that everything shown allows, or any
      auto const known = *inferred(history, ~0u);
      auto& point = world.points.emplace_back();
      for (auto const& set : known)
        point.push_back(set.empty() ? 0 : *std::next(set.begin(), static_cast<std::ptrdiff_t>(random() % set.size())));
    }
    compare(world, Reading::kCover, k);
  }
}

// More boxes than a node of the tree takes, and answers that do not depend on the order of objects.
TEST(Inference, ManyBoxes) {
  std::mt19937 random(11);
  for (int round = 0; round < 20 && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    World world;
    for (int i = 0; i < 120; ++i) {
      History history;
      for (int r = 0; r < 2; ++r) {
        Box box;
        for (int a = 0; a < 2; ++a) {
          auto const from = static_cast<std::int32_t>(random() % 10);
          box.push_back(span(from, from + 3 + static_cast<std::int32_t>(random() % 8)));
          if (random() % 8 == 0) box.back().erase(from + 1);
        }
        history.push_back(std::move(box));
      }
      world.objects.push_back(std::move(history));
    }
    for (Reading const reading : {Reading::kEqual, Reading::kContain, Reading::kCover}) compare(world, reading, 5);
    auto turned = world;
    std::reverse(turned.objects.begin(), turned.objects.end());
    auto groups = groups_of(turned, with(Reading::kCover, 5));
    std::reverse(groups.begin(), groups.end());
    EXPECT_EQ(groups, groups_of(world, with(Reading::kCover, 5)));
  }
}

}  // namespace
}  // namespace anon_seq
