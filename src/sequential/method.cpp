#include "sequential/method.h"

#include "catalog/ledger.h"
#include "pg/sql_text.h"
#include "release/forget.h"
#include "release/relations.h"
#include "release/release_objects.h"
#include "sequential/alter.h"
#include "sequential/audit.h"
#include "sequential/declare.h"
#include "sequential/draft.h"
#include "sequential/minimality.h"
#include "sequential/people.h"
#include "sequential/reader.h"
#include "sequential/ready_rules.h"

namespace anon_seq::sequential {
namespace {

constexpr std::string_view kParameters[] = {"k",         "max_link", "rules",         "label",
                                            "objective", "previous", "max_suppressed"};
constexpr char const* kPhases[] = {"read", "specialize"};

std::unique_ptr<Demands> demands(Policy const& policy) {
  return std::make_unique<SequentialPolicy>(sequential_policy(policy));
}

LedgerSchema ledger(Policy const& policy, std::string const& person_type) {
  return counted_ledger(policy.columns, person_type);
}

std::vector<std::string> read_beside(Policy const& policy) {
  auto const label = sequential_policy(policy).label;
  return label.empty() ? std::vector<std::string>() : std::vector{label};
}

std::string of_version(Release const& release) {
  return ledger_table(release.ledger, "note") + " WHERE version = " + std::to_string(release.version);
}

// Box by box, all columns of one after the other.
std::string select_boxes(Release const& release) {
  std::vector<std::string> columns, order, values;
  for (auto const& column : release.columns) {
    if (!column.is_quasi()) continue;
    auto const i = std::to_string(release.number_of(column));
    columns.push_back("c" + i);
    order.push_back(columns.back() + (column.type.starts_with("text") ? " COLLATE \"C\"" : ""));
    values.push_back("(" + i + ", " + sql_literal(column.column) + ", b.c" + i + "::text)");
  }
  return sql_text(R"(
SELECT v.attribute, v.value
FROM (SELECT {columns}, pg_catalog.row_number() OVER (ORDER BY {order}) AS box
      FROM (SELECT DISTINCT {columns} FROM {cell} WHERE version = {version}) AS d) AS b,
  LATERAL (VALUES {values}) AS v (i, attribute, value)
ORDER BY b.box, v.i)",
                  {{"columns", joined(columns, ", ")},
                   {"order", joined(order, ", ")},
                   {"values", joined(values, ", ")},
                   {"cell", ledger_table(release.ledger, "cell")},
                   {"version", std::to_string(release.version)}});
}

std::string select_cut(Release const& release) {
  if (is_local(release.options)) return select_boxes(release);
  return "SELECT e->>'attribute', e->>'value' FROM (SELECT cut FROM " + of_version(release) +
         ") AS n, pg_catalog.jsonb_array_elements(n.cut) WITH ORDINALITY AS x (e, i) ORDER BY i";
}

std::string select_trace(Release const& release) {
  return "SELECT i::int, e->>'attribute', e->>'value',"
         " ARRAY(SELECT v FROM pg_catalog.jsonb_array_elements_text(e->'children') WITH ORDINALITY AS c (v, o) ORDER BY o),"
         " (e->>'info_gain')::double precision, (e->>'priv_loss')::double precision, (e->>'score')::double precision,"
         " e->'privacy_after' FROM (SELECT trace FROM " +
         of_version(release) +
         ") AS n, pg_catalog.jsonb_array_elements(n.trace) WITH ORDINALITY AS x (e, i) ORDER BY i";
}

}  // namespace

constinit Method const kMethod{
    .name = "sequential",
    .parameters = kParameters,
    .phases = kPhases,
    .labels = [](Policy const&) { return "text"; },
    .demands = demands,
    .ledger = ledger,
    .relations = [](Policy const& policy) { return std::vector{whole(policy)}; },
    .own_columns = nullptr,
    .read_beside = read_beside,
    .lock_beside = lock_populations,
    .check = check,
    .advise = note_unnamed,
    .advise_again = true,
    .describe = describe,
    .require_followable = require_followable,
    .draft = make_draft,
    .create_relation = nullptr,
    .attack = nullptr,
    .finish = nullptr,
    .audit_version = audit_version,
    .audit_all = audit_all,
    .cut = select_cut,
    .trace = select_trace,
    .objects = select_persons,
    .places = nullptr,
    .forget = versions_with_person,
    .minimality = audit_minimality,
    .rests_on = has_heeded,
    .shown_once = shown_once,
    .shaped_by = shaped_by,
    .advice = advice,
    .refines = false,
    .spans_versions = true,
};

}  // namespace anon_seq::sequential
