#include "catalog/role_marker.h"

#include "catalog/ledger.h"
#include "catalog/ledger_maker.h"

namespace anon_seq::catalog {

std::int32_t role_marker(SpiSession& session, Oid role) {
  auto const number = [&]() -> std::pair<std::int32_t, bool> {
    CatalogWriter catalog(session);
    auto const known = catalog.execute(
        R"(
SELECT pg_catalog.min(pg_catalog.substr(l.name, 2)::pg_catalog.int4)
FROM anon_seq.ledger AS l
WHERE pg_catalog.starts_with(l.name, 'o')
  AND anon_seq.ledger_owner(l.name) OPERATOR(pg_catalog.=) $1)",
        {SqlValue::oid(role)});
    if (auto const least = known.integer_or_null(0, 1)) return {static_cast<std::int32_t>(*least), true};
    return {free_ledger_number(catalog, 'o', "SELECT pg_catalog.nextval('anon_seq.role_id_seq')"), false};
  }();
  if (number.second) return number.first;
  auto const name = "o" + std::to_string(number.first), marker = ledger_table(name, "owner");
  {
    LedgerMaker maker(session);
    session.execute("CREATE SEQUENCE " + marker + " AS int");
    maker.hand_over("SEQUENCE", marker, role);
    maker.let_dump(marker);
  }
  record_ledger(session, name);
  return number.first;
}

}  // namespace anon_seq::catalog
