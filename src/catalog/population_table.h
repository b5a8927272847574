// Tables of the people whom records may be of, as they are registered: by name, for the roles of who registered them.
// Nothing is copied: the relation may change, which whoever reads it says.
#pragma once

#include <optional>
#include <string>

#include "pg/spi.h"

namespace anon_seq::catalog {

struct RegisteredPopulation {
  std::string name, schema, relation;             // as it was called
  std::optional<std::string> counts, attributes;  // a column, json
  std::string digest;                             // of the relation then
};

// Throws kExists if the name is taken.
void insert_population(SpiSession& session, RegisteredPopulation const& population);

// Throws kNoObject unless one of the current user's roles registered it, or is that of the extension's owner.
RegisteredPopulation load_population(SpiSession& session, std::string const& name);
// The same; throws kInUse if rules of a policy are about it.
void remove_population(SpiSession& session, std::string const& name);

// The relation as it is called now, locked until the end of the transaction. Throws kNoObject if it has gone.
Oid relation_of(SpiSession& session, RegisteredPopulation const& population);

}  // namespace anon_seq::catalog
