// What publishes of every method have in common: is there anything new, what is written beside the rows, what the
// catalog is told.
#pragma once

#include "release/phases.h"
#include "release/publish.h"

namespace anon_seq::release {

// What the phases of one publish share. The owner of the policy acts, under one snapshot.
struct PublishRun {
  SpiSession& session;
  Policy const& policy;  // version: the one to be made
  Checkpoint& checkpoint;
  Phases& phases;
};

void notice(std::string const& text, char const* hint = nullptr);

// Throws kType if a column has another type than what was declared: it would fail later, on a value.
void require_same_shape(SpiSession& session, Policy const& policy);

// Of the content and of what is demanded, and of what was registered in the meantime: new demands, or another
// table that is out, on the same rows are another release.
std::string fingerprint(SpiSession& session, Policy const& policy, SourceTable const& source);

// The last version, if it has this fingerprint: the version that was begun is taken back, with a NOTICE.
std::optional<Release> repeated(SpiSession& session, Policy const& policy, std::string const& print);

// The catalog's row, but for relations.
Release describe(Policy const& policy, ReleaseCells const& cells, std::string digest);

// ANALYZE of ledger tables, on a small sample as well: whoever needs finer statistics gathers them, as autovacuum does.
void analyze(SpiSession& session, Policy const& policy, std::initializer_list<char const*> tables);

// ANALYZE of a release.
void analyze(SpiSession& session, std::string const& relation);

// Does what spoil_next_release() was told to a ledger table's rows of this version.
void spoil(SpiSession& session, Policy const& policy, char const* table, std::string const& rows);

Published publish_sequential(PublishRun const& run);
Published publish_incremental(PublishRun const& run);

// Previews of one variant, as the policy would be.
Variant preview_sequential(SpiSession& session, Policy const& policy, Checkpoint& checkpoint);
Variant preview_incremental(SpiSession& session, Policy const& policy, Checkpoint& checkpoint);

}  // namespace anon_seq::release
