#include "serial/budget_look.h"

#include <algorithm>

#include "release/ledger_format.h"
#include "serial/budget.h"
#include "serial/forgotten.h"
#include "serial/key_value.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

std::string p_text(Ratio kept) {
  char text[32];
  auto const share = 1 - static_cast<double>(kept.num) / static_cast<double>(kept.den);
  pg_snprintf(text, sizeof text, "%.6f", share);
  return text;
}

bool is_less(Ratio a, Ratio b) { return wide_mul(a.num, b.den) < wide_mul(b.num, a.den); }

std::optional<std::int64_t> versions_left(SerialPolicy const& demands, std::int32_t version) {
  if (demands.plan.kind != PlanKind::kFixed) return std::nullopt;
  return std::max<std::int64_t>(demands.plan.horizon * (demands.renewals + 1) - version, 0);
}

}  // namespace

std::vector<BudgetLine> budget_lines(SpiSession& session, Policy const& policy) {
  require_budgets(session, policy);
  OwnLedger const owner(session, policy);
  auto const demands = serial_policy(policy);
  InterruptCheckpoint checkpoint;
  Dictionary keys;
  keys.add_hidden("");
  PersonCodes persons(keys, key_value(session, policy.ledger()));
  Policy next = policy;  // of a horizon that is over its state in the end
  if (versions_left(demands, policy.version).value_or(1) > 0) ++next.version;
  auto const population = releases_of(session, policy.population);
  auto budget = read_budget(session, population, next, demands, persons, checkpoint);
  for (auto const& ledger : counted_ledgers(population, next, demands)) {
    if (!ledger.own) continue;  // other ledgers forgot the same persons
    auto const forgotten = accounts_of_forgotten(session, ledger, demands.plan.kind == PlanKind::kWindow, budget);
    budget.all.insert(budget.all.end(), forgotten.begin(), forgotten.end());
  }
  std::vector<BudgetLine> lines;
  std::vector<Ratio> least(budget.names.size(), kUntouched);
  for (auto const& name : budget.names)
    lines.push_back({name.column, name.value, 0, 0, 1, "0", versions_left(demands, policy.version)});
  for (auto const& account : budget.all) {
    checkpoint.tick();
    auto& line = lines[static_cast<std::size_t>(account.bound)];
    auto& lowest = least[static_cast<std::size_t>(account.bound)];
    ++line.persons;
    if (is_less(account.kept, lowest)) lowest = account.kept;
    auto const rows = rows_for_one(share_left(account.kept, demands.least()),
                                   planned_share(demands.plan, demands.least(), account.times));
    bool const spent = rows == kNoRows || (demands.largest_m > 0 && rows > demands.largest_m);
    line.spent += spent;
    if (!spent) line.rows_for_one = std::max(line.rows_for_one, rows);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].largest = p_text(least[i]);
  for (std::size_t i = lines.size(); i-- > 0;) {  // a label whose taxonomy has grown is its newest bound
    auto const is_newer = [&](BoundName const& name) {
      return name.column == budget.names[i].column && name.value == budget.names[i].value && name != budget.names[i];
    };
    if (std::any_of(budget.names.begin() + static_cast<std::ptrdiff_t>(i) + 1, budget.names.end(), is_newer))
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::ranges::sort(lines, {}, [](BudgetLine const& line) { return std::pair(line.column, line.value); });
  return lines;
}

}  // namespace anon_seq::serial
