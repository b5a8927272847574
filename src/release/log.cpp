#include "release/log.h"

#include <algorithm>

#include "catalog/catalog_writer.h"
#include "pg/json_object.h"
#include "pg/report.h"

extern "C" {
#include "access/xlog.h"
}

namespace anon_seq::release {
namespace {

bool may_write() { return !XactReadOnly && !RecoveryInProgress(); }

void write_line(SpiSession& session, Policy const& policy, char const* step, std::int32_t version, bool ok,
                std::string const& error) {
  if (!may_write()) return;
  auto const lines = json_array(said(), json_string);
  CatalogWriter catalog(session);
  catalog.execute(
      R"(
INSERT INTO anon_seq.log_line (ledger, policy, step, version, ok, error, said)
VALUES ($1, $2, $3, $4, $5 OPERATOR(pg_catalog.=) 1, nullif($6, ''), $7::pg_catalog.jsonb))",
      {policy.ledger(), policy.name, step, version, static_cast<std::int32_t>(ok), error, lines});
}

std::string json_of(Check const& check) {
  JsonObject json;
  json.text("check_name", check.name).text("scope", check.scope).text("required", check.required);
  json.text("observed", check.observed).boolean("ok", check.ok).number("offending", check.offending);
  return json.json();  // details show values, and the catalog is not the policy owner's
}

}  // namespace

void log_publish(SpiSession& session, Policy const& policy, std::int32_t version) {
  write_line(session, policy, "publish", version, true, "");
}

void log_failure(SpiSession& session, Policy const& policy, std::string const& step, std::string const& error) {
  write_line(session, policy, step.c_str(), policy.version, false, error);
}

void log_audit(SpiSession& session, Policy const& policy, Checks const& checks) {
  if (!may_write()) return;
  bool const ok = std::all_of(checks.begin(), checks.end(), [](Check const& check) { return check.ok; });
  CatalogWriter catalog(session);
  catalog.execute(
      R"(
INSERT INTO anon_seq.audit_result (ledger, policy, version, ok, checks)
VALUES ($1, $2, $3, $4 OPERATOR(pg_catalog.=) 1, $5::pg_catalog.jsonb))",
      {policy.ledger(), policy.name, policy.version, static_cast<std::int32_t>(ok), json_array(checks, json_of)});
}

}  // namespace anon_seq::release
