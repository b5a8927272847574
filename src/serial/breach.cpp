#include "serial/breach.h"

#include <cmath>

#include "catalog/ledger.h"
#include "pg/json_object.h"
#include "pg/progress.h"
#include "pg/reading.h"
#include "release/ledger_format.h"
#include "serial/by_person.h"
#include "serial/groups.h"
#include "serial/key_value.h"

namespace anon_seq::serial {
namespace {

double value_of(Ratio kept) { return static_cast<double>(kept.num) / static_cast<double>(kept.den); }

// p above 1/l, in integers.
bool is_broken(Ratio kept, Ratio least) { return wide_mul(kept.num, least.den) < wide_mul(least.num, kept.den); }

// What is kept, as published groups say, without the arithmetic that spends it. Ascending, each person and bound once.
struct Recounted {
  Code person;
  std::int32_t bound, times;
  double kept;
};

void add(Vector<Recounted>& into, Vector<Account> const& accounts) {
  for (auto const& account : accounts)
    into.push_back({account.person, account.bound, account.times, value_of(account.kept)});
}

void merge(Vector<Recounted>& all, Checkpoint& checkpoint) {
  merge_by_person(
      all,
      [](Recounted& into, Recounted const& next) {
        into.times += next.times;
        into.kept *= next.kept;
      },
      checkpoint);
}

// Accounts that the ledger has and the recount has not, or otherwise. The ledger may only be a little lower.
std::int64_t differing(Vector<Recounted> const& recounted, Vector<Account> const& ledger) {
  constexpr double kRounding = 1e-9;
  std::int64_t different = 0;
  std::size_t i = 0;
  for (auto const& account : ledger) {
    auto const is_before = [&] {
      return i < recounted.size() && (recounted[i].person != account.person ? recounted[i].person < account.person
                                                                            : recounted[i].bound < account.bound);
    };
    for (; is_before(); ++i) ++different;
    if (i == recounted.size() || recounted[i].person != account.person || recounted[i].bound != account.bound) {
      ++different;
      continue;
    }
    auto const& same = recounted[i++];
    different += same.times != account.times || std::abs(same.kept - value_of(account.kept)) > kRounding;
  }
  return different + static_cast<std::int64_t>(recounted.size() - i);
}

std::string share_text(double share) {
  char text[32];
  pg_snprintf(text, sizeof text, "%.6f", share);
  return text;
}

// A label whose taxonomy has grown is another bound from the next version on; this one's accounts are of what it was.
void name_as_ledger(Vector<Account>& charges, Budget const& names, std::size_t of_ledger) {
  for (auto& account : charges) {
    if (static_cast<std::size_t>(account.bound) < of_ledger) continue;
    auto const& name = names.names[static_cast<std::size_t>(account.bound)];
    for (std::size_t i = 0; i < of_ledger; ++i)  // the newest comes last
      if (names.names[i].column == name.column && names.names[i].value == name.value)
        account.bound = static_cast<std::int32_t>(i);
  }
}

// What counts for the bound: under a window, or beside other policies, more than this ledger's state.
Vector<Account> accounts_with_others(AuditRun const& run, Policy const& then, Release const& release,
                                     SerialPolicy const& demands, PersonCodes& persons, Vector<Account> const& state,
                                     Checkpoint& checkpoint) {
  bool const alone = std::ranges::none_of(run.population, [&](Release const& other) {
    return other.method == release.method && other.ledger != release.ledger;
  });
  if (alone && demands.plan.kind != PlanKind::kWindow) return state;
  auto population = run.population;
  if (release.id == 0) population.push_back(release);
  Policy now = then;
  now.version = release.version;
  return read_budget(run.session, population, now, demands, persons, checkpoint).all;
}

std::string bound_text(SerialPolicy const& demands) { return "1/" + ratio_text(demands.l); }

// Versions of all serial policies of the population, in the order in which they were made.
std::vector<Release> versions_of(AuditRun const& run) {
  std::vector<Release> versions;
  for (auto const& release : run.population)
    if (release.method == run.policy.method) versions.push_back(release);
  return versions;
}

}  // namespace

void add_breach_checks(AuditRun const& run, Policy const& then, Release const& release,
                       lossy_join::WrittenClasses const* written, Checks& checks) {
  Progress::at("breach");
  auto const demands = serial_policy(then);
  InterruptCheckpoint checkpoint;
  Dictionary keys;
  keys.add_hidden("");
  PersonCodes persons(keys, key_value(run.session, release.ledger));
  Budget names;
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto const state = read_state(run.session, release.ledger, release.version, persons, names, checkpoint);
  Vector<Recounted> recounted;
  if (!apart && release.version > demands.period_begin(release.version))
    add(recounted, read_state(run.session, release.ledger, release.version - 1, persons, names, checkpoint));
  std::size_t const of_ledger = names.names.size();
  auto charges = charges_of(run.session, release, demands, names, persons, {}, checkpoint, written);
  name_as_ledger(charges.accounts, names, of_ledger);
  add(recounted, charges.accounts);
  merge(recounted, checkpoint);
  auto const different = differing(recounted, state);
  checks.push_back({"budget", release.reference(),
                    "the ledger has what the classes of this version add to the one before",
                    std::to_string(different) + " of " + std::to_string(state.size()) + " accounts differ",
                    different == 0, different, "{}"});

  // Who is charged by this version, and everybody else, whom an earlier one may have linked before a value was listed.
  auto const all = accounts_with_others(run, then, release, demands, persons, state, checkpoint);
  std::vector<char> is_charged(persons.size());
  for (auto const& account : charges.accounts) is_charged[static_cast<std::size_t>(account.person)] = 1;
  std::int64_t broken = 0, before = 0;
  double least = 1;
  for (auto const& account : all) {
    least = std::min(least, value_of(account.kept));
    if (!is_broken(account.kept, demands.least())) continue;
    is_charged[static_cast<std::size_t>(account.person)] != 0 ? ++broken : ++before;
  }
  checks.push_back({"breach", release.reference(),
                    "nobody is linked to a listed value with more than " + bound_text(demands) +
                        ", over all versions; plan " + plan_text(demands),
                    "largest chance " + share_text(1 - least) + ", of " + std::to_string(all.size()) + " accounts",
                    broken == 0, broken,
                    JsonObject()
                        .number("accounts", static_cast<std::int64_t>(all.size()))
                        .add("largest", share_text(1 - least))
                        .json()});
  if (before > 0 && release.id != 0)
    checks.push_back(
        {"listed_late", release.reference(), "values are listed before somebody is linked to them",
         std::to_string(before) + " accounts were above " + bound_text(demands) + " when their value was listed", false,
         before, "{}"});
  bool const large = charges.accounts.empty() || charges.smallest >= demands.k;
  checks.push_back({"classes", release.reference(), "classes of " + std::to_string(demands.k) + " rows or more",
                    charges.accounts.empty() ? "no listed value is shown"
                                             : "the smallest of " + std::to_string(charges.classes) + " has " +
                                                   std::to_string(charges.smallest),
                    large, large ? 0 : 1, "{}"});
}

void add_history_check(AuditRun const& run, Checks& checks) {
  Progress::at("history");
  auto const demands = serial_policy(run.policy);
  InterruptCheckpoint checkpoint;
  auto const versions = versions_of(run);
  if (versions.empty() || demands.permanent) return;
  Dictionary keys;
  keys.add_hidden("");
  PersonCodes persons(keys, key_value(run.session, versions.front().ledger));
  Budget names;
  std::vector<Vector<Recounted>> of_version;
  Vector<Recounted> all;
  double least = 1;
  std::int64_t broken = 0;
  for (auto const& release : versions) {
    if (demands.renewals > 0 && demands.period_begin(release.version) == release.version) all.clear();
    std::optional<OwnLedger> owner;
    if (release.ledger != run.policy.ledger()) owner.emplace(run.session, release);
    Vector<Recounted> charges;
    add(charges, charges_of(run.session, release, demands, names, persons, {}, checkpoint).accounts);
    of_version.push_back(charges);
    if (demands.plan.kind == PlanKind::kWindow) {
      all.clear();
      auto const window = std::min(of_version.size(), static_cast<std::size_t>(demands.plan.horizon));
      for (std::size_t i = of_version.size() - window; i + 1 < of_version.size(); ++i)
        all.insert(all.end(), of_version[i].begin(), of_version[i].end());
    }
    all.insert(all.end(), charges.begin(), charges.end());
    merge(all, checkpoint);
    std::int64_t now = 0;
    for (auto const& one : all) {
      least = std::min(least, one.kept);
      now += one.kept < value_of(demands.least()) - 1e-12;
    }
    broken = std::max(broken, now);
  }
  checks.push_back(
      {"history", run.policy.name,
       "counted again from all versions of all serial policies: at most " + bound_text(demands),
       "largest chance " + share_text(1 - least) + " over " + std::to_string(versions.size()) + " versions",
       broken == 0, broken, "{}"});
}

}  // namespace anon_seq::serial
