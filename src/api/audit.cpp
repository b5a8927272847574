// SQL functions that replay attacks: audit_k, audit_alpha_k, audit_projections, audit_diversity, audit_join,
// audit_join_relations.
#include <algorithm>

#include "audit/audit_alpha.h"
#include "audit/audit_diversity.h"
#include "audit/audit_k.h"
#include "audit/audit_tables.h"
#include "audit/match.h"
#include "audit/text_intervals.h"
#include "core/numbers/rounded.h"
#include "pg/arguments.h"
#include "pg/json_object.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/result_rows.h"
#include "pg/sql_text.h"

namespace anon_seq::api {
namespace {

// The json text of a jsonb argument.
std::string json_argument(FunctionCallInfo fcinfo, int number, char const* name) {
  return Arguments(fcinfo).printed(number, name, JSONBOID);
}

struct Options {
  AuditOptions join;
  std::vector<std::vector<std::optional<std::string>>> values;
  bool each = false, nulls = false;
};

std::optional<std::string> part_of(JsonValue const& json) {
  if (json.kind() == JsonValue::Kind::kNull) return std::nullopt;
  return json.string();
}

bool flag(JsonValue const& json, char const* key, bool otherwise = false) {
  auto const* const found = json.find(key);
  return found == nullptr ? otherwise : found->boolean();
}

Options parse_options(JsonValue const& json) {
  json.expect_keys({"overlap", "outer", "general", "values", "each", "nulls"});
  Options options;
  options.join.overlap = flag(json, "overlap", true);
  options.join.outer = flag(json, "outer");
  options.join.general = flag(json, "general");
  options.each = flag(json, "each");
  options.nulls = flag(json, "nulls");
  auto const* const values = json.find("values");
  if (values == nullptr) return options;
  for (auto const& value : values->elements()) {
    auto& parts = options.values.emplace_back();
    if (value.kind() != JsonValue::Kind::kArray)
      parts.push_back(part_of(value));
    else
      for (auto const& part : value.elements()) parts.push_back(part_of(part));
  }
  return options;
}

struct Audited {
  AuditFinding anonymity;
  std::optional<AuditFinding> linkability;  // of columns only
  std::string dangling;                     // json
  std::optional<std::string> worst;         // json
};

// Of what does not meet at all, nothing was measured: that is no good news.
void tell_empty(std::vector<AuditTable> const& tables) {
  std::vector<std::string> compared;
  for (auto const& ours : tables.front().columns) {
    bool const common = !ours.attribute.empty() && std::ranges::any_of(tables, [&](auto const& table) {
      return &table != &tables.front() &&
             std::ranges::any_of(table.columns, [&](auto const& theirs) { return theirs.attribute == ours.attribute; });
    });
    if (common) compared.push_back(quoted(ours.attribute));
  }
  warning("no row of " + relation_text(tables.front()) + " matches one of each other table: nothing was measured",
          "They were compared by " + joined(compared, ", ") +
              ". The argument attributes names the columns to compare, the taxonomies of labels, and what is an"
              " interval.");
}

Audited audit(SpiSession& session, FunctionCallInfo fcinfo, std::vector<AuditTable> tables) {
  AuditRule rule;
  rule.x = parse_terms(session, parse_json(json_argument(fcinfo, 1, "x"), "x"), tables);
  rule.y = parse_terms(session, parse_json(json_argument(fcinfo, 2, "y"), "y"), tables);
  Options options;
  if (!PG_ARGISNULL(4)) options = parse_options(parse_json(json_argument(fcinfo, 4, "options"), "options"));
  options.join.inconsistencies = load_inconsistencies(session, tables);
  AuditJoin join(session, tables, options.join);
  Audited found{join.measure(rule), std::nullopt, "", std::nullopt};
  bool columns_only = true;
  for (auto const& term : rule.y) columns_only = columns_only && term.what == AuditTerm::kColumn;
  if (columns_only) {
    rule.kind = AuditRule::kLinkability;
    rule.values = options.values;
    rule.each = options.each;
    rule.nulls = options.nulls;
    found.linkability = join.measure(rule);
  } else if (!options.values.empty()) {
    throw Error(Fault::kParameter, "listed values need columns in y");
  }
  JsonObject dangling, worst;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    auto name = tables[t].name;
    for (std::size_t s = 0; s < t; ++s)
      if (tables[s].name == tables[t].name) name = tables[t].name + " #" + std::to_string(t + 1);
    dangling.add(name, found.anonymity.dangling[t]);
  }
  found.dangling = dangling.json();
  if (tables.size() > 1 && found.anonymity.is_empty()) tell_empty(tables);
  if (!found.anonymity.worst) return found;
  worst.add("anonymity", *found.anonymity.worst);
  if (found.linkability && found.linkability->worst) worst.add("linkability", *found.linkability->worst);
  found.worst = worst.json();
  return found;
}

// num / den as a decimal; exact ones stay exact. 0 if there are rows, but no y.
std::optional<std::string> quotient(SpiSession& session, Audited const& found) {
  auto const& finding = found.linkability;
  if (!finding) return std::nullopt;
  if (!finding->numerator) return found.anonymity.anonymity ? std::optional<std::string>("0") : std::nullopt;
  return session
      .execute("SELECT pg_catalog.trim_scale(pg_catalog.round($1::numeric OPERATOR(pg_catalog./) $2::numeric, 16))",
               {*finding->numerator, *finding->denominator}, true)
      .text(0, 1);
}

template <class MakeTables>
Datum audit_row(FunctionCallInfo fcinfo, MakeTables make_tables) {
  Audited found;
  std::optional<std::string> linkability;
  {
    SpiSession session;
    std::optional<JsonValue> attributes;
    if (!PG_ARGISNULL(3)) attributes = parse_json(json_argument(fcinfo, 3, "attributes"), "attributes");
    found = audit(session, fcinfo, make_tables(session, attributes ? &*attributes : nullptr));
    linkability = quotient(session, found);
  }
  return make_row(fcinfo,
                  {found.anonymity.anonymity, linkability, found.anonymity.matches, found.dangling, found.worst});
}

ListedTexts listed_argument(Arguments const& arguments, int number) {
  if (!arguments.has(number)) return std::nullopt;
  return arguments.array(number, "sensitive_values");
}

// Throws kNoColumn for a column that is missing. A column n of SS counts, unless it is the sensitive one.
void complete(SpiSession& session, ProjectionPair& pair) {
  auto const has = [&](Oid relation, std::string const& column) {
    auto const names = column_names(session, relation);
    return std::find(names.begin(), names.end(), column) != names.end();
  };
  select_columns(session, pair.nss, {&pair.class_id, 1});
  std::vector<std::string> columns{pair.class_id, pair.sensitive};
  pair.counted = pair.sensitive != "n" && has(pair.ss, "n");
  if (pair.counted) columns.push_back("n");
  select_columns(session, pair.ss, columns);
  if (!OidIsValid(pair.original)) return;
  select_columns(session, pair.original, {&pair.sensitive, 1});
  for (auto const& column : column_names(session, pair.nss))
    if (column != pair.class_id && has(pair.original, column)) pair.shared.push_back(column);
}

std::vector<std::optional<std::string>> diversity_row(Diversity const& found) {
  std::vector<std::optional<std::string>> row{std::to_string(found.classes), std::to_string(found.smallest),
                                              std::to_string(found.values), std::to_string(found.fewest)};
  for (double const measure : {found.entropy_l, found.t, found.alpha, found.beta, found.enhanced_beta, found.delta})
    row.push_back(found.classes == 0 ? std::nullopt : std::optional(rounded_text(measure)));
  auto const c = found.recursive_c ? std::optional(std::to_string(*found.recursive_c)) : std::nullopt;
  row.insert(row.begin() + 5, c);
  return row;
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_audit_k);
Datum anon_seq_audit_k(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    Oid const relation = arguments.relation(0, "relation");
    auto const quasi = arguments.array(1, "quasi");
    AuditK found;
    {
      SpiSession session;
      AuditTable table;
      auto columns = quasi;
      for (auto const& column : quasi) table.columns.push_back({column, "", "", "", false, "", ""});
      table.query = "SELECT * FROM " + qualified_name(relation);
      table.name = qualified_name(relation);
      if (!PG_ARGISNULL(2)) {
        table.persons = Persons::kKey;
        table.person_column = arguments.text(2, "person");
        columns.push_back(table.person_column);
      }
      select_columns(session, relation, columns);  // says which one is missing
      found = measure_k(session, table);
    }
    return make_row(fcinfo, {std::to_string(found.classes), std::to_string(found.smallest), found.average,
                             found.histogram, found.worst});
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_alpha_k);
Datum anon_seq_audit_alpha_k(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    Oid const relation = arguments.relation(0, "relation");
    auto const quasi = arguments.array(1, "quasi");
    auto const sensitive = arguments.text(2, "sensitive");
    auto const listed = listed_argument(arguments, 3);
    AuditAlpha found;
    {
      SpiSession session;
      auto columns = quasi;
      columns.push_back(sensitive);
      select_columns(session, relation, columns);  // says which one is missing
      found = measure_alpha(session, relation, quasi, sensitive, listed);
    }
    return make_row(fcinfo,
                    {std::to_string(found.classes), std::to_string(found.smallest), found.largest, found.worst});
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_projections);
Datum anon_seq_audit_projections(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    ProjectionPair pair;
    pair.nss = arguments.relation(0, "nss");
    pair.ss = arguments.relation(1, "ss");
    pair.class_id = arguments.text(2, "class_id");
    pair.sensitive = arguments.text(3, "sensitive");
    auto const listed = listed_argument(arguments, 4);
    if (arguments.has(5)) pair.original = arguments.relation(5, "original");
    AuditProjections found;
    {
      SpiSession session;
      complete(session, pair);
      found = measure_projections(session, pair, listed);
    }
    return make_row(fcinfo, {std::to_string(found.classes), std::to_string(found.smallest), found.largest, found.worst,
                             std::to_string(found.differing),
                             found.recovered ? std::optional(std::to_string(*found.recovered)) : std::nullopt});
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_diversity);
Datum anon_seq_audit_diversity(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    Oid const relation = arguments.relation(0, "relation");
    auto const quasi = arguments.array(1, "quasi");
    auto const sensitive = arguments.text(2, "sensitive");
    auto const counts = arguments.has(3) ? std::optional(arguments.text(3, "counts")) : std::nullopt;
    Diversity found;
    {
      SpiSession session;
      auto columns = quasi;
      columns.push_back(sensitive);
      if (counts) columns.push_back(*counts);
      select_columns(session, relation, columns);  // says which one is missing
      InterruptCheckpoint checkpoint;
      found = measure_diversity(session, relation, quasi, sensitive, counts, checkpoint);
    }
    return make_row(fcinfo, diversity_row(found));
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_join);
Datum anon_seq_audit_join(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const releases = Arguments(fcinfo).array(0, "releases");
    return audit_row(fcinfo, [&](SpiSession& session, JsonValue const* attributes) {
      return named_releases(session, releases, attributes);
    });
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_join_relations);
Datum anon_seq_audit_join_relations(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const relations = Arguments(fcinfo).relations(0, "relations");
    return audit_row(fcinfo, [&](SpiSession& session, JsonValue const* attributes) {
      auto tables = relation_tables(session, relations, attributes);
      find_text_intervals(session, tables);
      return tables;
    });
  });
}

}  // extern "C"

}  // namespace anon_seq::api
