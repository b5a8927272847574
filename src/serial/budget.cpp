#include "serial/budget.h"

#include <algorithm>
#include <map>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/sql_text.h"
#include "pg/writing.h"
#include "release/key_arrays.h"
#include "release/ledger_format.h"

namespace anon_seq::serial {
namespace {

// bound of a ledger -> of the budget
std::map<std::int32_t, std::int32_t> read_names(SpiSession& session, std::string const& ledger, Budget& into) {
  std::map<std::int32_t, std::int32_t> numbers;
  auto const rows = session.execute(
      "SELECT number, attribute, value FROM " + ledger_table(ledger, "bound") + " ORDER BY number", {}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    numbers[rows.int32(row, 1)] = into.number_of({rows.get(row, 2), rows.get(row, 3)});
  return numbers;
}

[[noreturn]] void throw_damaged() {
  throw Error(Fault::kDamaged, "the ledger of a serial policy is damaged", "Its budgets do not fit together.");
}

class AccountReader {
 public:
  AccountReader(SpiSession& session, PersonCodes& codes) : session_(session), codes_(codes) {}

  // Rows of the versions that `condition` selects.
  void read(std::string const& ledger, std::string const& condition, Budget& names, Vector<Account>& into) {
    auto const numbers = read_names(session_, ledger, names);
    DatumCursor cursor(
        session_, "SELECT bound, persons, met, num, den FROM " + ledger_table(ledger, "pair") + " WHERE " + condition);
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) take(cursor, row, numbers, into);
  }

 private:
  void take(DatumCursor& cursor, std::size_t row, std::map<std::int32_t, std::int32_t> const& numbers,
            Vector<Account>& into) {
    auto const bound = numbers.find(cursor.integer(row, 0));
    auto const persons = cursor.elements(row, 1, codes_.array_type());
    auto const met = cursor.array<std::int32_t>(row, 2);
    auto const num = cursor.array<std::int64_t>(row, 3), den = cursor.array<std::int64_t>(row, 4);
    if (bound == numbers.end() || met.size() != persons.count || num.size() != persons.count ||
        den.size() != persons.count)
      throw_damaged();
    for (std::size_t i = 0; i < persons.count; ++i) {
      if (persons.nulls[i]) continue;  // forgotten
      if (den[i] < 1 || num[i] < 0 || num[i] > den[i] || met[i] < 0) throw_damaged();
      into.push_back({codes_.of(persons.values[i]), bound->second, met[i], {num[i], den[i]}});
    }
  }

  SpiSession& session_;
  PersonCodes& codes_;
};

// Which versions of each ledger count: their newest state, or the charges of those in the window.
std::map<std::string, std::string> conditions_of(Releases const& population, Policy const& policy,
                                                 SerialPolicy const& demands) {
  std::map<std::string, std::vector<std::int32_t>> versions;
  auto left = demands.plan.kind == PlanKind::kWindow ? demands.plan.horizon - 1 : -1;
  for (auto release = population.rbegin(); release != population.rend() && left != 0; ++release) {
    if (release->method != policy.method) continue;
    versions[release->ledger].push_back(release->version);
    --left;
  }
  auto const begin = demands.period_begin(policy.version);
  std::map<std::string, std::string> conditions;
  for (auto& [ledger, of] : versions) {
    std::string list;
    for (auto const version : of) list += (list.empty() ? "" : ", ") + std::to_string(version);
    if (left >= 0)
      conditions[ledger] = "version IN (" + list + ")";
    else if (ledger != policy.ledger() || *std::ranges::max_element(of) >= begin)
      conditions[ledger] = "version = " + std::to_string(*std::ranges::max_element(of));
  }
  return conditions;
}

}  // namespace

std::int32_t Budget::find(BoundName const& name) const {
  auto const at = std::ranges::find(names, name);
  return at == names.end() ? -1 : static_cast<std::int32_t>(at - names.begin());
}

std::int32_t Budget::number_of(BoundName const& name) {
  if (auto const number = find(name); number >= 0) return number;
  names.push_back(name);
  return static_cast<std::int32_t>(names.size()) - 1;
}

std::vector<LedgerRelation> budget_relations(std::string const& keys) {
  return {{.name = "bound", .columns = "number int PRIMARY KEY, attribute text NOT NULL, value text NOT NULL"},
          {.name = "pair",
           .columns = "version int NOT NULL, bound int NOT NULL, persons " + keys +
                      "[] NOT NULL, met int[] NOT NULL, num bigint[] NOT NULL, den bigint[] NOT NULL",
           .keys = {"persons"},
           .packed = {"persons", "met", "num", "den"}}};
}

void merge_accounts(Vector<Account>& accounts, Checkpoint& checkpoint) {
  std::sort(accounts.begin(), accounts.end(), [&](Account const& a, Account const& b) {
    checkpoint.tick();
    return a.person != b.person ? a.person < b.person : a.bound < b.bound;
  });
  std::size_t kept = 0;
  for (auto const& account : accounts) {
    if (kept > 0 && accounts[kept - 1].person == account.person && accounts[kept - 1].bound == account.bound) {
      accounts[kept - 1].times += account.times;
      accounts[kept - 1].kept = times(accounts[kept - 1].kept, account.kept);
    } else {
      accounts[kept++] = account;
    }
  }
  accounts.resize(kept);
}

void combine(Budget& budget, Checkpoint& checkpoint) {
  merge_accounts(budget.own, checkpoint);
  merge_accounts(budget.others, checkpoint);
  budget.all = budget.own;
  if (budget.others.empty()) return;
  budget.all.insert(budget.all.end(), budget.others.begin(), budget.others.end());
  merge_accounts(budget.all, checkpoint);
}

Budget read_budget(SpiSession& session, Releases const& population, Policy const& policy, SerialPolicy const& demands,
                   PersonCodes& persons, Checkpoint& checkpoint) {
  Budget budget;
  AccountReader reader(session, persons);
  for (auto const& [ledger, condition] : conditions_of(population, policy, demands)) {
    if (ledger == policy.ledger()) {
      reader.read(ledger, condition, budget, budget.own);
      continue;
    }
    auto const release = std::ranges::find(population, ledger, &Release::ledger);
    OwnLedger const owner(session, *release);
    reader.read(ledger, condition, budget, budget.others);
  }
  combine(budget, checkpoint);
  return budget;
}

Vector<Account> read_state(SpiSession& session, std::string const& ledger, std::int32_t version, PersonCodes& persons,
                           Budget& names, Checkpoint& checkpoint) {
  Vector<Account> state;
  AccountReader(session, persons).read(ledger, "version = " + std::to_string(version), names, state);
  merge_accounts(state, checkpoint);
  return state;
}

std::vector<std::int32_t> ledger_numbers(PublishRun const& run, Budget const& budget) {
  auto const ledger = run.policy.ledger();
  Budget known;
  auto numbers = read_names(run.session, ledger, known);
  std::map<BoundName, std::int32_t> by_name;
  for (auto const& [number, at] : numbers) by_name[known.names[static_cast<std::size_t>(at)]] = number;
  std::vector<std::int32_t> found;
  for (auto const& name : budget.names) {
    auto const [at, fresh] = by_name.try_emplace(name, static_cast<std::int32_t>(by_name.size()));
    found.push_back(at->second);
    if (fresh)
      run.session.execute(
          "INSERT INTO " + ledger_table(ledger, "bound") + " (number, attribute, value) VALUES ($1, $2, $3)",
          {at->second, name.column, name.value});
  }
  return found;
}

void write_accounts(PublishRun const& run, SourceTable const& source, std::vector<std::int32_t> const& numbers,
                    Vector<Account> const& accounts, std::int32_t version) {
  constexpr std::size_t kAccountsPerRow = 1000;
  Vector<Account> by_bound = accounts;
  std::stable_sort(by_bound.begin(), by_bound.end(), [&](Account const& a, Account const& b) {
    run.checkpoint.tick();
    return a.bound < b.bound;
  });
  Vector<Code> persons;
  for (auto const& account : by_bound) persons.push_back(account.person);
  KeyArrays keys(source, run.checkpoint);
  BulkWriter writer(run.session, ledger_table(run.policy.ledger(), "pair"),
                    {"version", "bound", "persons", "met", "num", "den"});
  Vector<std::int64_t> met, num, den;
  for (std::size_t begin = 0, end; begin < by_bound.size(); begin = end) {
    met.clear();
    num.clear();
    den.clear();
    for (end = begin; end < by_bound.size() && end - begin < kAccountsPerRow; ++end) {
      if (by_bound[end].bound != by_bound[begin].bound) break;
      met.push_back(by_bound[end].times);
      num.push_back(by_bound[end].kept.num);
      den.push_back(by_bound[end].kept.den);
    }
    writer.put(std::int64_t{version});
    writer.put(std::int64_t{numbers[static_cast<std::size_t>(by_bound[begin].bound)]});
    keys.put(writer, persons, begin, end);
    writer.put(std::span<std::int64_t const>(met));
    writer.put(std::span<std::int64_t const>(num));
    writer.put(std::span<std::int64_t const>(den));
    writer.end_row();
  }
  writer.finish();
}

void drop_old_accounts(PublishRun const& run) {
  auto const& demands = run.demanded<SerialPolicy>();
  auto const needed = demands.plan.kind == PlanKind::kWindow ? demands.plan.horizon : 1;
  run.session.execute("DELETE FROM " + ledger_table(run.policy.ledger(), "pair") + " WHERE version < " +
                      std::to_string(run.policy.version - needed));
}

}  // namespace anon_seq::serial
