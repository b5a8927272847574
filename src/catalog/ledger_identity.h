// Which relations are a ledger, or the marker of a population: names in anon_seq_ledger prove nothing by themselves,
// see the table anon_seq.ledger. Whatever asks for a relation there by its name asks ledger_part().
#pragma once

#include "catalog/catalog_writer.h"
#include "catalog/ledger_schema.h"
#include "catalog/policy.h"

namespace anon_seq::catalog {

enum class PartKind : char { kTable = 'r', kView = 'v', kSequence = 'S' };
PartKind kind_of(LedgerRelation const& relation);

// The relation that is this part of a ledger (p7, r9) or a marker (n5): it has that name in the ledgers' schema, is of
// that kind, and belongs to the owner of the ledger. InvalidOid if there is none; what else has the name is no part.
Oid ledger_part(SpiSession& session, std::string const& ledger, std::string_view part,
                PartKind kind = PartKind::kTable);

// Throws kDamaged unless all parts of a ledger are there, and nothing on them runs code of the owner's: triggers,
// rules, functions of constraints and indexes, types with casts of his. all: else parts may be missing, as in an older
// format. What is put on it after this look is not noticed until the next one.
void require_parts(SpiSession& session, std::string const& ledger, LedgerSchema const& schema, bool all = true);

// Notes that the ledger (p7, r9), or the marker (n5), of this name is the one that was just made, in this format. One
// that was not known before is at home here, see ledger_home.h; of one that is made again the caller knows.
void record_ledger(SpiSession& session, std::string const& name, std::int32_t format = 1);

// The format of a ledger, and that it has another one now. lock: nobody else changes it until the end of the
// transaction.
std::int32_t ledger_format(SpiSession& session, std::string const& name, bool lock);
void set_ledger_format(SpiSession& session, std::string const& name, std::int32_t format);

void forget_ledger(SpiSession& session, std::string const& name);

// The next number of a sequence, drawn by `draw`, whose names in the ledger's schema nobody has taken.
std::int32_t free_ledger_number(CatalogWriter& catalog, char prefix, char const* draw);

// After a restore into another place: takes what is there by its name, once. adopt_restored: of the current user's
// roles; what is others' is known by its name until they come. adopt_ledgers: all, and also here, what has another
// number than was noted; returns name, relation and owner of each that was found.
void adopt_restored(SpiSession& session);
Rows adopt_ledgers(SpiSession& session);

}  // namespace anon_seq::catalog
