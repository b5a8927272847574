#include "serial/late.h"

#include <algorithm>

#include "serial/groups.h"

namespace anon_seq::serial {
namespace {

Release const* last_version(PublishRun const& run) {
  Release const* last = nullptr;
  for (auto const& release : run.population)
    if (release.ledger == run.policy.ledger()) last = &release;
  return last;
}

bool may_be_new(PublishRun const& run, Release const& last) {
  if (last.parameters != run.policy.parameters || last.options != run.policy.options) return true;
  return std::ranges::any_of(run.policy.columns, [](auto const& column) {
    return column.role == Role::kSensitive && !column.taxonomy.empty();
  });
}

}  // namespace

std::map<std::int32_t, Vector<Account>> add_past(PublishRun const& run, Budget& budget, PersonCodes& persons) {
  std::map<std::int32_t, Vector<Account>> past;
  auto const* const last = last_version(run);
  if (last == nullptr || !may_be_new(run, *last)) return past;
  auto const& demands = run.demanded<SerialPolicy>();
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto first = demands.period_begin(run.policy.version);
  if (apart) first = std::max(first, run.policy.version - static_cast<std::int32_t>(demands.plan.horizon) + 1);
  auto const known = budget.names;
  for (auto const& release : run.population) {
    if (release.ledger != run.policy.ledger() || release.version < first) continue;
    auto const found = charges_of(run.session, release, demands, budget, persons, known, run.checkpoint);
    auto& into = past[apart ? release.version : last->version];
    into.insert(into.end(), found.accounts.begin(), found.accounts.end());
  }
  for (auto& [version, accounts] : past) {
    merge_accounts(accounts, run.checkpoint);
    budget.own.insert(budget.own.end(), accounts.begin(), accounts.end());
  }
  combine(budget, run.checkpoint);
  return past;
}

}  // namespace anon_seq::serial
