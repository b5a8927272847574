// Disclosure risk of a relation or a release, alone and against a table of the population: read and counted in SQL, the
// rest by the core.
#pragma once

#include <optional>

#include "audit/audit_join.h"
#include "core/attack/disclosure_risk.h"
#include "core/table/table.h"

namespace anon_seq::audit {

// Whom the records may be of: a table of quasi values. Read as `reader`; InvalidOid: as the current user.
struct PopulationSource {
  AuditTable table;
  std::optional<std::string> counts;  // a column that says how many people a row stands for
  Oid reader = InvalidOid;
};

// Classes of a sample, and who fits them. weights: of `classes`, persons; `people`: of the population.
struct FittedClasses {
  std::vector<AuditColumn> columns;  // quasi
  CodedTable classes;
  Fitting fitting;
  std::int64_t people = 0, unique_people = 0;  // and alone with their values there
};

struct MeasuredRisk {
  DisclosureRisk risk;
  std::int64_t people = 0, unique_people = 0;  // of the population, and alone with their values there
};

// Throws kNoColumn, kType or kData unless a column of the table counts people.
void require_counts(SpiSession& session, AuditTable const& table, std::string const& counts);

// Classes are persons, as the table counts them, equal in `quasi`, columns of the sample. Somebody fits a class if each
// of his values lies within what it shows, as labels of a taxonomy or as intervals. Throws kNoColumn for a quasi column
// that the population does not have, kData for counts that are not positive, and what read_attribute() throws. Errors
// met while reading lose what could show a value.
FittedClasses fit_classes(SpiSession& session, AuditTable sample, std::vector<std::string> const& quasi,
                          PopulationSource const& population, Checkpoint& checkpoint);

// The risks of these classes; `population`: nullptr for none.
MeasuredRisk measure_risk(SpiSession& session, AuditTable sample, std::vector<std::string> const& quasi,
                          PopulationSource const* population, Checkpoint& checkpoint);

}  // namespace anon_seq::audit
