// The ledger of an incremental policy: regions, counts and members, each row written once.
//
// A region is shown in the versions since <= version < until; its counts are sums of what was added or taken
// away up to a version, its members those that joined and have not gone. So a small update writes little. Two views
// read it as the ledgers of other methods are read: <ledger>_cell (version, cell, n, c1, ...), and
// <ledger>_object (version, place, region, person, object, c1, ...), a row per person and version.
#pragma once

#include "catalog/release.h"

namespace anon_seq::incremental {

// REQUIRES: a person. Closed to everybody but the current user.
void create_region_ledger(SpiSession& session, Policy const& policy, std::string const& person_type);

// Names of the tables and views of any method's ledger, without the prefix; views first.
inline constexpr char const* kLedgerRelations[] = {"object", "cell", "person", "region", "count",
                                                   "member", "gone", "moved",  "value",  "note"};

// ORDER BY of the cells c of any method: by cell, which is a region here, then by the values published as they are.
std::string cell_order(std::vector<PublishedColumn> const& columns);
// The part of it for the rows c of one cell.
std::string plain_order(std::vector<PublishedColumn> const& columns);

// The release of a version as a materialized view.
std::string create_region_view(SpiSession& session, Policy const& policy);

// The same with a row per person that ends with his object id.
std::string create_object_view(SpiSession& session, Policy const& policy);

// SELECT of what cut() and trace() say of a version: the values that its regions show, and the cuts it made.
std::string select_cut(Release const& release);
std::string select_trace(Release const& release);

}  // namespace anon_seq::incremental
