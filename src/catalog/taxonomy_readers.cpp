#include "catalog/taxonomy_readers.h"

#include "catalog/ledger.h"
#include "catalog/ledger_maker.h"
#include "catalog/policy.h"
#include "pg/roles.h"

namespace anon_seq::catalog {
namespace {

std::string ledger_of(std::int32_t taxonomy) { return "t" + std::to_string(taxonomy); }

}  // namespace

void set_taxonomy_reader(SpiSession& session, std::int32_t taxonomy, Oid owner, std::string const& role, bool may) {
  auto const grantee = role_as_sql(session, role, may);
  if (grantee.empty()) return;
  auto const name = ledger_of(taxonomy), sequence = ledger_table(name, "readers");
  Oid grantor = ledger_owner(session, name);
  if (!OidIsValid(grantor)) {
    if (!may) return;
    grantor = OidIsValid(owner) ? owner : GetUserId();
    {
      LedgerMaker maker(session);
      session.execute("CREATE SEQUENCE " + sequence + " AS int");
      maker.hand_over("SEQUENCE", sequence, grantor);
      maker.let_dump(sequence);
    }
    record_ledger(session, name);
  }
  ActingAs const as(grantor);
  session.execute(std::string(may ? "GRANT" : "REVOKE") + " USAGE ON SEQUENCE " + sequence + (may ? " TO " : " FROM ") +
                  grantee);
}

void drop_taxonomy_readers(SpiSession& session, std::int32_t taxonomy) {
  auto const name = ledger_of(taxonomy);
  if (Oid const owner = ledger_owner(session, name); OidIsValid(owner)) {
    ActingAs const as(owner);
    session.execute("DROP SEQUENCE " + ledger_table(name, "readers"));
  }
  forget_ledger(session, name);
}

}  // namespace anon_seq::catalog
