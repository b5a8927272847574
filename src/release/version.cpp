#include "release/version.h"

#include "catalog/ledger.h"
#include "pg/subtransaction.h"
#include "release/declare.h"

namespace anon_seq::release {
namespace {

char spoiling[200];  // what spoil_next_release() was told

std::optional<Release> last_version(SpiSession& session, Policy const& policy) {
  for (auto& release : releases_of(session, policy.population))
    if (release.name == policy.name && release.version == policy.version - 1 && !release.withdrawn)
      return std::move(release);
  return std::nullopt;
}

}  // namespace

void notice(std::string const& text, char const* hint) {
  char const* const message = text.c_str();
  call_pg([message, hint]() noexcept {
    ereport(NOTICE, (errmsg_internal("%s", message), hint == nullptr ? 0 : errhint("%s", hint)));
  });
}

void require_same_shape(SpiSession& session, Policy const& policy) {
  auto definition = definition_of(policy);
  definition.source = source_of(session, policy);
  auto const now = resolve(session, definition);
  std::string changed;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    if (now.columns[i].type != policy.columns[i].type) changed = policy.columns[i].column;
  if (policy.person) {
    auto const rows = session.execute(
        "SELECT pg_catalog.format_type(t.typelem, a.atttypmod) FROM pg_catalog.pg_attribute AS a"
        " JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
        " WHERE a.attrelid = pg_catalog.to_regclass($1) AND a.attname = 'persons'",
        {ledger_table(policy.ledger(), policy.method == "incremental" ? "member" : "person")}, true);
    auto const kept = rows.text(0, 1);
    if (kept && *kept != person_type(session, policy)) changed = *policy.person;
  }
  if (!changed.empty())
    throw Error(Fault::kType,
                "column " + quoted(changed) + " of the source has another type than when policy " +
                    quoted(policy.name) + " was declared",
                "Releases of a policy keep their columns and types.",
                "Give it back its type, point the policy to a view that does, or declare another policy.");
}

std::string fingerprint(SpiSession& session, Policy const& policy, SourceTable const& source) {
  std::string context = policy.parameters + policy.options + columns_json(policy.columns);
  for (auto const& release : releases_of(session, policy.population))
    if (release.method == "registered") context += " " + release.ledger;
  char text[32];
  pg_snprintf(text, sizeof text, "-%016llx", static_cast<unsigned long long>(hash_bytes(context)));
  return source.fingerprint + text;
}

std::optional<Release> repeated(SpiSession& session, Policy const& policy, std::string const& print) {
  auto const rows = session.execute("SELECT fingerprint FROM " + ledger_table(policy.ledger(), "note") +
                                        " WHERE version = " + std::to_string(policy.version - 1),
                                    {}, true);
  if (rows.count() != 1 || rows.get(0, 1) != print) return std::nullopt;
  auto last = last_version(session, policy);
  if (!last) return std::nullopt;
  undo_version(session, policy);
  notice("content of policy " + quoted(policy.name) + " has not changed since version " + std::to_string(last->version),
         "No new version was made.");
  return last;
}

Release describe(Policy const& policy, ReleaseCells const& cells, std::string digest) {
  Release release;
  release.name = policy.name;
  release.version = policy.version;
  release.ledger = policy.ledger();
  release.method = policy.method;
  release.population = policy.population;
  release.published = cells.published;
  release.withheld = cells.withheld;
  release.classes = cells.classes;
  release.smallest_class = cells.smallest_class;
  release.parameters = policy.parameters;
  release.options = policy.options;
  release.columns = policy.columns;
  release.digest = std::move(digest);
  return release;
}

void analyze(SpiSession& session, Policy const& policy, std::initializer_list<char const*> tables) {
  for (char const* table : tables) analyze(session, ledger_table(policy.ledger(), table));
}

void analyze(SpiSession& session, std::string const& relation) {
  Settings const small({{"default_statistics_target", "10"}});
  try {
    SubTransaction work;
    session.execute("ANALYZE " + relation);
    work.commit();
  } catch (PgError const& error) {  // later servers gather no statistics of ranges wider than double precision
    if (error.data->sqlerrcode != ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE) throw;
  }
}

void spoil_next_release(std::string const& assignment) { strlcpy(spoiling, assignment.c_str(), sizeof spoiling); }

void spoil(SpiSession& session, Policy const& policy, char const* table, std::string const& rows) {
  if (spoiling[0] == '\0') return;
  std::string const assignment = spoiling;
  spoiling[0] = '\0';
  session.execute("UPDATE " + ledger_table(policy.ledger(), table) + " SET " + assignment + " WHERE " + rows);
}

}  // namespace anon_seq::release
