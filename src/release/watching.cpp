#include "release/watching.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "catalog/ledger_maker.h"
#include "catalog/rights.h"
#include "pg/array_text.h"
#include "pg/lock_wait.h"
#include "pg/no_column.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "pg/value_type.h"
#include "release/watch_state.h"
#include "release/watched.h"

extern "C" {
#include "catalog/dependency.h"
#include "catalog/pg_inherits.h"
#include "storage/lmgr.h"
}

namespace anon_seq::release {
namespace {

constexpr std::size_t kMostKeys = 32;

struct KeyColumn {
  std::string name, type;  // as SQL, a domain as what it is over
};

std::vector<KeyColumn> key_columns(SpiSession& session, Oid source, std::vector<std::string> const& keys) {
  if (keys.empty())
    throw Error(Fault::kParameter, "argument \"keys\" must name at least one column", "",
                "Name the columns that tell persons apart, of all policies that publish this source.");
  if (keys.size() > kMostKeys)
    throw Error(Fault::kParameter, "argument \"keys\" has more than " + std::to_string(kMostKeys) + " columns");
  std::vector<KeyColumn> columns;
  for (auto const& key : keys) {
    if (std::any_of(columns.begin(), columns.end(), [&](auto const& column) { return column.name == key; }))
      throw Error(Fault::kParameter, "column " + quoted(key) + " is named twice");
    auto const rows = session.execute(
        "SELECT a.atttypid, a.atttypmod FROM pg_catalog.pg_attribute AS a"
        " WHERE a.attrelid = $1 AND a.attname = $2 AND a.attnum > 0 AND NOT a.attisdropped",
        {SqlValue::oid(source), key}, true);
    if (rows.count() == 0) throw NoColumn(session, source, key);
    (void)value_type_of(rows.oid(0, 1), key);  // one that can name persons
    columns.push_back({key, base_type_name(rows.oid(0, 1), rows.int32(0, 2))});
  }
  return columns;
}

Oid owner_of(SpiSession& session, Oid relation) {
  return session
      .execute("SELECT c.relowner FROM pg_catalog.pg_class AS c WHERE c.oid = $1", {SqlValue::oid(relation)}, true)
      .oid(0, 1);
}

void require_owner(SpiSession& session, Oid source) {
  (void)qualified_name(source);  // there is one
  if (has_rights_of(session, owner_of(session, source))) return;
  throw Error(Fault::kPrivilege, "must be owner of relation " + qualified_name(source),
              "Watching a table makes triggers on it, and keeps keys of its rows.",
              "Ask a member of role " + quote_name(role_name(owner_of(session, source))) + ".");
}

void require_watchable(SpiSession& session, Oid source) {
  auto const what = unwatchable(session, source);
  if (what.empty()) return;
  throw Error(Fault::kUnsupported, "relation " + qualified_name(source) + " cannot be watched: " + what,
              "Triggers would not notice all changes of what is read from it.",
              "Watch a plain or partitioned table that the policy reads itself; any other source is read as a whole.");
}

std::vector<Oid> tree_of(SpiSession& session, Oid source) {
  auto const rows = session.execute(
      "WITH RECURSIVE tree (oid) AS (SELECT $1 UNION SELECT i.inhrelid FROM tree AS t"
      " JOIN pg_catalog.pg_inherits AS i ON i.inhparent = t.oid) SELECT t.oid FROM tree AS t ORDER BY t.oid",
      {SqlValue::oid(source)}, true);
  std::vector<Oid> tree;
  for (std::uint64_t row = 0; row < rows.count(); ++row) tree.push_back(rows.oid(row, 1));
  return tree;
}

// Writers are waited for, and wait, until the end of the transaction; partitions are locked as well.
void lock_against_writers(SpiSession& session, Oid source, LOCKMODE mode) {
  std::vector<Lockable> tree;
  for (Oid const relation : tree_of(session, source)) tree.push_back(Lockable::relation(relation));
  lock_in_turns(session, tree, mode);
  call_pg([&]() noexcept { (void)find_all_inheritors(source, mode, nullptr); });  // of those that came meanwhile
}

struct Event {
  char const *name, *event, *tables, *each, *enable;
};
constexpr Event kEvents[] = {
    {"anon_seq_watch_insert", "INSERT", "REFERENCING NEW TABLE AS anon_seq_new", "STATEMENT", "ALWAYS"},
    {"anon_seq_watch_update", "UPDATE", "REFERENCING OLD TABLE AS anon_seq_old NEW TABLE AS anon_seq_new", "STATEMENT",
     "ALWAYS"},
    {"anon_seq_watch_delete", "DELETE", "REFERENCING OLD TABLE AS anon_seq_old", "STATEMENT", "ALWAYS"},
    {"anon_seq_watch_truncate", "TRUNCATE", "", "STATEMENT", "ALWAYS"},
    // What a subscription applies is no statement. Elsewhere this one costs nothing.
    {"anon_seq_watch_applied", "INSERT OR UPDATE OR DELETE", "", "ROW", "REPLICA"},
};

// What the triggers are given: see key_notes.h.
std::string arguments_of(SpiSession& session, Watch const& watch, Oid relation) {
  std::string numbers;
  for (auto const& key : watch.keys)
    numbers += (numbers.empty() ? "" : ",") +
               session
                   .execute(
                       "SELECT a.attnum FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = $1 AND a.attname = $2"
                       " AND NOT a.attisdropped",
                       {SqlValue::oid(relation), key}, true)
                   .get(0, 1);
  auto const place = session.execute("SELECT anon_seq.place()", {}, true).get(0, 1);
  return joined({sql_literal(std::to_string(watch.id)), sql_literal(place), sql_literal(std::to_string(watch.queue)),
                 sql_literal(std::to_string(relation)), sql_literal(numbers)},
                ", ");
}

// As who owns the ledger's schema: nobody else may make a trigger of that function. That runs no code of the owner's.
void make_triggers(SpiSession& session, Watch const& watch, Oid relation) {
  auto const table = qualified_name(relation), arguments = arguments_of(session, watch, relation);
  bool const has_rows = get_rel_relkind(relation) == RELKIND_RELATION;
  for (auto const& event : kEvents) {
    if (!has_rows && event.each[0] == 'R') continue;
    if (session.exists("SELECT FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = $1 AND t.tgname = $2 AND t.tgfoid <>"
                       " 'anon_seq.note_changes()'::pg_catalog.regprocedure",
                       {SqlValue::oid(relation), event.name}))
      throw Error(Fault::kExists, "table " + table + " has another trigger called " + quoted(event.name), "",
                  "Rename it: ALTER TRIGGER " + std::string(event.name) + " ON " + table + " RENAME TO ...;");
    ActingAs const maker(ledger_schema_owner(session));
    session.execute(
        sql_text("CREATE OR REPLACE TRIGGER {name} AFTER {event} ON {table} {tables} FOR EACH {each}"
                 " EXECUTE FUNCTION anon_seq.note_changes({arguments})",
                 {{"name", event.name},
                  {"event", event.event},
                  {"table", table},
                  {"tables", event.tables},
                  {"each", event.each},
                  {"arguments", arguments}}));
    session.execute("ALTER TABLE " + table + " ENABLE " + event.enable + " TRIGGER " + event.name);
  }
}

// The queue, empty and closed to all but the owner of the source; it goes when the source is dropped.
Oid make_queue(SpiSession& session, std::int32_t id, Oid source, Oid owner, std::vector<KeyColumn> const& keys) {
  std::string columns;
  for (std::size_t i = 0; i < keys.size(); ++i) columns += ", k" + std::to_string(i + 1) + " " + keys[i].type;
  auto const name = queue_name(id);
  LedgerMaker maker(session);
  session.execute("CREATE TABLE " + name + " (policy int, missed boolean" + columns + ")");
  keep_rows(session, name);
  // Else nothing could be taken out where all tables are published.
  session.execute("ALTER TABLE " + name + " REPLICA IDENTITY FULL");
  maker.hand_over("TABLE", name, owner);
  Oid const queue = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {name}).oid(0, 1);
  call_pg([&]() noexcept {
    ObjectAddress const dependent{RelationRelationId, queue, 0}, on{RelationRelationId, source, 0};
    recordDependencyOn(&dependent, &on, DEPENDENCY_AUTO);
  });
  return queue;
}

void drop_queue(SpiSession& session, std::int32_t id, Oid owner) {
  auto const found = session.execute(
      "SELECT c.relowner FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($1) AND c.relkind = 'r'",
      {queue_name(id)});
  if (found.count() == 0) return;
  // Of another role, it was put there by him: his to drop.
  if (found.oid(0, 1) != owner && !has_rights_of(session, found.oid(0, 1))) return;
  ActingAs const as(found.oid(0, 1));
  session.execute("DROP TABLE " + queue_name(id) + " CASCADE");  // whatever views of others who cannot read it
}

bool drop_triggers(SpiSession& session, Oid relation, Oid owner) {
  auto const rows = session.execute(
      "SELECT t.tgname FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = $1"
      " AND t.tgfoid = 'anon_seq.note_changes()'::pg_catalog.regprocedure AND NOT t.tgisinternal",
      {SqlValue::oid(relation)});
  ActingAs const as(owner);
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    session.execute("DROP TRIGGER " + quote_name(rows.get(row, 1)) + " ON " + qualified_name(relation));
  return rows.count() > 0;
}

// The watch that a relation has, or had where it was restored from. That of another one, which has been renamed, is not
// its own.
Watch own_watch(SpiSession& session, Oid source) {
  auto watch = watch_of(session, source);
  bool const is_of_another = watch.here && watch.relation != source;
  if (is_of_another &&
      session.exists("SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = $1", {SqlValue::oid(watch.relation)}))
    return {};
  return watch;
}

// Whether anything of the source's tree has triggers of ours.
bool has_triggers(SpiSession& session, Oid source) {
  for (Oid const relation : tree_of(session, source))
    if (session.exists("SELECT FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = $1"
                       " AND t.tgfoid = 'anon_seq.note_changes()'::pg_catalog.regprocedure",
                       {SqlValue::oid(relation)}))
      return true;
  return false;
}

// Whether the queue that is there will do.
bool will_do(SpiSession& session, Watch const& watch, Oid source, std::vector<std::string> const& keys) {
  return watch.id != 0 && watch.here && watch.relation == source && watch.keys == keys &&
         has_sound_queue(session, watch, source);
}

// Keys that were noted, and are not any more.
void tell_of_dropped(SpiSession& session, Watch const& watch, Oid source, std::vector<std::string> const& keys) {
  auto all = keys;
  auto const there = column_names(session, source);
  std::vector<std::string> dropped;
  for (auto const& key : watch.keys)
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      dropped.push_back(quoted(key));
      if (std::find(there.begin(), there.end(), key) != there.end()) all.push_back(key);
    }
  if (dropped.empty()) return;
  notice((dropped.size() == 1 ? "key " : "keys ") + joined(dropped, ", ") + " of source " + qualified_name(source) +
             (dropped.size() == 1 ? " is" : " are") + " noted no more: policies whose persons are named by " +
             (dropped.size() == 1 ? "it" : "them") + " read all of it whenever something changes",
         all.size() == keys.size() ? "" : "To note all of them: " + watch_statement(source, all));
}

}  // namespace

void watch_source(SpiSession& session, Oid source, std::vector<std::string> const& keys) {
  (void)key_columns(session, source, keys);
  require_watchable(session, source);
  require_owner(session, source);
  lock_against_writers(session, source, ShareRowExclusiveLock);
  FreshSnapshot const snapshot;  // somebody may have changed it while we waited
  auto const columns = key_columns(session, source, keys);
  require_watchable(session, source);
  require_owner(session, source);
  Oid const owner = owner_of(session, source);
  auto watch = own_watch(session, source);
  if (watch.id != 0 && watch.keys == keys && watch_state(session, watch, source).fault.empty()) return;
  if (!will_do(session, watch, source, keys)) {
    if (watch.id != 0) {
      tell_of_dropped(session, watch, source, keys);
      lock_watch(session, watch);  // an erasure may be in the queue
      drop_queue(session, watch.id, owner);
      delete_watch(session, watch.id);
    }
    delete_lost_watches(session);
    watch = Watch();
    watch.id = next_watch(session);
    watch.relation = source;
    watch.keys = keys;
    watch.queue = make_queue(session, watch.id, source, owner, columns);
    insert_watch(session, watch);
  }
  std::string relations = "{";
  for (Oid const relation : tree_of(session, source)) {
    make_triggers(session, watch, relation);
    append_element(relations, static_cast<std::int64_t>(relation));
  }
  auto const name = session.execute(
      "SELECT n.nspname, c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n"
      " ON n.oid = c.relnamespace WHERE c.oid = $1",
      {SqlValue::oid(source)}, true);
  watch.source_schema = name.get(0, 1);
  watch.source_name = name.get(0, 2);
  set_relations(session, watch, relations + "}");
  FreshSnapshot const made;  // names of schemas are not locked: what was made is looked at
  if (auto const fault = watch_state(session, watch, source).fault; !fault.empty())
    throw Error(Fault::kInUse, "relation " + qualified_name(source) + " is not watched: " + fault, "", "Try again.");
}

bool unwatch_source(SpiSession& session, Oid source) {
  require_owner(session, source);
  auto const before = own_watch(session, source);
  if (before.id == 0 && !has_triggers(session, source)) return false;  // nobody has to wait
  if (before.id != 0) lock_watch(session, before);  // first: a publish that has the source does not wait for it
  lock_against_writers(session, source, AccessExclusiveLock);
  FreshSnapshot const snapshot;
  require_owner(session, source);
  bool any = false;
  for (Oid const relation : tree_of(session, source))
    any = drop_triggers(session, relation, owner_of(session, relation)) || any;
  auto const watch = own_watch(session, source);
  if (watch.id != 0) {
    drop_queue(session, watch.id, owner_of(session, source));
    delete_watch(session, watch.id);
  }
  delete_lost_watches(session);
  return any || watch.id != 0;
}

}  // namespace anon_seq::release
