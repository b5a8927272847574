#include "release/version.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/report.h"
#include "pg/subtransaction.h"
#include "release/declare.h"
#include "release/ledger_format.h"

namespace anon_seq::release {
namespace {

Release const* last_version(PublishRun const& run) {
  for (auto const& release : run.population)
    if (release.name == run.policy.name && release.version == run.policy.version - 1 && !release.withdrawn)
      return &release;
  return nullptr;
}

// Of all but the content.
std::string context_print(PublishRun const& run) {
  auto const& policy = run.policy;
  std::string context = policy.parameters + policy.options + columns_json(policy.columns);
  for (auto const& release : run.population)
    if (release.is_registered()) context += " " + release.ledger;
  char text[32];
  pg_snprintf(text, sizeof text, "-%016llx", static_cast<unsigned long long>(hash_bytes(context)));
  return text;
}

std::optional<Release> last_again(PublishRun const& run) {
  auto const* const last = last_version(run);
  if (last == nullptr) return std::nullopt;
  undo_version(run.session, run.policy);
  notice("content of policy " + quoted(run.policy.name) + " has not changed since version " +
             std::to_string(last->version),
         "No new version was made.");
  return *last;
}

}  // namespace

std::string fingerprint(PublishRun const& run, SourceTable const& content) {
  return content.fingerprint + context_print(run);
}

std::optional<Release> untouched(PublishRun const& run) {
  if (!run.watched.known || run.watched.noted || !run.last.there || !run.last.fingerprint.ends_with(context_print(run)))
    return std::nullopt;
  return last_again(run);
}

std::optional<Release> repeated(PublishRun const& run, std::string const& print) {
  if (!run.last.there || run.last.fingerprint != print) return std::nullopt;
  return last_again(run);
}

Release describe(Policy const& policy, CellCounts const& cells) {
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
  return release;
}

namespace {

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

}  // namespace

namespace {

// Whether a table has grown by a tenth since it was looked at last.
bool has_grown(SpiSession& session, Oid table) {
  return session.exists(
      "SELECT FROM pg_class AS c WHERE c.oid = $1"
      " AND (c.reltuples <= 0 OR pg_relation_size(c.oid) > 1.1 * c.relpages * current_setting('block_size')::int8)",
      {SqlValue::oid(table)});
}

}  // namespace

void analyze_ledger(PublishRun const& run) {
  auto const shapes = run.method.relations(run.policy);
  bool const shared = std::ranges::all_of(shapes, [](auto const& shape) { return shape.is_shared(); });
  for (auto const& relation : ledger_of(run.method, run.policy, run.source.key.type).relations) {
    Oid const table = ledger_part(run.session, run.policy.ledger(), relation.name);
    if (relation.analyzed && OidIsValid(table) && (!shared || has_grown(run.session, table)))
      analyze(run.session, ledger_table(run.policy.ledger(), relation.name));
  }
}

void analyze_relations(SpiSession& session, Release const& release) {
  for (auto const& relation : release.relations)
    if (!relation.is_view()) analyze(session, relation.name);
}

#ifdef ANON_SEQ_SELFTEST
namespace {

std::string spoiling;  // what spoil_next_release() was told

}  // namespace

void spoil_next_release(std::string const& assignment) { spoiling = assignment; }

void spoil(PublishRun const& run) {
  if (spoiling.empty()) return;
  auto const assignment = std::exchange(spoiling, {});
  for (auto const& relation : ledger_of(run.method, run.policy, run.source.key.type).relations) {
    if (relation.counts_by.empty()) continue;
    auto const table = ledger_table(run.policy.ledger(), relation.name);
    run.session.execute("UPDATE " + table + " SET " + assignment + " WHERE ctid = (SELECT pg_catalog.min(ctid) FROM " +
                        table + " WHERE " + relation.counts_by + " = " + std::to_string(run.policy.version) + ")");
  }
}
#endif

}  // namespace anon_seq::release
