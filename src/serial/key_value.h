// The type of the keys of persons in a serial ledger.
#pragma once

#include "catalog/ledger.h"
#include "pg/reading.h"
#include "pg/value_type.h"

namespace anon_seq::serial {

inline ValueType key_value(SpiSession& session, std::string const& ledger) {
  Oid persons = ledger_part(session, ledger, "person");
  if (!OidIsValid(persons)) persons = ledger_part(session, ledger, "person", PartKind::kView);  // of classes for life
  auto const rows = session.execute(
      "SELECT t.typelem::pg_catalog.int8 FROM pg_catalog.pg_attribute AS a"
      " JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
      " WHERE a.attrelid = $1 AND a.attname = 'persons'",
      {SqlValue::oid(persons)}, true);
  if (rows.count() == 0) throw_missing();
  return value_type_of(static_cast<Oid>(rows.integer(0, 1)), "person");
}

}  // namespace anon_seq::serial
