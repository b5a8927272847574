// Sums over the rows of a ledger's tables (pg/row_sums.h), in its table _sum: what tells a ledger that is as we wrote
// it from one of which a disk, a restore of single tables, or a statement past our triggers has changed rows.
//
// Every table of a ledger keeps them, whatever its method: its triggers follow each statement of ours, BulkWriter what
// it writes past statements. A change that was not made under a LedgerPen changes no sum.
#pragma once

#include "catalog/ledger.h"
#include "pg/row_sums.h"

namespace anon_seq::catalog {

// The table with the sums.
LedgerRelation sum_relation();

// Lets a table of a ledger keep sums. REQUIRES: it has no rows, or sum_anew() follows.
void keep_sums(SpiSession& session, std::string const& table);

// What a trigger of keep_sums() does; throws kParameter where it is another's.
void follow_change(SpiSession& session, TriggerData const& trigger);

// Takes rows as they are for what was written, and lets new tables keep sums: after a ledger came to another format.
void sum_anew(SpiSession& session, std::string const& ledger, LedgerSchema const& schema);

// Takes the rows of one table for what was written: it was just written anew, or compared, as a whole.
void take_as_written(SpiSession& session, std::string const& ledger, std::string const& table);

// Deletes all rows of a table, those that nobody wrote as well, and their sums.
void clear_table(SpiSession& session, std::string const& ledger, std::string const& table);

// The tables whose rows are not those that were written, all of them or of these alone, in their order. REQUIRES: the
// owner acts. Cost: reads these tables.
std::vector<std::string> changed_tables(SpiSession& session, std::string const& ledger, LedgerSchema const& schema);
std::vector<std::string> changed_tables(SpiSession& session, std::string const& ledger,
                                        std::vector<std::string> const& tables);

// Throws kDamaged if rows of one of these tables of a policy's ledger are not those that were written.
void require_as_written(SpiSession& session, std::string const& policy, std::string const& ledger,
                        std::vector<std::string> const& tables);

}  // namespace anon_seq::catalog
