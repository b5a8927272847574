// The reader who knows the code, where a version has several cohorts that are dealt: more persons than all draws of
// chance can be gone through for, so each world is weighed by the formula of dealing. And what he would learn if
// cohorts were merged, or persons withheld, by what fits or occurs.
#include "core/serial/serial_classes.h"
#include "serial_reader.h"

namespace anon_seq::testing {
namespace {

double as_double(Ratio ratio) { return static_cast<double>(ratio.num) / static_cast<double>(ratio.den); }

constexpr Code kS = 0, kX = 1;
std::vector<SensitiveColumn> one_listed() {
  SensitiveColumn column;
  column.name = "s";
  column.distinct = 2;
  column.listing = Listing::kEach;
  column.listed.push_back(kS);
  column.alpha = {1, 2};
  return {column};
}

// No quasi column, so that a cohort is one class.
LossyTable table_of(std::vector<Tuple> tuples) {
  LossyTable table;
  table.statement = one_listed();
  table.tuples = std::move(tuples);
  return table;
}

// A region that is dealt into so many groups.
struct DealtRegion {
  std::set<std::size_t> rows;
  std::size_t groups = 1;
};

// The regions of every cohort, step by step as make_version() makes them; of a version that withholds nobody.
std::vector<DealtRegion> regions_of(SerialHistory const& history, LossyTable const& table,
                                    std::vector<int> const& persons, Sensitive const& sensitive) {
  auto const& cohorts_asked = history.rules().cohorts;
  auto const all = make_purses(persons.size(), history.listed().size(), history.met(persons),
                               history.rules().demands().spending, table.checkpoint);
  std::vector<std::int32_t> occurring;
  for (auto const& bound : sensitive.bounds())
    for (std::size_t b = 0; b < history.listed().size(); ++b)
      if (history.listed()[b].code == bound.code &&
          (bound.code == kNoCode || history.listed()[b].column == bound.column))
        occurring.push_back(static_cast<std::int32_t>(b));
  auto const cohorts =
      make_cohorts(shown_purses(all, occurring, table.checkpoint), sensitive, cohorts_asked, table.checkpoint);
  std::vector<DealtRegion> found;
  for (std::size_t cohort = 0; cohort < cohorts.parts.size(); ++cohort) {
    auto const part = cohorts.parts[cohort];
    std::span<std::uint32_t const> const rows(cohorts.rows.data() + part.begin, part.size());
    Vector<Ratio> alphas;
    for (auto const m : cohorts.sizes(cohort)) alphas.push_back({1, m});
    auto axes = table.axes;
    std::vector<Vector<Code>> codes(axes.size());
    for (std::size_t a = 0; a < axes.size(); ++a) {
      for (auto const row : rows) codes[a].push_back(axes[a].codes[row]);
      axes[a].codes = codes[a];
    }
    auto const regions = find_regions(axes, sensitive.narrowed(rows, alphas), cohorts_asked.k, table.checkpoint);
    for (auto const& one : regions.parts) {
      auto& region = found.emplace_back();
      region.groups = static_cast<std::size_t>(regions.classes_in(one));
      for (auto place = one.begin; place < one.end; ++place) region.rows.insert(rows[regions.rows[place]]);
    }
  }
  return found;
}

// 0 where these rows would give another release, or none.
double weight_of(SerialHistory const& history, LossyTable const& table, std::vector<int> const& persons,
                 Arrangement const& held, Release const& release, Seen seen) {
  auto const sensitive = table.sensitive(held);
  std::vector<DealtRegion> regions;
  try {
    regions = regions_of(history, table, persons, sensitive);
  } catch (Error const& error) {
    EXPECT_EQ(error.fault(), Fault::kData) << error.what();
    return 0;
  }
  double chance = 1;
  std::size_t met = 0;
  for (auto const& region : regions) {
    chance *= chance_of_region(
        region.rows, region.groups, [&](auto row) { return sensitive.joint_of(row); }, held, release, seen, met);
    if (chance == 0) return 0;
  }
  return met == held.size() ? chance : 0;
}

Release released(Classes const& classes, Arrangement const& held, Seen seen) {
  Shape shape;
  for (auto const& members : members_of(classes)) shape.push_back({members, {}});
  std::sort(shape.begin(), shape.end());
  return release_of(shape, held, seen);
}

SerialRules dealt_rules(RandomSerial& random) {
  auto rules = random.rules();
  Ratio const some_l[] = {{4, 3}, {3, 2}, {6, 5}, {8, 7}};
  rules.l = some_l[random.draw(4)];
  rules.plan.horizon = 2 + random.draw(2);
  rules.cohorts = {random.chance(50), 1, 1, true};
  rules.largest_m = 0;
  return rules;
}

struct Dealt {
  int tried = 0, several = 0, met_before = 0, most = 0;
};

void judge_dealt(SerialHistory const& history, LossyTable const& table, std::vector<int> const& persons,
                 Release const& release, std::vector<World> const& worlds, Dealt& found) {
  auto const accounts = history.accounts();
  double const least = as_double(least_kept(history.rules().l));
  for (std::size_t b = 0; b < history.listed().size(); ++b) {
    auto const bound = history.listed()[b];
    for (auto const& c : release.first) {
      double share = 0;
      for (auto const row : c.rows) share += holds(table.statement, bound, worlds.front().held[row]);
      share /= static_cast<double>(c.rows.size());
      for (auto const row : c.rows) {
        double const chance = chance_of(worlds, row, table.statement, bound);
        EXPECT_NEAR(chance, table.statement.size() == 1 || bound.code != kNoCode ? share : chance, 1e-9);
        auto const at = accounts.find({persons[row], static_cast<std::int32_t>(b)});
        double const kept = (at == accounts.end() ? 1 : as_double(at->second.kept)) * (1 - chance);
        EXPECT_GE(kept, least - 1e-9) << "row " << row;
        found.met_before += at != accounts.end() && chance > 0;
      }
    }
  }
}

// Two or three versions of up to eight persons; looks at those of several cohorts, or at all.
void read_dealt(std::uint64_t seed, bool only_several, Dealt& found) {
  RandomSerial random(seed);
  SerialHistory history(dealt_rules(random), random.statement(1 + random.draw(5) / 4));
  SCOPED_TRACE(text_of(history.rules()));
  Draws draws = seeded(seed);
  std::vector<int> who{0, 1, 2};
  for (int version = 0; version < 3; ++version) {
    LossyTable table;
    random.make(table, history.rules(), history.statement(), static_cast<int>(who.size()), 25);
    SCOPED_TRACE(text_of(table));
    auto next = history;
    ++found.tried;
    if (!next.publish(table, who, draws) || next.withheld() > 0) return;
    bool const several = next.cohorts() > 1;
    if (several || !only_several) {
      auto const seen = random.chance(50) ? Seen::kTuples : Seen::kColumns;
      auto const release = released(history.make(table, who, table.tuples, draws).classes, table.tuples, seen);
      std::vector<World> worlds;
      for (auto const& held : arrangements_of(table.tuples, 700))
        if (double const weight = weight_of(history, table, who, held, release, seen); weight > 0)
          worlds.push_back({held, weight});
      if (worlds.empty()) return;  // too many
      found.several += several;
      found.most = std::max(found.most, static_cast<int>(who.size()));
      judge_dealt(history, table, who, release, worlds, found);
    }
    history = std::move(next);
    if (::testing::Test::HasFailure()) return;
    for (int more = 1 + random.draw(3); more > 0 && who.size() < 7; --more) who.push_back(who.back() + 1);
    if (random.chance(30)) who.erase(who.begin());
  }
}

TEST(SerialCohortsReader, DealtCohortsKeepOneOfL) {
  auto const [seed, wanted] = runs(1414, 60);
  Dealt found;
  for (std::uint64_t i = seed * 1000003; found.several < wanted; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    read_dealt(i, true, found);
    if (HasFailure()) FAIL();
    ASSERT_LT(found.tried, 100000);
  }
  std::printf("versions tried %d, with several cohorts %d, up to %d persons; met again %d\n", found.tried,
              found.several, found.most, found.met_before);
  EXPECT_GT(found.met_before, 0);
}

// The formula and the steps above give what make_version() does, draw by draw: three persons, of whom one had a value,
// under 1/3 of it, then two to four newcomers under 1/2.
TEST(SerialCohortsReader, FormulaOfCohorts) {
  auto const [seed, instances] = runs(1415, 10);
  int releases = 0, several = 0;
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    RandomSerial random(seed + static_cast<std::uint64_t>(i));
    SerialRules rules;
    rules.l = {6, 5};
    rules.plan = {PlanKind::kGeometric, 1, {1, 2}};
    rules.cohorts = {random.chance(50), 1, 1, true};
    SerialHistory history(rules, one_listed());
    Draws draws = seeded(seed);
    ASSERT_TRUE(history.publish(table_of({{kS}, {kX}, {kX}}), {0, 1, 2}, draws));
    std::vector<int> then{0, 1, 2, 3, 4};
    if (random.chance(50)) then.push_back(then.back() + 1);
    LossyTable table;
    random.make(table, rules, one_listed(), static_cast<int>(then.size()), 20);
    auto probe = history;
    several += probe.publish(table, then, draws) && probe.cohorts() > 1;
    for (auto const& held : arrangements_of(table.tuples, 40)) {
      std::map<Release, double> met;
      AllDraws branch;
      try {
        do {
          auto const release = released(history.make(table, then, held, branch).classes, held, Seen::kTuples);
          met[release] += branch.chance();
        } while (branch.next());
      } catch (Error const& error) {
        EXPECT_EQ(error.fault(), Fault::kData) << error.what();
      }
      for (auto const& [release, chance] : met) {
        ++releases;
        EXPECT_NEAR(weight_of(history, table, then, held, release, Seen::kTuples), chance, 1e-9);
      }
    }
    if (HasFailure()) FAIL();
  }
  std::printf("releases %d; histories with several cohorts %d\n", releases, several);
  EXPECT_GT(several, 0);
}

// --- what this enumeration is able to catch ---

// The greatest chance to have been linked that any reader of these outcomes has of anybody.
double worst_of(SerialHistory const& history, std::vector<int> const& persons, Outcomes const& outcomes) {
  auto const accounts = history.accounts();
  double worst = 0;
  for (auto const& [version, worlds] : outcomes)
    for (std::size_t row = 0; row < persons.size() && version != refused_version(); ++row) {
      auto const at = accounts.find({persons[row], 0});
      double const kept = at == accounts.end() ? 1 : as_double(at->second.kept);
      worst = std::max(worst, 1 - kept * (1 - chance_of(worlds, row, history.statement(), history.listed()[0])));
    }
  return worst;
}

// A cohort that does not fit is merged with the looser ones before it until it does: what SEMANTICS forbids.
Classes merged_by_fit(SerialHistory const& history, std::vector<int> const& persons, Arrangement const& held) {
  NoCheckpoint checkpoint;
  auto const purses =
      make_purses(persons.size(), 1, history.met(persons), history.rules().demands().spending, checkpoint);
  std::map<std::int64_t, std::vector<std::size_t>> by_m;
  for (std::size_t row = 0; row < persons.size(); ++row)
    by_m[purses.sizes(static_cast<std::size_t>(purses.of_row[row]))[0]].push_back(row);
  std::vector<std::vector<std::size_t>> cohorts;
  for (auto const& [m, rows] : by_m) {
    cohorts.push_back(rows);
    auto const fits = [&, m = m](std::vector<std::size_t> const& cohort) {
      auto const count = std::ranges::count_if(cohort, [&](auto row) { return held[row][0] == kS; });
      return count * m <= static_cast<std::int64_t>(cohort.size());
    };
    while (!fits(cohorts.back())) {
      if (cohorts.size() == 1) throw Error(Fault::kData, "refused");
      auto& before = cohorts[cohorts.size() - 2];
      before.insert(before.end(), cohorts.back().begin(), cohorts.back().end());
      cohorts.pop_back();
    }
  }
  Classes classes(persons.size(), 0);
  for (auto const& cohort : cohorts) {
    auto const id = classes.add_class();
    for (auto const row : cohort) classes.assign(row, id);
  }
  return classes;
}

TEST(SerialCohortsReader, MergingWhatDoesNotFitTells) {
  SerialRules rules;
  rules.l = {4, 3};
  rules.plan = {PlanKind::kGeometric, 1, {1, 2}};
  rules.cohorts = {false, 1, 1, false};
  SerialHistory history(rules, one_listed());
  Draws draws = seeded(1);
  ASSERT_TRUE(history.publish(table_of({{kS}, {kX}}), {0, 9}, draws));
  std::vector<int> const then{0, 1, 2, 3};
  auto const table = table_of({{kS}, {kX}, {kX}, {kX}});
  auto const worlds = arrangements_of(table.tuples, 10);
  auto const merged = outcomes_of(worlds, Seen::kTuples,
                                  [&](Arrangement const& held, Draws&) { return merged_by_fit(history, then, held); });
  EXPECT_NEAR(worst_of(history, then, merged), 1, 1e-9);
  for (bool const by_cut : {false, true}) {
    rules.cohorts.by_cut = by_cut;
    SerialHistory mine(rules, one_listed());
    ASSERT_TRUE(mine.publish(table_of({{kS}, {kX}}), {0, 9}, draws));
    auto const ours = outcomes_of(worlds, Seen::kTuples, [&](Arrangement const& held, Draws& branch) {
      return mine.make(table, then, held, branch).classes;
    });
    EXPECT_LE(worst_of(mine, then, ours), 3.0 / 4 + 1e-9);
  }
}

// Somebody who must not meet a value is withheld. If that were so only where the value occurs at all, he would be known
// to have it whenever nobody who is shown does.
TEST(SerialCohortsReader, WithholdingByWhatOccursTells) {
  SerialRules rules;
  rules.plan = {PlanKind::kFixed, 1, {1, 2}};
  rules.cohorts = {false, 1, 1, true};
  SerialHistory history(rules, one_listed());
  Draws draws = seeded(1);
  ASSERT_TRUE(history.publish(table_of({{kS}, {kX}}), {0, 9}, draws));
  std::vector<int> const then{0, 1};
  auto const table = table_of({{kS}, {kX}});
  std::vector<Arrangement> const worlds{{{kS}, {kX}}, {{kX}, {kX}}};
  auto const by_occurrence = outcomes_of(worlds, Seen::kTuples, [&](Arrangement const& held, Draws& branch) {
    if (held[0][0] == kS || held[1][0] == kS) return history.make(table, then, held, branch).classes;
    return SerialHistory(rules, one_listed()).make(table, then, held, branch).classes;
  });
  EXPECT_NEAR(worst_of(history, then, by_occurrence), 1, 1e-9);
  auto const ours = outcomes_of(worlds, Seen::kTuples, [&](Arrangement const& held, Draws& branch) {
    return history.make(table, then, held, branch).classes;
  });
  ASSERT_EQ(ours.size(), 1u);
  EXPECT_NEAR(chance_of(ours.begin()->second, 0, one_listed(), history.listed()[0]), 0.5, 1e-9);
}

}  // namespace
}  // namespace anon_seq::testing
