#include "catalog/ledger_home.h"

extern "C" {
#include "access/xlog.h"
}

namespace anon_seq::catalog {
namespace {

// 0 on a standby.
std::int32_t time_line() {
  std::int32_t line = 0;
  call_pg([&]() noexcept {
    if (!RecoveryInProgress()) line = static_cast<std::int32_t>(GetWALInsertionTimeLine());
  });
  return line;
}

bool is_at_home(CatalogWriter& catalog, std::string const& ledger) {
  return catalog
      .read(
          R"(
SELECT EXISTS (
  SELECT
  FROM anon_seq.ledger_home AS h
  WHERE h.ledger OPERATOR(pg_catalog.=) $1
    AND h.place OPERATOR(pg_catalog.=) anon_seq.place()
    AND h.relation OPERATOR(pg_catalog.=) anon_seq.ledger_relation($1)
    AND (h.time_line OPERATOR(pg_catalog.=) $2 OR $2 OPERATOR(pg_catalog.=) 0)))",
          {ledger, time_line()})
      .boolean(0, 1);
}

}  // namespace

bool is_at_home(SpiSession& session, std::string const& ledger) {
  CatalogWriter catalog(session);
  return is_at_home(catalog, ledger);
}

void note_home(CatalogWriter& catalog, std::string const& ledger) {
  catalog.execute(
      R"(
INSERT INTO anon_seq.ledger_home (ledger, place, time_line, relation)
VALUES ($1, anon_seq.place(), $2, anon_seq.ledger_relation($1))
ON CONFLICT (ledger) DO UPDATE
  SET place = excluded.place, time_line = excluded.time_line, relation = excluded.relation)",
      {ledger, time_line()});
}

void note_home(SpiSession& session, std::string const& ledger) {
  CatalogWriter catalog(session);
  note_home(catalog, ledger);
}

namespace {

// $1: a name; what it is of is $2: 1 a population, 2 a policy, 3 nothing: all that $3, the caller, has the rights of.
std::vector<PolicyLedger> ledgers_where(SpiSession& session, std::string const& name, std::int32_t kind) {
  CatalogWriter catalog(session);
  auto const rows = catalog.read(
      R"(
SELECT l.name, l.method, l.population, l.ledger, l.version, l.lives
FROM (SELECT p.name, p.method, pg_catalog.concat('p', p.id) AS ledger, p.version, p.population, true AS lives
      FROM anon_seq.policy AS p
      UNION ALL
      SELECT r.name, r.method, r.ledger, pg_catalog.max(r.version), r.population, false
      FROM anon_seq.release AS r
      WHERE r.version OPERATOR(pg_catalog.>) 0
        AND NOT EXISTS (SELECT
                        FROM anon_seq.policy AS q
                        WHERE pg_catalog.concat('p', q.id) OPERATOR(pg_catalog.=) r.ledger)
      GROUP BY r.name, r.method, r.ledger, r.population) AS l
WHERE CASE WHEN $2 OPERATOR(pg_catalog.=) 1 THEN l.population OPERATOR(pg_catalog.=) $1
           WHEN $2 OPERATOR(pg_catalog.=) 2 THEN l.name OPERATOR(pg_catalog.=) $1
           ELSE anon_seq.owns_ledger($3, l.ledger) END
  AND anon_seq.ledger_relation(l.ledger) IS NOT NULL
ORDER BY pg_catalog.length(l.ledger), l.ledger)",
      {name, kind, catalog.caller_value()});
  std::vector<PolicyLedger> ledgers;
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    ledgers.push_back({rows.get(row, 1), rows.get(row, 2), rows.get(row, 3), rows.get(row, 4), rows.int32(row, 5),
                       rows.boolean(row, 6)});
  return ledgers;
}

}  // namespace

std::vector<PolicyLedger> ledgers_of_population(SpiSession& session, std::string const& population) {
  return ledgers_where(session, population, 1);
}

std::vector<PolicyLedger> ledgers_called(SpiSession& session, std::string const& policy) {
  return ledgers_where(session, policy, 2);
}

std::vector<PolicyLedger> own_ledgers(SpiSession& session) { return ledgers_where(session, "", 3); }

std::int64_t lost_versions(SpiSession& session, std::vector<std::string> const& ledgers) {
  CatalogWriter catalog(session);
  std::int64_t lost = 0;
  for (auto const& ledger : ledgers) {
    auto const rows = catalog.read(
        "SELECT l.lost_before OPERATOR(pg_catalog.+) l.confirmed_last OPERATOR(pg_catalog.-) l.confirmed_at"
        " FROM anon_seq.ledger AS l WHERE l.name OPERATOR(pg_catalog.=) $1",
        {ledger});
    if (rows.count() > 0) lost += rows.integer(0, 1);
  }
  return lost;
}

std::int64_t confirm(SpiSession& session, std::string const& ledger, std::int32_t version, std::int32_t last) {
  {
    CatalogWriter catalog(session);
    // What was said of the same version, here, is corrected upwards; else it goes to what was lost before.
    catalog.execute(
        R"(
UPDATE anon_seq.ledger AS l
SET lost_before = CASE WHEN a.again THEN l.lost_before
                       ELSE l.lost_before OPERATOR(pg_catalog.+) l.confirmed_last OPERATOR(pg_catalog.-) l.confirmed_at END,
    confirmed_at = $2,
    confirmed_last = CASE WHEN a.again THEN greatest(l.confirmed_last, $3) ELSE $3 END
FROM (SELECT k.confirmed_at OPERATOR(pg_catalog.=) $2 AND $4 OPERATOR(pg_catalog.=) 1 AS again
      FROM anon_seq.ledger AS k
      WHERE k.name OPERATOR(pg_catalog.=) $1) AS a
WHERE l.name OPERATOR(pg_catalog.=) $1)",
        {ledger, version, last, static_cast<std::int32_t>(is_at_home(catalog, ledger))});
    note_home(catalog, ledger);
  }
  return lost_versions(session, {ledger});
}

}  // namespace anon_seq::catalog
