// Registering what was published earlier by any means, so that it counts from now on.
#pragma once

#include "pg/release.h"

namespace anon_seq::pg {

// Copies the listed columns of a relation, as counted cells, to a ledger of its own. `attributes` is json,
// {"age": {"column": "Age", "taxonomy": "age_arx"}}, or nullptr for all columns by their own names. Texts
// such as `[20, 30[` and `*` become labels of the column's taxonomy, or ranges where it has none.
Release register_release(SpiSession& session, std::string const& name, Oid relation, std::string const& population,
                         JsonValue const* attributes);

// Throws kPrivilege, saying why, unless the caller has the rights of the owners of all policies of a population: what
// he does there binds them.
void require_own_population(SpiSession& session, std::string const& population, char const* why);

// What tells a registered relation from a changed one.
std::string relation_fingerprint(SpiSession& session, std::string const& relation);

}  // namespace anon_seq::pg
