// A lock is first tried, which costs nothing more than taking it. Only if that fails a subtransaction waits, under
// lock_timeout; what the server raises when the time is up becomes an Error that names the holders, as pg_locks has
// them then.
#include "pg/lock_wait.h"

#include "pg/acting_as.h"
#include "pg/array_text.h"
#include "pg/sql_text.h"
#include "pg/subtransaction.h"

extern "C" {
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_authid.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
}

namespace anon_seq::pg {
namespace {

constexpr std::uint16_t kRow = 0, kName = 1;
constexpr int kMostHolders = 3;

// Only inside call_pg().
bool acquire(LOCKTAG const& tag, LOCKMODE mode, bool wait) noexcept {
  if (tag.locktag_type == LOCKTAG_RELATION) {  // as whoever opens it must see what was done to it meanwhile
    if (!wait) return ConditionalLockRelationOid(tag.locktag_field2, mode);
    LockRelationOid(tag.locktag_field2, mode);
    return true;
  }
  return LockAcquire(&tag, mode, false, !wait) != LOCKACQUIRE_NOT_AVAIL;
}

// Takes all of them, waiting so many milliseconds for each, 0: for none; or gives back what it took, and returns the
// one that it did not get.
Lockable const* take_all(std::vector<Lockable> const& all, LOCKMODE mode, int milliseconds) {
  auto const text = std::to_string(milliseconds);
  Settings const patience{{"lock_timeout", text.c_str()}};
  SubTransaction work;
  for (auto const& lockable : all) {
    if (try_lock(lockable, mode)) continue;
    if (milliseconds == 0) return &lockable;
    try {
      call_pg([&]() noexcept { (void)acquire(lockable.tag(), mode, true); });
    } catch (PgError const& error) {
      if (error.data->sqlerrcode == ERRCODE_LOCK_NOT_AVAILABLE) return &lockable;
      throw;
    }
  }
  work.commit();
  return nullptr;
}

std::string conflicting_modes(LOCKMODE mode) {
  std::string modes = "{";
  for (LOCKMODE other = AccessShareLock; other <= AccessExclusiveLock; ++other)
    if (DoLockModesConflict(other, mode))
      append_element(modes, std::string(GetLockmodeName(DEFAULT_LOCKMETHOD, other)));
  return modes + "}";
}

// Granted locks first: who waits as well may be in the way next.
constexpr char kHolders[] = R"(
SELECT l.pid, a.usename, pg_catalog.date_trunc('second', a.xact_start)::pg_catalog.text,
       x.gid, x.owner, pg_catalog.date_trunc('second', x.prepared)::pg_catalog.text
FROM pg_catalog.pg_locks AS l
LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
LEFT JOIN pg_catalog.pg_prepared_xacts AS x
  ON l.pid IS NULL AND x.transaction IN (
       SELECT t.transactionid FROM pg_catalog.pg_locks AS t
       WHERE t.locktype = 'transactionid' AND t.pid IS NULL AND t.virtualtransaction = l.virtualtransaction)
WHERE l.database = $1 AND l.pid IS DISTINCT FROM pg_catalog.pg_backend_pid()
  AND CASE WHEN $2 = 0::pg_catalog.oid THEN l.locktype = 'relation' AND l.relation = $3
           ELSE l.locktype = 'object' AND l.classid = $2 AND l.objid = $3 AND l.objsubid = $4 END
  AND l.mode = ANY ($5::pg_catalog.text[])
ORDER BY l.granted DESC, l.pid NULLS FIRST)";

struct Holders {
  std::string words, hint;
};

// As the bootstrap superuser: since when a transaction goes on is not for every role to see.
Holders find_holders(SpiSession& session, Lockable const& lockable, LOCKMODE mode) {
  auto const& tag = lockable.tag();
  ActingAs const all_seeing(BOOTSTRAP_SUPERUSERID);
  session.execute("SELECT pg_catalog.pg_stat_clear_snapshot()");
  auto const rows = session.execute(
      kHolders,
      {SqlValue::oid(tag.locktag_field1), SqlValue::oid(lockable.is_relation() ? InvalidOid : tag.locktag_field2),
       SqlValue::oid(lockable.is_relation() ? tag.locktag_field2 : tag.locktag_field3),
       static_cast<std::int32_t>(tag.locktag_field4), conflicting_modes(mode)},
      true);
  Holders holders;
  for (std::uint64_t row = 0; row < rows.count() && row < kMostHolders; ++row) {
    if (auto const gid = rows.text(row, 4)) {
      holders.words += std::string(row == 0 ? "" : ", ") + "prepared transaction " + sql_literal(*gid) + " of role " +
                       quoted(rows.get(row, 5)) + ", prepared at " + rows.get(row, 6);
      if (holders.hint.empty())
        holders.hint = "Its owner, or a superuser, ends it: COMMIT PREPARED " + sql_literal(*gid) +
                       "; or ROLLBACK PREPARED " + sql_literal(*gid) + ";";
      continue;
    }
    auto const since = rows.text(row, 3);
    holders.words += std::string(row == 0 ? "" : ", ") + "role " + quoted(rows.get(row, 2)) + ", process " +
                     rows.get(row, 1) + (since ? ", in a transaction since " + *since : "");
    if (holders.hint.empty())
      holders.hint =
          "Try again when that transaction has ended. Its role, or a member of pg_signal_backend, can end it: SELECT "
          "pg_terminate_backend(" +
          rows.get(row, 1) + ");";
  }
  if (rows.count() > kMostHolders) holders.words += ", and others";
  return holders;
}

[[noreturn]] void throw_locked(SpiSession& session, Lockable const& lockable, LOCKMODE mode, int bound) {
  auto const holders = find_holders(session, lockable, mode);
  throw Error(Fault::kLocked, lockable.what() + " is in use by another transaction",
              "Waited " + std::to_string(bound) + " ms, as anon_seq.lock_wait or lock_timeout says" +
                  (holders.words.empty() ? "." : ", for " + holders.words + "."),
              holders.hint.empty() ? "Try again." : holders.hint);
}

}  // namespace

Lockable Lockable::object(char const* table, std::uint32_t number, std::uint16_t kind, std::string what) {
  Lockable made(std::move(what));
  Oid of = InvalidOid;
  call_pg([&]() noexcept { of = get_relname_relid(table, get_namespace_oid("anon_seq", false)); });
  if (!OidIsValid(of)) throw Error(Fault::kDamaged, "the catalog of anon_seq is missing");
  SET_LOCKTAG_OBJECT(made.tag_, MyDatabaseId, of, number, kind);
  return made;
}

Lockable Lockable::row(char const* table, std::int32_t id, std::string what) {
  return object(table, static_cast<std::uint32_t>(id), kRow, std::move(what));
}

// Two names of one hash wait for each other, and nothing worse.
Lockable Lockable::name(char const* table, std::string_view name, std::string what) {
  auto const hash = hash_bytes(reinterpret_cast<unsigned char const*>(name.data()), static_cast<int>(name.size()));
  return object(table, hash, kName, std::move(what));
}

Lockable Lockable::relation(Oid relation) {
  return Lockable::relation(relation, "relation " + qualified_name(relation));
}

Lockable Lockable::relation(Oid relation, std::string what) {
  Lockable made(std::move(what));
  SET_LOCKTAG_RELATION(made.tag_, MyDatabaseId, relation);
  return made;
}

bool try_lock(Lockable const& lockable, LOCKMODE mode) {
  bool got = false;
  call_pg([&]() noexcept { got = acquire(lockable.tag(), mode, false); });
  return got;
}

void lock(SpiSession& session, Lockable const& lockable, LOCKMODE mode) {
  if (try_lock(lockable, mode)) return;
  int const bound = LockTimeout;
  if (bound == 0) {
    call_pg([&]() noexcept { (void)acquire(lockable.tag(), mode, true); });
  } else if (take_all({lockable}, mode, bound) != nullptr) {
    throw_locked(session, lockable, mode, bound);
  }
}

void lock_in_turns(SpiSession& session, std::vector<Lockable> const& all, LOCKMODE mode) {
  int const bound = LockTimeout;
  int const turn = bound > 0 ? std::min(swap_timeout(), bound) : swap_timeout();
  auto const began = GetCurrentTimestamp();
  while (auto const* const taken = take_all(all, mode, turn)) {
    if (bound > 0 && TimestampDifferenceExceeds(began, GetCurrentTimestamp(), bound))
      throw_locked(session, *taken, mode, bound);
    session.execute("SELECT pg_catalog.pg_sleep(0.05)");  // whoever came meanwhile gets in
  }
}

std::string holders_of(SpiSession& session, Lockable const& lockable, LOCKMODE mode) {
  return find_holders(session, lockable, mode).words;
}

namespace {

std::string name_of(FunctionCallInfo fcinfo) {
  char const* name = nullptr;
  call_pg([&]() noexcept { name = get_func_name(fcinfo->flinfo->fn_oid); });
  return "anon_seq." + std::string(name == nullptr ? "function" : name);
}

}  // namespace

Writing::Writing(FunctionCallInfo fcinfo) {
  if (under_way)
    throw Error(Fault::kInUse, "cannot execute " + name_of(fcinfo) + "() inside another function of anon_seq",
                "It was called by code that runs while that function reads or writes, such as a function of a view.",
                "Call it after that function.");
  under_way = true;
}

void require_writable(FunctionCallInfo fcinfo) {
  bool const standby = RecoveryInProgress();
  if (!standby && !XactReadOnly) return;
  throw Error(Fault::kReadOnly,
              "cannot execute " + name_of(fcinfo) + (standby ? "() on a standby" : "() in a read-only transaction"),
              "It writes.", standby ? "Call it on the primary server." : "");
}

}  // namespace anon_seq::pg
