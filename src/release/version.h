// What a publish asks before and around its algorithm: is there anything new, what is
// the catalog told.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::release {

// Of the content and of what is demanded, and of what was registered in the meantime: new demands, or another
// table that is out, on the same rows are another release.
std::string fingerprint(PublishRun const& run, SourceTable const& content);

// The last version, if nothing can have changed since: not the source, of which all changes are noted, nor what is
// demanded, nor what was registered.
std::optional<Release> untouched(PublishRun const& run);

// The last version, if it has this fingerprint: the version that was begun is taken back, with a NOTICE.
std::optional<Release> repeated(PublishRun const& run, std::string const& print);

// The catalog's row, but for relations and digest.
Release describe(Policy const& policy, CellCounts const& cells);

// ANALYZE of what the ledger's schema says, and of the relations, on a small sample: whoever needs finer statistics
// gathers them, as autovacuum does. Where versions are stored once, only of what has grown: it would cost more than
// them.
void analyze_ledger(PublishRun const& run);
void analyze_relations(SpiSession& session, Release const& release);

#ifdef ANON_SEQ_SELFTEST
// For tests: the next publish changes what it has written with this assignment, such as 'n = n + 1', so its audit must
// fail. Does it.
void spoil_next_release(std::string const& assignment);
void spoil(PublishRun const& run);
#endif

}  // namespace anon_seq::release
