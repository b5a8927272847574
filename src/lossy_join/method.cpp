#include "lossy_join/method.h"

#include "catalog/ledger.h"
#include "lossy_join/alter.h"
#include "lossy_join/audit.h"
#include "lossy_join/correlation.h"
#include "lossy_join/declare.h"
#include "lossy_join/draft.h"
#include "lossy_join/joined.h"
#include "lossy_join/minimality.h"
#include "lossy_join/policy.h"
#include "lossy_join/row_ledger.h"
#include "pg/sql_text.h"
#include "release/forget.h"
#include "release/release_objects.h"

namespace anon_seq::lossy_join {
namespace {

constexpr std::string_view kParameters[] = {"alpha", "k", "form", "classes", "l", "sensitive_values"};
constexpr char const* kPhases[] = {"read", "group"};

std::vector<PublishedColumn> own_columns(Policy const& policy) {
  if (is_generalized(policy)) return {};
  return {{kClassColumn, "", "", catalog::Role::kClass, "integer"}};
}

}  // namespace

std::string select_cut(Release const& release) {
  Policy then;
  then.parameters = release.parameters;
  then.options = release.options;
  std::vector<std::string> columns;
  for (auto const& column : release.columns) {
    if (!column.is_quasi() || !shows_labels(then)) continue;
    auto const i = std::to_string(release.number_of(column));
    columns.push_back(sql_text(R"(
SELECT {i} AS i, {name} AS attribute, c::text AS value, row_number() OVER (ORDER BY {order}) AS o
FROM (SELECT DISTINCT c{i} AS c FROM {cell} WHERE version = {version}) AS d)",
                               {{"i", i},
                                {"name", sql_literal(column.column)},
                                {"order", order_of(column, "c")},
                                {"cell", ledger_table(release.ledger, "cell")},
                                {"version", std::to_string(release.version)}}));
  }
  if (columns.empty()) return "SELECT NULL::text, NULL::text WHERE false";
  return "SELECT attribute, value FROM (" + joined(columns, " UNION ALL ") + ") AS v ORDER BY i, o";
}

std::string select_trace(Release const& release) {
  return sql_text(R"(
SELECT i::int, e->>'attribute', e->>'value', ARRAY(SELECT v FROM jsonb_array_elements_text(e->'children') WITH ORDINALITY AS c (v, o) ORDER BY o),
       NULL::double precision, NULL::double precision, (e->>'score')::double precision, e->'privacy_after'
FROM {note} AS n, jsonb_array_elements(n.trace) WITH ORDINALITY AS x (e, i)
WHERE n.version = {version}
ORDER BY i)",
                  {{"note", ledger_table(release.ledger, "note")}, {"version", std::to_string(release.version)}});
}

constinit Method const kMethod{
    .name = "lossy_join",
    .parameters = kParameters,
    .phases = kPhases,
    .labels = [](Policy const& policy) -> char const* { return shows_labels(policy) ? "text" : nullptr; },
    .demands = [](Policy const& policy) -> std::unique_ptr<Demands> {
      return std::make_unique<LossyPolicy>(lossy_policy(policy));
    },
    .ledger =
        [](Policy const& policy, std::string const& keys) {
          return is_generalized(policy) ? counted_ledger(policy.columns, keys) : row_ledger(policy, keys);
        },
    .relations = relations,
    .own_columns = own_columns,
    .read_beside = [](Policy const&) { return std::vector<std::string>(); },
    .lock_beside = nullptr,
    .check = check,
    .advise = advise,
    .advise_again = false,
    .describe = [](SpiSession&, Policy const&) { return Description(); },
    .require_followable = require_followable,
    .draft = make_draft,
    .create_relation = create_relation,
    .attack = warn_of_correlation,
    .finish = nullptr,
    .audit_version = audit_version,
    .audit_all = [](AuditRun const&, Checks&) {},
    .cut = select_cut,
    .trace = select_trace,
    .objects = select_persons,
    .places = nullptr,
    .forget = versions_with_person,
    .minimality = audit_minimality,
    .rests_on = nullptr,
    .shown_once = nullptr,
    .shaped_by = nullptr,
    .advice = nullptr,
    .refines = false,
    .spans_versions = true,  // the same content gives the same version, and is not dealt anew
};

}  // namespace anon_seq::lossy_join
