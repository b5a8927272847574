// SQL functions that declare, change, describe and drop policies.
#include <algorithm>

#include "catalog/catalog_writer.h"
#include "catalog/ledger.h"
#include "catalog/population.h"
#include "catalog/release.h"
#include "catalog/rights.h"
#include "incremental/policy.h"
#include "pg/arguments.h"
#include "pg/line_type.h"
#include "pg/reading.h"
#include "release/alter.h"
#include "release/publish.h"
#include "release/source_table.h"
#include "sequential/common.h"
#include "sequential/ready_rules.h"
#include "sequential/rule_scope.h"

namespace anon_seq::api {
namespace {

void warn(std::string const& text, char const* hint) {
  char const* const message = text.c_str();
  call_pg([message, hint]() noexcept { ereport(WARNING, (errmsg_internal("%s", message), errhint("%s", hint))); });
}

void note(std::string const& text, char const* hint) {
  char const* const message = text.c_str();
  call_pg([message, hint]() noexcept { ereport(NOTICE, (errmsg_internal("%s", message), errhint("%s", hint))); });
}

// "key": json, for every argument that was given.
class Parameters {
 public:
  void add(char const* key, std::string const& json) {
    text_ += (text_.empty() ? "" : ", ") + json_string(key) + ": " + json;
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

// Where a name without a schema goes: the caller's first schema, before search_path is pinned.
std::string current_schema() {
  char const* name = nullptr;
  call_pg([&]() noexcept {
    List* const path = fetch_search_path(false);
    name = path == NIL ? nullptr : get_namespace_name(linitial_oid(path));
  });
  return name == nullptr ? "" : name;
}

void place_release(Definition& definition, std::string const& name) {
  auto const [schema, relation] = split_name(name);
  definition.target_schema = schema.empty() ? current_schema() : schema;
  definition.target_name = relation;
  if (definition.target_schema.empty())
    throw Error(Fault::kParameter, "no schema has been selected to make the release in", "",
                "Give publish_as with a schema.");
}

// The arguments that all create functions share begin at `first`.
void read_common(Definition& definition, Arguments const& arguments, int first) {
  if (arguments.has(first)) definition.sensitive = arguments.array(first, "sensitive");
  if (arguments.has(first + 1)) definition.publish_as_is = arguments.array(first + 1, "publish_as_is");
  if (arguments.has(first + 2)) definition.taxonomies = arguments.printed(first + 2, "taxonomies", JSONBOID);
  if (arguments.has(first + 3))
    place_release(definition, arguments.text(first + 3, "publish_as"));
  else
    place_release(definition, quote_name(definition.name));
  if (arguments.has(first + 4)) definition.population = arguments.text(first + 4, "population");
  if (arguments.has(first + 5)) definition.options = arguments.printed(first + 5, "options", JSONBOID);
}

void require_unused(SpiSession& session, Policy const& policy) {
  if (policy.name.find('/') != std::string::npos)
    throw Error(Fault::kParameter, "the name of a policy has no slash", "",
                "policy/3 is how its third release is written.");
  CatalogWriter catalog(session);
  auto const alive =
      catalog.read("SELECT FROM anon_seq.policy WHERE name OPERATOR(pg_catalog.=) $1 AND id OPERATOR(pg_catalog.<>) $2",
                   {policy.name, policy.id});
  if (alive.count() > 0) throw Error(Fault::kExists, "policy " + quoted(policy.name) + " already exists");
  auto const releases = catalog.read(
      "SELECT pg_catalog.max(version) FROM anon_seq.release WHERE name OPERATOR(pg_catalog.=) $1"
      " AND (version OPERATOR(pg_catalog.>) 0 OR withdrawn_at IS NULL) AND ledger OPERATOR(pg_catalog.<>) $2",
      {policy.name, policy.ledger()});
  if (auto const version = releases.integer_or_null(0, 1))
    throw Error(
        Fault::kExists, "there are releases called " + quoted(policy.name) + " already",
        *version == 0 ? "It was registered, and counts." : "They are of a policy that was dropped, and go on counting.",
        "Choose another name.");
  auto const targets = catalog.read(
      "SELECT FROM anon_seq.policy WHERE target_schema OPERATOR(pg_catalog.=) $1 AND target_name OPERATOR(pg_catalog.=) $2",
      {policy.target_schema, policy.target_name});
  bool taken = targets.count() > 0;
  auto const relations = catalog.read(
      "SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace"
      " WHERE n.nspname OPERATOR(pg_catalog.=) $1 AND c.relname OPERATOR(pg_catalog.=) $2",
      {policy.target_schema, policy.target_name});
  taken |= relations.count() > 0;
  if (taken)
    throw Error(Fault::kExists,
                "the name " + quoted(policy.target_name) + " is taken in schema " + quoted(policy.target_schema), "",
                "Name the release by publish_as.");
}

void check_domains(SpiSession& session, Policy const& policy, std::map<std::string, Domain> const& domains) {
  for (auto const& [column, domain] : domains) {
    auto const shown = std::find_if(policy.columns.begin(), policy.columns.end(), [&](auto const& published) {
      return published.column == column && published.role == "quasi" && is_range_type(published.type);
    });
    if (shown == policy.columns.end())
      throw Error(Fault::kParameter, "options.domains names column " + quoted(column) +
                                         ", which is no continuous quasi column of this policy");
    check_domain(session, *shown, domain);
  }
}

void check_incremental(SpiSession& session, Policy const& policy) {
  auto const demands = incremental_policy(policy);
  if (!policy.person)
    throw Error(Fault::kParameter, "an incremental policy needs a person column",
                "Persons are found again by their key when the next version is made.");
  if (demands.independent)
    throw Error(Fault::kParameter, "independent releases cannot be published",
                "Together they give people away; see anon_seq.audit_inference_relations().",
                "Look at one by preview(" + sql_literal(policy.name) +
                    ", ARRAY['{\"options\": {\"independent\": true}}'::jsonb]).");
  check_domains(session, policy, demands.domains);
  for (auto const& column : policy.sensitive)
    warn("sensitive column \"" + column + "\" is published as it is, and k does not bound what it tells",
         "All persons of a region may have the same value.");
  if (!demands.changed_since.empty()) select_columns(session, source_of(session, policy), {&demands.changed_since, 1});
  for (auto const& column : policy.columns)
    if (demands.object_id && column.column == "object_id")
      throw Error(Fault::kParameter, "column \"object_id\" of the source has the name of what options.object_id adds");
}

void check_demands(SpiSession& session, Policy const& policy) {
  if (policy.method == "incremental") return check_incremental(session, policy);
  auto const demands = sequential_policy(policy);
  check_rule_columns(policy, demands);
  if (!demands.label.empty()) select_columns(session, source_of(session, policy), {&demands.label, 1});
  require_bounded_label(policy, demands);
  heeded_releases(session, policy, demands);  // says which named release is not there
  check_domains(session, policy, demands.domains);
  if (!demands.label.empty() && !is_published(policy, demands.label))
    warn("label \"" + demands.label +
             "\" is not published, and nothing bounds what the cuts, which follow it, tell of it",
         "List it in sensitive, where rules speak of it, or in publish_as_is if everybody may know it.");
  for (auto const& column : policy.sensitive) {
    bool const bounded =
        demands.max_link || std::any_of(demands.rules.begin(), demands.rules.end(), [&](auto const& rule) {
          return std::find(rule.y.begin(), rule.y.end(), RuleColumn{"", column}) != rule.y.end();
        });
    if (!bounded)
      warn("sensitive column \"" + column + "\" is published as it is, and no rule bounds what it tells",
           "Give max_link, or a linkability rule with the column in y.");
  }
}

void note_other_populations(SpiSession& session, Policy const& policy) {
  CatalogWriter catalog(session);
  auto const rows = catalog.read(
      "SELECT pg_catalog.string_agg(DISTINCT r.name, ', ' ORDER BY r.name) FROM anon_seq.release AS r,"
      " pg_catalog.jsonb_array_elements(r.columns) AS c, pg_catalog.jsonb_array_elements($2::pg_catalog.jsonb) AS o"
      " WHERE r.population OPERATOR(pg_catalog.<>) $1 AND c OPERATOR(pg_catalog.->>) 'attribute' OPERATOR(pg_catalog.=) (o OPERATOR(pg_catalog.->>) 'attribute')"
      " AND anon_seq.owns_ledger($3, r.ledger)",
      {policy.population, columns_json(policy.columns), catalog.caller_value()});
  auto const names = rows.text(0, 1);
  if (!names) return;
  note("releases of other populations have attributes in common with this policy: " + *names,
       "If they are about the same people, give the same population.");
}

void note_arrivals(Policy const& policy) {
  if (policy.method != "incremental" || incremental_policy(policy).demands.arrivals_known) return;
  note("this policy does not guard against who knows when people came and went",
       "options => '{\"arrivals\": \"known\"}' does: newcomers and leavers then wait for each other.");
}

// Numbers, dates and timestamps need no taxonomy, and one of the column's name alone does not change what is published.
void note_unused_taxonomies(SpiSession& session, Policy const& policy) {
  std::string names;
  for (auto const& column : policy.columns)
    if (column.role == "quasi" && column.taxonomy.empty() && is_range_type(column.type))
      names += (names.empty() ? "" : ", ") + sql_literal(column.column);
  if (names.empty()) return;
  auto const rows = session.execute("SELECT t.name FROM anon_seq.taxonomies AS t WHERE t.name IN (" + names +
                                        ") AND anon_seq.has_role(" + std::string(kCurrentRole) +
                                        ", t.owner) ORDER BY t.name COLLATE \"C\"",
                                    {}, true);
  std::string list, named;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    list += (row == 0 ? "" : ", ") + quoted(rows.get(row, 1));
    named += (row == 0 ? "" : ", ") + json_string(rows.get(row, 1)) + ": " + json_string(rows.get(row, 1));
  }
  if (list.empty()) return;
  std::string const text = (rows.count() > 1 ? "taxonomies " : "taxonomy ") + list + " of yours " +
                           (rows.count() > 1 ? "are" : "is") + " not used: columns of numbers or dates show ranges";
  std::string const hint = "To publish labels instead, name " + std::string(rows.count() > 1 ? "them" : "it") +
                           ": taxonomies => " + sql_literal("{" + named + "}") + ".";
  note(text, hint.c_str());
}

void declare(Definition const& definition) {
  SpiSession session;
  require_publisher(session);
  Policy policy = resolve(session, definition);
  require_unused(session, policy);
  enter_population(session, policy.population);
  if (!definition.population) require_namesake(session, policy.population);
  check_demands(session, policy);
  insert_policy(session, policy);
  create_ledger(session, policy, person_type(session, policy));
  note_other_populations(session, policy);
  if (policy.method == "sequential") note_unnamed(session, policy);
  note_arrivals(policy);
  note_unused_taxonomies(session, policy);
}

// Json: what is common with each release that a sequential policy heeds, the rules it comes to, and the releases that
// no rule speaks about.
void describe_rules(SpiSession& session, Policy const& policy, std::string& common, std::string& rules,
                    std::string& unnamed) {
  auto const demands = sequential_policy(policy);
  auto const heeded = heeded_releases(session, policy, demands);
  for (auto const& release : heeded) {
    common += (common.empty() ? "" : ", ") + json_string(release.reference()) + ": " +
              common_json(session, policy, demands, release);
  }
  for (auto const& bound : bind_rules(session, policy, demands, heeded)) rules += ", " + bound.spec.text();
  for (auto const* release : unnamed_releases(policy, demands, heeded))
    unnamed += (unnamed.empty() ? "" : ", ") + json_string(release->reference());
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_create_sequential_policy);
Datum anon_seq_create_sequential_policy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    Definition definition;
    definition.name = arguments.text(0, "name");
    definition.method = "sequential";
    definition.source = arguments.relation(1, "source");
    if (arguments.has(2)) definition.person = arguments.text(2, "person");
    definition.quasi = arguments.array(3, "quasi");
    Parameters parameters;
    if (arguments.has(4)) parameters.add("k", std::to_string(arguments.integer(4, "k")));
    if (arguments.has(5)) {
      auto const max_link = arguments.printed(5, "max_link", NUMERICOID);
      if (max_link == "NaN" || max_link.ends_with("Infinity"))
        throw Error(Fault::kParameter, "argument \"max_link\" must be above 0 and at most 1");
      parameters.add("max_link", max_link);
    }
    if (arguments.has(6)) parameters.add("rules", arguments.printed(6, "rules", JSONBOID));
    if (arguments.has(7)) parameters.add("label", json_string(arguments.text(7, "label")));
    if (arguments.has(8)) parameters.add("objective", json_string(arguments.text(8, "objective")));
    if (arguments.has(9)) parameters.add("previous", json_array(arguments.array(9, "previous"), json_string));
    definition.parameters = parameters.text();
    read_common(definition, arguments, 10);
    declare(definition);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_create_incremental_policy);
Datum anon_seq_create_incremental_policy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    Definition definition;
    definition.name = arguments.text(0, "name");
    definition.method = "incremental";
    definition.source = arguments.relation(1, "source");
    if (arguments.has(2)) definition.person = arguments.text(2, "person");
    definition.quasi = arguments.array(3, "quasi");
    Parameters parameters;
    parameters.add("k", std::to_string(arguments.integer(4, "k")));
    definition.parameters = parameters.text();
    read_common(definition, arguments, 5);
    declare(definition);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_alter_policy);
Datum anon_seq_alter_policy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    auto const changes = arguments.printed(1, "changes", JSONBOID);
    SpiSession session;
    load_policy(session, name, true);
    FreshSnapshot const snapshot;
    Policy const before = load_policy(session, name, false);
    require_not_under_way(before.ledger());
    ActingAs const owner(ledger_owner(session, before.ledger()));
    auto const json = parse_json(changes, "changes");
    auto definition = definition_of(before);
    if (json.find("source") == nullptr) definition.source = source_of(session, before);
    Policy after = [&] {
      Oid const source = definition.source;
      try {
        return resolve(session, changed(session, std::move(definition), json));
      } catch (Error const& error) {
        rethrow_about_column(before, OidIsValid(source) ? qualified_name(source) : "schema.table", error);
      }
    }();
    after.id = before.id;
    after.version = before.version;
    if (before.version > 0)
      require_allowed_change(session, before, after);
    else if (before.target_schema != after.target_schema || before.target_name != after.target_name)
      require_unused(session, after);
    if (after.population != before.population) enter_population(session, after.population);
    check_demands(session, after);
    if (columns_json(before.columns) != columns_json(after.columns)) note_unused_taxonomies(session, after);
    update_policy(session, after, changes);
    if (before.version == 0) {
      drop_ledger(session, before.ledger());
      create_ledger(session, after, person_type(session, after));
    }
    if (after.method == "sequential") note_unnamed(session, after);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_describe_policy);
Datum anon_seq_describe_policy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const name = Arguments(fcinfo).text(0, "name");
    std::string text;
    {
      SpiSession session;
      Policy const policy = load_policy(session, name, false);
      std::string common, rules, unnamed;
      if (policy.method == "sequential") describe_rules(session, policy, common, rules, unnamed);
      auto const rows = session.execute(
          "SELECT (pg_catalog.to_jsonb(p) || pg_catalog.jsonb_build_object('common', $2::pg_catalog.jsonb, 'effective_rules', $3::pg_catalog.jsonb,"
          " 'unnamed', $4::pg_catalog.jsonb))::text"
          " FROM anon_seq.policies AS p WHERE p.name = $1",
          {name, "{" + common + "}", "[" + (rules.empty() ? "" : rules.substr(2)) + "]", "[" + unnamed + "]"}, true);
      text = rows.get(0, 1);
    }
    Datum result{};
    char const* const json = text.c_str();
    call_pg([&]() noexcept { result = DirectFunctionCall1(jsonb_in, CStringGetDatum(json)); });
    return result;
  });
}

PG_FUNCTION_INFO_V1(anon_seq_drop_policy);
Datum anon_seq_drop_policy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const name = Arguments(fcinfo).text(0, "name");
    SpiSession session;
    Policy const policy = load_policy(session, name, true);
    require_not_under_way(policy.ledger());
    ActingAs const owner(ledger_owner(session, policy.ledger()));
    delete_policy(session, policy);
    if (policy.version == 0) drop_ledger(session, policy.ledger());
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_declare_inconsistent);
Datum anon_seq_declare_inconsistent(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const attribute_a = arguments.text(0, "attribute_a"), value_a = arguments.text(1, "value_a");
    auto const attribute_b = arguments.text(2, "attribute_b"), value_b = arguments.text(3, "value_b");
    if (attribute_a == attribute_b)
      throw Error(Fault::kParameter, "an inconsistency is between two attributes", "",
                  "Values of one attribute match only along a path of its taxonomy.");
    SpiSession session;
    require_publisher(session);
    CatalogWriter catalog(session);
    catalog.execute("INSERT INTO anon_seq.inconsistency VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
                    {attribute_a, value_a, attribute_b, value_b, role_name(catalog.caller())});
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_withdraw_inconsistent);
Datum anon_seq_withdraw_inconsistent(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const attribute_a = arguments.text(0, "attribute_a"), value_a = arguments.text(1, "value_a");
    auto const attribute_b = arguments.text(2, "attribute_b"), value_b = arguments.text(3, "value_b");
    SpiSession session;
    CatalogWriter catalog(session);
    auto const rows = catalog.execute(
        "DELETE FROM anon_seq.inconsistency WHERE attribute_a OPERATOR(pg_catalog.=) $1 AND value_a OPERATOR(pg_catalog.=) $2"
        " AND attribute_b OPERATOR(pg_catalog.=) $3 AND value_b OPERATOR(pg_catalog.=) $4 AND anon_seq.has_role($5, declared_by)",
        {attribute_a, value_a, attribute_b, value_b, catalog.caller_value()});
    return BoolGetDatum(rows.count() > 0);
  });
}

}  // extern "C"

}  // namespace anon_seq::api
