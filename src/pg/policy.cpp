#include "pg/policy.h"

#include "pg/catalog.h"

namespace anon_seq::pg {
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
  policy.version = static_cast<std::int32_t>(row.at("version").integer());
  policy.parameters = row.at("parameters_text").string();
  policy.options = row.at("options_text").string();
  return policy;
}

std::string policy_json(Policy const& policy) {
  auto member = [](char const* key, std::string const& json) { return std::string(", \"") + key + "\": " + json; };
  auto text = [&](char const* key, std::string const& value) { return member(key, json_string(value)); };
  auto list = [&](char const* key, std::vector<std::string> const& values) {
    return member(key, json_array(values, json_string));
  };
  return "{\"id\": " + std::to_string(policy.id) + text("name", policy.name) + text("method", policy.method) +
         text("source_schema", policy.source_schema) + text("source_name", policy.source_name) +
         member("person", policy.person ? json_string(*policy.person) : "null") + list("quasi", policy.quasi) +
         list("sensitive", policy.sensitive) + list("publish_as_is", policy.publish_as_is) +
         text("target_schema", policy.target_schema) + text("target_name", policy.target_name) +
         text("population", policy.population) + member("parameters", policy.parameters) +
         member("options", policy.options) + member("columns", columns_json(policy.columns)) + "}";
}

constexpr char kLoad[] = R"(
  SELECT (pg_catalog.to_jsonb(p) OPERATOR(pg_catalog.||)
          pg_catalog.jsonb_build_object('parameters_text', p.parameters::pg_catalog.text, 'options_text', p.options::pg_catalog.text))::pg_catalog.text
    FROM anon_seq.policy AS p
   WHERE p.name OPERATOR(pg_catalog.=) $1 AND anon_seq.owns_ledger($2, 'p' OPERATOR(pg_catalog.||) p.id::pg_catalog.text))";

}  // namespace

std::string columns_json(std::vector<PublishedColumn> const& columns) {
  return json_array(columns, [](PublishedColumn const& c) {
    return "{\"column\": " + json_string(c.column) + ", \"attribute\": " + json_string(c.attribute) +
           ", \"taxonomy\": " + (c.taxonomy.empty() ? "null" : json_string(c.taxonomy)) +
           ", \"role\": " + json_string(c.role) + ", \"type\": " + json_string(c.type) + "}";
  });
}

std::vector<PublishedColumn> columns_from(JsonValue const& json) {
  std::vector<PublishedColumn> columns;
  for (auto const& element : json.elements()) {
    auto const& taxonomy = element.at("taxonomy");
    columns.push_back({element.at("column").string(), element.at("attribute").string(),
                       taxonomy.kind() == JsonValue::Kind::kNull ? "" : taxonomy.string(), element.at("role").string(),
                       element.at("type").string()});
  }
  return columns;
}

void insert_policy(SpiSession& session, Policy& policy) {
  CatalogWriter catalog(session);
  auto const id = catalog.execute("SELECT pg_catalog.nextval('anon_seq.policy_id_seq')", {});
  policy.id = std::stoi(id.get(0, 1));
  auto const rows = catalog.execute(
      "INSERT INTO anon_seq.policy (id, name, method, source_schema, source_name, person, quasi, sensitive, publish_as_is,"
      " target_schema, target_name, population, parameters, options, columns)"
      " SELECT r.id, r.name, r.method, r.source_schema, r.source_name, r.person, r.quasi, r.sensitive, r.publish_as_is,"
      " r.target_schema, r.target_name, r.population, r.parameters, r.options, r.columns"
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
      " columns = r.columns, changes = p.changes OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_array("
      "   pg_catalog.jsonb_build_object('at', pg_catalog.now(), 'after_version', p.version, 'changes', $2::pg_catalog.jsonb))"
      " FROM pg_catalog.jsonb_populate_record(NULL::anon_seq.policy, $1::pg_catalog.jsonb) AS r"
      " WHERE p.id OPERATOR(pg_catalog.=) r.id",
      {policy_json(policy), change});
}

Policy load_policy(SpiSession& session, std::string const& name, bool lock) {
  CatalogWriter catalog(session);
  std::string const sql = std::string(kLoad) + (lock ? " FOR UPDATE OF p" : "");
  auto const rows = lock ? catalog.execute(sql.c_str(), {name, catalog.caller_value()})
                         : catalog.read(sql.c_str(), {name, catalog.caller_value()});
  if (rows.count() == 0)
    throw Error(Fault::kNoObject, "policy " + quoted(name) + " does not exist", "",
                "The view anon_seq.policies lists those that you may use.");
  return policy_from(parse_json(rows.get(0, 1), "policy " + quoted(name)));
}

void begin_version(SpiSession& session, Policy& policy) {
  CatalogWriter catalog(session);
  auto const rows = catalog.execute(
      "UPDATE anon_seq.policy SET version = version OPERATOR(pg_catalog.+) 1 WHERE id OPERATOR(pg_catalog.=) $1 RETURNING version",
      {policy.id});
  if (rows.count() == 0) throw Error(Fault::kNoObject, "policy " + quoted(policy.name) + " has been dropped");
  policy.version = std::stoi(rows.get(0, 1));
}

void undo_version(SpiSession& session, Policy const& policy) {
  CatalogWriter catalog(session);
  catalog.execute(
      "UPDATE anon_seq.policy SET version = version OPERATOR(pg_catalog.-) 1 WHERE id OPERATOR(pg_catalog.=) $1",
      {policy.id});
}

void delete_policy(SpiSession& session, Policy const& policy) {
  CatalogWriter catalog(session);
  catalog.execute("DELETE FROM anon_seq.policy WHERE id OPERATOR(pg_catalog.=) $1", {policy.id});
}

Oid ledger_owner(SpiSession& session, std::string const& ledger) {
  auto const rows = session.execute("SELECT anon_seq.ledger_owner($1)", {ledger});
  auto const owner = rows.text(0, 1);
  return owner ? static_cast<Oid>(std::stoul(*owner)) : InvalidOid;
}

}  // namespace anon_seq::pg
