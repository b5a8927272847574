// For tests of updates: what a later version might change of every ledger of a policy.
#pragma once

#include "catalog/ledger_schema.h"

namespace anon_seq::selftest {

// One format later: _note says which format its version was made in, and a step converts ledgers without that.
void make_next(catalog::LedgerSchema& schema);

}  // namespace anon_seq::selftest
