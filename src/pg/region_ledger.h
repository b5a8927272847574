// The ledger of an incremental policy: regions, counts and members, each row written once.
//
// A region is shown in the versions since <= version < until; its counts are sums of what was added or taken
// away up to a version, its members those that joined and have not gone. So a small update writes little. Two views
// read it as the ledgers of other methods are read: <ledger>_cell (version, cell, n, c1, ...), and
// <ledger>_object (version, place, region, person, object, c1, ...), a row per person and version.
#pragma once

#include "pg/policy.h"

namespace anon_seq::pg {

// REQUIRES: a person. Closed to everybody but the current user.
void create_region_ledger(SpiSession& session, Policy const& policy, std::string const& person_type);

// Names of the tables and views of any method's ledger, without the prefix; views first.
inline constexpr char const* kLedgerRelations[] = {"object", "cell",  "person", "region", "count",
                                                   "member", "gone", "value",  "note"};

// The release as a materialized view with a row per person that ends with his object id.
std::string create_object_view(SpiSession& session, Policy const& policy);

}  // namespace anon_seq::pg
