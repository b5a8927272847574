#include "serial/forgotten.h"

#include <openssl/evp.h>

#include <array>

#include "catalog/ledger.h"
#include "pg/sql_text.h"
#include "pg/strong_random.h"
#include "release/forget.h"
#include "release/ledger_format.h"
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

// As hex; nothing: the ledger has none yet.
std::optional<std::string> secret_of(SpiSession& session, std::string const& ledger) {
  auto const rows =
      session.execute("SELECT pg_catalog.encode(secret, 'hex') FROM " + ledger_table(ledger, "secret"), {}, true);
  if (rows.count() == 0) return std::nullopt;
  return rows.get(0, 1);
}

// sha256 of the secret's hex and the key, as hex: what SQL's sha256(convert_to(...)) gives in this encoding.
std::string digest_of(std::string const& secret, std::string_view key) {
  std::string const text = secret + std::string(key);
  std::array<unsigned char, EVP_MAX_MD_SIZE> sum;
  unsigned length = 0;
  if (EVP_Digest(text.data(), text.size(), sum.data(), &length, EVP_sha256(), nullptr) != 1)
    throw Error(Fault::kInternal, "could not compute sha256");
  return hex({reinterpret_cast<char const*>(sum.data()), length});
}

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

// For each person of the source whom the ledger has among its forgotten: work(digest, person).
template <class Work>
void each_returned(PublishRun const& run, std::string const& ledger, SourceTable const& source, AllForgotten const& all,
                   Work work) {
  auto const secret = secret_of(run.session, ledger);
  if (!secret || all.empty()) return;
  auto const& person = source.table.columns[source.person];
  KeyTexts texts(person, source.person_value, run.checkpoint);
  for (Code const code : person.codes) {
    run.checkpoint.tick();
    auto const digest = digest_of(*secret, texts[code]);
    if (all.contains(digest)) work(digest, code);
  }
}

// Under a window: its versions of that ledger that count.
std::set<std::int32_t> versions_in_window(PublishRun const& run, SerialPolicy const& demands,
                                          std::string const& ledger) {
  std::set<std::int32_t> versions;
  auto left = demands.plan.horizon - 1;
  for (auto release = run.population.rbegin(); release != run.population.rend() && left > 0; ++release) {
    if (release->method != run.policy.method) continue;
    if (release->ledger == ledger) versions.insert(release->version);
    --left;
  }
  return versions;
}

// What counts of the forgotten: under a window the charges of its versions, else everybody's last state, if it is none
// of a horizon before `begin`.
AllForgotten read_counting(PublishRun const& run, std::string const& ledger, std::int32_t begin, Budget& budget) {
  auto const& demands = run.demanded<SerialPolicy>();
  auto const all = read_forgotten(run.session, ledger, budget);
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto const in_window = apart ? versions_in_window(run, demands, ledger) : std::set<std::int32_t>();
  std::map<std::string, std::int32_t> newest;
  for (auto const& [digest, forgotten] : all) newest[digest] = std::max(newest[digest], forgotten.version);
  AllForgotten counting;
  for (auto const& [digest, forgotten] : all)
    if (apart ? in_window.contains(forgotten.version)
              : forgotten.version == newest[digest] && forgotten.version >= begin)
      counting.emplace(digest, forgotten);
  return counting;
}

// The ledgers of other policies keep theirs until these policies publish the person themselves.
void add_returned_elsewhere(PublishRun const& run, SourceTable const& source, Budget& budget) {
  std::set<std::string> met{run.policy.ledger()};
  for (auto const& release : run.population) {
    if (release.method != run.policy.method || !met.insert(release.ledger).second) continue;
    OwnLedger const owner(run.session, release);
    auto const all = read_counting(run, release.ledger, 1, budget);
    each_returned(run, release.ledger, source, all, [&](std::string const& digest, Code person) {
      auto const [from, to] = all.equal_range(digest);
      for (auto at = from; at != to; ++at) {
        budget.others.push_back(at->second.account);
        budget.others.back().person = person;
      }
    });
  }
}

}  // namespace

std::vector<LedgerRelation> forgotten_relations() {
  return {{.name = "secret", .columns = "secret bytea NOT NULL, place text NOT NULL, lost int NOT NULL DEFAULT 0"},
          {.name = "forgotten",
           .columns = "digest bytea NOT NULL, version int NOT NULL, bound int NOT NULL, met int NOT NULL,"
                      " num bigint NOT NULL, den bigint NOT NULL"}};
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

std::set<std::int32_t> forget(ForgetRequest const& request) {
  auto const versions = versions_with_person(request);
  auto const& ledger = request.release.ledger;
  request.session.execute(sql_text(R"(
INSERT INTO {forgotten} (digest, version, bound, met, num, den)
SELECT sha256(convert_to(encode(s.secret, 'hex') || ({key})::text, getdatabaseencoding())),
       p.version, p.bound, u.met, u.num, u.den
FROM {secret} AS s
CROSS JOIN {pair} AS p
CROSS JOIN LATERAL unnest(p.persons, p.met, p.num, p.den) AS u (person, met, num, den)
WHERE p.persons @> ARRAY[{key}]
  AND u.person = {key})",
                                   {{"forgotten", ledger_table(ledger, "forgotten")},
                                    {"secret", ledger_table(ledger, "secret")},
                                    {"pair", ledger_table(ledger, "pair")},
                                    {"key", request.key}}),
                          {request.person});
  return versions;
}

Returned add_returned(PublishRun const& run, SourceTable const& source, Budget& budget) {
  Returned returned;
  add_returned_elsewhere(run, source, budget);
  auto const& demands = run.demanded<SerialPolicy>();
  bool const apart = demands.plan.kind == PlanKind::kWindow;
  auto const ledger = run.policy.ledger();
  auto const all = read_counting(run, ledger, demands.period_begin(run.policy.version), budget);
  each_returned(run, ledger, source, all, [&](std::string const& digest, Code person) {
    returned.digests.push_back(digest);
    auto const [from, to] = all.equal_range(digest);
    for (auto at = from; at != to; ++at) {
      Account account = at->second.account;
      account.person = person;
      returned.accounts[apart ? at->second.version : run.policy.version - 1].push_back(account);
      budget.own.push_back(account);
    }
  });
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
