// Whether what is noted of a watched source can be trusted: what publish compares before it does.
//
// Triggers miss what is done while they are disabled, to partitions without them, or to another table of that name; a
// table that is rewritten, or gets another definition, fires none. All of that leaves a trace in the system's catalogs,
// where a row that was changed and changed back is another row (xmin and ctid).
#pragma once

#include <string>
#include <vector>

#include "catalog/watch.h"

namespace anon_seq::release {

struct WatchState {
  // Why nothing can be trusted before somebody watches the source again; empty: triggers and queue are as they should.
  std::string fault;
  bool can_be_mended = true;  // by watch_source(); else the source is none that can be watched
  std::string state = "{}";   // json: part -> digest
};

// Under the active snapshot. REQUIRES: the source is locked.
WatchState watch_state(SpiSession& session, Watch const& watch, Oid source);

// Whether the queue is a table of the source's owner, with the columns that it was given.
bool has_sound_queue(SpiSession& session, Watch const& watch, Oid source);

// What differs between two states, in words; empty: nothing.
std::string difference(std::string const& before, std::string const& now);

// What cannot be watched, in words; empty: it can.
std::string unwatchable(SpiSession& session, Oid source);

}  // namespace anon_seq::release
