// Whether budgets hold: counted again on what was published, by another route than the one that spends them.
#pragma once

#include "lossy_join/class_recount.h"
#include "release/method.h"

namespace anon_seq::serial {

// Of the newest version: what its relations show, added to the state before, is the ledger's state; and nobody has more
// than 1/l, together with the other serial policies of the population.
// written: see groups.h.
void add_breach_checks(AuditRun const& run, Policy const& then, Release const& release,
                       lossy_join::WrittenClasses const* written, Checks& checks);

// All versions from the first on, by their relations alone.
void add_history_check(AuditRun const& run, Checks& checks);

}  // namespace anon_seq::serial
