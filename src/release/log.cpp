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

void write_line(SpiSession& session, Policy const& policy, char const* step, std::int32_t version, bool ok,
                std::string const& error) {
  if (!may_log()) return;
  auto const lines = json_array(said(policy.name), json_string);
  CatalogWriter catalog(session);
  catalog.execute(
      R"(
INSERT INTO anon_seq.log_line (ledger, policy, step, version, ok, error, said)
VALUES ($1, $2, $3, $4, $5 OPERATOR(pg_catalog.=) 1, nullif($6, ''), $7::pg_catalog.jsonb))",
      {policy.ledger(), policy.name, step, version, static_cast<std::int32_t>(ok), error, lines});
}

std::string text_of(Check const& check) {
  JsonObject json;
  json.text("check_name", check.name).text("scope", check.scope).text("required", check.required);
  json.text("observed", check.observed).boolean("ok", check.ok).number("offending", check.offending);
  return json.json();
}

}  // namespace

bool may_log() { return !XactReadOnly && !RecoveryInProgress(); }

void log_publish(SpiSession& session, Policy const& policy, std::int32_t version) {
  write_line(session, policy, "publish", version, true, "");
}

void log_failure(SpiSession& session, Policy const& policy, std::string const& step, std::string const& error) {
  write_line(session, policy, step.c_str(), policy.version, false, error);
}

std::string log_audit(SpiSession& session, Policy const& policy, Checks const& checks, std::string const& counted_at) {
  if (!may_log()) return {};
  bool const ok = std::all_of(checks.begin(), checks.end(), [](Check const& check) { return check.ok; });
  CatalogWriter catalog(session);
  auto const rows = catalog.execute(
      R"(
INSERT INTO anon_seq.audit_result (ledger, policy, version, ok, checks, counted_at)
VALUES ($1, $2, $3, $4 OPERATOR(pg_catalog.=) 1, $5::pg_catalog.jsonb, nullif($6, '')::pg_catalog.timestamptz)
RETURNING at)",
      {policy.ledger(), policy.name, policy.version, static_cast<std::int32_t>(ok), json_of(checks), counted_at});
  return rows.get(0, 1);
}

std::string json_of(Checks const& checks) { return json_array(checks, text_of); }

Checks checks_from(std::string const& json) {
  Checks checks;
  auto const kept = from_catalog("a record of audits", [&] { return parse_json(json, "checks"); });
  for (auto const& check : kept.elements())
    checks.push_back({check.at("check_name").string(), check.at("scope").string(), check.at("required").string(),
                      check.at("observed").string(), check.at("ok").boolean(), check.at("offending").integer(), "{}"});
  return checks;
}

}  // namespace anon_seq::release
