// What is known of the changes of a source since the last version of a policy, without reading it.
//
// A source that is watched (watch_source) has triggers that note the keys of changed rows, old and new. What they
// noted counts for a policy if nothing can have been missed; else the source has to be read as a whole.
#pragma once

#include <memory>
#include <string>

#include "catalog/watch.h"
#include "pg/named_rows.h"
#include "release/person_key.h"

namespace anon_seq::release {

struct Watched {
  bool known = false;      // else: not watched, or something may have been missed; all has to be read
  std::int64_t count = 0;  // of noted keys
  // SQL: SELECT of one column, `key`, of the type of the person's key: who may have changed. May repeat keys, and have
  // those of persons who are not there. Rows of this session, which any role may read as long as this lives, once or
  // more often. Empty where nothing is known, or nothing was noted.
  std::string keys;

  // For heed_changes().
  Watch watch = {};  // id 0: nothing can be trusted
  Following before = {};
  Watch distrusted = {};  // else id 0: nothing of it is heeded, but triggers go on noting changes in its queue
  std::string state = "{}";
  bool noted = false;  // whether there is anything to be taken out
  std::shared_ptr<NamedRows> rows = {};
};

// Of a policy about to be published, under the snapshot of the publish, which is active. NOTICE: why all is to be read
// though the source is watched. every: all is read each so many publishes. REQUIRES: the source is locked.
Watched watched_changes(SpiSession& session, Policy const& policy, Oid source, PersonKey const& key, int every);

// The statement that watches a source by those keys.
std::string watch_statement(Oid source, std::vector<std::string> const& keys);

// What was noted, and seen by that snapshot, which is active, has been heeded: it is not given again to this policy.
void heed_changes(SpiSession& session, Policy const& policy, Watched const& watched);

// Takes a person's key out of what was noted for a policy, which is not lost by that: all will be read next.
void forget_noted(SpiSession& session, Policy const& policy, std::string const& key);

}  // namespace anon_seq::release
