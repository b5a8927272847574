// Values that stay: groups for life against a reader who knows that they do, gone through; and what he learns where
// groups are balanced with newcomers, as m-invariance has it.
#include "core/lossy/anatomy.h"
#include "serial_reader.h"

namespace anon_seq::testing {
namespace {

SensitiveColumn column_of(Ratio alpha, Code distinct, Listing listing) {
  SensitiveColumn column;
  column.name = "s";
  column.distinct = distinct;
  column.listing = listing;
  column.alpha = alpha;
  if (listing == Listing::kEach) column.listed = {0, 1};
  return column;
}

// The newcomers of a version, as a table of their own.
struct Batch {
  std::vector<std::size_t> persons;
  LossyTable table;
  Release release;
};

void make_batch(Batch& batch, RandomSerial& random, SensitiveColumn const& column, std::vector<Code> const& values) {
  SerialRules rules;
  random.make(batch.table, rules, {column}, static_cast<int>(batch.persons.size()), 0);
  batch.table.k = 1;
  batch.table.tuples.clear();
  for (auto const person : batch.persons) batch.table.tuples.push_back({values[person]});
}

// False: refused.
bool group_batch(Batch& batch, Draws& draws) {
  try {
    auto const& table = batch.table;
    auto const sensitive = table.sensitive(table.tuples);
    auto const made =
        deal(find_regions(table.axes, sensitive, table.k, table.checkpoint), sensitive, draws, table.checkpoint);
    batch.release = release_of(shape_of(made), table.tuples, Seen::kTuples);
    return true;
  } catch (Error const& error) {
    EXPECT_EQ(error.fault(), Fault::kData) << error.what();
    return false;
  }
}

double chance_of_batch(Batch const& batch, Arrangement const& held) {
  try {
    return chance_of_dealing(batch.table, held, batch.release, Seen::kTuples);
  } catch (Error const&) {
    return 0;
  }
}

std::vector<Code> some_values(RandomSerial& random, int persons, int distinct) {
  std::vector<Code> values;
  for (int i = 0; i < persons; ++i) values.push_back(random.chance(40) ? random.draw(2) : random.draw(distinct));
  return values;
}

Arrangement of_persons(std::vector<Tuple> const& world, std::vector<std::size_t> const& persons) {
  Arrangement held;
  for (auto const person : persons) held.push_back(world[person]);
  return held;
}

// Persons come in batches; who is present later decides only which groups still stand, which the reader sees anyway.
TEST(SerialLife, GroupsForLifeKeepOneOfL) {
  auto const [seed, wanted] = runs(1451, 40);
  int found = 0, groups = 0, equal = 0, tried = 0;
  for (std::uint64_t i = seed * 1000003; found < wanted; ++i, ++tried) {
    SCOPED_TRACE("instance " + std::to_string(i));
    RandomSerial random(i);
    Ratio const some_l[] = {{2, 1}, {3, 1}, {5, 2}, {3, 2}};
    auto const l = some_l[random.draw(4)];
    auto const column = column_of({l.den, l.num}, 4, Listing::kEach);
    int const persons = 4 + random.draw(4);
    auto const values = some_values(random, persons, 4);
    Draws draws = seeded(i);
    std::vector<std::unique_ptr<Batch>> batches;
    bool refused = false;
    for (std::size_t person = 0; person < values.size() && !refused;) {
      auto& batch = *batches.emplace_back(std::make_unique<Batch>());
      for (int more = 2 + random.draw(3); more > 0 && person < values.size(); --more) batch.persons.push_back(person++);
      make_batch(batch, random, column, values);
      refused = !group_batch(batch, draws);
    }
    std::vector<Tuple> held;
    for (auto const value : values) held.push_back({value});
    auto const worlds = arrangements_of(held, 1300);
    if (refused || worlds.empty()) continue;
    ++found;
    std::vector<World> weighed;
    for (auto const& world : worlds) {
      double weight = 1;
      for (auto const& batch : batches)
        if (weight > 0) weight *= chance_of_batch(*batch, of_persons(world, batch->persons));
      if (weight > 0) weighed.push_back({world, weight});
    }
    ASSERT_FALSE(weighed.empty());
    double const bound = static_cast<double>(l.den) / static_cast<double>(l.num);
    for (auto const& batch : batches)
      for (std::size_t g = 0; g < batch->release.first.size(); ++g) {
        ++groups;
        auto const& rows = batch->release.first[g].rows;
        for (Code const value : {0, 1}) {
          double const share = static_cast<double>(std::ranges::count(batch->release.second[g], Tuple{value})) /
                               static_cast<double>(rows.size());
          EXPECT_LE(share, bound + 1e-9);
          equal += std::abs(share - bound) < 1e-9;
          for (auto const row : rows)
            EXPECT_NEAR(chance_of(weighed, batch->persons[row], {column}, {0, value}), share, 1e-9);
        }
      }
    if (HasFailure()) FAIL();
  }
  std::printf("histories %d of %d tried, groups %d, at the bound %d\n", found, tried, groups, equal);
  EXPECT_GT(equal, 0);
}

// --- m-invariance's balancing, m = 2: who stays keeps the two values of his first group ---

using Group = std::pair<std::set<std::size_t>, Bag>;  // members, without counterfeits; values
using Groups = std::set<Group>;

struct Balanced {
  std::map<Bag, std::map<Tuple, std::vector<std::size_t>>> buckets;  // values -> value -> who has it; ~0: counterfeit
};

// Newcomers who fill gaps are drawn at random among those who have the value; counterfeits fill the rest.
void fill_gaps(Balanced& balanced, std::map<Tuple, std::vector<std::size_t>>& newcomers, Draws& draws) {
  for (auto& [bag, of] : balanced.buckets) {
    std::size_t most = 0;
    for (auto const& value : bag) most = std::max(most, of[value].size());
    for (auto const& value : bag)
      while (of[value].size() < most) {
        auto& waiting = newcomers[value];
        if (waiting.empty()) {
          of[value].push_back(~std::size_t{0});
          continue;
        }
        auto const at = waiting.begin() + static_cast<std::ptrdiff_t>(draws.below(waiting.size()));
        of[value].push_back(*at);
        waiting.erase(at);
      }
  }
}

Groups balance(std::vector<Group> const& first, std::set<std::size_t> const& staying,
               std::vector<std::size_t> const& coming, Arrangement const& held, Draws& draws) {
  NoCheckpoint checkpoint;
  Balanced balanced;
  for (auto const& [members, bag] : first)
    for (auto const person : members)
      if (staying.contains(person)) balanced.buckets[bag][held[person]].push_back(person);
  std::map<Tuple, std::vector<std::size_t>> newcomers;
  for (auto const person : coming) newcomers[held[person]].push_back(person);
  fill_gaps(balanced, newcomers, draws);
  Groups groups;
  for (auto& [bag, of] : balanced.buckets) {
    for (auto& [value, persons] : of) draws.shuffle(std::span(persons), checkpoint);
    for (std::size_t i = 0; i < of[bag.front()].size(); ++i) {
      Group group{{}, bag};
      for (auto const& value : bag)
        if (of[value][i] != ~std::size_t{0}) group.first.insert(of[value][i]);
      groups.insert(group);
    }
  }
  std::vector<std::size_t> rest;
  LossyTable table;
  for (auto const& [value, persons] : newcomers)
    for (auto const person : persons) {
      rest.push_back(person);
      table.tuples.push_back(value);
    }
  if (rest.empty()) return groups;
  table.statement = {column_of({1, 2}, 4, Listing::kEvery)};
  for (auto const& c : shape_of(bucketize(table.sensitive(table.tuples), 2, draws, checkpoint))) {
    Group group{{}, bag_of(table.tuples, c.rows)};
    for (auto const row : c.rows) group.first.insert(rest[row]);
    groups.insert(group);
  }
  return groups;
}

// The greatest chance of a value that a reader of both versions has of anybody; 0 if a version is refused.
double worst_of_balancing(RandomSerial& random, std::uint64_t seed) {
  NoCheckpoint checkpoint;
  LossyTable table;
  table.statement = {column_of({1, 2}, 4, Listing::kEvery)};
  for (auto const value : some_values(random, 4, 4)) table.tuples.push_back({value});
  auto held = table.tuples;
  std::vector<std::size_t> coming;
  for (int more = 2 + random.draw(2); more > 0; --more) {
    coming.push_back(held.size());
    held.push_back({random.draw(4)});
  }
  std::set<std::size_t> staying;
  for (std::size_t person = 0; person < 4; ++person)
    if (random.chance(60)) staying.insert(person);
  Draws draws = seeded(seed);
  std::vector<Group> first;
  Groups second;
  try {
    for (auto const& c : shape_of(bucketize(table.sensitive(table.tuples), 2, draws, checkpoint)))
      first.push_back({{c.rows.begin(), c.rows.end()}, bag_of(table.tuples, c.rows)});
    second = balance(first, staying, coming, held, draws);
  } catch (Error const&) {
    return 0;
  }
  // By Anatomy all arrangements inside the first classes are as likely (lossy_reader_test).
  std::map<std::pair<std::size_t, Tuple>, double> chances;
  double all = 0;
  for (auto const& world : arrangements_of(held, 3000)) {
    bool possible = true;
    for (auto const& [members, bag] : first)
      possible = possible && bag_of(world, {members.begin(), members.end()}) == bag;
    if (!possible) continue;
    AllDraws branch;
    do {
      try {
        if (balance(first, staying, coming, world, branch) != second) continue;
      } catch (Error const&) {
        continue;
      }
      all += branch.chance();
      for (std::size_t person = 0; person < world.size(); ++person) chances[{person, world[person]}] += branch.chance();
    } while (branch.next());
  }
  double worst = 0;
  for (auto const& [who, chance] : chances) worst = std::max(worst, chance / all);
  return worst;
}

TEST(SerialLife, BalancingWithNewcomersTells) {
  auto const [seed, wanted] = runs(1452, 40);
  int found = 0, above = 0;
  double worst = 0;
  for (std::uint64_t i = seed * 1000003; found < wanted; ++i) {
    RandomSerial random(i);
    double const chance = worst_of_balancing(random, i);
    if (chance == 0) continue;
    ++found;
    above += chance > 0.5 + 1e-9;
    worst = std::max(worst, chance);
  }
  std::printf("balancing: more than 1/2 in %d of %d histories, worst chance %.3f\n", above, found, worst);
  EXPECT_GT(above, 0);
}

// Chances of b's value where values stay: worlds that fit all versions.
double chance_if_it_stays(std::vector<PublishedVersion> const& versions, int persons, int person, Tuple const& value) {
  std::vector<Tuple> world(static_cast<std::size_t>(persons));
  double all = 0, held = 0;
  for (int i = 0; i < 1 << (2 * persons); ++i) {
    for (int p = 0; p < persons; ++p) world[static_cast<std::size_t>(p)] = {(i >> (2 * p)) & 3};
    bool const fits = std::ranges::all_of(versions, [&](auto const& version) {
      return std::ranges::all_of(version, [&](auto const& group) {
        return bag_of(world, {group.persons.begin(), group.persons.end()}) == group.bag;
      });
    });
    all += fits;
    held += fits && world[static_cast<std::size_t>(person)] == value;
  }
  return held / all;
}

// SEMANTICS, permanent values: {a: flu, b: HIV}, then a in a group without HIV. For values drawn anew b's chance is 1/2
// by the product; if they stay, it is 1.
TEST(SerialLife, TheProductIsForValuesDrawnAnew) {
  constexpr Code kHiv = 0, kFlu = 1, kCold = 2;
  auto const statement = std::vector{column_of({1, 2}, 3, Listing::kEach)};
  std::vector<PublishedVersion> versions{{{{0, 1}, {{kHiv}, {kFlu}}}}, {{{0, 2}, {{kFlu}, {kCold}}}}};
  auto const never = never_linked(statement, {0, kHiv}, 3, versions);
  EXPECT_TRUE(never[1].num * 2 == never[1].den);
  EXPECT_TRUE(never[0].num * 2 == never[0].den);
  EXPECT_DOUBLE_EQ(chance_if_it_stays(versions, 3, 1, {kHiv}), 1);
  // Groups for life: c would have been grouped with newcomers, and {a, b} shown as it was.
  versions[1] = {versions[0][0], {{2, 3}, {{kFlu}, {kCold}}}};
  EXPECT_DOUBLE_EQ(chance_if_it_stays(versions, 4, 1, {kHiv}), 0.5);
}

// What groups for life do not cover: that a version was refused tells of its newcomers, whose values stay until they
// are grouped with others.
TEST(SerialLife, ARefusalTells) {
  auto const column = column_of({1, 2}, 3, Listing::kEach);
  RandomSerial random(1);
  Batch first, both;
  first.persons = {0, 1};
  both.persons = {0, 1, 2, 3};
  std::vector<Code> const values{0, 0, 2, 2};
  make_batch(first, random, column, values);
  make_batch(both, random, column, values);
  Draws draws = seeded(1);
  EXPECT_FALSE(group_batch(first, draws));
  ASSERT_TRUE(group_batch(both, draws));
  std::vector<World> unaware, aware;
  for (auto const& world : arrangements_of(both.table.tuples, 10))
    if (double const weight = chance_of_batch(both, world); weight > 0) {
      unaware.push_back({world, weight});
      first.table.tuples = of_persons(world, first.persons);
      if (!group_batch(first, draws)) aware.push_back(unaware.back());
    }
  EXPECT_NEAR(chance_of(unaware, 0, {column}, {0, 0}), 0.5, 1e-9);
  EXPECT_NEAR(chance_of(aware, 0, {column}, {0, 0}), 1, 1e-9);
}

}  // namespace
}  // namespace anon_seq::testing
