// What is known of the changes of a source since the last version of a policy, without reading it.
//
// A source that is watched (watch_source) has triggers that note the keys of changed rows, old and new. What they
// noted counts for a policy if nothing can have been missed; else the source has to be read as a whole.
#pragma once

#include <string>

#include "catalog/policy.h"

namespace anon_seq::release {

struct Watched {
  bool known = false;      // else: not watched, or something may have been missed; all has to be read
  std::int64_t count = 0;  // of noted keys
  // SQL: SELECT of one column, `key`, of the type of the person's key: who may have changed. May repeat keys, and have
  // those of persons who are not there. To be run as reader of the source, under the snapshot of the publish.
  std::string keys;
};

// Of a policy about to be published, under the snapshot of the publish. REQUIRES: the source is locked.
Watched watched_changes(SpiSession& session, Policy const& policy);

// What was noted, and seen by that snapshot, has been heeded: it is not given again to this policy.
void heed_changes(SpiSession& session, Policy const& policy, Watched const& watched);

}  // namespace anon_seq::release
