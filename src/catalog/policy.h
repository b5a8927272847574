// A policy as the catalog knows it.
//
// One publication, declared once. Its text form is the json object of a row of anon_seq.policy; parameters
// and options stay json, which the method reads (release/method.h). Who owns the policy is who
// owns its ledger.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/column.h"
#include "pg/spi.h"

namespace anon_seq::catalog {

struct Policy {
  std::int32_t id = 0;
  std::string name, method, source_schema, source_name;
  std::optional<std::string> person;  // none: every row is another person
  std::vector<std::string> quasi, sensitive, publish_as_is;
  std::string target_schema, target_name, population;
  std::string parameters = "{}", options = "{}";  // json
  std::vector<PublishedColumn> columns;
  // Of all columns of the source that are read, as they were declared; the same word, the same texts of values in the
  // same order.
  std::map<std::string, std::string> source_types;
  std::int32_t version = 0;

  std::string ledger() const { return "p" + std::to_string(id); }
};

// Whether a text is the name of a ledger of releases, p7 or r9, which becomes part of SQL.
bool is_ledger_name(std::string_view name);

// What `read` makes of a row of the catalog, in which anything that it does not expect is Error kDamaged.
template <class Read>
auto from_catalog(std::string const& what, Read read) {
  try {
    return read();
  } catch (Error const& error) {
    if (error.fault() != Fault::kParameter) throw;
    throw Error(Fault::kDamaged, "the catalog has a damaged row, of " + what, std::string(error.what()) + ".");
  }
}

// Stores a new policy and sets its id; the caller makes its ledger. Throws kExists.
void insert_policy(SpiSession& session, Policy& policy);

// Overwrites what alter_policy may change; `change` is the json object to remember.
void update_policy(SpiSession& session, Policy const& policy, std::string const& change);

// Throws kNoObject unless the policy exists and the caller has the rights of its owner. `lock`: keeps
// others from changing or publishing it until the end of the transaction.
Policy load_policy(SpiSession& session, std::string const& name, bool lock);

// Raises the policy's version by one, which waits for, and keeps off, every other publish of it.
void begin_version(SpiSession& session, Policy& policy);

// Takes begin_version() back: no new version was made.
void undo_version(SpiSession& session, Policy const& policy);

void delete_policy(SpiSession& session, Policy const& policy);

// The role that owns a ledger (p7, r9) or a marker (n5); InvalidOid if it has gone.
Oid ledger_owner(SpiSession& session, std::string const& ledger);
// Its relation _cell, or the marker itself; InvalidOid if it has gone.
Oid ledger_relation(SpiSession& session, std::string const& ledger);

}  // namespace anon_seq::catalog
