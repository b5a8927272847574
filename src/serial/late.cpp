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
                                                PersonCodes& persons, Worst& worst) {
  auto const& demands = run.demanded<SerialPolicy>();
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto const first = ledger.own ? demands.period_begin(run.policy.version) : 1;
  auto const& name = ledger.newest->ledger;
  auto const known = names_in(run.session, name);
  std::map<std::int32_t, Vector<Account>> past;
  for (auto const& release : run.population) {
    if (release.ledger != name || release.version < first) continue;
    if (apart && std::ranges::find(ledger.versions, release.version) == ledger.versions.end()) continue;
    auto found = charges_of(run.session, release, demands, budget, persons, known, run.checkpoint);
    if (!found.worst.empty()) worst[release.version] = std::move(found.worst);
    auto& into = past[apart ? release.version : ledger.newest->version];
    into.insert(into.end(), found.accounts.begin(), found.accounts.end());
  }
  for (auto& [version, accounts] : past) merge_accounts(accounts, run.checkpoint);
  return past;
}

}  // namespace

Past add_past(PublishRun const& run, Budget& budget, PersonCodes& persons) {
  Past found;
  if (!may_be_new(run)) return found;
  for (auto const& ledger : counted_ledgers(run.population, run.policy, run.demanded<SerialPolicy>())) {
    std::optional<OwnLedger> owner;
    if (!ledger.own) owner.emplace(run.session, *ledger.newest);
    auto past = past_of(run, ledger, budget, persons, found.worst[ledger.newest->ledger]);
    auto& into = ledger.own ? budget.own : budget.others;
    for (auto const& [version, accounts] : past) into.insert(into.end(), accounts.begin(), accounts.end());
    if (ledger.own) found.accounts = std::move(past);
  }
  combine(budget, run.checkpoint);
  return found;
}

}  // namespace anon_seq::serial
