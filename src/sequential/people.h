// The people whom records may be of, as rules about a registered population need them.
#pragma once

#include "audit/audit_risk.h"
#include "sequential/earlier_table.h"
#include "sequential/policy.h"

namespace anon_seq::sequential {

// Which table a rule is about, and which of its columns are the quasi columns in x.
struct PopulationColumns {
  std::string name;            // as registered
  std::vector<std::size_t> x;  // of the policy's quasi columns
  std::vector<AuditColumn> columns;
  PopulationSource source;
  Oid relation = InvalidOid;
};

// The quasi columns in x of a rule, by their place in the policy; all of them where it names none.
std::vector<std::size_t> x_of(Policy const& policy, RuleSpec const& rule);

// Locks the table until the end of the transaction. Reads no row. Throws kNoObject, kNoColumn, kType or kPrivilege.
PopulationColumns population_columns(SpiSession& session, Policy const& policy, RuleSpec const& rule);

bool is_same(PopulationColumns const& a, PopulationColumns const& b);

// Of all rules, each table and x once.
std::vector<PopulationColumns> population_columns(SpiSession& session, Policy const& policy,
                                                  SequentialPolicy const& demands);

// Takes the locks that reading the tables will take, before the snapshot.
void lock_populations(SpiSession& session, Policy const& policy);

struct PeopleTable {
  PopulationColumns of;
  CodedTable table;                 // a column per entry of x; ranges by their text form; weights are people
  std::vector<RangeBounds> bounds;  // of each column; empty unless it is one of ranges
  std::vector<Line> lines;          // of each column
};

// Throws kData for counts that are not positive. Errors met while reading lose what could show a value.
PeopleTable read_people(SpiSession& session, Policy const& policy, PopulationColumns of, Checkpoint& checkpoint);

}  // namespace anon_seq::sequential
