// The ledger: the private memory of releases, and the relations that show it.
//
// Ordinary tables in schema anon_seq_ledger, owned by who owns the policy; see doc/architecture.md. A
// trigger refuses every change of their rows but those made while a LedgerPen is held. All DDL and all rows
// here are made under the owner's identity (ActingAs), never under the catalog's owner.
#pragma once

#include "catalog/catalog_writer.h"
#include "catalog/policy.h"
#include "pg/acting_as.h"
#include "pg/writing.h"

namespace anon_seq::catalog {

// While it lives, the triggers of ledger tables let rows be changed.
class LedgerPen {
 public:
  LedgerPen() { ++held_; }
  ~LedgerPen() { --held_; }
  LedgerPen(LedgerPen const&) = delete;
  LedgerPen& operator=(LedgerPen const&) = delete;
  static bool held() { return held_ > 0; }

 private:
  inline static constinit int held_ = 0;
  Live live_;
};

// anon_seq_ledger.<ledger>_<table>
std::string ledger_table(std::string const& ledger, char const* table);

// Makes the tables of a ledger, empty and closed to everybody but the current user. `person_type` is the
// type of the person key, empty where there is none.
void create_ledger(SpiSession& session, std::string const& ledger, std::vector<PublishedColumn> const& columns,
                   std::string const& person_type);

// The same for a policy of any method.
void create_ledger(SpiSession& session, Policy const& policy, std::string const& person_type);

// Takes every right but the owner's from a relation just made ("TABLE", "SEQUENCE"; views are tables here), before its
// first row: default privileges may have opened it. close_table also puts the triggers on it.
void close_relation(SpiSession& session, char const* kind, std::string const& relation);
void close_table(SpiSession& session, std::string const& table);

// Throws kPrivilege, with what to do, unless the current user has USAGE on the ledger's schema.
void require_usable_schema(SpiSession& session);

// Notes that the ledger (p7, r9), or the marker (n5), of this name is the one that was just made.
void record_ledger(SpiSession& session, std::string const& name);

// The next number of a sequence, drawn by `draw`, whose names in the ledger's schema nobody has taken.
std::int32_t free_ledger_number(CatalogWriter& catalog, char prefix, char const* draw);

// After a restore into another place: takes what is there by its name, once. adopt_ledgers: also here, what has another
// number than was noted; returns name, relation and owner of each that was found.
void adopt_restored(SpiSession& session);
Rows adopt_ledgers(SpiSession& session);

// Throws kPrivilege, with what to do, if anybody but the owner has rights on a ledger. What others have put beside it
// is none of it.
void require_closed(SpiSession& session, std::string const& ledger);

void drop_ledger(SpiSession& session, std::string const& ledger);

// Makes the release of a version visible: the materialized view and, unless it exists, the stable name on
// top. Returns the materialized view's qualified name.
std::string create_release_view(SpiSession& session, Policy const& policy);

// The materialized view of a version out of FROM .. ORDER BY of its cells c, each repeated c.n times.
std::string create_expanded(SpiSession& session, Policy const& policy, std::string const& shown,
                            std::string const& cells);

// CREATE OR REPLACE of <target> on the newest version. `more`: a column that follows those of the policy.
void point_target(SpiSession& session, Policy const& policy, char const* more = nullptr);

// <target>_r<version>, qualified and quoted.
std::string release_relation(Policy const& policy, std::int32_t version);

}  // namespace anon_seq::catalog
