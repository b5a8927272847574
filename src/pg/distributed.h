// Tables whose rows are on other nodes: those that pg_catalog.pg_dist_partition of the extension citus lists.
//
// One SELECT over them is not one state while others write, and triggers on them notice nothing of what is written.
#pragma once

#include "pg/spi.h"

namespace anon_seq::pg {

struct DistributedTable {
  Oid relation = InvalidOid, owner = InvalidOid;
};

// The distributed tables that a relation is, or reads through its views or as its partitions, by number.
std::vector<DistributedTable> distributed_tables(SpiSession& session, Oid relation);

// Locks them against writers, on all nodes, until the transaction ends, each as its owner: SELECT does not give that
// right. Writers are waited for in turns and within the bound of lock_wait.h.
void lock_distributed(SpiSession& session, Oid relation);

}  // namespace anon_seq::pg
