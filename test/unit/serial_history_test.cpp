// Random histories of serial releases: what their groups tell of everybody, counted by code that knows only them.
#include "error_of.h"
#include "serial_fixture.h"

namespace anon_seq::testing {
namespace {

// Every person and listed bound: the product over published groups, what the accounts say, and the promise.
void expect_kept(SerialHistory const& history, int persons) {
  auto const accounts = history.promised();
  auto const least = least_kept(history.rules().l);
  for (std::size_t b = 0; b < history.listed().size(); ++b) {
    auto const chances = never_linked(history.statement(), history.listed()[b], persons, history.promised_versions());
    for (int person = 0; person < persons; ++person) {
      auto const chance = chances[static_cast<std::size_t>(person)];
      auto const at = accounts.find({person, static_cast<std::int32_t>(b)});
      Ratio const kept = at == accounts.end() ? kUntouched : at->second.kept;
      bool const same = chance.num * static_cast<Wide>(kept.den) == chance.den * static_cast<Wide>(kept.num);
      if (!keeps(chance, least) || !same) ADD_FAILURE() << "person " << person << ", bound " << b;
    }
  }
}

struct Totals {
  std::int64_t published = 0, refused = 0, withheld = 0, cohorts = 0, met = 0, equal = 0;
};

void run_history(std::uint64_t seed, Totals& totals) {
  RandomSerial random(seed);
  auto const rules = random.rules();
  bool const many = random.chance(3);  // enough for several cohorts
  int const persons = many ? 60 + random.draw(100) : 4 + random.draw(20);
  SerialHistory history(rules, random.statement(1 + random.draw(2)));
  SCOPED_TRACE(text_of(rules));
  Draws draws = seeded(seed);
  int const listed = 2 + random.draw(many ? 5 : 20), present = 50 + random.draw(50);
  for (int version = 2 + random.draw(3); version > 0; --version) {
    std::vector<int> who;
    for (int person = 0; person < persons; ++person)
      if (random.chance(present)) who.push_back(person);
    if (who.empty()) continue;
    LossyTable table;
    random.make(table, rules, history.statement(), static_cast<int>(who.size()), listed);
    auto const before = history.promised();
    if (!history.publish(table, who, draws)) {
      ++totals.refused;
      EXPECT_EQ(history.promised().size(), before.size());
      continue;
    }
    ++totals.published;
    totals.cohorts += history.cohorts() > 1;
    expect_kept(history, persons);
    if (::testing::Test::HasFailure()) return;
  }
  totals.withheld += history.withheld();
  for (auto const& [who, one] : history.promised()) {
    ++totals.met;
    totals.equal += one.kept == least_kept(rules.l);
  }
}

TEST(SerialHistory, EverybodyKeepsWhatIsPromised) {
  auto const [seed, instances] = runs(1401, 2500);
  Totals totals;
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    run_history(seed * 1000003 + static_cast<std::uint64_t>(i), totals);
    if (HasFailure()) FAIL();
  }
  std::printf(
      "versions published %lld, refused %lld, with several cohorts %lld; withheld %lld; pairs that met %lld, used up %lld\n",
      static_cast<long long>(totals.published), static_cast<long long>(totals.refused),
      static_cast<long long>(totals.cohorts), static_cast<long long>(totals.withheld),
      static_cast<long long>(totals.met), static_cast<long long>(totals.equal));
  EXPECT_GT(totals.refused, 0);
  EXPECT_GT(totals.cohorts, 0);
  EXPECT_GT(totals.withheld, 0);
  EXPECT_GT(totals.equal, 0);
}

}  // namespace
}  // namespace anon_seq::testing
