// Registering what was published earlier by any means, so that it counts from now on.
#pragma once

#include "catalog/release.h"

namespace anon_seq::release {

// Copies the listed columns of a relation, as counted cells, to a ledger of its own. `attributes` is json,
// {"age": {"column": "Age", "taxonomy": "age_arx"}}, or nullptr for all columns by their own names. Texts
// such as `[20, 30[` and `*` become labels of the column's taxonomy, or ranges where it has none.
Release register_release(SpiSession& session, std::string const& name, Oid relation, std::string const& population,
                         JsonValue const* attributes);

// What tells a registered relation from a changed one.
std::string relation_fingerprint(SpiSession& session, Oid relation);

}  // namespace anon_seq::release
