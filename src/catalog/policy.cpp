#include "catalog/policy.h"

#include "catalog/audit_record.h"
#include "catalog/catalog_writer.h"
#include "catalog/ledger.h"
#include "catalog/ledger_types.h"
#include "catalog/meant.h"
#include "catalog/watch.h"
#include "pg/json_object.h"
#include "pg/lock_wait.h"

namespace anon_seq::catalog {
namespace {

Policy policy_from(JsonValue const& row) {
  Policy policy;
  policy.id = static_cast<std::int32_t>(row.at("id").integer());
  policy.name = row.at("name").string();
  policy.method = row.at("method").string();
  policy.source_schema = row.at("source_schema").string();
  policy.source_name = row.at("source_name").string();
  if (auto const& person = row.at("person"); person.kind() != JsonValue::Kind::kNull) policy.person = person.string();
  policy.quasi = row.at("quasi").strings();
  policy.sensitive = row.at("sensitive").strings();
  policy.publish_as_is = row.at("publish_as_is").strings();
  policy.target_schema = row.at("target_schema").string();
  policy.target_name = row.at("target_name").string();
  policy.population = row.at("population").string();
  policy.columns = columns_from(row.at("columns"));
  for (auto const& [column, type] : row.at("source_types").members())
    policy.source_types.emplace(column, type.string());
  policy.version = static_cast<std::int32_t>(row.at("version").integer());
  policy.parameters = row.at("parameters_text").string();
  policy.options = row.at("options_text").string();
  return policy;
}

// Columns are those of the roles, in their order; others go by their numbers.
bool are_of_roles(Policy const& policy) {
  std::size_t i = 0;
  auto const are = [&](std::vector<std::string> const& names, Role role) {
    for (auto const& name : names) {
      if (i == policy.columns.size() || policy.columns[i].column != name || policy.columns[i].role != role)
        return false;
      ++i;
    }
    return true;
  };
  bool const named = are(policy.quasi, Role::kQuasi) && are(policy.sensitive, Role::kSensitive) &&
                     are(policy.publish_as_is, Role::kAsIs);
  while (i < policy.columns.size() && policy.columns[i].role == Role::kClass) ++i;  // a method's own
  return named && i == policy.columns.size() && !policy.quasi.empty();
}

// What others rely on; who owns the extension may have written the row himself.
void require_sound(Policy const& policy, bool is_of_its_ledger) {
  if (!is_of_its_ledger || policy.id <= 0 || policy.version < 0 || policy.name.empty() || policy.target_name.empty() ||
      !are_of_roles(policy))
    throw Error(Fault::kDamaged, "the catalog has a damaged row, of policy " + quoted(policy.name));
}

[[noreturn]] void throw_unknown(CatalogWriter& catalog, std::string const& name) {
  auto const orphan = catalog.read(
      "SELECT FROM anon_seq.policy AS p WHERE p.name OPERATOR(pg_catalog.=) $1"
      " AND anon_seq.ledger_owner(pg_catalog.concat('p', p.id)) IS NULL"
      " AND pg_catalog.pg_has_role($2, (SELECT e.extowner FROM pg_catalog.pg_extension AS e"
      "                                  WHERE e.extname OPERATOR(pg_catalog.=) 'anon_seq'), 'USAGE')",
      {name, catalog.caller_value()});
  if (orphan.count() > 0)
    throw Error(Fault::kNoObject, "policy " + quoted(name) + " has lost its ledger",
                "Its tables were dropped, or are not those that it was declared with.",
                "If they were restored over what was there: look who owns the tables in anon_seq_ledger, then"
                " SELECT * FROM anon_seq.adopt_ledgers().");
  auto const known = catalog.read(
      "SELECT p.name FROM anon_seq.policy AS p WHERE anon_seq.owns_ledger($1, pg_catalog.concat('p', p.id)) ORDER BY p.name COLLATE pg_catalog.\"C\"",
      {catalog.caller_value()});
  throw Error(Fault::kNoObject, "policy " + quoted(name) + " does not exist", "",
              meant_among(name, known) + "The view anon_seq.policies lists those that you may use.");
}

std::string types_json(std::map<std::string, std::string> const& types) {
  JsonObject json;
  for (auto const& [column, type] : types) json.text(column, type);
  return json.json();
}

std::string policy_json(Policy const& policy) {
  auto const list = [](std::vector<std::string> const& names) { return json_array(names, json_string); };
  return JsonObject()
      .number("id", std::int64_t{policy.id})
      .text("name", policy.name)
      .text("method", policy.method)
      .text("source_schema", policy.source_schema)
      .text("source_name", policy.source_name)
      .add("person", policy.person ? json_string(*policy.person) : "null")
      .add("quasi", list(policy.quasi))
      .add("sensitive", list(policy.sensitive))
      .add("publish_as_is", list(policy.publish_as_is))
      .text("target_schema", policy.target_schema)
      .text("target_name", policy.target_name)
      .text("population", policy.population)
      .add("parameters", policy.parameters)
      .add("options", policy.options)
      .add("columns", columns_json(policy.columns))
      .add("source_types", types_json(policy.source_types))
      .json();
}

constexpr char kLoad[] = R"(
  SELECT (pg_catalog.to_jsonb(p) OPERATOR(pg_catalog.||)
          pg_catalog.jsonb_build_object('parameters_text', p.parameters::pg_catalog.text, 'options_text', p.options::pg_catalog.text))::pg_catalog.text,
         -- A ledger of releases that another policy has made, or that this one has not made yet, is not its own.
         NOT EXISTS (SELECT FROM anon_seq.release AS r
                      WHERE r.ledger OPERATOR(pg_catalog.=) pg_catalog.concat('p', p.id)
                        AND (r.name OPERATOR(pg_catalog.<>) p.name OR r.method OPERATOR(pg_catalog.<>) p.method
                             OR r.version OPERATOR(pg_catalog.>) p.version))
    FROM anon_seq.policy AS p
   WHERE p.name OPERATOR(pg_catalog.=) $1 AND anon_seq.owns_ledger($2, 'p' OPERATOR(pg_catalog.||) p.id::pg_catalog.text))";

}  // namespace

bool is_ledger_name(std::string_view name) {
  if (name.size() < 2 || name.size() > 11 || (name[0] != 'p' && name[0] != 'r') || name[1] == '0') return false;
  return name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

namespace {

void lock_policy(SpiSession& session, Policy const& policy) {
  lock(session, Lockable::row("policy", policy.id, "policy " + quoted(policy.name)));
}

}  // namespace

void insert_policy(SpiSession& session, Policy& policy) {
  lock(session, Lockable::name("policy", policy.name, "the name of policy " + quoted(policy.name)));
  CatalogWriter catalog(session);
  policy.id = free_ledger_number(catalog, 'p', "SELECT pg_catalog.nextval('anon_seq.policy_id_seq')");
  auto const rows = catalog.execute(
      "INSERT INTO anon_seq.policy (id, name, method, source_schema, source_name, person, quasi, sensitive, publish_as_is,"
      " target_schema, target_name, population, parameters, options, columns, source_types)"
      " SELECT r.id, r.name, r.method, r.source_schema, r.source_name, r.person, r.quasi, r.sensitive, r.publish_as_is,"
      " r.target_schema, r.target_name, r.population, r.parameters, r.options, r.columns, r.source_types"
      " FROM pg_catalog.jsonb_populate_record(NULL::anon_seq.policy, $1::pg_catalog.jsonb) AS r"
      " ON CONFLICT (name) DO NOTHING RETURNING id",
      {policy_json(policy)});
  if (rows.count() == 0) throw Error(Fault::kExists, "policy " + quoted(policy.name) + " already exists");
}

void update_policy(SpiSession& session, Policy const& policy, std::string const& change) {
  CatalogWriter catalog(session);
  catalog.execute(
      "UPDATE anon_seq.policy AS p SET source_schema = r.source_schema, source_name = r.source_name, person = r.person,"
      " quasi = r.quasi, sensitive = r.sensitive, publish_as_is = r.publish_as_is, target_schema = r.target_schema,"
      " target_name = r.target_name, population = r.population, parameters = r.parameters, options = r.options,"
      " columns = r.columns, source_types = r.source_types, changes = p.changes OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_array("
      "   pg_catalog.jsonb_build_object('at', pg_catalog.now(), 'after_version', p.version, 'changes', $2::pg_catalog.jsonb))"
      " FROM pg_catalog.jsonb_populate_record(NULL::anon_seq.policy, $1::pg_catalog.jsonb) AS r"
      " WHERE p.id OPERATOR(pg_catalog.=) r.id",
      {policy_json(policy), change});
}

Policy load_policy(SpiSession& session, std::string const& name, bool locked) {
  if (locked) lock_policy(session, load_policy(session, name, false));
  CatalogWriter catalog(session);
  // Nobody has the row: it is locked for REPEATABLE READ, where who does not see its last change gets 40001.
  std::string const sql = std::string(kLoad) + (locked ? " FOR UPDATE OF p" : "");
  auto const rows = locked ? catalog.execute(sql.c_str(), {name, catalog.caller_value()})
                           : catalog.read(sql.c_str(), {name, catalog.caller_value()});
  if (rows.count() == 0) throw_unknown(catalog, name);
  auto policy = from_catalog("policy " + quoted(name),
                             [&] { return policy_from(parse_json(rows.get(0, 1), "policy " + quoted(name))); });
  require_sound(policy, rows.boolean(0, 2));
  if (auto const column = LedgerTypes(session).check(policy.ledger(), policy.columns); !column.empty())
    throw Error(Fault::kDamaged, "the ledger of policy " + quoted(name) + " was altered",
                "Column " + column + " of its cells is missing, or has another type than it was made with.");
  return policy;
}

void begin_version(SpiSession& session, Policy& policy) {
  lock_policy(session, policy);
  CatalogWriter catalog(session);
  auto const rows = catalog.execute(
      "UPDATE anon_seq.policy SET version = version OPERATOR(pg_catalog.+) 1 WHERE id OPERATOR(pg_catalog.=) $1 RETURNING version",
      {policy.id});
  if (rows.count() == 0) throw Error(Fault::kNoObject, "policy " + quoted(policy.name) + " has been dropped");
  policy.version = rows.int32(0, 1);
}

void undo_version(SpiSession& session, Policy const& policy) {
  CatalogWriter catalog(session);
  catalog.execute(
      "UPDATE anon_seq.policy SET version = version OPERATOR(pg_catalog.-) 1 WHERE id OPERATOR(pg_catalog.=) $1",
      {policy.id});
}

void delete_policy(SpiSession& session, Policy const& policy) {
  follow_only(session, policy.id, 0);
  delete_audit_record(session, policy.id);
  CatalogWriter catalog(session);
  catalog.execute("DELETE FROM anon_seq.policy WHERE id OPERATOR(pg_catalog.=) $1", {policy.id});
}

Oid ledger_relation(SpiSession& session, std::string const& ledger) {
  CatalogWriter catalog(session);
  return catalog.execute("SELECT anon_seq.ledger_relation($1)", {ledger}).oid(0, 1);
}

Oid ledger_owner(SpiSession& session, std::string const& ledger) {
  CatalogWriter catalog(session);
  return catalog.execute("SELECT anon_seq.ledger_owner($1)", {ledger}).oid(0, 1);
}

}  // namespace anon_seq::catalog
