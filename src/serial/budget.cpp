#include "serial/budget.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "catalog/ledger_sums.h"
#include "pg/datum_cursor.h"
#include "pg/sql_text.h"
#include "pg/writing.h"
#include "release/key_arrays.h"
#include "release/ledger_format.h"
#include "serial/by_person.h"

namespace anon_seq::serial {
namespace {

// bound of a ledger -> of the budget
std::map<std::int32_t, std::int32_t> read_names(SpiSession& session, std::string const& ledger, Budget& into) {
  std::map<std::int32_t, std::int32_t> numbers;
  auto const rows = session.execute(
      "SELECT number, attribute, value, below FROM " + ledger_table(ledger, "bound") + " ORDER BY number", {}, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    numbers[rows.int32(row, 1)] = into.number_of({rows.get(row, 2), rows.get(row, 3), rows.get(row, 4)});
  return numbers;
}

std::string list_of(std::vector<std::int32_t> const& versions) {
  std::string list;
  for (auto const version : versions) list += (list.empty() ? "" : ", ") + std::to_string(version);
  return list;
}

[[noreturn]] void throw_damaged() {
  throw Error(Fault::kDamaged, "the ledger of a serial policy is damaged", "Its budgets do not fit together.");
}

class AccountReader {
 public:
  AccountReader(SpiSession& session, PersonCodes& codes) : session_(session), codes_(codes) {}

  // How many accounts each version has, of persons who were forgotten too.
  std::map<std::int32_t, std::int64_t> read(std::string const& ledger, std::vector<std::int32_t> const& versions,
                                            Budget& names, Vector<Account>& into) {
    std::map<std::int32_t, std::int64_t> counts;
    auto const numbers = read_names(session_, ledger, names);
    DatumCursor cursor(session_, "SELECT bound, persons, met, num, den, version FROM " + ledger_table(ledger, "pair") +
                                     " WHERE version IN (" + list_of(versions) + ")");
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row)
        counts[cursor.integer(row, 5)] += take(cursor, row, numbers, into);
    return counts;
  }

 private:
  std::int64_t take(DatumCursor& cursor, std::size_t row, std::map<std::int32_t, std::int32_t> const& numbers,
                    Vector<Account>& into) {
    auto const bound = numbers.find(cursor.integer(row, 0));
    auto const persons = cursor.elements(row, 1, codes_.array_type());
    auto const met = cursor.array<std::int32_t>(row, 2);
    auto const num = cursor.array<std::int64_t>(row, 3), den = cursor.array<std::int64_t>(row, 4);
    auto const fits = [&](std::size_t size) { return size == 1 || size == persons.count; };
    if (bound == numbers.end() || !fits(met.size()) || num.size() != met.size() || den.size() != met.size())
      throw_damaged();
    for (std::size_t i = 0; i < persons.count; ++i) {
      if (persons.nulls[i]) continue;  // forgotten
      std::size_t const at = met.size() == 1 ? 0 : i;
      if (den[at] < 1 || num[at] < 0 || num[at] > den[at] || met[at] < 0) throw_damaged();
      into.push_back({codes_.of(persons.values[i]), bound->second, met[at], {num[at], den[at]}});
    }
    return static_cast<std::int64_t>(persons.count);
  }

  SpiSession& session_;
  PersonCodes& codes_;
};

// Nothing was taken out of a ledger: each version's note says how many accounts it had, at least.
void require_complete(SpiSession& session, std::string const& ledger, std::vector<std::int32_t> const& versions,
                      std::map<std::int32_t, std::int64_t> const& counts) {
  auto const rows =
      session.execute("SELECT version, (detail->>'accounts')::bigint FROM " + ledger_table(ledger, "note") +
                          " WHERE version IN (" + list_of(versions) + ") AND detail ? 'accounts'",
                      {}, true);
  if (rows.count() < versions.size()) throw_damaged();
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto const found = counts.find(rows.int32(row, 1));
    if ((found == counts.end() ? 0 : found->second) < rows.integer(row, 2)) throw_damaged();
  }
}

}  // namespace

std::int32_t Budget::find(BoundName const& name) const {
  auto const at = numbers.find(name);
  return at == numbers.end() ? -1 : at->second;
}

std::int32_t Budget::number_of(BoundName const& name) {
  auto const [at, fresh] = numbers.try_emplace(name, static_cast<std::int32_t>(names.size()));
  if (fresh) names.push_back(name);
  return at->second;
}

std::vector<LedgerRelation> budget_relations(std::string const& keys) {
  return {
      {.name = "bound",
       .columns = "number int PRIMARY KEY, attribute text NOT NULL, value text NOT NULL, below text NOT NULL"},
      {.name = "pair",
       .columns = "version int NOT NULL, written int NOT NULL, part int NOT NULL, bound int NOT NULL, persons " + keys +
                  "[] NOT NULL, met int[] NOT NULL, num bigint[] NOT NULL, den bigint[] NOT NULL,"
                  " PRIMARY KEY (version, written, part)",
       .keys = {"persons"},
       .packed = {"persons", "met", "num", "den"}}};
}

void merge_accounts(Vector<Account>& accounts, Checkpoint& checkpoint) {
  merge_by_person(
      accounts,
      [](Account& into, Account const& next) {
        into.times += next.times;
        into.kept = times(into.kept, next.kept);
      },
      checkpoint);
}

void combine(Budget& budget, Checkpoint& checkpoint) {
  merge_accounts(budget.own, checkpoint);
  merge_accounts(budget.others, checkpoint);
  budget.all = budget.own;
  if (budget.others.empty()) return;
  budget.all.insert(budget.all.end(), budget.others.begin(), budget.others.end());
  merge_accounts(budget.all, checkpoint);
}

std::vector<CountedLedger> counted_ledgers(Releases const& population, Policy const& policy,
                                           SerialPolicy const& demands) {
  std::vector<CountedLedger> counted;
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto left = apart ? demands.plan.horizon - 1 : -1;
  auto const begin = demands.period_begin(policy.version);
  for (auto release = population.rbegin(); release != population.rend() && left != 0; ++release) {
    if (release->method != policy.method) continue;
    bool const own = release->ledger == policy.ledger();
    if (!apart && own && release->version < begin) continue;
    auto at = std::ranges::find(counted, release->ledger, [](auto const& ledger) { return ledger.newest->ledger; });
    if (at == counted.end()) at = counted.insert(at, {&*release, {}, own});
    if (apart || at->versions.empty()) at->versions.push_back(release->version);
    --left;
  }
  return counted;
}

void require_budgets_as_written(PublishRun const& run) {
  for (auto const& ledger : counted_ledgers(run.population, run.policy, run.demanded<SerialPolicy>())) {
    std::optional<OwnLedger> owner;
    if (!ledger.own) owner.emplace(run.session, *ledger.newest);
    require_as_written(run.session, ledger.newest->name, ledger.newest->ledger, {"bound", "pair", "forgotten"});
  }
}

Budget read_budget(SpiSession& session, Releases const& population, Policy const& policy, SerialPolicy const& demands,
                   PersonCodes& persons, Checkpoint& checkpoint) {
  Budget budget;
  AccountReader reader(session, persons);
  for (auto const& ledger : counted_ledgers(population, policy, demands)) {
    std::optional<OwnLedger> owner;
    if (!ledger.own) owner.emplace(session, *ledger.newest);
    auto const& name = ledger.newest->ledger;
    auto const counts = reader.read(name, ledger.versions, budget, ledger.own ? budget.own : budget.others);
    require_complete(session, name, ledger.versions, counts);
  }
  combine(budget, checkpoint);
  return budget;
}

std::vector<BoundName> names_in(SpiSession& session, std::string const& ledger) {
  Budget names;
  read_names(session, ledger, names);
  return names.names;
}

Vector<Account> read_state(SpiSession& session, std::string const& ledger, std::int32_t version, PersonCodes& persons,
                           Budget& names, Checkpoint& checkpoint) {
  Vector<Account> state;
  AccountReader(session, persons).read(ledger, {version}, names, state);
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
          "INSERT INTO " + ledger_table(ledger, "bound") + " (number, attribute, value, below) VALUES ($1, $2, $3, $4)",
          {at->second, name.column, name.value, name.below});
  }
  return found;
}

namespace {

// Accounts that are alike but for their person.
struct Kind {
  std::int32_t bound, times;
  Ratio kept;
  std::size_t count = 0;
  bool is_of(Account const& account) const {
    return bound == account.bound && times == account.times && kept == account.kept;
  }
};

// Kinds in the order of first sight, and account -> kind.
struct Kinds {
  std::vector<Kind> kinds;
  Vector<std::int32_t> of;
};

Kinds kinds_of(Vector<Account> const& accounts, Checkpoint& checkpoint) {
  Kinds found;
  std::unordered_multimap<std::uint64_t, std::int32_t> by_hash;
  for (auto const& account : accounts) {
    checkpoint.tick();
    std::int64_t const key[] = {account.bound, account.times, account.kept.num, account.kept.den};
    auto const hash = hash_bytes({reinterpret_cast<char const*>(key), sizeof key});
    std::int32_t number = -1;
    for (auto [at, end] = by_hash.equal_range(hash); at != end && number < 0; ++at)
      if (found.kinds[static_cast<std::size_t>(at->second)].is_of(account)) number = at->second;
    if (number < 0) {
      number = static_cast<std::int32_t>(found.kinds.size());
      found.kinds.push_back({account.bound, account.times, account.kept});
      by_hash.emplace(hash, number);
    }
    ++found.kinds[static_cast<std::size_t>(number)].count;
    found.of.push_back(number);
  }
  return found;
}

// Rows of accounts: of many alike each number once, of others as often as there are persons.
class AccountWriter {
 public:
  AccountWriter(PublishRun const& run, SourceTable const& source, std::vector<std::int32_t> const& numbers,
                std::int32_t version)
      : numbers_(numbers),
        version_(version),
        written_(run.policy.version),
        keys_(source, run.checkpoint),
        writer_(run.session, ledger_table(run.policy.ledger(), "pair"),
                {"version", "written", "part", "bound", "persons", "met", "num", "den"}) {}

  // REQUIRES: of one bound; alike, if `alike`.
  void write(std::span<Account const> accounts, bool alike) {
    Vector<Code> persons;
    Vector<std::int64_t> met, num, den;
    for (auto const& account : accounts) {
      persons.push_back(account.person);
      if (alike && !met.empty()) continue;
      met.push_back(account.times);
      num.push_back(account.kept.num);
      den.push_back(account.kept.den);
    }
    writer_.put(std::int64_t{version_});
    writer_.put(std::int64_t{written_});
    writer_.put(++parts_);
    writer_.put(std::int64_t{numbers_[static_cast<std::size_t>(accounts.front().bound)]});
    keys_.put(writer_, persons, 0, persons.size());
    writer_.put(std::span<std::int64_t const>(met));
    writer_.put(std::span<std::int64_t const>(num));
    writer_.put(std::span<std::int64_t const>(den));
    writer_.end_row();
  }
  void finish() { writer_.finish(); }

 private:
  std::vector<std::int32_t> const& numbers_;
  std::int32_t version_;
  std::int32_t const written_;  // what was listed late is written for earlier versions
  std::int64_t parts_ = 0;
  KeyArrays keys_;
  BulkWriter writer_;
};

constexpr std::size_t kAccountsPerRow = 1000, kManyAlike = 20;

}  // namespace

void write_accounts(PublishRun const& run, SourceTable const& source, std::vector<std::int32_t> const& numbers,
                    Vector<Account> const& accounts, std::int32_t version) {
  auto const kinds = kinds_of(accounts, run.checkpoint);
  // Kinds of many accounts first, one after the other; then the others, bound by bound.
  std::vector<std::size_t> order(kinds.kinds.size());
  std::iota(order.begin(), order.end(), 0);
  auto const is_rare = [&](std::size_t kind) { return kinds.kinds[kind].count < kManyAlike; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (is_rare(a) != is_rare(b)) return is_rare(b);
    return is_rare(a) && kinds.kinds[a].bound < kinds.kinds[b].bound;
  });
  Vector<std::size_t> next(order.size());
  std::size_t all = 0;
  for (auto const kind : order) {
    next[kind] = all;
    all += kinds.kinds[kind].count;
  }
  Vector<Account> sorted(all);
  for (std::size_t i = 0; i < accounts.size(); ++i) sorted[next[static_cast<std::size_t>(kinds.of[i])]++] = accounts[i];
  AccountWriter writer(run, source, numbers, version);
  auto const write = [&](std::size_t begin, std::size_t end, bool alike) {
    for (; begin < end; begin += kAccountsPerRow)
      writer.write(std::span(sorted).subspan(begin, std::min(kAccountsPerRow, end - begin)), alike);
  };
  std::size_t begin = 0;
  for (std::size_t i = 0; i < order.size();) {
    bool const rare = is_rare(order[i]);
    auto const bound = kinds.kinds[order[i]].bound;
    std::size_t end = begin;
    do end += kinds.kinds[order[i++]].count;
    while (rare && i < order.size() && kinds.kinds[order[i]].bound == bound);
    write(begin, end, !rare);
    begin = end;
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
