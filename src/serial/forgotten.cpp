#include "serial/forgotten.h"

#include <openssl/evp.h>

#include <array>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "pg/strong_random.h"
#include "release/forget.h"
#include "release/ledger_format.h"
#include "serial/key_value.h"
#include "serial/place.h"

namespace anon_seq::serial {
namespace {

std::string hex(std::string_view bytes) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (char const c : bytes) {
    auto const byte = static_cast<unsigned char>(c);
    text += {kHex[byte >> 4], kHex[byte & 15]};
  }
  return text;
}

}  // namespace

std::optional<std::string> secret_of(SpiSession& session, std::string const& ledger) {
  auto const rows =
      session.execute("SELECT pg_catalog.encode(secret, 'hex') FROM " + ledger_table(ledger, "secret"), {}, true);
  if (rows.count() == 0) return std::nullopt;
  return rows.get(0, 1);
}

// sha256 of the secret's hex and the key.
std::string digest_of(std::string const& secret, std::string_view key) {
  std::string const text = secret + std::string(key);
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum;
  unsigned length = 0;
  if (EVP_Digest(text.data(), text.size(), sum.data(), &length, EVP_sha256(), nullptr) != 1)
    throw Error(Fault::kInternal, "could not compute sha256");
  return hex({reinterpret_cast<char const*>(sum.data()), length});
}

std::string digest_sql(std::string const& secret, std::string const& key) {
  return "sha256(convert_to(encode(" + secret + ", 'hex') || (" + key + ")::text, getdatabaseencoding()))";
}

namespace {

// The forgotten: digest -> his accounts, by version.
struct Forgotten {
  std::int32_t version;
  Account account;  // without a person
};
using AllForgotten = std::multimap<std::string, Forgotten>;

AllForgotten read_forgotten(SpiSession& session, std::string const& ledger, Budget& budget) {
  auto const rows = session.execute(
      sql_text(R"(
SELECT encode(f.digest, 'hex'), f.version, b.attribute, b.value, f.met, f.num, f.den
FROM {forgotten} AS f
JOIN {bound} AS b ON b.number = f.bound)",
               {{"forgotten", ledger_table(ledger, "forgotten")}, {"bound", ledger_table(ledger, "bound")}}),
      {}, true);
  AllForgotten all;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    Account account;
    account.bound = budget.number_of({rows.get(row, 3), rows.get(row, 4)});
    account.times = rows.int32(row, 5);
    account.kept = {rows.integer(row, 6), rows.integer(row, 7)};
    all.emplace(rows.get(row, 1), Forgotten{rows.int32(row, 2), account});
  }
  return all;
}

// For each person of the source whom a ledger has forgotten: work(digest, person).
template <class Work>
void each_returned(PublishRun const& run, std::string const& ledger, SourceTable const& source, AllForgotten const& all,
                   Work work) {
  if (all.empty()) return;
  auto const secret = secret_of(run.session, ledger);
  if (!secret) throw_missing();
  auto const& person = source.table.columns[source.person];
  for (Code const code : person.codes) {
    run.checkpoint.tick();
    auto const digest = digest_of(*secret, person.values[code]);
    if (all.contains(digest)) work(digest, code);
  }
}

// Accounts of who was forgotten by one ledger, by version.
std::map<std::int32_t, Vector<Account>> returned_to(PublishRun const& run, CountedLedger const& ledger,
                                                    SourceTable const& source, Budget& budget,
                                                    std::vector<std::string>& digests) {
  std::map<std::int32_t, Vector<Account>> returned;
  auto const& demands = run.demanded<SerialPolicy>();
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto const begin = ledger.own ? demands.period_begin(run.policy.version) : 1;
  auto const all = read_forgotten(run.session, ledger.newest->ledger, budget);
  std::map<std::string, std::int32_t> newest;  // of whom the ledger has several states only the last one counts
  for (auto const& [digest, forgotten] : all) newest[digest] = std::max(newest[digest], forgotten.version);
  each_returned(run, ledger.newest->ledger, source, all, [&](std::string const& digest, Code person) {
    digests.push_back(digest);
    auto const [from, to] = all.equal_range(digest);
    for (auto at = from; at != to; ++at) {
      auto const version = at->second.version;
      if (apart ? std::ranges::find(ledger.versions, version) == ledger.versions.end()
                : version < begin || version != newest[digest])
        continue;
      auto account = at->second.account;
      account.person = person;
      returned[apart ? version : ledger.newest->version].push_back(account);
    }
  });
  return returned;
}

}  // namespace

LedgerRelation secret_relation() {
  return {.name = "secret", .columns = "secret bytea NOT NULL, place text NOT NULL, lost int NOT NULL DEFAULT 0"};
}

LedgerRelation forgotten_relation() {
  return {.name = "forgotten",
          .columns =
              "digest bytea NOT NULL, version int NOT NULL, bound int NOT NULL, met int NOT NULL,"
              " num bigint NOT NULL, den bigint NOT NULL"};
}

void make_secret(SpiSession& session, std::string const& ledger) {
  if (secret_of(session, ledger)) return;
  StrongRandom random;
  std::string bytes;
  for (int i = 0; i < 4; ++i) {
    std::uint64_t const word = random.next();
    bytes.append(reinterpret_cast<char const*>(&word), sizeof word);
  }
  session.execute("INSERT INTO " + ledger_table(ledger, "secret") + " (secret, place) VALUES ($1, $2)",
                  {SqlValue::binary(bytes), place_of(session, ledger)});
}

namespace {

std::vector<std::int32_t> versions_with_pairs(SpiSession& session, std::string const& ledger) {
  auto const rows = session.execute("SELECT DISTINCT version FROM " + ledger_table(ledger, "pair"), {}, true);
  std::vector<std::int32_t> versions;
  for (std::uint64_t row = 0; row < rows.count(); ++row) versions.push_back(rows.int32(row, 1));
  return versions;
}

}  // namespace

std::set<std::int32_t> forget(ForgetRequest const& request) {
  auto const versions = versions_with_person(request);
  auto& session = request.session;
  auto const& ledger = request.release.ledger;
  auto const secret = secret_of(session, ledger);
  if (!secret) return versions;
  Dictionary keys;
  keys.add_hidden("");
  keys.index();
  PersonCodes persons(keys, key_value(session, ledger));
  Code person = kNoCode;
  auto const key = request.key.substr(2);  // the cast after $1
  DatumCursor asked(session, "SELECT ARRAY[" + sql_literal(request.person) + key + "]");
  while (asked.next())
    for (std::size_t row = 0; row < asked.rows(); ++row)
      person = persons.of(asked.elements(row, 0, persons.array_type()).values[0]);
  Budget names;
  InterruptCheckpoint checkpoint;
  for (auto const version : versions_with_pairs(session, ledger))
    for (auto const& account : read_state(session, ledger, version, persons, names, checkpoint))
      if (account.person == person)
        session.execute("INSERT INTO " + ledger_table(ledger, "forgotten") +
                            " (digest, version, bound, met, num, den)"
                            " SELECT pg_catalog.decode($1, 'hex'), $2, number, $3, $4::bigint, $5::bigint FROM " +
                            ledger_table(ledger, "bound") + " WHERE attribute = $6 AND value = $7",
                        {digest_of(*secret, keys[person]), version, account.times, std::to_string(account.kept.num),
                         std::to_string(account.kept.den), names.names[static_cast<std::size_t>(account.bound)].column,
                         names.names[static_cast<std::size_t>(account.bound)].value});
  return versions;
}

Returned add_returned(PublishRun const& run, SourceTable const& source, Budget& budget) {
  Returned returned;
  for (auto const& ledger : counted_ledgers(run.population, run.policy, run.demanded<SerialPolicy>())) {
    std::optional<OwnLedger> owner;
    if (!ledger.own) owner.emplace(run.session, *ledger.newest);
    std::vector<std::string> digests;
    auto accounts = returned_to(run, ledger, source, budget, digests);
    auto& into = ledger.own ? budget.own : budget.others;
    for (auto const& [version, of] : accounts) into.insert(into.end(), of.begin(), of.end());
    if (ledger.own) returned = {std::move(accounts), std::move(digests)};
  }
  combine(budget, run.checkpoint);
  return returned;
}

void drop_returned(PublishRun const& run, Returned const& returned) {
  for (auto const& digest : returned.digests)
    run.session.execute("DELETE FROM " + ledger_table(run.policy.ledger(), "forgotten") +
                            " WHERE digest = pg_catalog.decode($1, 'hex')",
                        {digest});
}

}  // namespace anon_seq::serial
