// The ledger: the private memory of releases.
//
// Tables and views in schema anon_seq_ledger, owned by who owns the policy; see doc/architecture.md. A
// trigger refuses every change of their rows but those made while a LedgerPen is held. They are made as the
// owner of the schema and handed over (LedgerMaker); all rows are written under the owner's identity (ActingAs).
#pragma once

#include "catalog/ledger_identity.h"
#include "catalog/ledger_schema.h"
#include "pg/acting_as.h"

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
std::string ledger_table(std::string const& ledger, std::string_view table);

// Of a method whose versions may be views of the ledger's rows (see release/shared_rows.h): the counted cells of one of
// them, and of the one that stable names show.
std::string shown_cells(std::string const& ledger, std::int32_t version);
std::string shown_cells(std::string const& ledger);
// The same as parts of their ledger, see ledger_part().
Oid shown_part(SpiSession& session, std::string const& ledger, std::int32_t version);
Oid shown_part(SpiSession& session, std::string const& ledger);

// Makes a ledger, empty and closed to everybody but the current user, who owns it. REQUIRES: the schema has _cell.
void create_ledger(SpiSession& session, std::string const& ledger, LedgerSchema const& schema);

// A view beside a ledger: as create_ledger() makes one, closed and the current user's.
void create_ledger_view(SpiSession& session, std::string const& name, std::string const& query, bool fenced);

void drop_ledger(SpiSession& session, std::string const& ledger, LedgerSchema const& schema);

// Its relations alone: they are made anew next, and what the catalog knows of the ledger stays.
void drop_relations(SpiSession& session, std::string const& ledger, LedgerSchema const& schema);

// The ledger of counted cells, and of who is in them: what registered releases have, and methods whose versions do not
// build on each other. `persons`: the type of the key, empty where there is none.
LedgerSchema counted_ledger(std::vector<PublishedColumn> const& columns, std::string const& persons);

// The type of the keys of persons that a ledger holds, as SQL; nothing if it holds none.
std::optional<std::string> key_type(SpiSession& session, std::string const& ledger, LedgerSchema const& schema);

// c1, c2, ... with their types, each after a comma.
std::string cell_columns(std::vector<PublishedColumn> const& columns);

// Takes every right but the owner's from a relation just made ("TABLE", "SEQUENCE"; views are tables here), before its
// first row: default privileges may have opened it.
void close_relation(SpiSession& session, char const* kind, std::string const& relation);

// Refuses changes of a table's rows but those made while a LedgerPen is held.
void keep_rows(SpiSession& session, std::string const& table);

// Throws kPrivilege, with what to do, unless the current user has USAGE on the ledger's schema.
void require_usable_schema(SpiSession& session);

// Throws kPrivilege, with what to do, if anybody but the owner has rights on what is his and called after a ledger,
// whichever tables its method has. What others have put beside it is none of it.
void require_closed(SpiSession& session, std::string const& ledger);

}  // namespace anon_seq::catalog
