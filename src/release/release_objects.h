// Releases of ours, person by person, as sources of an inference attack.
#pragma once

#include "audit/published_history.h"
#include "catalog/release.h"

namespace anon_seq::release {

// A SELECT of who is in a release and what it shows of them: object, a text, and c1, c2, ... An object is a person
// by key, without those that forget() took out; of an incremental release, by object id. To be run with the rights
// of the ledger's owner.
// Throws kUnsupported for a release that knows no persons.
std::string select_objects(SpiSession& session, Release const& release);

// The same for a ledger with a table _person; and of object and cell, without what cells show.
std::string select_persons(SpiSession& session, Release const& release);
std::string select_person_cells(SpiSession& session, Release const& release);

// Throws kUnsupported unless the ledger has a table or view of its owner's that tells who is in a release.
void require_persons(SpiSession& session, Release const& release, char const* table);

// The releases meant by references, a policy's name all its versions, each once, oldest first.
std::vector<Release> releases_meant(SpiSession& session, std::vector<std::string> const& references);

// Their quasi attributes, in the order of first sight, and what each release shows of those.
std::vector<std::string> quasi_attributes(std::vector<Release> const& releases);
std::vector<PublishedSource> release_sources(SpiSession& session, std::vector<Release> const& releases,
                                             std::vector<std::string> const& attributes);

// What was published of everybody in these releases; of versions of one incremental policy also where everybody, and
// each region, truly is, which its ledger knows.
PublishedHistory history_of(SpiSession& session, std::vector<Release> const& releases, Checkpoint& checkpoint);

}  // namespace anon_seq::release
