// Publishing a policy, and trying out what publishing would give.
//
// Order of a publish (doc/architecture.md): the population and then the policy's row are locked, then one snapshot
// serves every read; algorithm, ledger, views, ANALYZE, audit of the rows written, catalog row. Whatever fails raises,
// and the transaction leaves nothing behind.
#pragma once

#include "catalog/release.h"
#include "release/release_cells.h"

namespace anon_seq::release {

// The new version; or the last one, where the content is the same. after: the newest version that the caller knows.
Release publish(SpiSession& session, std::string const& policy, bool verbose, bool force,
                std::optional<std::int32_t> after);

// Throws kInUse while this session publishes the policy of that ledger: code of its source may call us again, and would
// change it, or find half a version.
void require_not_under_way(std::string const& ledger);

struct Variant {
  bool feasible = false;
  std::string reason;  // why not
  std::int64_t published = 0, withheld = 0, classes = 0, smallest_class = 0;
  std::string measures = "{}";                   // json: metric -> value
  std::string shown = "{}", detail_lost = "{}";  // json: column -> values shown, column -> ncp
  std::string parameters = "{}", rest;           // what it asks for: bounds among others, as json; all else
};

// What a policy would give with `changes` (json of SQL parameters) on top. Writes nothing, but for a ledger of an older
// format.
Variant preview(SpiSession& session, std::string const& policy, JsonValue const* changes);

// Before the snapshot under which the source of a policy is read, see reading.h.
void lock_source_of(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::release
