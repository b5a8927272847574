// The counted cells of a release, for whoever may read it.
//
// A ledger belongs to whoever made the release, who may have put a view in place of a table, or an index over a
// function of his: so the cells of another role are read as that role, restricted, and cross over as texts in a
// tuplestore, which SQL reads by a name of its own. Persons never do.
#pragma once

#include <optional>
#include <string>

#include "catalog/release.h"
#include "pg/named_rows.h"

namespace anon_seq::catalog {

// Whether the current user may read a release: with the rights of its owner, as one who takes part in its population,
// or by SELECT on its relation, if that is the owner's own.
bool may_read(SpiSession& session, Release const& release);

class CellSource {
 public:
  // Throws kPrivilege unless the current user may read the release, kDamaged if its ledger is not what was made.
  CellSource(SpiSession& session, Release const& release);
  CellSource(CellSource const&) = delete;
  CellSource& operator=(CellSource const&) = delete;

  // A SELECT of c1, c2, ... and n, for this session and as long as this lives.
  std::string const& query() const { return query_; }

 private:
  void copy(SpiSession& session, Release const& release);

  std::optional<NamedRows> copied_;
  std::string query_;
};

}  // namespace anon_seq::catalog
