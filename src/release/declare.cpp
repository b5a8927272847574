#include "release/declare.h"

#include <algorithm>

#include "core/taxonomy/taxonomy_builder.h"
#include "core/text/nearest.h"
//
#include "catalog/taxonomy_store.h"
#include "pg/json_object.h"
#include "pg/line_type.h"
#include "pg/no_column.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "release/method.h"
#include "release/person_key.h"
#include "release/source_shape.h"

namespace anon_seq::release {
namespace {

struct SourceColumn {
  std::string name, type, collated_type;  // type with typmod; the same with its collation
  ValueType value;
};

// The column as the catalog describes it; select_columns() has found it before.
SourceColumn describe(SpiSession& session, Oid source, std::string const& name) {
  auto const rows = session.execute(
      "SELECT a.atttypid, a.atttypmod, a.attcollation,"
      "       CASE WHEN a.attcollation <> t.typcollation THEN pg_catalog.format(' COLLATE %I.%I', n.nspname, c.collname) END"
      "  FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
      "  LEFT JOIN (pg_catalog.pg_collation AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.collnamespace) ON c.oid = a.attcollation"
      " WHERE a.attrelid = $1 AND a.attname = $2 AND NOT a.attisdropped",
      {SqlValue::oid(source), name}, true);
  auto const declared = rows.oid(0, 1);
  auto const type = base_type_name(declared, rows.int32(0, 2));
  SourceColumn column{name, type, type + rows.get(0, 4), {}};
  column.value = value_type_of(declared, name);
  require_plain_equality(declared, rows.oid(0, 3), name);
  require_own_enum(declared, name);
  if (!session.is_true("SELECT $1 = 0::pg_catalog.oid OR EXISTS (SELECT FROM pg_catalog.pg_collation AS c"
                       " JOIN pg_catalog.pg_roles AS o ON o.oid = c.collowner"
                       " WHERE c.oid = $1 AND (o.rolsuper OR o.oid = $2))",
                       {SqlValue::oid(rows.oid(0, 3)), SqlValue::oid(GetUserId())}))
    throw Error(Fault::kPrivilege, "column " + quoted(name) + " has a collation of another role",
                "Ledgers and releases would have it too, and go with it when its owner drops it.",
                "Offer the column under a collation of your own or the server's in a view: " + quote_name(name) +
                    " COLLATE \"C\".");
  return column;
}

class Resolver {
 public:
  Resolver(SpiSession& session, Definition const& definition)
      : session_(session),
        definition_(definition),
        method_(method_called(definition.method)),
        taxonomies_(parse_json(definition.taxonomies, "taxonomies")) {
    if (definition.person) persons_ = person_columns(session, *definition.person);
  }

  Policy policy() {
    check_name("policy", definition_.name);
    check_roles();
    Policy policy;
    policy.name = definition_.name;
    policy.method = definition_.method;
    name_source(policy);
    if (definition_.person) policy.person = person_text(persons_);
    policy.quasi = definition_.quasi;
    policy.sensitive = definition_.sensitive;
    policy.publish_as_is = definition_.publish_as_is;
    policy.parameters = definition_.parameters;
    policy.options = definition_.options;
    policy.target_schema = definition_.target_schema;
    policy.target_name = definition_.target_name;
    check_target();
    policy.population = definition_.population.value_or(policy.source_schema + "." + policy.source_name);
    if (policy.population.empty()) throw Error(Fault::kParameter, "a population needs a name");
    for (auto const& name : definition_.quasi) policy.columns.push_back(quasi_column(name, policy));
    for (auto const& name : definition_.sensitive) policy.columns.push_back(plain_column(name, Role::kSensitive));
    for (auto const& name : definition_.publish_as_is) policy.columns.push_back(plain_column(name, Role::kAsIs));
    if (method_.own_columns != nullptr)
      for (auto& column : method_.own_columns(policy)) policy.columns.push_back(std::move(column));
    policy.source_types = source_types(session_, definition_.source, policy);
    return policy;
  }

 private:
  void check_roles() {
    std::vector<std::string> all;
    auto take = [&](std::vector<std::string> const& columns, char const* role) {
      auto const known = static_cast<std::ptrdiff_t>(all.size());
      for (auto const& column : columns) {
        if (std::find(all.begin() + known, all.end(), column) != all.end())
          throw Error(Fault::kParameter, "column " + quoted(column) + " is listed twice in " + role);
        if (std::find(all.begin(), all.end(), column) != all.end())
          throw Error(Fault::kParameter, "column " + quoted(column) + " has two roles, one of them " + role, "",
                      "Person, quasi, sensitive and publish_as_is share no column.");
        all.push_back(column);
      }
    };
    if (definition_.quasi.empty()) throw Error(Fault::kParameter, "argument \"quasi\" must name at least one column");
    take(persons_, "person");
    if (persons_.size() > 1) all.clear();  // one of several names nobody: it may have another role
    take(definition_.quasi, "quasi");
    take(definition_.sensitive, "sensitive");
    take(definition_.publish_as_is, "publish_as_is");
    for (auto const& [column, taxonomy] : taxonomies_.members())
      if (std::find(all.begin(), all.end(), column) == all.end())
        throw Error(Fault::kParameter,
                    "taxonomies names column " + quoted(column) + ", which has no role in this policy", "",
                    perhaps(column, all));
    for (auto const& column : persons_)
      if (std::find(all.begin(), all.end(), column) == all.end()) all.push_back(column);
    lock_source(session_, definition_.source, all);  // says which one is missing, or that the caller may not read it
    for (auto const& column : persons_) describe(session_, definition_.source, column);  // says what cannot be a key
  }

  void name_source(Policy& policy) {
    auto const rows = session_.execute(
        "SELECT n.nspname, c.relname, c.relpersistence FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
        " WHERE c.oid = $1",
        {SqlValue::oid(definition_.source)}, true);
    policy.source_schema = rows.get(0, 1);
    policy.source_name = rows.get(0, 2);
    if (rows.get(0, 3) == "t")
      throw Error(Fault::kParameter, "source " + quoted(policy.source_name) + " is temporary",
                  "A policy outlives the session.");
  }

  void check_target() {
    constexpr std::size_t kMaxTarget = 47;
    if (definition_.target_name.size() > kMaxTarget)
      throw Error(Fault::kName, "name " + quoted(definition_.target_name) + " is too long for a release",
                  "It has " + std::to_string(definition_.target_name.size()) + " bytes, " + std::to_string(kMaxTarget) +
                      " are allowed, as versions add to it.",
                  "Give another one by publish_as.");
    auto const rows = session_.execute(
        "SELECT pg_catalog.has_schema_privilege(n.oid, 'CREATE'), pg_catalog.has_schema_privilege(n.oid, 'USAGE')"
        " FROM pg_catalog.pg_namespace AS n WHERE n.nspname = $1",
        {definition_.target_schema}, true);
    if (rows.count() == 0)
      throw Error(Fault::kNoObject, "schema " + quoted(definition_.target_schema) + " does not exist");
    if (rows.boolean(0, 1) && rows.boolean(0, 2)) return;
    throw Error(Fault::kPrivilege, "permission denied for schema " + definition_.target_schema,
                "Releases are made there: it takes the rights USAGE and CREATE.",
                "Name another schema by publish_as, or ask its owner: GRANT USAGE, CREATE ON SCHEMA " +
                    quote_name(definition_.target_schema) + " TO " + quote_name(role_name(GetUserId())) + ".");
  }

  std::string named_taxonomy(std::string const& column) {
    auto const* const named = taxonomies_.find(column);
    return named == nullptr || named->kind() == JsonValue::Kind::kNull ? "" : named->string();
  }

  // A taxonomy with the column's own name counts only if its owner's role is one of the caller's.
  bool has_own_taxonomy(std::string const& column) {
    return session_
               .execute("SELECT FROM anon_seq.taxonomies AS t WHERE t.name = $1 AND anon_seq.has_role(" +
                            std::string(kCurrentRole) + ", t.owner)",
                        {column}, true)
               .count() > 0;
  }

  PublishedColumn quasi_column(std::string const& name, Policy const& policy) {
    auto const column = describe(session_, definition_.source, name);
    auto taxonomy = named_taxonomy(name);
    bool const continuous = is_continuous(column.value.kind);
    auto const* const labels = method_.labels(policy);
    bool const as_is = labels == nullptr;  // a taxonomy only says where to cut, and need not be there
    bool const small = column.value.kind == ValueKind::kBoolean || column.value.kind == ValueKind::kEnum;
    if (taxonomy.empty() && !continuous && has_own_taxonomy(name)) taxonomy = name;
    if (taxonomy.empty() && small) taxonomy = taxonomy_of_type(column.value.type);
    if (taxonomy.empty() && !continuous && !as_is)
      throw Error(Fault::kParameter, "column " + quoted(name) + " needs a taxonomy",
                  "It is of type " + column.type + ", and there is no taxonomy of that name that is yours.",
                  "Make one, beginning with SELECT anon_seq.suggest_taxonomy(" +
                      sql_literal(qualified_name(definition_.source)) + ", " + sql_literal(name) +
                      "), and name it in taxonomies => " + sql_literal("{" + json_string(name) + ": \"...\"}") + ".");
    if (!taxonomy.empty()) {
      InterruptCheckpoint checkpoint;
      load_taxonomy(session_, taxonomy, checkpoint);  // says if it is not there for the caller
    }
    bool const ranges = taxonomy.empty() && continuous;
    if (as_is) return {name, name, taxonomy, Role::kQuasi, column.collated_type};
    return {name, name, taxonomy, Role::kQuasi, ranges ? range_of(column.type) : labels};
  }

  PublishedColumn plain_column(std::string const& name, Role role) {
    auto const column = describe(session_, definition_.source, name);
    auto taxonomy = named_taxonomy(name);
    if (taxonomy.empty() && column.type == "text" && has_own_taxonomy(name)) taxonomy = name;
    return {name, name, taxonomy, role, column.collated_type};
  }

  SpiSession& session_;
  Definition const& definition_;
  Method const& method_;
  JsonValue taxonomies_;
  std::vector<std::string> persons_;
};

}  // namespace

Policy resolve(SpiSession& session, Definition const& definition) { return Resolver(session, definition).policy(); }

Oid source_of(SpiSession& session, Policy const& policy) {
  std::string const name = quote_name(policy.source_schema) + "." + quote_name(policy.source_name);
  auto const rows = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {name}, true);
  if (auto const oid = rows.oid(0, 1); OidIsValid(oid)) return oid;
  throw Error(Fault::kNoObject, "source " + name + " of policy " + quoted(policy.name) + " does not exist",
              "It has been dropped or renamed since the policy was declared.",
              "Rename it back, or SELECT anon_seq.alter_policy(" + sql_literal(policy.name) +
                  ", '{\"source\": \"schema.table\"}').");
}

namespace {

bool reads_column(SpiSession& session, Policy const& policy, std::string const& name) {
  auto const is_named = [&](auto const& columns) { return std::ranges::find(columns, name) != columns.end(); };
  return (policy.person && is_named(person_columns(session, *policy.person))) || is_named(policy.quasi) ||
         is_named(policy.sensitive) || is_named(policy.publish_as_is) ||
         is_named(method_of(policy).read_beside(policy));
}

}  // namespace

void rethrow_about_column(SpiSession& session, Policy const& policy, std::string const& source, Error const& error) {
  auto const* const missing = dynamic_cast<NoColumn const*>(&error);
  bool const is_ours = missing != nullptr && reads_column(session, policy, missing->column());
  if (!is_ours) throw Error(error);
  throw Error(error.fault(), error.what(), "It may have been dropped or renamed since the policy was declared.",
              "Give it back its name: ALTER TABLE " + source +
                  " RENAME COLUMN ... TO ...; or publish from a view that has"
                  " all columns: SELECT anon_seq.alter_policy(" +
                  sql_literal(policy.name) + ", '{\"source\": \"schema.view\"}');");
}

Definition definition_of(Policy const& policy) {
  Definition definition;
  definition.name = policy.name;
  definition.method = policy.method;
  definition.person = policy.person;
  definition.quasi = policy.quasi;
  definition.sensitive = policy.sensitive;
  definition.publish_as_is = policy.publish_as_is;
  definition.parameters = policy.parameters;
  definition.options = policy.options;
  definition.target_schema = policy.target_schema;
  definition.target_name = policy.target_name;
  definition.population = policy.population;
  JsonObject taxonomies;
  for (auto const& column : policy.columns)
    if (!column.taxonomy.empty()) taxonomies.text(column.column, column.taxonomy);
  definition.taxonomies = taxonomies.json();
  return definition;
}

}  // namespace anon_seq::release
