// What a reader who knows the code learns from classes, by enumeration of small tables.
#include "lossy_reader.h"

#include "core/lossy/anatomy.h"

namespace anon_seq::testing {
namespace {

constexpr std::size_t kMostArrangements = 2600;

// A random table that has classes, and its arrangements.
struct Instance {
  LossyTable table;
  std::vector<Arrangement> arrangements;
};

std::unique_ptr<Instance> instance_of(std::uint64_t seed, bool lines, int most_rows, std::size_t most) {
  for (;; seed = seed * 6364136223846793005 + 1442695040888963407) {
    RandomTable random(seed);
    auto instance = std::make_unique<Instance>();
    random.make(instance->table, 2 + random.draw(most_rows - 1), lines, 1 + random.draw(2));
    instance->arrangements = arrangements_of(instance->table.tuples, most);
    if (!instance->arrangements.empty()) return instance;
  }
}

void require_bound(Verdict const& verdict) {
  EXPECT_LE(verdict.excess, 1e-9) << "a reader knows with chance " << verdict.worst;
  EXPECT_TRUE(verdict.exact);
}

template <class Check>
void each_instance(std::uint64_t default_seed, int count, Check check) {
  auto const [seed, instances] = runs(default_seed, count);
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    check(seed * 1000003 + static_cast<std::uint64_t>(i));
    if (::testing::Test::HasFailure()) FAIL();
  }
}

template <class Work>
bool is_feasible(Work work) {
  try {
    work();
    return true;
  } catch (Error const& error) {
    EXPECT_EQ(error.fault(), Fault::kData) << error.what();
    return false;
  }
}

Shape recoded(LossyTable const& table, Sensitive const& sensitive, Decisions decisions, Draws& draws) {
  auto const made = recode(table.axes, sensitive, table.k, decisions, draws, table.checkpoint);
  if (decisions == Decisions::kSimulatable) check_one_rule(made.grouping);
  return shape_of(made.grouping, made.nodes);
}

TEST(LossyReader, FormulaOfDealing) {
  each_instance(4711, 40, [](std::uint64_t seed) {
    auto const instance = instance_of(seed, true, 5, 200);
    auto const& table = instance->table;
    SCOPED_TRACE(text_of(table));
    auto const make = [&](Sensitive const& sensitive, Draws& draws) {
      return shape_of(
          deal(find_regions(table.axes, sensitive, table.k, table.checkpoint), sensitive, draws, table.checkpoint));
    };
    std::map<Release, Beliefs> releases;
    for (auto const seen : {Seen::kTuples, Seen::kColumns}) {
      if (!is_feasible([&] { releases = all_releases(table, instance->arrangements, seen, make); })) return;
      for (auto const& [release, beliefs] : releases) {
        for (auto const& [held, weight] : beliefs.weights)
          EXPECT_NEAR(chance_of_dealing(table, *held, release, seen), weight, 1e-9);
        Verdict verdict;
        judge(table, release, beliefs, verdict);
        require_bound(verdict);
      }
    }
  });
}

TEST(LossyReader, RegionalKeepsAlpha) {
  int feasible = 0, cut = 0, dealt = 0, undealt = 0;  // cut: into several regions; dealt: one of them into several
  each_instance(4712, 120, [&](std::uint64_t seed) {
    auto const instance = instance_of(seed, true, 8, kMostArrangements);
    auto const& table = instance->table;
    SCOPED_TRACE(text_of(table));
    Draws draws = seeded(seed);
    for (auto const seen : {Seen::kTuples, Seen::kColumns}) {
      auto const& held = instance->arrangements[draws.below(instance->arrangements.size())];
      Sensitive const sensitive = table.sensitive(held);
      Release release;
      if (!is_feasible([&] {
            auto regions = find_regions(table.axes, sensitive, table.k, table.checkpoint);
            auto const parts = static_cast<ClassId>(regions.parts.size());
            cut += parts > 1;
            undealt += parts > 1 && !regions.dealt;
            auto const made = deal(std::move(regions), sensitive, draws, table.checkpoint);
            dealt += made.count > parts;
            check_one_rule(made);
            release = release_of(shape_of(made), held, seen);
          }))
        return;
      ++feasible;
      Beliefs beliefs;
      for (auto const& arrangement : instance->arrangements)
        if (double const weight = chance_of_dealing(table, arrangement, release, seen); weight > 0)
          beliefs.weights.push_back({&arrangement, weight});
      ASSERT_FALSE(beliefs.weights.empty());
      Verdict verdict;
      judge(table, release, beliefs, verdict);
      require_bound(verdict);
    }
  });
  std::printf("releases: %d; several regions %d (%d not dealt), several groups in one %d\n", feasible, cut, undealt,
              dealt);
}

// All worlds in which each column's values may stand in any order, whatever goes with them: the reader does not know
// which values of several columns occur together.
std::vector<Arrangement> unpaired_worlds(Arrangement const& held, std::size_t most) {
  std::vector<Arrangement> worlds(1, Arrangement(held.size()));
  for (std::size_t c = 0; c < held.front().size(); ++c) {
    Arrangement column;
    for (auto const& tuple : held) column.push_back({tuple[c]});
    std::vector<Arrangement> more;
    auto const orders = arrangements_of(column, most);
    if (orders.empty() || orders.size() * worlds.size() > most) return {};
    for (auto const& world : worlds)
      for (auto const& order : orders) {
        more.push_back(world);
        for (std::size_t row = 0; row < held.size(); ++row) more.back()[row].push_back(order[row][0]);
      }
    worlds = std::move(more);
  }
  return worlds;
}

// A release of regional classes, and what its reader believes of these worlds. Dealt says whether the table was.
void judge_regional(LossyTable const& table, std::vector<Arrangement> const& worlds, std::uint64_t seed, bool& dealt) {
  Draws draws = seeded(seed);
  auto made = find_regions(table.axes, table.sensitive(table.tuples), table.k, table.checkpoint);
  dealt = made.dealt;
  auto const release =
      release_of(shape_of(deal(std::move(made), table.sensitive(table.tuples), draws, table.checkpoint)), table.tuples,
                 Seen::kColumns);
  Beliefs beliefs;
  for (auto const& world : worlds) {
    double weight = 0;  // where the table is infeasible there is no release
    is_feasible([&] { weight = chance_of_dealing(table, world, release, Seen::kColumns); });
    if (weight > 0) beliefs.weights.push_back({&world, weight});
  }
  ASSERT_FALSE(beliefs.weights.empty());
  Verdict verdict;
  judge(table, release, beliefs, verdict);
  require_bound(verdict);
}

// Columns of which every value is bounded, few of each, in tuples that chain them to one block: three, or two of six
// rows, whose values are to stand in any order.
void make_chained(LossyTable& table, std::uint64_t seed, bool unpaired) {
  RandomTable random(seed);
  random.make(table, 6 + random.draw(unpaired ? 1 : 3), true, unpaired ? 2 : 3);
  Ratio const alphas[] = {{1, 2}, {2, 3}, {3, 4}};
  for (auto& column : table.statement) {
    column.listing = random.chance(80) ? Listing::kEvery : Listing::kEach;
    column.alpha = alphas[random.draw(3)];
    column.own.clear();
    column.distinct = 3 + random.draw(unpaired ? 2 : 4);
  }
  std::vector<Tuple> pool(static_cast<std::size_t>(3 + random.draw(4)));
  for (auto& tuple : pool)
    for (auto const& column : table.statement) tuple.push_back(random.draw(column.distinct));
  for (auto& tuple : table.tuples) tuple = pool[static_cast<std::size_t>(random.draw(static_cast<int>(pool.size())))];
}

// Where bounds of several columns merge to a block that cannot be dealt, regions are classes; that this is so is read
// of the whole table.
TEST(LossyReader, RegionsThatAreClassesKeepAlpha) {
  auto const [seed, wanted] = runs(4717, 6);
  int found = 0, tried = 0, eights = 0;
  std::size_t worlds = 0;
  for (std::uint64_t i = seed * 1000003; found < wanted && tried < 1000000; ++i, ++tried) {
    LossyTable table;
    bool const unpaired = found % 4 == 3;
    make_chained(table, i, unpaired);
    bool undealt = false;
    try {
      auto const regions = find_regions(table.axes, table.sensitive(table.tuples), table.k, table.checkpoint);
      undealt = !regions.dealt && regions.parts.size() > 1;
    } catch (Error const&) {
      continue;
    }
    if (!undealt) continue;
    auto const arrangements = unpaired ? unpaired_worlds(table.tuples, 33000) : arrangements_of(table.tuples, 5100);
    if (arrangements.empty()) continue;
    SCOPED_TRACE("instance " + std::to_string(i) + (unpaired ? ", unpaired\n" : "\n") + text_of(table));
    ++found;
    worlds += arrangements.size();
    eights += table.rows() == 8;
    bool dealt = true;
    judge_regional(table, arrangements, i, dealt);
    EXPECT_FALSE(dealt);
    if (::testing::Test::HasFailure()) FAIL();
  }
  std::printf("releases: %d, %d of them of 8 rows, %zu worlds; %d tables tried\n", found, eights, worlds, tried);
  EXPECT_EQ(found, wanted);
  EXPECT_GT(eights, 0);
}

// A reader who does not know which values occur together, where the table is dealt.
TEST(LossyReader, UnpairedColumnsKeepAlpha) {
  int found = 0;
  each_instance(4718, 200, [&](std::uint64_t seed) {
    RandomTable random(seed);
    LossyTable table;
    random.make(table, 3 + random.draw(4), true, 2 + random.draw(2));
    auto const worlds = unpaired_worlds(table.tuples, 4000);
    if (worlds.empty()) return;
    SCOPED_TRACE(text_of(table));
    if (!is_feasible([&] { find_regions(table.axes, table.sensitive(table.tuples), table.k, table.checkpoint); }))
      return;
    bool dealt = false;
    judge_regional(table, worlds, seed, dealt);
    found += dealt;
  });
  std::printf("releases: %d\n", found);
  EXPECT_GT(found, 0);
}

TEST(LossyReader, SimulatableTopDownKeepsAlpha) {
  std::size_t releases = 0;
  each_instance(4713, 120, [&](std::uint64_t seed) {
    auto const instance = instance_of(seed, false, 8, kMostArrangements);
    auto const& table = instance->table;
    SCOPED_TRACE(text_of(table));
    for (auto const seen : {Seen::kTuples, Seen::kColumns}) {
      std::map<Release, Beliefs> all;
      if (!is_feasible([&] {
            all = all_releases(table, instance->arrangements, seen, [&](Sensitive const& sensitive, Draws& draws) {
              return recoded(table, sensitive, Decisions::kSimulatable, draws);
            });
          }))
        return;
      releases += all.size();
      Verdict verdict;
      for (auto const& [release, beliefs] : all) judge(table, release, beliefs, verdict);
      require_bound(verdict);
    }
  });
  std::printf("releases: %zu\n", releases);
}

// Rows that the reader tells apart by what is published as it is; where a group is no class there is no release.
TEST(LossyReader, GroupsOfTopDownKeepAlpha) {
  std::size_t releases = 0, groups = 0;
  each_instance(4716, 100, [&](std::uint64_t seed) {
    auto const instance = instance_of(seed, false, 8, kMostArrangements);
    auto const& table = instance->table;
    SCOPED_TRACE(text_of(table));
    Vector<std::int32_t> of_row;
    for (Code const code : table.quasi[0]) of_row.push_back(code % 2);
    std::set<std::int32_t> const present(of_row.begin(), of_row.end());
    if (present.size() < 2) return;
    auto const make = [&](Sensitive const& sensitive, Draws& draws) {
      Recoding made;
      if (!is_feasible([&] {
            made = recode(table.axes, sensitive, table.k, Decisions::kSimulatable, draws, table.checkpoint,
                          {of_row, present.size()});
          }))
        return Shape();
      check_one_rule(made.grouping);
      return shape_of(made.grouping, made.nodes);
    };
    for (auto const seen : {Seen::kTuples, Seen::kColumns}) {
      Verdict verdict;
      for (auto const& [release, beliefs] : all_releases(table, instance->arrangements, seen, make)) {
        if (release.first.empty()) continue;
        ++releases;
        groups += release.first.size() > 2;
        for (auto const& c : release.first)
          for (auto const row : c.rows) EXPECT_EQ(of_row[row], of_row[c.rows.front()]);
        judge(table, release, beliefs, verdict);
      }
      require_bound(verdict);
    }
  });
  std::printf("releases: %zu, of more than two classes %zu\n", releases, groups);
  EXPECT_GT(groups, 0u);
}

TEST(LossyReader, AnatomyKeepsOneOfL) {
  std::size_t releases = 0;
  each_instance(4714, 40, [&](std::uint64_t seed) {
    auto const instance = instance_of(seed, true, 6, 100);
    auto& table = instance->table;
    table.k = 1 + static_cast<std::int64_t>(seed % 3);
    for (auto& column : table.statement) {
      column.alpha = {1, table.k};
      column.own.clear();
      column.near.reset();
    }
    SCOPED_TRACE(text_of(table));
    std::map<Release, Beliefs> all;
    if (!is_feasible([&] {
          all = all_releases(table, instance->arrangements, Seen::kColumns,
                             [&](Sensitive const& sensitive, Draws& draws) {
                               return shape_of(bucketize(sensitive, table.k, draws, table.checkpoint));
                             });
        }))
      return;
    releases += all.size();
    Verdict verdict;
    for (auto const& [release, beliefs] : all) judge(table, release, beliefs, verdict);
    require_bound(verdict);
  });
  std::printf("releases: %zu\n", releases);
}

// The same rows in another order: the same regions, and the same nodes by sizes.
TEST(LossyReader, OrderOfRowsPlaysNoPart) {
  each_instance(4716, 300, [](std::uint64_t seed) {
    RandomTable random(seed);
    LossyTable table;
    random.make(table, 2 + random.draw(40), false, 1 + random.draw(2));
    SCOPED_TRACE(text_of(table));
    auto const run = [&](std::vector<std::size_t> const& order) {
      std::set<std::set<std::size_t>> parts, classes;
      Sensitive const sensitive = table.sensitive(table.tuples);
      Draws draws = seeded(seed);
      auto const regions = find_regions(table.axes, sensitive, table.k, table.checkpoint);
      for (auto const& part : regions.parts) {
        std::set<std::size_t> rows;
        for (std::size_t place = part.begin; place < part.end; ++place) rows.insert(order[regions.rows[place]]);
        parts.insert(rows);
      }
      for (auto const& c : recoded(table, sensitive, Decisions::kSimulatable, draws)) {
        std::set<std::size_t> rows;
        for (auto const row : c.rows) rows.insert(order[row]);
        classes.insert(rows);
      }
      return std::pair(parts, classes);
    };
    std::vector<std::size_t> order(table.rows());
    std::iota(order.begin(), order.end(), 0);
    is_feasible([&] {
      auto const straight = run(order);
      Draws draws = seeded(seed + 1);
      draws.shuffle(std::span(order), table.checkpoint);
      auto const quasi = table.quasi;
      auto const tuples = table.tuples;
      for (std::size_t row = 0; row < order.size(); ++row) {
        table.tuples[row] = tuples[order[row]];
        for (std::size_t a = 0; a < quasi.size(); ++a) table.quasi[a][row] = quasi[a][order[row]];
      }
      EXPECT_EQ(run(order), straight);
    });
  });
}

// The paper's decisions, measured beside the others: how far a reader of the code gets.
TEST(LossyReader, TopDownOfThePaperTellsMore) {
  int exceeded = 0, tables = 0;
  double worst = 0;
  each_instance(4715, 120, [&](std::uint64_t seed) {
    auto const instance = instance_of(seed, false, 7, 420);
    auto& table = instance->table;
    for (auto& column : table.statement) column.near.reset();
    SCOPED_TRACE(text_of(table));
    std::map<Release, Beliefs> all;
    if (!is_feasible([&] {
          all =
              all_releases(table, instance->arrangements, Seen::kTuples, [&](Sensitive const& sensitive, Draws& draws) {
                return recoded(table, sensitive, Decisions::kPaper, draws);
              });
        }))
      return;
    Verdict verdict;
    for (auto const& [release, beliefs] : all) judge(table, release, beliefs, verdict);
    ++tables;
    exceeded += verdict.excess > 1e-9;
    worst = std::max(worst, verdict.worst);
  });
  std::printf("the paper's decisions: more than alpha in %d of %d tables, worst chance %.3f\n", exceeded, tables,
              worst);
  EXPECT_GT(exceeded, 0);
}

}  // namespace
}  // namespace anon_seq::testing
