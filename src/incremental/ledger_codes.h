// The ledger's numbers of values, which members are made of.
#pragma once

#include "catalog/policy.h"
#include "core/table/table.h"

namespace anon_seq::incremental {

// Values of columns as the ledger numbers them.
class LedgerCodes {
 public:
  LedgerCodes(SpiSession& session, Policy const& policy);

  // Ledger code -> code of column i of the policy in this publish.
  Vector<Code> to_column(std::size_t i, Column const& column) const;
  // The ledger's code of a value of column i; a value that it lacks gets the next one. See added().
  Code of(std::size_t i, Column const& column, Code code);

  struct Added {
    std::int32_t attribute;  // from 1
    Code code;
    std::string_view value;
  };
  // What of() added, to be written. Borrowed from the columns.
  std::vector<Added> const& added() const { return added_; }

 private:
  std::vector<Dictionary> values_;   // per column: [code]; 0 is NULL
  std::vector<Vector<Code>> known_;  // per column: code of the column -> of the ledger, kNoCode where not asked for
  std::vector<Added> added_;
};

}  // namespace anon_seq::incremental
