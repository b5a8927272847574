// Locks that are waited for within a bound, and who holds them.
//
// Everything that two calls may want at once is locked by a Lockable: a relation, or a row or a name of the catalog.
// Rows and names are locks of the server's lock manager and no row locks: they can be tried, a prepared transaction
// keeps them, and pg_locks says who has them. Such a lock is taken before the row is changed, so the row is free then.
//
// The bound is anon_seq.lock_wait, or the caller's lock_timeout if that is shorter; SpiSession sets it for every wait.
// A lock is kept until the transaction ends.
#pragma once

#include "pg/spi.h"

extern "C" {
#include "storage/lock.h"
}

namespace anon_seq::pg {

class Lockable {
 public:
  // A row of a table of schema anon_seq, by its number; a name there that may have no row yet. `what` stands in
  // messages: policy "p".
  static Lockable row(char const* table, std::int32_t id, std::string what);
  static Lockable name(char const* table, std::string_view name, std::string what);
  static Lockable relation(Oid relation);
  static Lockable relation(Oid relation, std::string what);

  std::string const& what() const { return what_; }
  LOCKTAG const& tag() const { return tag_; }
  bool is_relation() const { return tag_.locktag_type == LOCKTAG_RELATION; }

 private:
  explicit Lockable(std::string what) : what_(std::move(what)) {}
  static Lockable object(char const* table, std::uint32_t number, std::uint16_t kind, std::string what);

  LOCKTAG tag_ = {};
  std::string what_;
};

// Takes the lock if nobody has to be waited for.
bool try_lock(Lockable const& lockable, LOCKMODE mode = ExclusiveLock);

// Takes the lock; throws kLocked, with who holds it, if that takes longer than the bound.
void lock(SpiSession& session, Lockable const& lockable, LOCKMODE mode = ExclusiveLock);

// The same for relations that others read or write: they are waited for in turns of anon_seq.swap_timeout, all or none
// of them, so whoever comes meanwhile never waits longer than one turn for each.
void lock_in_turns(SpiSession& session, std::vector<Lockable> const& all, LOCKMODE mode);

// Who holds what stands in the way of that lock, as words: role "a", process 7, in a transaction since ...
std::string holders_of(SpiSession& session, Lockable const& lockable, LOCKMODE mode = ExclusiveLock);

// Throws kReadOnly, with the function's name, where nothing can be written: on a standby, in a read-only transaction.
void require_writable(FunctionCallInfo fcinfo);

// One function that writes goes on at a time. Code of others that runs on the way, such as functions of what it reads,
// could call another one: that would hold the same locks, and not see what the first one is about to write.
class Writing {
 public:
  explicit Writing(FunctionCallInfo fcinfo);  // throws kInUse
  ~Writing() { under_way = false; }
  Writing(Writing const&) = delete;
  Writing& operator=(Writing const&) = delete;

 private:
  inline static constinit bool under_way = false;
};

// The body of an SQL function that writes.
template <class Body>
Datum writing(FunctionCallInfo fcinfo, Body body) {
  return entry([&]() -> Datum {
    require_writable(fcinfo);
    Writing const alone(fcinfo);
    return body();
  });
}

}  // namespace anon_seq::pg
