// Which relations are a ledger, or the marker of a population: names in anon_seq_ledger prove nothing by themselves,
// see the table anon_seq.ledger.
#pragma once

#include "catalog/catalog_writer.h"
#include "catalog/policy.h"

namespace anon_seq::catalog {

// Notes that the ledger (p7, r9), or the marker (n5), of this name is the one that was just made, in this format.
void record_ledger(SpiSession& session, std::string const& name, std::int32_t format = 1);

// The format of a ledger, and that it has another one now. lock: nobody else changes it until the end of the
// transaction.
std::int32_t ledger_format(SpiSession& session, std::string const& name, bool lock);
void set_ledger_format(SpiSession& session, std::string const& name, std::int32_t format);

void forget_ledger(SpiSession& session, std::string const& name);

// The next number of a sequence, drawn by `draw`, whose names in the ledger's schema nobody has taken.
std::int32_t free_ledger_number(CatalogWriter& catalog, char prefix, char const* draw);

// After a restore into another place: takes what is there by its name, once. adopt_ledgers: also here, what has another
// number than was noted; returns name, relation and owner of each that was found.
void adopt_restored(SpiSession& session);
Rows adopt_ledgers(SpiSession& session);

}  // namespace anon_seq::catalog
