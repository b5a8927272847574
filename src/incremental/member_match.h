// Who is who between two versions: members of the ledger are found again in the source by their keys.
#pragma once

#include "incremental/state.h"

namespace anon_seq::incremental {

// Fills all of objects but the points, ids, earlier and changed; appends to the table the objects that are not in the
// source any more, or that are there with other quasi values: those become new objects.
void match_members(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint);

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
