// The ledger of an incremental policy: regions, counts and members, each row written once, and closed at most once.
//
// A region is shown in the versions since <= version < until; its counts are sums of what was added or taken
// away up to a version, its members those that joined and have not gone. So a small update writes little. Rows of a
// region that has had many changes, or has ended, are closed (until); the former begins anew with one row of members
// and its counts as they are. So what a version reads does not grow with the versions before, but for those who have
// left: they are known for good. Two views read it as the ledgers of other methods are read: <ledger>_cell (version,
// cell, n, c1, ...), and <ledger>_object (version, place, region, person, object, arrived, c1, ...), a row per person
// and version. Releases may be views of it, too: release/shared_rows.h.
#pragma once

#include "catalog/ledger_schema.h"
#include "release/release_cells.h"

namespace anon_seq::incremental {

// `keys`: the type of the keys of persons.
LedgerSchema region_ledger(Policy const& policy, std::string const& keys);

// The release of a version as a materialized view.
std::string create_region_view(SpiSession& session, Policy const& policy, RelationShape const& relation);

// The same as views of the rows that are there.
std::string create_shared_view(SpiSession& session, Policy const& policy, RelationShape const& relation);

// The same with a row per person that ends with his object id.
std::string create_object_view(SpiSession& session, Policy const& policy, RelationShape const& relation);

// SELECT of what cut() and trace() say of a version: the values that its regions show, and the cuts it made.
std::string select_cut(Release const& release);
std::string select_trace(Release const& release);

}  // namespace anon_seq::incremental
