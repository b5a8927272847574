// Erasure and return where classes are for life: who was forgotten and comes back gets the place that he left.
//
// His place stays, with its values; of who he was stays a digest, keyed by the ledger's secret (forgotten.h).
#pragma once

#include "release/publish_run.h"
#include "serial/lives.h"

namespace anon_seq::serial {

LedgerRelation forgotten_place_relation();

// Method::forget of such a policy.
std::set<std::int32_t> forget_place(ForgetRequest const& request);

// Entries of persons in the source who were forgotten; these get their rows. `is_known`: row -> whether its person has
// a place already; these do then. Throws kDamaged for a place that somebody else has.
Vector<std::size_t> add_returned_places(PublishRun const& run, SourceTable const& source, Lives& lives,
                                        Vector<char>& is_known);

// Once their versions are written: they are none of the forgotten any more. `persons`: of these entries.
void write_returned_places(PublishRun const& run, SourceTable const& source, Lives const& lives,
                           Vector<std::size_t> const& returned, Vector<Code> const& persons);

}  // namespace anon_seq::serial
