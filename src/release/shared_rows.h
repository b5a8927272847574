// Versions that are stored once: relations that are views of rows which the ledger keeps for all versions.
//
// They have two levels. The cells of a version, <ledger>_shown_<version>, are a view WITH (security_barrier) whose
// query ends in OFFSET 0: no condition of a reader gets below it. Without the one a function of his would see rows of
// other versions; without the other a leakproof operator would be planned on the ledger, and EXPLAIN would tell by its
// statistics how many rows have a value, also one that only later versions show. It stands beside the ledger, closed;
// the relation of the release reads it with its owner's rights, and repeats each cell as often as it counts: in one
// view the second would not hold. What they show has no statistics, either. Stable names stand on <ledger>_shown, the
// cells of the version that <ledger>_current has: they are made once, and show another version without DDL or a lock.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

// What a ledger has for it. `cells`: SELECT c1, c2, .., n of the version that an SQL expression stands for, ordered.
using SelectCells = std::function<std::string(std::string const& version)>;
std::vector<LedgerRelation> shown_relations(std::string const& ledger, SelectCells const& cells);

// The relation of a version; returns its name.
std::string create_shared(SpiSession& session, Policy const& policy, RelationShape const& relation,
                          SelectCells const& cells);

// The version that stable names on such cells show, which is no secret; `now`: also what this command has changed. The
// row is taken from the table itself, without a statement: no code runs, as whoever asks. And lets them show one, or
// none, where they stand on something else. REQUIRES of show_version: the owner acts.
std::optional<std::int32_t> version_shown(SpiSession& session, std::string const& ledger, bool now = false);
void show_version(SpiSession& session, std::string const& ledger, std::optional<std::int32_t> version);

// Whether a stable name shows a relation of a release.
bool name_shows(SpiSession& session, std::string const& view, Release const& release, ReleaseRelation const& relation);

// The relation that stable names on the cells of a ledger show now, whoever asks; InvalidOid if there is none.
Oid relation_shown(SpiSession& session, std::string const& ledger);
// The release that it is of.
std::optional<Release> release_shown(SpiSession& session, std::string const& ledger);

// Whether a relation of a release is, by its definition, the cells of its version and nothing else, each repeated as
// often as it counts: then who counts those cells has counted its rows. False as well for what is put in other words.
bool repeats_cells(SpiSession& session, Release const& release, ReleaseRelation const& relation);

// Check `digest`: the cells that a version shows now are those that were published. REQUIRES: has_own_relations().
Check digest_check(SpiSession& session, Release const& release);

// Check `fence`: the views of a version, and those that its stable name stands on, are its owner's, of that form, and
// read nothing but the ledger. REQUIRES: not retired.
Check fence_check(SpiSession& session, Release const& release);

}  // namespace anon_seq::release
