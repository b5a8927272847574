#include "incremental/changed_rows.h"

#include <optional>

#include "catalog/ledger.h"
#include "incremental/key_rows.h"
#include "pg/roles.h"
#include "release/declare.h"

namespace anon_seq::incremental {
namespace {

void require_distinct(Column const& keys, std::string const& name) {
  for (Code code : keys.codes)
    if (code == kNull) throw Error(Fault::kData, "column " + quoted(name) + " holds NULL, but names persons");
  auto const persons = static_cast<std::size_t>(keys.distinct()) - 1;
  if (persons == keys.codes.size()) return;
  throw Error(Fault::kData, "column " + quoted(name) + " names persons, but some have several rows",
              std::to_string(persons) + " persons have " + std::to_string(keys.codes.size()) + " rows.",
              "An incremental release has one row per person: aggregate in a view, or use a sequential policy.");
}

// The keys that are not published in the last version. False if there are so many that all rows may as well be read.
bool find_unpublished(Column const& keys, Column& published, KeyRows& rows, Checkpoint& checkpoint) {
  constexpr std::size_t kMost = 200000;
  published.values.index();
  for (Code code = 1; code < keys.distinct(); ++code) {
    checkpoint.tick();
    if (published.values.find(keys.values[code]) != kNoCode) continue;
    if (rows.size() == kMost) return false;
    rows.add(code);
  }
  rows.publish();
  return true;
}

}  // namespace

SourceTable read_changed(IncrementalState& state, std::vector<std::string> const& columns) {
  auto& session = state.run.session;
  auto& checkpoint = state.run.checkpoint;
  Policy const& policy = *state.policy;
  Oid const relation = state.run.source.relation, owner = state.run.source.reader;
  auto const& person = state.run.source.key;
  std::string const what = "source " + qualified_name(relation);
  SourceTable source;
  source.person = 0;
  source.person_type = person.type;
  auto const all_keys = select_with_key(session, relation, person, {});
  std::optional<ActingAs> as(owner);
  auto keys = read_keys(session, all_keys, what, checkpoint);
  as.reset();
  require_distinct(keys, *policy.person);
  std::string const last_version = std::to_string(policy.version - 1);
  auto published = read_keys(session,
                             "SELECT person FROM " + ledger_table(policy.ledger(), "object") +
                                 " WHERE person IS NOT NULL AND version = " + last_version +
                                 " AND object NOT IN (SELECT pg_catalog.unnest(deferred) FROM " +
                                 ledger_table(policy.ledger(), "note") + " WHERE version = " + last_version + ")",
                             "ledger of policy " + quoted(policy.name), checkpoint);
  std::string const stamp = quote_name(state.demands.changed_since);
  auto const& last = state.run.last.changed_since;
  std::string query = select_with_key(session, relation, person, columns);
  ValueType type;
  {
    ActingAs const reader(owner);
    type = RowReader(session, query + " LIMIT 0", what).types().front();
  }
  KeyRows wanted(keys, type, checkpoint);
  if (last && find_unpublished(keys, published, wanted, checkpoint))
    query += " WHERE " + stamp + " IS NULL OR " + stamp + " >= " + sql_literal(*last) + " OR " + person.expression +
             " IN (" + wanted.select(person) + ")";
  Settings const planning({{"work_mem", "64MB"}});  // so that the keys are hashed
  as.emplace(owner);
  RowReader reader(session, query, what, {}, 1);
  as.reset();
  for (std::size_t i = 0; i < policy.columns.size(); ++i) state.store->seed(reader, i, i + 1);
  as.emplace(owner);
  source.table = reader.finish(checkpoint);
  as.reset();
  if (person.is_composite()) source.table.columns.front().name.clear();
  for (auto const& of : reader.types()) source.types.push_back(of.type);
  source.person_value = type;
  source.persons = keys.distinct() - 1;
  auto& read = source.table.columns.front();
  read.values.index();
  for (Code code = 1; code < keys.distinct(); ++code)
    if (read.values.find(keys.values[code]) == kNoCode) read.values.add_hidden(keys.values[code]);
  return source;
}

std::optional<std::string> watermark(IncrementalState const& state) {
  if (state.demands.changed_since.empty()) return std::nullopt;
  auto const source = qualified_name(state.run.source.relation);
  InterruptCheckpoint checkpoint;
  ActingAs const reader(state.run.source.reader);
  auto const table = RowReader(state.run.session,
                               "SELECT pg_catalog.max(" + quote_name(state.demands.changed_since) +
                                   ")::pg_catalog.text AS stamp FROM " + source,
                               "source " + source)
                         .finish(checkpoint);
  auto const& stamp = table.columns.front();
  if (stamp.codes.front() == kNull) return std::nullopt;
  return std::string(stamp.values[stamp.codes.front()]);
}

}  // namespace anon_seq::incremental
