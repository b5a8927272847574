// Declared domains of continuous columns: options {"domains": {"age": [0, 120]}}.
#pragma once

#include <utility>

#include "core/table/table.h"
//
#include "catalog/policy.h"

namespace anon_seq::release {

struct Domain {
  std::string lower, upper;  // as written: of the column's type
  bool operator==(Domain const&) const = default;
};

// Its bounds as places on the column's line. Throws kParameter for bounds that are not of the column's type, or upside
// down.
std::pair<double, double> domain_places(Column const& column, Domain const& domain);

// Throws the same, and what PostgreSQL has to say of the bounds, before there is a table. REQUIRES: a type of ranges.
void check_domain(SpiSession& session, PublishedColumn const& shown, Domain const& domain);

}  // namespace anon_seq::release
