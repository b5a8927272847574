// Makes relations in schema anon_seq_ledger: publishers have no CREATE there, so nobody can take a name that belongs to
// the ledger of another role.
//
// A relation is made as the owner of the schema, usually a superuser, and handed over to the role that is to own it.
// The text of a statement that runs while a LedgerMaker lives is ours: fixed words, numbers, names from quote_name(),
// and types that the server printed for a number. It never adds a column to a table that holds rows.
#pragma once

#include <string>

#include "pg/acting_as.h"
#include "pg/settings.h"
#include "pg/spi.h"

namespace anon_seq::catalog {

class LedgerMaker {
 public:
  explicit LedgerMaker(SpiSession& session);

  // Gives a relation just made ("TABLE", "VIEW", "SEQUENCE") to a role, with its indexes and sequences, and then takes
  // all rights on it from everybody else: default privileges of the maker may have opened it.
  void hand_over(char const* kind, std::string const& relation, Oid owner);

  // Lets the owner of the extension read a sequence that was handed over, since he dumps the catalog. Nobody else: who
  // may read it can lock it against being dropped.
  void let_dump(std::string const& sequence);

 private:
  SpiSession& session_;
  ActingAs maker_;
  // Where and how a relation is stored is not for the caller to say, whose rights are not asked for here.
  Settings storage_;
};

}  // namespace anon_seq::catalog
