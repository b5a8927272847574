// Disclosure risk of releases, and the tables of the people whom their records may be of.
#pragma once

#include "audit/audit_risk.h"
#include "catalog/population_table.h"

namespace anon_seq::release {

// Registers a relation that the current user may read, as it is now. `attributes`: json, as of audit_join_relations.
// Throws kExists, kNoColumn, kType and kPrivilege.
void register_population(SpiSession& session, std::string const& name, Oid relation,
                         std::optional<std::string> const& counts, std::optional<std::string> const& attributes);

// A registered population as audits read it: its relation, locked, what its columns are, and as whom it is read. Reads
// no row. Throws kNoObject if it has gone, kPrivilege if it is not the current user's to read.
PopulationSource population_source(SpiSession& session, RegisteredPopulation const& population);

struct ReleaseRisk {
  MeasuredRisk measured;
  std::optional<bool> changed;  // the population, since it was registered; none: not asked for
};

// Of a release of the current user's, retired ones too, persons counted where it knows them; of its quasi columns, or
// of those that are named. Throws kUnsupported for one that is published in several relations.
ReleaseRisk release_risk(SpiSession& session, std::string const& release, std::optional<std::string> const& population,
                         std::optional<std::vector<std::string>> const& quasi, Checkpoint& checkpoint);

}  // namespace anon_seq::release
