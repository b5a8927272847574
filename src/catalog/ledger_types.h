// Types of published columns. The catalog keeps them as text, which a role that restores a dump may have written, and
// which our SQL uses as a type: so it must be what the server prints for the type of c<i> of the ledger's cells, and
// that one of a closed list.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/column.h"
#include "pg/spi.h"

namespace anon_seq::catalog {

// Of one statement: each ledger is looked at once.
class LedgerTypes {
 public:
  explicit LedgerTypes(SpiSession& session) : session_(session) {}

  // Which column of a ledger's cells is missing or has another type than `columns` say, "c2", or a type that no policy
  // publishes: built-in ones, ranges and lists of labels are published, and enums of the ledger's owner or a superuser,
  // whose casts run with no other rights than theirs. Empty if all are right, and if there is no ledger any more. In
  // `columns` no other type than these is left: what is wrong has the type text.
  std::string check(std::string const& ledger, std::vector<PublishedColumn>& columns);

 private:
  using Types = std::map<std::string, std::string>;  // by column: of those that may be published
  Types const& types_of(std::string const& ledger);

  SpiSession& session_;
  std::map<std::string, Types> known_;
};

}  // namespace anon_seq::catalog
