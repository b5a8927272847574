// The way into the extension's own catalog.
//
// Nobody but the catalog's owner has rights on the tables of schema anon_seq, and SQL functions run as
// their caller. A CatalogWriter switches to that owner for constant, qualified statements on catalog
// tables, and back on every exit; never run anything of a user's under it: no source, no ledger, no DDL.
#pragma once

#include "pg/spi.h"

namespace anon_seq::catalog {

class CatalogWriter {
 public:
  // REQUIRES: `session` outlives it.
  explicit CatalogWriter(SpiSession& session);
  ~CatalogWriter();
  CatalogWriter(CatalogWriter const&) = delete;
  CatalogWriter& operator=(CatalogWriter const&) = delete;

  // `sql` is a literal of ours, all its names and operators qualified.
  Rows execute(char const* sql, std::initializer_list<SqlValue> values) { return session_.execute(sql, values); }
  // The same for a SELECT, under the active snapshot.
  Rows read(char const* sql, std::initializer_list<SqlValue> values) { return session_.execute(sql, values, true); }

  // Who called: the user before the switch.
  Oid caller() const { return caller_; }
  SqlValue caller_value() const { return SqlValue::oid(caller_); }

 private:
  SpiSession& session_;
  Settings settings_ = Settings::pinned();  // whatever ran before, names of the statements mean what they say
  Oid caller_ = InvalidOid;
  int security_context_ = 0;
  Live live_;
};

}  // namespace anon_seq::catalog
