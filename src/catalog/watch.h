// Sources that are watched, and which policies follow what is noted of them, as the catalog knows it.
//
// Keys of changed rows go into a queue, anon_seq_ledger.w<id>_queue (policy, missed, k1, k2, ...), which belongs to the
// owner of the source: first without a policy; whoever publishes takes out what he has heeded, and leaves a copy to
// each other policy that follows. Rows are known by being seen, not by a position: a transaction may commit after
// others that began later.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::catalog {

struct Watch {
  std::int32_t id = 0;  // 0: not watched
  Oid relation = InvalidOid, queue = InvalidOid;
  std::string source_schema, source_name;
  std::vector<std::string> keys;
  std::int64_t takings = 0;
  bool here = true;  // else it was watched elsewhere, and restored
};

// As one policy left it when it was published last.
struct Following {
  bool there = false;
  std::string state = "{}";  // json
  std::int32_t runs = 0;     // publishes since all was read
};

std::string queue_name(std::int32_t watch);  // qualified

// Of a relation, by its number or, failing that, by its name: then it was restored, or another has its name now.
Watch watch_of(SpiSession& session, Oid relation);

// Until the end of the transaction nobody else takes keys out of the queue, or begins to follow. The second waits for
// nobody, and is false if somebody has the lock, which the third says in words; empty: nobody any more.
void lock_watch(SpiSession& session, Watch const& watch);
bool try_lock_watch(Watch const& watch);
std::string watch_holders(SpiSession& session, Watch const& watch);
// What others did before the lock is seen. False if it is not watched any more.
bool refresh_watch(SpiSession& session, Watch& watch);

// Draws a number; then stores the row.
std::int32_t next_watch(SpiSession& session);
void insert_watch(SpiSession& session, Watch const& watch);
void set_relations(SpiSession& session, Watch const& watch, std::string const& relations);  // text of an oid[]
void count_taking(SpiSession& session, Watch const& watch);

// Takes out the rows of a watch, and of those of which there is nothing left.
void delete_watch(SpiSession& session, std::int32_t id);
void delete_lost_watches(SpiSession& session);

Following following(SpiSession& session, std::int32_t watch, std::int32_t policy);
void set_following(SpiSession& session, std::int32_t watch, std::int32_t policy, Following const& now);
// Text of an int[]: all that follow.
std::string followers(SpiSession& session, std::int32_t watch);
// A policy that was published from something else knows nothing of what was noted; 0: nobody.
void follow_only(SpiSession& session, std::int32_t policy, std::int32_t watch);
// What a policy's ledger has was changed, though its source was not: all is read next.
void distrust(SpiSession& session, std::int32_t policy);

}  // namespace anon_seq::catalog
