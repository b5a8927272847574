#include "serial/budget_look.h"

#include <algorithm>

#include "release/ledger_format.h"
#include "serial/budget.h"
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
  auto const budget = read_budget(session, releases_of(session, policy.population), next, demands, persons, checkpoint);
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
  std::ranges::sort(lines, {}, [](BudgetLine const& line) { return std::pair(line.column, line.value); });
  return lines;
}

}  // namespace anon_seq::serial
