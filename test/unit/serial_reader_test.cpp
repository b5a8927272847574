// What a reader who knows the code and all releases learns from serial ones: every world and every draw of small
// histories is gone through.
#include "serial_reader.h"

namespace anon_seq::testing {
namespace {

std::vector<Tuple> any_tuple(std::vector<SensitiveColumn> const& statement) {
  std::vector<Tuple> all(1);
  for (auto const& column : statement) {
    std::vector<Tuple> more;
    for (auto const& begun : all)
      for (Code code = 0; code < column.distinct; ++code) {
        more.push_back(begun);
        more.back().push_back(code);
      }
    all = std::move(more);
  }
  return all;
}

std::vector<char> withheld_of(SerialHistory const& history, std::vector<int> const& persons) {
  NoCheckpoint checkpoint;
  auto const purses = make_purses(persons.size(), history.listed().size(), history.met(persons),
                                  history.rules().demands().spending, checkpoint);
  std::vector<char> withheld;
  for (auto const purse : purses.of_row) withheld.push_back(purse == Purses::kWithheld);
  return withheld;
}

double as_double(Ratio ratio) { return static_cast<double>(ratio.num) / static_cast<double>(ratio.den); }

// Rules under which a few persons make a version.
SerialRules small_rules(RandomSerial& random) {
  auto rules = random.rules();
  Ratio const some_l[] = {{4, 3}, {3, 2}, {2, 1}, {5, 2}, {6, 5}};
  rules.l = some_l[random.draw(5)];
  rules.plan.horizon = 1 + random.draw(2);
  rules.cohorts.k = 1 + random.draw(2);
  rules.cohorts.least = 1 + random.draw(2);
  if (rules.largest_m > 0) rules.largest_m = 2 + random.draw(4);
  return rules;
}

std::vector<int> some_persons(RandomSerial& random, int among, int most) {
  std::vector<int> who;
  for (int person = 0; person < among; ++person) who.push_back(person);
  while (static_cast<int>(who.size()) > most) who.erase(who.begin() + random.draw(static_cast<int>(who.size())));
  return who;
}

struct Found {
  int versions = 0, several = 0, withheld = 0, equal = 0, met_before = 0;
};

// Whatever is seen of this version, nobody's chance to have been linked is above 1/l, and of a withheld person nothing
// was learnt.
void judge_outcomes(SerialHistory const& history, std::vector<int> const& persons, Outcomes const& outcomes, Seen seen,
                    std::vector<char> const& withheld, Found& found) {
  auto const accounts = history.accounts();
  double const least = as_double(least_kept(history.rules().l));
  auto const any = any_tuple(history.statement());
  for (auto const& [version, worlds] : outcomes) {
    if (version == refused_version()) continue;
    ++found.versions;
    for (std::size_t b = 0; b < history.listed().size(); ++b) {
      auto const bound = history.listed()[b];
      bool const exact = history.statement().size() == 1 || bound.code != kNoCode || seen == Seen::kTuples;
      for (auto const& one : version) {
        double const share = [&] {
          double held = 0;
          for (auto const row : one.rows) held += holds(history.statement(), bound, worlds.front().held[row]);
          return held / static_cast<double>(one.rows.size());
        }();
        for (auto const row : one.rows) {
          double const chance = chance_of(worlds, row, history.statement(), bound);
          EXPECT_NEAR(chance, exact ? share : chance, 1e-9);
          auto const at = accounts.find({persons[row], static_cast<std::int32_t>(b)});
          double const kept = (at == accounts.end() ? 1 : as_double(at->second.kept)) * (1 - chance);
          EXPECT_GE(kept, least - 1e-9) << "row " << row << ", bound " << b;
          found.equal += std::abs(kept - least) < 1e-9;
          found.met_before += at != accounts.end() && chance > 0;
        }
      }
      double prior = 0;
      for (auto const& tuple : any) prior += holds(history.statement(), bound, tuple);
      for (std::size_t row = 0; row < persons.size(); ++row)
        if (withheld[row] != 0) {
          ++found.withheld;
          EXPECT_NEAR(chance_of(worlds, row, history.statement(), bound), prior / static_cast<double>(any.size()),
                      1e-9);
        }
    }
  }
}

// A history of this many versions, each gone through before one of its outcomes is published.
void read_history(std::uint64_t seed, int columns, int versions, bool dealt, Found& found) {
  RandomSerial random(seed);
  auto rules = small_rules(random);
  rules.cohorts.dealt = dealt;
  SerialHistory history(rules, random.statement(columns));
  SCOPED_TRACE(text_of(rules));
  Draws draws = seeded(seed);
  int const most = dealt ? 4 : 6;
  for (; versions > 0; --versions) {
    auto const who = some_persons(random, most + 2, 2 + random.draw(most - 1));
    LossyTable table;
    random.make(table, rules, history.statement(), static_cast<int>(who.size()), 30);
    SCOPED_TRACE(text_of(table));
    auto const withheld = withheld_of(history, who);
    auto const worlds = serial_worlds(table, withheld, any_tuple(history.statement()), 200);
    if (worlds.empty()) return;
    Seen const seen = random.chance(50) ? Seen::kTuples : Seen::kColumns;
    auto const outcomes = outcomes_of(worlds, seen, [&](Arrangement const& held, Draws& branch) {
      auto version = history.make(table, who, held, branch);
      found.several += version.cohorts > 1;
      return std::move(version.classes);
    });
    judge_outcomes(history, who, outcomes, seen, withheld, found);
    history.publish(table, who, draws);
    if (::testing::Test::HasFailure()) return;
  }
}

void read_histories(std::uint64_t default_seed, int count, bool dealt) {
  auto const [seed, instances] = runs(default_seed, count);
  Found found;
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    read_history(seed * 1000003 + static_cast<std::uint64_t>(i), 1 + i % 2, 2 + i % 3 / 2, dealt, found);
    if (::testing::Test::HasFailure()) FAIL();
  }
  std::printf("versions seen %d, with several cohorts %d; met again %d, used up %d, withheld %d\n", found.versions,
              found.several, found.met_before, found.equal, found.withheld);
  EXPECT_TRUE(dealt || found.several > 0);  // four persons are one cohort
  EXPECT_GT(found.met_before, 0);
  EXPECT_GT(found.equal, 0);
  EXPECT_GT(found.withheld, 0);
}

TEST(SerialReader, DealtClassesKeepOneOfL) { read_histories(1411, 150, true); }
TEST(SerialReader, RecodedClassesKeepOneOfL) { read_histories(1412, 80, false); }

// Two versions as one: every pair of worlds, given every pair of releases.
struct Step {
  SerialHistory after;
  std::vector<World> worlds;
};

std::map<SeenVersion, Step> steps_of(SerialHistory const& history, LossyTable& table, std::vector<int> const& who) {
  std::map<SeenVersion, Step> steps;
  for (auto const& held : arrangements_of(table.tuples, 40)) {
    AllDraws draws;
    table.tuples = held;
    do {
      auto after = history;
      if (!after.publish(table, who, draws)) continue;
      PublishedVersion const& groups = after.published().back();
      SeenVersion seen;
      for (auto const& group : groups) seen.push_back({{group.persons.begin(), group.persons.end()}, {}, group.bag});
      std::sort(seen.begin(), seen.end());
      auto const [at, fresh] = steps.try_emplace(seen, Step{after, {}});
      // What he has seen says what everybody met.
      if (!fresh) {
        auto const mine = after.accounts(), theirs = at->second.after.accounts();
        bool const same = std::ranges::equal(mine, theirs, [](auto const& a, auto const& b) {
          return a.first == b.first && a.second.kept == b.second.kept && a.second.times == b.second.times;
        });
        EXPECT_TRUE(same);
      }
      at->second.worlds.push_back({held, draws.chance()});
    } while (draws.next());
  }
  return steps;
}

// Never linked in either version, over all pairs of worlds.
double never_in_both(Step const& first, Step const& second, std::vector<SensitiveColumn> const& statement,
                     ListedBound bound, std::vector<int> const (&rows)[2], int person) {
  auto const row_of = [&](int version) {
    auto const& who = rows[version];
    return static_cast<std::size_t>(std::ranges::find(who, person) - who.begin());
  };
  auto const linked = [&](World const& world, int version) {
    auto const row = row_of(version);
    return row < world.held.size() && holds(statement, bound, world.held[row]);
  };
  double all = 0, never = 0;
  for (auto const& one : first.worlds)
    for (auto const& other : second.worlds) {
      all += one.weight * other.weight;
      if (!linked(one, 0) && !linked(other, 1)) never += one.weight * other.weight;
    }
  return never / all;
}

TEST(SerialReader, TwoVersionsTogetherKeepOneOfL) {
  auto const [seed, wanted] = runs(1413, 25);
  int found = 0, equal = 0;
  for (std::uint64_t i = seed * 1000003; found < wanted; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    RandomSerial random(i);
    auto rules = small_rules(random);
    rules.largest_m = 0;
    SerialHistory const history(rules, random.statement(1));
    std::vector<int> const rows[2] = {some_persons(random, 5, 4), some_persons(random, 5, 4)};
    LossyTable tables[2];
    for (auto& table : tables) random.make(table, rules, history.statement(), 4, 35);
    bool both = false;
    for (auto const& [seen, first] : steps_of(history, tables[0], rows[0])) {
      if (std::ranges::count(withheld_of(first.after, rows[1]), 1) > 0) continue;  // their world is not this one
      for (auto const& [then, second] : steps_of(first.after, tables[1], rows[1]))
        for (int person = 0; person < 5; ++person)
          for (auto const bound : history.listed()) {
            double const never = never_in_both(first, second, history.statement(), bound, rows, person);
            double const least =
                rules.plan.kind == PlanKind::kWindow && rules.plan.horizon == 1 ? 0 : as_double(least_kept(rules.l));
            EXPECT_GE(never, least - 1e-9) << text_of(rules);
            both |= never < 1;
            equal += std::abs(never - least) < 1e-9;
          }
    }
    found += both;
    if (HasFailure()) FAIL();
  }
  std::printf("pairs of versions %d, used up %d\n", found, equal);
  EXPECT_GT(equal, 0);
}

}  // namespace
}  // namespace anon_seq::testing
