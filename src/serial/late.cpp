#include "serial/late.h"

#include <algorithm>

#include "release/ledger_format.h"
#include "serial/groups.h"

namespace anon_seq::serial {
namespace {

// Whether a value may be listed now that was not when earlier versions were made: the list is another, or a label of
// it may have got new leaves.
bool may_be_new(PublishRun const& run) {
  Release const* last = nullptr;
  for (auto const& release : run.population)
    if (release.ledger == run.policy.ledger()) last = &release;
  if (last != nullptr && (last->parameters != run.policy.parameters || last->options != run.policy.options))
    return true;
  return std::ranges::any_of(run.policy.columns, [](auto const& column) {
    return column.role == Role::kSensitive && !column.taxonomy.empty();
  });
}

// What versions of a ledger tell of values that it has no accounts of.
std::map<std::int32_t, Vector<Account>> past_of(PublishRun const& run, CountedLedger const& ledger, Budget& budget,
                                                PersonCodes& persons) {
  auto const& demands = run.demanded<SerialPolicy>();
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto const first = ledger.own ? demands.period_begin(run.policy.version) : 1;
  auto const& name = ledger.newest->ledger;
  auto const known = names_in(run.session, name);
  std::map<std::int32_t, Vector<Account>> past;
  for (auto const& release : run.population) {
    if (release.ledger != name || release.version < first) continue;
    if (apart && std::ranges::find(ledger.versions, release.version) == ledger.versions.end()) continue;
    auto const found = charges_of(run.session, release, demands, budget, persons, known, run.checkpoint);
    auto& into = past[apart ? release.version : ledger.newest->version];
    into.insert(into.end(), found.accounts.begin(), found.accounts.end());
  }
  for (auto& [version, accounts] : past) merge_accounts(accounts, run.checkpoint);
  return past;
}

}  // namespace

std::map<std::int32_t, Vector<Account>> add_past(PublishRun const& run, Budget& budget, PersonCodes& persons) {
  std::map<std::int32_t, Vector<Account>> own;
  if (!may_be_new(run)) return own;
  for (auto const& ledger : counted_ledgers(run.population, run.policy, run.demanded<SerialPolicy>())) {
    std::optional<OwnLedger> owner;
    if (!ledger.own) owner.emplace(run.session, *ledger.newest);
    auto past = past_of(run, ledger, budget, persons);
    auto& into = ledger.own ? budget.own : budget.others;
    for (auto const& [version, accounts] : past) into.insert(into.end(), accounts.begin(), accounts.end());
    if (ledger.own) own = std::move(past);
  }
  combine(budget, run.checkpoint);
  return own;
}

}  // namespace anon_seq::serial
