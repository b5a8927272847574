#include "catalog/audit_record.h"

#include "catalog/catalog_writer.h"
#include "catalog/policy.h"
#include "pg/array_text.h"

namespace anon_seq::catalog {

AuditRecord audit_record(SpiSession& session, std::int32_t policy) {
  CatalogWriter catalog(session);
  auto const rows = catalog.read(
      R"(
SELECT a.state, a.checks, a.at, a.good, pg_catalog.to_jsonb(a.versions), a.runs, a.wanted, a.heeded
FROM anon_seq.audit_record AS a
WHERE a.policy OPERATOR(pg_catalog.=) $1 AND a.place OPERATOR(pg_catalog.=) anon_seq.place())",
      {policy});
  AuditRecord record;
  if (rows.count() == 0) return record;
  record.there = true;
  record.state = rows.get(0, 1);
  record.checks = rows.get(0, 2);
  record.at = rows.get(0, 3);
  record.good = rows.boolean(0, 4);
  auto const versions = from_catalog("a record of audits", [&] { return parse_json(rows.get(0, 5), "versions"); });
  for (auto const& version : versions.elements())
    record.versions.push_back(static_cast<std::int32_t>(version.integer()));
  record.runs = rows.int32(0, 6);
  record.wanted = rows.int32(0, 7);
  record.heeded = rows.int32(0, 8);
  return record;
}

bool store_audit(SpiSession& session, std::int32_t policy, AuditRecord const& record) {
  std::string versions = "{";
  for (auto const version : record.versions) append_element(versions, std::int64_t{version});
  versions += "}";
  CatalogWriter catalog(session);
  // Whoever audited in a transaction that is still open is not waited for: nothing is stored, and the next one counts.
  auto const free = catalog.execute(
      "SELECT FROM anon_seq.audit_record WHERE policy OPERATOR(pg_catalog.=) $1 FOR UPDATE SKIP LOCKED", {policy});
  if (free.count() == 0 &&
      catalog.execute("SELECT FROM anon_seq.audit_record WHERE policy OPERATOR(pg_catalog.=) $1", {policy}).count() > 0)
    return false;
  catalog.execute(
      R"(
INSERT INTO anon_seq.audit_record AS a (policy, place, state, checks, good, versions, runs, heeded, at)
VALUES ($1, anon_seq.place(), $2, $3::pg_catalog.jsonb, $4 OPERATOR(pg_catalog.=) 1, $5::pg_catalog.int4[], $6, $7,
        $8::pg_catalog.timestamptz)
ON CONFLICT (policy) DO UPDATE
SET place = excluded.place, state = excluded.state, checks = excluded.checks, good = excluded.good,
    versions = excluded.versions, runs = excluded.runs, heeded = excluded.heeded,
    wanted = CASE WHEN a.place OPERATOR(pg_catalog.=) excluded.place THEN a.wanted ELSE 0 END,
    at = excluded.at)",
      {policy, record.state, record.checks, static_cast<std::int32_t>(record.good), versions, record.runs,
       record.heeded, record.at});
  return true;
}

void want_full_audits(SpiSession& session, std::string const& population) {
  CatalogWriter catalog(session);
  catalog.execute(
      R"(
INSERT INTO anon_seq.audit_record AS a (policy, place, wanted)
SELECT p.id, anon_seq.place(), 1
FROM anon_seq.policy AS p
WHERE p.population OPERATOR(pg_catalog.=) $1
ORDER BY p.id
ON CONFLICT (policy) DO UPDATE
SET wanted = a.wanted OPERATOR(pg_catalog.+) 1, good = false)",
      {population});
}

void delete_audit_record(SpiSession& session, std::int32_t policy) {
  CatalogWriter catalog(session);
  catalog.execute("DELETE FROM anon_seq.audit_record WHERE policy OPERATOR(pg_catalog.=) $1", {policy});
}

}  // namespace anon_seq::catalog
