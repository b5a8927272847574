#include "serial/forgotten.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "release/forget.h"
#include "release/key_digest.h"
#include "release/ledger_format.h"
#include "serial/key_value.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

// One of the forgotten: of which versions nobody knows his classes, and accounts that are to be his again, each without
// a person. Who has returned has no such accounts any more.
struct Forgotten {
  std::int32_t last = 0;                          // the newest of these versions
  std::multimap<std::int32_t, Account> accounts;  // by the version of the state that had them
};
using AllForgotten = std::map<std::string, Forgotten>;  // by digest

AllForgotten read_forgotten(SpiSession& session, std::string const& ledger, Budget& budget) {
  auto const rows = session.execute(
      sql_text(R"(
SELECT encode(f.digest, 'hex'), f.version, b.attribute, b.value, f.met, f.num, f.den, b.below
FROM {forgotten} AS f
LEFT JOIN {bound} AS b ON b.number = f.bound)",
               {{"forgotten", ledger_table(ledger, "forgotten")}, {"bound", ledger_table(ledger, "bound")}}),
      {}, true);
  AllForgotten all;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto& forgotten = all[rows.get(row, 1)];
    auto const version = rows.int32(row, 2);
    if (!rows.text(row, 3)) {
      forgotten.last = std::max(forgotten.last, version);
      continue;
    }
    Account account;
    account.bound = budget.number_of({rows.get(row, 3), rows.get(row, 4), rows.get(row, 8)});
    account.times = rows.int32(row, 5);
    account.kept = {rows.integer(row, 6), rows.integer(row, 7)};
    forgotten.accounts.emplace(version, account);
  }
  return all;
}

// Of values that were listed after he was forgotten: the worst that each version until then may have told of him.
std::multimap<std::int32_t, Account> late_accounts(Forgotten const& forgotten, Worst const& worst, bool apart) {
  std::map<std::int32_t, Account> together;
  std::multimap<std::int32_t, Account> late;
  for (auto const& [version, bounds] : worst) {
    if (version > forgotten.last) break;
    for (auto const& [bound, kept] : bounds) {
      if (apart) {
        late.emplace(version, Account{kNull, bound, 1, kept});
        continue;
      }
      auto& account = together.try_emplace(bound, Account{kNull, bound, 0, {1, 1}}).first->second;
      ++account.times;
      account.kept = times(account.kept, kept);
    }
  }
  auto const state = std::max(forgotten.last, forgotten.accounts.empty() ? 0 : forgotten.accounts.rbegin()->first);
  for (auto const& [bound, account] : together) late.emplace(state, account);
  return late;
}

// For each person of the source whom a ledger has forgotten: work(digest, person).
template <class Work>
void each_returned(PublishRun const& run, std::string const& ledger, SourceTable const& source, AllForgotten const& all,
                   Worst const& worst, Work work) {
  auto const says_nothing = [&](auto const& one) { return one.second.accounts.empty() && worst.empty(); };
  if (std::ranges::all_of(all, says_nothing)) return;
  auto const secret = secret_of(run.session, ledger);
  if (!secret) throw_missing();
  auto const& person = source.table.columns[source.person];
  KeyTexts texts(person, source.person_value, run.checkpoint);
  for (Code const code : person.codes) {
    run.checkpoint.tick();
    auto const digest = key_digest(*secret, texts[code]);
    if (all.contains(digest)) work(digest, code);
  }
}

// Accounts of who was forgotten by one ledger, by version.
std::map<std::int32_t, Vector<Account>> returned_to(PublishRun const& run, CountedLedger const& ledger,
                                                    SourceTable const& source, Worst const& worst, Budget& budget,
                                                    std::vector<std::string>& digests) {
  std::map<std::int32_t, Vector<Account>> returned;
  auto const& demands = run.demanded<SerialPolicy>();
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto const begin = ledger.own ? demands.period_begin(run.policy.version) : 1;
  auto const all = read_forgotten(run.session, ledger.newest->ledger, budget);
  each_returned(run, ledger.newest->ledger, source, all, worst, [&](std::string const& digest, Code person) {
    digests.push_back(digest);
    auto const& forgotten = all.at(digest);
    auto accounts = forgotten.accounts;
    accounts.merge(late_accounts(forgotten, worst, apart));
    for (auto [version, account] : accounts) {
      // Of several states only the last one counts.
      if (apart ? std::ranges::find(ledger.versions, version) == ledger.versions.end()
                : version < begin || version != accounts.rbegin()->first)
        continue;
      account.person = person;
      returned[apart ? version : ledger.newest->version].push_back(account);
    }
  });
  return returned;
}

}  // namespace

Vector<Account> accounts_of_forgotten(SpiSession& session, CountedLedger const& ledger, bool apart, Budget& names) {
  Vector<Account> found;
  for (auto const& [digest, forgotten] : read_forgotten(session, ledger.newest->ledger, names)) {
    std::map<std::int32_t, Account> together;
    for (auto const& [version, account] : forgotten.accounts) {
      if (apart ? std::ranges::find(ledger.versions, version) == ledger.versions.end()
                : version != forgotten.accounts.rbegin()->first)
        continue;
      auto& sum = together.try_emplace(account.bound, Account{kNull, account.bound, 0, {1, 1}}).first->second;
      sum.times += account.times;
      sum.kept = times(sum.kept, account.kept);
    }
    for (auto const& [bound, account] : together) found.push_back(account);
  }
  return found;
}

LedgerRelation secret_relation() {
  return {.name = "secret",
          .columns = "secret bytea PRIMARY KEY, refused bigint GENERATED BY DEFAULT AS IDENTITY"};  // see refused.h
}

// A row without a bound: the last version that showed him then; it stays when he returns.
LedgerRelation forgotten_relation() {
  return {.name = "forgotten",
          .columns =
              "digest bytea NOT NULL, version int NOT NULL, bound int, met int NOT NULL, num bigint NOT NULL,"
              " den bigint NOT NULL, entry bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"};
}

void make_secret(SpiSession& session, std::string const& ledger) {
  if (secret_of(session, ledger)) return;
  session.execute("INSERT INTO " + ledger_table(ledger, "secret") + " (secret, refused) VALUES ($1, 0)",
                  {SqlValue::binary(new_secret())});
}

void require_secrets(PublishRun const& run) {
  std::vector<std::string> ledgers;
  for (auto const& release : run.population) {
    if (release.method != run.policy.method || std::ranges::find(ledgers, release.ledger) != ledgers.end()) continue;
    ledgers.push_back(release.ledger);
    OwnLedger const owner(run.session, release);
    if (!secret_of(run.session, release.ledger))
      throw Error(Fault::kDamaged, "the ledger of a serial policy is damaged", "It has no secret any more.");
  }
}

namespace {

std::vector<std::int32_t> versions_with_pairs(SpiSession& session, std::string const& ledger) {
  auto const rows = session.execute("SELECT DISTINCT version FROM " + ledger_table(ledger, "pair"), {}, true);
  std::vector<std::int32_t> versions;
  for (std::uint64_t row = 0; row < rows.count(); ++row) versions.push_back(rows.int32(row, 1));
  return versions;
}

// number: of the account's bound in the ledger; nothing: the row says which version was his last.
void insert_forgotten(SpiSession& session, std::string const& ledger, std::string const& digest, std::int32_t version,
                      std::optional<std::int32_t> number, Account const& account) {
  session.execute("INSERT INTO " + ledger_table(ledger, "forgotten") +
                      " (digest, version, bound, met, num, den)"
                      " VALUES (pg_catalog.decode($1, 'hex'), $2, " +
                      (number ? std::to_string(*number) : "NULL") + ", $3, $4::bigint, $5::bigint)",
                  {digest, version, account.times, std::to_string(account.kept.num), std::to_string(account.kept.den)});
}

std::int32_t number_in(SpiSession& session, std::string const& ledger, Budget const& names, std::int32_t bound) {
  auto const& name = names.names[static_cast<std::size_t>(bound)];
  return session
      .execute(
          "SELECT number FROM " + ledger_table(ledger, "bound") + " WHERE attribute = $1 AND value = $2 AND below = $3",
          {name.column, name.value, name.below})
      .int32(0, 1);
}

}  // namespace

std::set<std::int32_t> forget(ForgetRequest const& request) {
  auto const versions = versions_with_person(request);
  auto& session = request.session;
  auto const& ledger = request.release.ledger;
  auto const secret = secret_of(session, ledger);
  if (!secret) return versions;
  Column known;
  known.values.add_hidden("");
  auto const type = key_value(session, ledger);
  PersonCodes persons(known.values, type);
  Code person = kNoCode;
  auto const key = request.key.substr(2);  // the cast after $1
  DatumCursor asked(session, "SELECT ARRAY[" + sql_literal(request.person) + key + "]");
  while (asked.next())
    for (std::size_t row = 0; row < asked.rows(); ++row)
      person = persons.of(asked.elements(row, 0, persons.array_type()).values[0]);
  if (versions.empty()) return versions;
  Budget names;
  InterruptCheckpoint checkpoint;
  auto const digest = key_digest(*secret, KeyTexts(known, type, checkpoint)[person]);
  auto const states = versions_with_pairs(session, ledger);
  if (terms_of(request.release).plan.kind != PlanKind::kWindow && !states.empty())  // what he never came back for
    session.execute("UPDATE " + ledger_table(ledger, "forgotten") +
                        " SET version = $2 WHERE digest = pg_catalog.decode($1, 'hex') AND bound IS NOT NULL",
                    {digest, std::ranges::max(states)});
  insert_forgotten(session, ledger, digest, *versions.rbegin(), std::nullopt, {});
  for (auto const version : states)
    for (auto const& account : read_state(session, ledger, version, persons, names, checkpoint))
      if (account.person == person)
        insert_forgotten(session, ledger, digest, version, number_in(session, ledger, names, account.bound), account);
  return versions;
}

Returned add_returned(PublishRun const& run, SourceTable const& source, Past const& past, Budget& budget) {
  Returned returned;
  for (auto const& ledger : counted_ledgers(run.population, run.policy, run.demanded<SerialPolicy>())) {
    std::optional<OwnLedger> owner;
    if (!ledger.own) owner.emplace(run.session, *ledger.newest);
    std::vector<std::string> digests;
    auto const worst = past.worst.find(ledger.newest->ledger);
    auto accounts =
        returned_to(run, ledger, source, worst == past.worst.end() ? Worst() : worst->second, budget, digests);
    auto& into = ledger.own ? budget.own : budget.others;
    for (auto const& [version, of] : accounts) into.insert(into.end(), of.begin(), of.end());
    if (ledger.own) returned = {std::move(accounts), std::move(digests)};
  }
  combine(budget, run.checkpoint);
  return returned;
}

void keep_forgotten(PublishRun const& run, Returned const& returned, Past const& past,
                    std::vector<std::int32_t> const& numbers) {
  auto const ledger = run.policy.ledger();
  for (auto const& digest : returned.digests)
    run.session.execute("DELETE FROM " + ledger_table(ledger, "forgotten") +
                            " WHERE digest = pg_catalog.decode($1, 'hex') AND bound IS NOT NULL",
                        {digest});
  auto const worst = past.worst.find(ledger);
  if (worst == past.worst.end()) return;
  bool const apart = run.demanded<SerialPolicy>().plan.kind == PlanKind::kWindow;
  Budget names;
  for (auto const& [digest, forgotten] : read_forgotten(run.session, ledger, names))
    if (std::ranges::find(returned.digests, digest) == returned.digests.end())
      for (auto const& [version, account] : late_accounts(forgotten, worst->second, apart))
        insert_forgotten(run.session, ledger, digest, version, numbers[static_cast<std::size_t>(account.bound)],
                         account);
}

}  // namespace anon_seq::serial
