// The relations that show a version.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

// All columns of a policy in one relation.
RelationShape whole(Policy const& policy);

// <target>_r<version><suffix>, qualified and quoted.
std::string relation_name(Policy const& policy, std::string const& suffix);

// A materialized view of what a relation shows of the ledger's cells, as methods make it that have no way of their own.
// Returns its name.
std::string create_from_cells(SpiSession& session, Policy const& policy, RelationShape const& relation);
// The same of one that shows all columns, WITH NO DATA: see relation_fill.h.
std::string create_unfilled(SpiSession& session, Policy const& policy, RelationShape const& relation);

// SELECT of the columns `numbers` of cells, each as many times as it counts; `cells`: what stands after FROM, called c.
std::string select_expanded(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers,
                            std::string const& cells);

// Makes the relations of a version, and puts them into the release.
void create_relations(SpiSession& session, Policy const& policy, Method const& method, Release& release);

// The indexes that are demanded, on each materialized view that shows all columns of one: of ranges and arrays what
// operators such as && and <@ ask for, else a btree.
void create_indexes(SpiSession& session, Demands const& demands, Release const& release);

// CREATE MATERIALIZED VIEW .. AS SELECT `shown` out of FROM .. ORDER BY of cells c, each repeated c.n times.
std::string create_expanded(SpiSession& session, Policy const& policy, RelationShape const& relation,
                            std::string const& shown, std::string const& cells);

// Throws kInUse, naming them, if relations but `except` ("" for none) read a relation that is to go.
// Whether nothing rests on a relation but what shows nobody anything.
bool is_free(SpiSession& session, std::string const& relation);
void require_free(SpiSession& session, std::string const& relation, std::string const& except);

// Locks relations that are to go: those who read them are waited for in turns, and nobody begins to until the
// transaction ends. Names that nothing has are passed over.
void lock_alone(SpiSession& session, std::vector<std::string> const& relations);

// Drops a relation of a release, and the cells that a shared one stands on.
void drop_relation(SpiSession& session, Release const& release, ReleaseRelation const& relation);
// Drops a materialized view or view, if it is there.
void drop_relation(SpiSession& session, std::string const& name);

// Whether a relation of a release, or all of them, are there, of the kind that was made, and its owner's; they are
// locked then. REQUIRES: not retired.
bool has_own_relation(SpiSession& session, Release const& release, ReleaseRelation const& relation);
bool has_own_relations(SpiSession& session, Release const& release);

}  // namespace anon_seq::release
