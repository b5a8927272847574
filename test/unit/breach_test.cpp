// Breach probabilities: the paper's figures, and random histories against all their worlds.
#include "core/attack/breach.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>

#include "core/attack/permanent.h"
#include "core/attack/worlds.h"
#include "error_of.h"
#include "runs.h"

namespace anon_seq {
namespace {

// A release as one writes it down: groups of members (-1: somebody whom nobody knows) and of their values.
struct Group {
  std::vector<int> members, values;
};
using History = std::vector<std::vector<Group>>;

struct Published {
  PublishedGroups groups;
  GroupBags bags;
};

Published published(History const& history, int persons) {
  Published made;
  std::vector<std::map<std::int32_t, std::int32_t>> in(static_cast<std::size_t>(persons));
  for (std::size_t release = 0; release < history.size(); ++release)
    for (auto const& group : history[release]) {
      auto const number = static_cast<std::int32_t>(made.groups.sizes.size());
      made.groups.release_of.push_back(static_cast<std::int32_t>(release));
      made.groups.sizes.push_back(static_cast<std::int64_t>(group.members.size()));
      for (int const person : group.members)
        if (person >= 0) ++in[static_cast<std::size_t>(person)][number];
      std::map<int, std::int64_t> bag;
      for (int const value : group.values) ++bag[value];
      made.bags.begins.push_back(made.bags.values.size());
      for (auto const& [value, rows] : bag) made.bags.values.push_back({value, rows});
    }
  made.bags.begins.push_back(made.bags.values.size());
  made.groups.begins.push_back(0);
  for (auto const& of : in) {
    for (auto const& [group, rows] : of) made.groups.memberships.push_back({group, rows});
    made.groups.begins.push_back(made.groups.memberships.size());
  }
  return made;
}

struct Told {
  std::string p, localized;
  int releases;
  bool exact;
};
using Findings = std::map<std::pair<int, int>, Told>;  // person, value

struct Run {
  Findings found;
  PermanentFinding finding;
};

Run run(History const& history, int persons, int values, bool permanent, std::size_t work = kMostWorldsWork) {
  auto const made = published(history, persons);
  std::vector<char> const asked(static_cast<std::size_t>(values), 1);
  Breaches breaches;
  NoCheckpoint checkpoint;
  Run done;
  if (permanent)
    done.finding = add_permanent_breaches(made.groups, made.bags, asked, breaches, checkpoint, work);
  else
    add_transient_breaches(made.groups, made.bags, asked, breaches, checkpoint);
  breaches.put_worst_first(static_cast<std::size_t>(persons), checkpoint);
  Wide last = ~Wide{0};
  for (auto const& found : breaches.all()) {
    auto const& breach = breaches.of(found);
    EXPECT_LE(breach.p, last);
    last = breach.p;
    bool const added =
        done.found
            .emplace(std::pair(found.person, found.value),
                     Told{chance_text(breach.p), chance_text(breach.localized), breach.releases, breach.exact})
            .second;
    EXPECT_TRUE(added);
  }
  return done;
}

std::string quotient(std::int64_t part, std::int64_t whole) {
  return chance_text(share(static_cast<Wide>(part), static_cast<Wide>(whole)).units);
}

// What Figure 2 and Figure 4 of GG publish: flu 0, chlamydia 1, fever 2; persons o1 .. o5 are 0 .. 4.
History const kFigure2 = {{{{0, 1}, {0, 1}}, {{2, 3}, {0, 2}}}, {{{0, 1}, {1, 0}}, {{2, 4}, {2, 0}}}};
History const kFigure4 = {{{{0, 1, 2, 3}, {0, 1, 0, 2}}}, {{{0, 1, 2, 4}, {1, 0, 2, 0}}}};

TEST(Breach, FiguresOfThePaper) {
  auto const two = run(kFigure2, 5, 3, false).found;
  for (int person : {0, 1}) {
    EXPECT_EQ(two.at({person, 1}).p, "0.75");
    EXPECT_EQ(two.at({person, 1}).localized, "0.5");
    EXPECT_EQ(two.at({person, 1}).releases, 2);
  }
  for (int person : {2, 3, 4}) EXPECT_EQ(two.count({person, 1}), 0u);
  auto const four = run(kFigure4, 5, 3, false).found;
  for (int person : {0, 1, 2}) {
    EXPECT_EQ(four.at({person, 1}).p, "0.4375");  // 7/16
    EXPECT_EQ(four.at({person, 1}).localized, "0.25");
    EXPECT_EQ(four.at({person, 0}).p, "0.75");  // of flu: every value cannot be bounded
  }
  for (int person : {3, 4}) {
    EXPECT_EQ(four.at({person, 1}).p, "0.25");
    EXPECT_EQ(four.at({person, 1}).releases, 1);
  }
  for (auto const& [pair, told] : four) EXPECT_TRUE(told.exact);
}

TEST(Breach, ValuesThatStayAreNoProducts) {
  // a with flu and b with HIV; then a among people without HIV: b has it.
  History const history = {{{{0, 1}, {0, 1}}}, {{{0, 2}, {0, 2}}}};
  EXPECT_EQ(run(history, 3, 3, false).found.at({1, 1}).p, "0.5");
  auto const permanent = run(history, 3, 3, true).found;
  EXPECT_EQ(permanent.at({1, 1}).p, "1");
  EXPECT_EQ(permanent.at({0, 0}).p, "1");
  EXPECT_EQ(permanent.at({2, 2}).p, "1");
  EXPECT_EQ(permanent.size(), 3u);
  for (auto const& [pair, told] : permanent) EXPECT_TRUE(told.exact);
}

TEST(Breach, WhoAloneCanHaveAValueHasIt) {
  // a and c can have flu or cold, as b can; but HIV is b's. Too little work to count worlds finds that, too.
  History const history = {{{{0, 1, 2}, {0, 1, 2}}}, {{{0, 2, 3}, {0, 2, 0}}}};
  auto const found = run(history, 4, 3, true, 1).found;
  EXPECT_EQ(found.at({1, 1}).p, "1");
  EXPECT_TRUE(found.at({1, 1}).exact);
  EXPECT_EQ(found.count({1, 0}) + found.count({1, 2}), 0u);
  // That d has flu is told by counting worlds alone.
  EXPECT_FALSE(found.at({3, 0}).exact);
  EXPECT_EQ(run(history, 4, 3, true).found.at({3, 0}).p, "1");
}

TEST(Breach, AGroupForLifeKeepsItsShares) {
  std::vector<int> members, values;
  for (int i = 0; i < 200; ++i) {
    members.push_back(i);
    values.push_back(i % 3 == 0 ? 0 : i);
  }
  History const history(5, {{members, values}});
  auto const found = run(history, 200, 200, true).found;
  EXPECT_EQ(found.at({7, 0}).p, "0.335");
  EXPECT_EQ(found.at({7, 0}).localized, "0.335");
  EXPECT_TRUE(found.at({7, 0}).exact);
  EXPECT_EQ(found.at({0, 199}).p, "0.005");
}

TEST(Breach, ThoseWhomNobodyKnowsCount) {
  History const history = {{{{0, -1}, {0, 1}}, {{1, -1, -1}, {0, 0, 1}}}};
  for (bool const permanent : {false, true}) {
    auto const found = run(history, 2, 2, permanent).found;
    EXPECT_EQ(found.at({0, 1}).p, "0.5");
    EXPECT_EQ(found.at({1, 1}).p, quotient(1, 3));
    EXPECT_EQ(found.size(), 4u);
  }
}

TEST(Breach, AChangedValueIsTold) {
  // o1 has flu alone, then fever alone. The others are estimated from what their bags have in common.
  History const history = {{{{0, 1}, {0, 1}}, {{2}, {0}}}, {{{0}, {2}}, {{1, 2}, {0, 1}}}};
  auto const done = run(history, 3, 3, true);
  EXPECT_EQ(done.finding.changed, 1);
  EXPECT_EQ(done.finding.estimated, 2);
  EXPECT_EQ(done.found.count({0, 0}) + done.found.count({0, 2}), 0u);
  EXPECT_EQ(done.found.at({1, 0}).p, "0.5");
  EXPECT_EQ(done.found.at({2, 0}).p, "1");
  EXPECT_FALSE(done.found.at({2, 0}).exact);
}

TEST(Breach, SeveralRowsOfAPerson) {
  History const history = {{{{0, 0, 1, 2}, {0, 0, 1, 1}}}, {{{0, 1}, {0, 1}}}};
  auto const found = run(history, 3, 2, false).found;
  EXPECT_EQ(found.at({0, 0}).localized, quotient(5, 6));
  EXPECT_EQ(found.at({0, 0}).p, quotient(11, 12));
  EXPECT_EQ(found.at({2, 0}).p, "0.5");
  auto const error = error_of([&] { run(history, 3, 2, true); });
  EXPECT_EQ(error.fault(), Fault::kData);
  EXPECT_EQ(error.detail(), "1 person has several: values that are permanent are one for each person.");
}

// --- against all worlds ---

// All distinct ways to give each group's values to its members, as rows in the order of the groups.
void each_world(History const& history, std::function<void(History const&)> const& look) {
  History world = history;
  std::vector<std::vector<int>*> bags;
  for (auto& release : world)
    for (auto& group : release) {
      std::sort(group.values.begin(), group.values.end());
      bags.push_back(&group.values);
    }
  for (bool more = true; more;) {
    look(world);
    more = false;
    for (auto* const bag : bags)
      if (std::next_permutation(bag->begin(), bag->end())) {
        more = true;
        break;
      }
  }
}

struct Counts {
  std::int64_t worlds = 0;
  std::map<std::pair<int, int>, std::int64_t> with;
};

// Person -> the values that he has in a world; nullopt: he has two, where values are permanent.
std::optional<std::map<int, std::set<int>>> values_in(History const& world, bool permanent) {
  std::map<int, std::set<int>> values;
  for (auto const& release : world)
    for (auto const& group : release)
      for (std::size_t i = 0; i < group.members.size(); ++i)
        if (group.members[i] >= 0) {
          auto& of = values[group.members[i]];
          of.insert(group.values[i]);
          if (permanent && of.size() > 1) return std::nullopt;
        }
  return values;
}

Counts enumerate(History const& history, bool permanent) {
  Counts counts;
  each_world(history, [&](History const& world) {
    auto const values = values_in(world, permanent);
    if (!values) return;
    ++counts.worlds;
    for (auto const& [person, has] : *values)
      for (int const value : has) ++counts.with[{person, value}];
  });
  return counts;
}

struct RandomHistory {
  History history;
  int persons, values;
};

// Up to four releases, where most people stay; of permanent values each release shows the same of a person.
RandomHistory random_history(std::mt19937_64& random, bool permanent) {
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  RandomHistory made;
  int const releases = 1 + below(3);
  made.persons = 2 + below(permanent && releases < 3 ? 5 : 4);
  made.values = 1 + below(4);
  std::vector<int> value_of;
  for (int i = 0; i < made.persons; ++i) value_of.push_back(below(made.values));
  for (int r = 0; r < releases; ++r) {
    std::vector<Group> groups(static_cast<std::size_t>(1 + below(3)));
    int rows = 0;
    auto const add = [&](int person, int value) {
      auto& group = groups[static_cast<std::size_t>(below(static_cast<int>(groups.size())))];
      group.members.push_back(person);
      group.values.push_back(value);
      ++rows;
    };
    for (int person = 0; person < made.persons; ++person) {
      if (below(5) == 0) continue;
      add(person, permanent ? value_of[static_cast<std::size_t>(person)] : below(made.values));
      if (!permanent && rows < 5 && below(4) == 0) add(person, below(made.values));
    }
    if (below(4) == 0) add(-1, below(made.values));
    std::erase_if(groups, [](auto const& group) { return group.members.empty(); });
    made.history.push_back(groups);
  }
  return made;
}

// Random histories one after the other.
void each_random(bool permanent, int instances, std::function<void(RandomHistory const&)> const& look) {
  auto const [seed, count] = anon_seq::testing::runs(2011, instances);
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    std::mt19937_64 random(seed * 1000003 + static_cast<std::uint64_t>(i));
    look(random_history(random, permanent));
    if (::testing::Test::HasFatalFailure()) return;
  }
}

void expect_shares(RandomHistory const& made, bool permanent) {
  auto const counts = enumerate(made.history, permanent);
  auto const done = run(made.history, made.persons, made.values, permanent);
  ASSERT_GT(counts.worlds, 0);
  EXPECT_EQ(done.found.size(), counts.with.size());
  EXPECT_EQ(done.finding.changed + done.finding.estimated, 0);
  for (auto const& [pair, with] : counts.with) {
    ASSERT_EQ(done.found.count(pair), 1u) << pair.first << " " << pair.second;
    EXPECT_EQ(done.found.at(pair).p, quotient(with, counts.worlds)) << pair.first << " " << pair.second;
    EXPECT_TRUE(done.found.at(pair).exact);
  }
  // The localized guarantee: each release by itself.
  for (auto const& [pair, told] : done.found) {
    Wide worst = 0;
    int met = 0;
    for (auto const& release : made.history) {
      auto const alone = enumerate({release}, false);
      auto const with = alone.with.find(pair);
      if (with == alone.with.end()) continue;
      worst = std::max(worst, share(static_cast<Wide>(with->second), static_cast<Wide>(alone.worlds)).units);
      ++met;
    }
    EXPECT_EQ(told.localized, chance_text(worst));
    EXPECT_EQ(told.releases, met);
  }
}

TEST(Breach, TransientAsInAllWorlds) {
  each_random(false, 60, [](auto const& made) { expect_shares(made, false); });
}

TEST(Breach, PermanentAsInAllWorlds) {
  each_random(true, 200, [](auto const& made) { expect_shares(made, true); });
}

TEST(Breach, LittleWorkEstimatesAndMissesNoValue) {
  int estimated = 0;
  each_random(true, 200, [&](auto const& made) {
    auto const counts = enumerate(made.history, true);
    auto const done = run(made.history, made.persons, made.values, true, 3);
    for (auto const& [pair, with] : counts.with) EXPECT_EQ(done.found.count(pair), 1u);
    for (auto const& [pair, told] : done.found) {
      estimated += told.exact ? 0 : 1;
      if (!told.exact && told.p != "1") continue;
      auto const with = counts.with.find(pair);
      ASSERT_NE(with, counts.with.end());
      EXPECT_EQ(told.p, quotient(with->second, counts.worlds));
    }
  });
  EXPECT_GT(estimated, 0);
}

TEST(Worlds, NoneHasBagsThatContradictEachOther) {
  // Two kinds in one group, one of them alone in another that has what the first group lacks.
  WorldsOf asked;
  asked.groups = 2;
  asked.values = 2;
  asked.bags = {2, 0, 0, 1};
  asked.people = {1, 1};
  asked.begins = {0, 1, 3};
  asked.groups_of = {0, 0, 1};
  NoCheckpoint checkpoint;
  auto const worlds = count_worlds(asked, 1000, checkpoint);
  ASSERT_TRUE(worlds);
  EXPECT_TRUE(worlds->none);
  EXPECT_FALSE(count_worlds(asked, 3, checkpoint));
}

TEST(Breach, ValuesThatAreNotAskedForAreLeftOut) {
  auto const made = published(kFigure4, 5);
  NoCheckpoint checkpoint;
  std::vector<char> const asked = {0, 1, 0};
  for (bool const permanent : {false, true}) {
    Breaches breaches;
    if (permanent)
      add_permanent_breaches(made.groups, made.bags, asked, breaches, checkpoint);
    else
      add_transient_breaches(made.groups, made.bags, asked, breaches, checkpoint);
    EXPECT_EQ(breaches.all().size(), 5u);
    for (auto const& found : breaches.all()) EXPECT_EQ(found.value, 1);
  }
}

TEST(Breach, NothingPublishedTellsNothing) {
  EXPECT_TRUE(run({{}}, 0, 1, false).found.empty());
  EXPECT_TRUE(run({{}}, 0, 1, true).found.empty());
}

}  // namespace
}  // namespace anon_seq
