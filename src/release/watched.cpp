#include "release/watched.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"
#include "pg/json_object.h"
#include "pg/lock_wait.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "release/declare.h"
#include "release/watch_state.h"

extern "C" {
#include "storage/lmgr.h"
}

namespace anon_seq::release {
namespace {

constexpr char kOtherKeys[] = "rows changed, and the keys that are noted are not those of the policy";

Oid owner_of(SpiSession& session, Oid relation) {
  return session
      .execute("SELECT c.relowner FROM pg_catalog.pg_class AS c WHERE c.oid = $1", {SqlValue::oid(relation)}, true)
      .oid(0, 1);
}

void tell_of(Oid source, std::string const& why, std::string const& hint = {}) {
  notice("source " + qualified_name(source) + " is watched, but read as a whole: " + why, hint);
}

std::string mending(Watch const& watch, Oid source, bool can_be_mended) {
  if (!can_be_mended)
    return "Let its owner SELECT anon_seq.unwatch_source(" + sql_literal(qualified_name(source)) + ");";
  return "Let its owner " + watch_statement(source, watch.keys) + " and commit: it waits for writers, and they for it.";
}

// With what a policy's persons are named by as well.
std::string wider(Watch const& watch, Oid source, PersonKey const& key) {
  Watch with = watch;
  for (auto const& column : key.columns)
    if (std::find(with.keys.begin(), with.keys.end(), column) == with.keys.end()) with.keys.push_back(column);
  return mending(with, source, true);
}

// The queue with its keys under the names that they have in the source.
std::string named_queue(Watch const& watch) {
  std::string columns = "q.ctid, q.policy, q.missed";
  for (std::size_t i = 0; i < watch.keys.size(); ++i)
    columns += ", q.k" + std::to_string(i + 1) + " AS " + quote_name(watch.keys[i]);
  return "(SELECT " + columns + " FROM " + queue_name(watch.id) + " AS q)";
}

bool has_keys(Watch const& watch, PersonKey const& key) {
  return !key.columns.empty() && std::all_of(key.columns.begin(), key.columns.end(), [&](auto const& column) {
    return std::find(watch.keys.begin(), watch.keys.end(), column) != watch.keys.end();
  });
}

// Copies the keys to rows of this session; false if one is NULL. REQUIRES: the queue's owner acts.
bool copy_keys(SpiSession& session, Watched& watched, PersonKey const& key, std::string const& ours) {
  DatumCursor cursor(session,
                     "SELECT " + key.expression + " AS key FROM " + named_queue(watched.watch) + " AS q WHERE " + ours);
  watched.rows =
      std::make_shared<NamedRows>(std::vector<std::pair<std::string, Oid>>{{"key", cursor.type(0).atttypid}});
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      bool const is_null = cursor.is_null(row, 0);
      if (is_null) return false;
      watched.rows->add(&cursor.get(row, 0), &is_null);
    }
  watched.rows->publish();
  watched.keys = "SELECT key FROM " + watched.rows->name();
  return true;
}

// The owner of a queue can lock it, or rows of it, as long as he likes.
Lockable queue_of(Watch const& watch) {
  return Lockable::relation(
      watch.queue, "what was noted of source " + quote_name(watch.source_schema) + "." + quote_name(watch.source_name));
}

// Whether the queue is there, whatever an old snapshot shows; then it stays until the transaction ends. Throws kLocked
// if its owner does not let go of it.
bool hold_queue(SpiSession& session, Watch const& watch, LOCKMODE mode) {
  auto const is_there = [&] {
    bool there = false;
    call_pg([&]() noexcept { there = SearchSysCacheExists1(RELOID, ObjectIdGetDatum(watch.queue)); });
    return there;
  };
  if (!is_there()) return false;
  lock(session, queue_of(watch), mode);
  if (is_there()) return true;
  call_pg([&]() noexcept { UnlockRelationOid(watch.queue, mode); });
  return false;
}

// What was noted for a policy; why it is not enough, or nothing.
std::string read_noted(SpiSession& session, Policy const& policy, Watched& watched, PersonKey const& key, Oid source) {
  auto const ours = "(q.policy IS NULL OR q.policy = " + std::to_string(policy.id) + ")";
  ActingAs const owner(owner_of(session, source));
  auto const rows = session.execute(
      "SELECT count(*), count(*) FILTER (WHERE q.missed) FROM " + queue_name(watched.watch.id) + " AS q WHERE " + ours,
      {}, true);
  watched.count = rows.integer(0, 1);
  watched.noted = watched.count > 0;
  if (!watched.before.there) return {};  // all is read anyway
  if (rows.integer(0, 2) > 0) return "something was noted that has no keys, such as TRUNCATE";
  if (!watched.noted) return {};
  if (!has_keys(watched.watch, key)) return kOtherKeys;
  if (!copy_keys(session, watched, key, ours)) return "a row changed that is nobody's";
  return {};
}

}  // namespace

std::string watch_statement(Oid source, std::vector<std::string> const& keys) {
  std::string array = "{";
  for (auto const& key : keys) append_element(array, key);
  return "SELECT anon_seq.watch_source(" + sql_literal(qualified_name(source)) + ", " + sql_literal(array + "}") + ");";
}

Watched watched_changes(SpiSession& session, Policy const& policy, Oid source, PersonKey const& key, int every) {
  Watched watched;
  auto watch = watch_of(session, source);
  if (watch.id == 0) return watched;
  if (watch.here && watch.relation == source && !hold_queue(session, watch, AccessShareLock)) {
    tell_of(source, "it is not watched any more");
    return watched;
  }
  auto const now = watch_state(session, watch, source);
  if (!now.fault.empty()) {
    if (watch.here && watch.relation == source && has_sound_queue(session, watch, source)) watched.distrusted = watch;
    tell_of(source, now.fault, mending(watch, source, now.can_be_mended));
    return watched;
  }
  watched.watch = std::move(watch);
  watched.state = "{\"person\": " + json_string(policy.person.value_or("")) + ", " + now.state.substr(1);
  watched.before = following(session, watched.watch.id, policy.id);
  auto why = read_noted(session, policy, watched, key, source);
  if (auto const changed = difference(watched.before.state, watched.state); !changed.empty()) why = changed;
  if (why.empty() && watched.before.runs + 1 >= every)
    why = "option full_read_every has it so, once in " + std::to_string(every) + " publishes";
  watched.known = why.empty();
  // That rows changed, and nobody is a person, is how it is meant to be.
  bool const is_usual = !policy.person && why == kOtherKeys;
  if (!watched.known && !is_usual)
    tell_of(source, why, why == kOtherKeys ? wider(watched.watch, source, key) : std::string());
  return watched;
}

namespace {

// What others have locked is not waited for.
bool try_queue(Watch const& watch) { return try_lock_watch(watch) && try_lock(queue_of(watch), RowExclusiveLock); }

// Takes out what was noted, as far as the active snapshot shows it, and leaves a copy to each follower but the policy.
// Rows that somebody has locked stay, and are read again. REQUIRES: try_queue().
void take_out(SpiSession& session, Policy const& policy, Watch const& watch) {
  auto const all = followers(session, watch.id);
  std::string columns = "missed";
  for (std::size_t i = 0; i < watch.keys.size(); ++i) columns += ", k" + std::to_string(i + 1);
  LedgerPen const pen;
  ActingAs const owner(owner_of(session, watch.queue));
  session.execute_as_seen(sql_text(R"(
WITH taken AS (
  DELETE FROM {queue} AS q
  WHERE q.ctid = ANY (ARRAY(
    SELECT r.ctid
    FROM {queue} AS r
    WHERE r.policy IS NULL OR r.policy = $1 OR r.policy <> ALL ($2::pg_catalog.int4[])
    FOR UPDATE SKIP LOCKED))
  RETURNING q.*
)
INSERT INTO {queue} (policy, {columns})
SELECT f.policy, {columns}
FROM pg_catalog.unnest($2::pg_catalog.int4[]) AS f (policy),
     (SELECT * FROM taken AS t WHERE t.policy IS NULL) AS t (nobody, {columns})
WHERE f.policy <> $1)",
                                   {{"queue", queue_name(watch.id)}, {"columns", columns}}),
                          {policy.id, all});
}

// A watch with a fault is heeded by nobody, and noted in all the same: what its followers need stays.
void empty_distrusted(SpiSession& session, Policy const& policy, Watch watch) {
  if (watch.id == 0 || !try_queue(watch) || !refresh_watch(session, watch)) return;
  take_out(session, policy, watch);
  count_taking(session, watch);
}

// Another publish, or an erasure, has the queue, and is not waited for: its transaction may stay open. What was noted
// stays there, and is read once more; a policy that begins to follow reads all once more, as what is taken out
// meanwhile may not be left for it.
void leave_noted(SpiSession& session, Policy const& policy, Watched const& watched, Following now) {
  if (!watched.before.there) now.state = "{}";
  set_following(session, watched.watch.id, policy.id, now);
  auto holders = watch_holders(session, watched.watch);
  if (holders.empty()) holders = holders_of(session, queue_of(watched.watch), RowExclusiveLock);
  if (watched.noted)
    notice("what was noted of source " + qualified_name(watched.watch.relation) + " is read again by the next publish",
           "It was in use" + (holders.empty() ? std::string(".") : " by " + holders + "."));
}

}  // namespace

void heed_changes(SpiSession& session, Policy const& policy, Watched const& watched) {
  auto watch = watched.watch;
  follow_only(session, policy.id, watch.id);
  if (watch.id == 0) return empty_distrusted(session, policy, watched.distrusted);
  Following now{true, watched.state, watched.known ? watched.before.runs + 1 : 0};
  if (!try_queue(watch)) return leave_noted(session, policy, watched, now);
  if (!refresh_watch(session, watch)) return;
  // Somebody took keys out while nobody knew that they are to be left for this policy, too.
  if (!watched.before.there && watch.takings != watched.watch.takings) now.state = "{}";
  if (watched.noted) take_out(session, policy, watch);
  // Who begins to follow is told as well: a publish whose snapshot does not show him must not take out keys without
  // leaving them for him. Under REPEATABLE READ it fails (40001).
  if (watched.noted || !watched.before.there) count_taking(session, watch);
  set_following(session, watch.id, policy.id, now);
}

void forget_noted(SpiSession& session, Policy const& policy, std::string const& key) {
  auto const found =
      session.execute("SELECT c.oid, c.relowner FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($1)",
                      {quote_name(policy.source_schema) + "." + quote_name(policy.source_name)}, true);
  if (found.count() == 0 || !policy.person) return distrust(session, policy.id);
  Oid const source = found.oid(0, 1), owner = found.oid(0, 2);
  auto watch = watch_of(session, source);
  auto const person = [&] {
    ActingAs const of_policy(ledger_owner(session, policy.ledger()));
    return person_key(session, policy);
  }();
  // Copies that others are about to leave in the queue are waited for.
  bool is_watched = watch.id != 0 && watch.here && watch.relation == source;
  if (is_watched) {
    lock_watch(session, watch);
    is_watched = refresh_watch(session, watch);
  }
  FreshSnapshot const snapshot;
  distrust(session, policy.id);
  if (!is_watched) return;
  auto const warn = [&](std::string const& why) {
    warning("the keys noted in " + queue_name(watch.id) + " may have that of the person who was forgotten",
            why + ": let the owner of " + qualified_name(source) + " SELECT anon_seq.unwatch_source(" +
                sql_literal(qualified_name(source)) + ");");
  };
  try {
    if (!hold_queue(session, watch, RowExclusiveLock)) return;
  } catch (Error const& error) {
    if (error.fault() != Fault::kLocked) throw;
    return warn("It is locked");  // by its owner, who must not stop an erasure
  }
  if (!has_sound_queue(session, watch, source)) return warn("It was altered, or is another role's");
  std::string nothing;
  for (std::size_t i = 0; i < watch.keys.size(); ++i) nothing += ", k" + std::to_string(i + 1) + " = NULL";
  LedgerPen const pen;
  ActingAs const as(owner);
  // Which rows are the person's, nobody knows where the queue has other keys.
  auto const left =
      session.execute(sql_text(R"(
WITH found AS (
  SELECT q.ctid FROM {named} AS q WHERE {which}
), ours AS (
  SELECT q.ctid FROM {queue} AS q WHERE q.ctid IN (SELECT f.ctid FROM found AS f) FOR UPDATE SKIP LOCKED
), done AS (
  UPDATE {queue} SET missed = true{nothing} WHERE ctid = ANY (ARRAY(SELECT o.ctid FROM ours AS o)) RETURNING 1
)
SELECT (SELECT pg_catalog.count(*) FROM found) > (SELECT pg_catalog.count(*) FROM done))",
                               {{"queue", queue_name(watch.id)},
                                {"nothing", nothing},
                                {"named", named_queue(watch)},
                                {"which", has_keys(watch, person) ? person.expression + " = $1::" + person.type
                                                                  : "$1::pg_catalog.text IS NOT NULL"}}),
                      {key});
  if (left.boolean(0, 1)) warn("Rows of it are locked");
}

}  // namespace anon_seq::release
