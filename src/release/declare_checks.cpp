#include "release/declare_checks.h"

#include "core/text/some_of.h"
//
#include "catalog/ledger.h"
#include "catalog/ledger_home.h"
#include "catalog/population.h"
#include "catalog/rights.h"
#include "catalog/taxonomy_store.h"
#include "pg/line_type.h"
#include "pg/report.h"
#include "pg/roles.h"
#include "release/alter.h"
#include "release/base_tables.h"
#include "release/flat.h"
#include "release/ledger_format.h"
#include "release/method.h"
#include "release/publish.h"
#include "release/shown_again.h"
#include "release/source_shape.h"
#include "release/source_table.h"

namespace anon_seq::release {
namespace {

constexpr std::size_t kLongestStableName = 51;  // _r and ten digits come into it

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
  for (auto const& relation : method_of(policy).relations(policy)) {
    auto const name = policy.target_name + relation.suffix;
    if (name.size() > kLongestStableName)
      throw Error(Fault::kName, "name " + quoted(policy.target_name) + " is too long for a release",
                  "Of its relations one is called " + quoted(name) + ", and versions add to that.",
                  "Give another one by publish_as.");
    auto const is_taken = [&](std::string const& wanted) {
      return catalog
                 .read(
                     "SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace"
                     " WHERE n.nspname OPERATOR(pg_catalog.=) $1 AND c.relname OPERATOR(pg_catalog.=) $2",
                     {policy.target_schema, wanted})
                 .count() > 0;
    };
    auto const require_free = [&](std::string const& wanted, bool taken) {
      if (taken)
        throw Error(Fault::kExists,
                    "the name " + quoted(wanted) + " is taken in schema " + quoted(policy.target_schema), "",
                    "Name the release by publish_as.");
    };
    require_free(name, targets.count() > 0 || is_taken(name));
    if (has_flat(policy, relation)) require_free(flat_name(name), is_taken(flat_name(name)));
  }
}

void note_other_populations(SpiSession& session, Policy const& policy) {
  CatalogWriter catalog(session);
  auto const rows = catalog.read(
      "SELECT DISTINCT r.name FROM anon_seq.release AS r,"
      " pg_catalog.jsonb_array_elements(r.columns) AS c, pg_catalog.jsonb_array_elements($2::pg_catalog.jsonb) AS o"
      " WHERE r.population OPERATOR(pg_catalog.<>) $1 AND c OPERATOR(pg_catalog.->>) 'attribute' OPERATOR(pg_catalog.=) (o OPERATOR(pg_catalog.->>) 'attribute')"
      " AND anon_seq.owns_ledger($3, r.ledger) ORDER BY r.name",
      {policy.population, columns_json(policy.columns), catalog.caller_value()});
  std::vector<std::string> names;
  for (std::uint64_t row = 0; row < rows.count(); ++row) names.push_back(rows.get(row, 1));
  if (names.empty()) return;
  notice("releases of other populations have attributes in common with this policy: " + some_of(names),
         "If they are about the same people, give the same population.");
}

void check_relations(Policy const& policy) {
  auto const& method = method_of(policy);
  check_indexes(policy, *method.demands(policy));
  for (auto const& relation : method.relations(policy))
    if (has_flat(policy, relation)) check_flat(policy, relation);
}

// Numbers, dates and timestamps need no taxonomy, and one of the column's name alone does not change what is published.
void note_unused_taxonomies(SpiSession& session, Policy const& policy) {
  std::string names;
  for (auto const& column : policy.columns)
    if (column.is_quasi() && column.taxonomy.empty() && is_range_type(column.type))
      names += (names.empty() ? "" : ", ") + sql_literal(column.column);
  if (names.empty()) return;
  auto const rows = session.execute("SELECT t.name FROM anon_seq.taxonomies AS t WHERE t.name IN (" + names +
                                        ") AND anon_seq.has_role(" + std::string(kCurrentRole) +
                                        ", t.owner) ORDER BY t.name COLLATE \"C\"",
                                    {}, true);
  std::vector<std::string> list;
  std::string named;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    list.push_back(quoted(rows.get(row, 1)));
    named += (row == 0 ? "" : ", ") + json_string(rows.get(row, 1)) + ": " + json_string(rows.get(row, 1));
  }
  if (list.empty()) return;
  std::string const text = (rows.count() > 1 ? "taxonomies " : "taxonomy ") + some_of(list) + " of yours " +
                           (rows.count() > 1 ? "are" : "is") + " not used: columns of numbers or dates show ranges";
  std::string const hint = "To publish labels instead, name " + std::string(rows.count() > 1 ? "them" : "it") +
                           ": taxonomies => " + sql_literal("{" + named + "}") + ".";
  notice(text, hint);
}

}  // namespace

void declare(SpiSession& session, Definition const& definition) {
  require_publisher(session);
  Policy policy = resolve(session, definition);
  require_unused(session, policy);
  enter_population(session, policy.population);
  if (!definition.population) require_namesake(session, policy.population);
  auto const& method = method_of(policy);
  method.check(session, policy);
  check_relations(policy);
  for (auto const& column : policy.columns) hold_taxonomy(session, column.taxonomy);
  insert_policy(session, policy);
  create_ledger(session, policy.ledger(), ledger_of(method, policy, person_type(session, policy)));
  note_other_populations(session, policy);
  method.advise(session, policy);
  warn_declared_again(session, policy);
  warn_of_same_tables(session, policy);
  note_unused_taxonomies(session, policy);
}

namespace {

// Before the first version. One that would be the same is kept: it may remember what was refused.
void make_ledger_again(SpiSession& session, Policy const& before, Policy const& after) {
  auto const old = schema_of(session, before);
  auto const schema = ledger_of(method_of(after), after, person_type(session, after));
  if (schema == old) return;
  bool const at_home = is_at_home(session, before.ledger());
  drop_relations(session, before.ledger(), old);
  create_ledger(session, after.ledger(), schema);
  if (at_home) note_home(session, after.ledger());  // else its owner is still to be asked
}

}  // namespace

void alter(SpiSession& session, std::string const& name, std::string const& changes) {
  load_policy(session, name, true);
  FreshSnapshot const snapshot;
  Policy const before = load_policy(session, name, false);
  require_not_under_way(before.ledger());
  OwnLedger const owner(session, before);
  auto const json = parse_json(changes, "changes");
  auto definition = definition_of(before);
  if (json.find("source") == nullptr) definition.source = source_of(session, before);
  Policy after = [&] {
    Oid const source = definition.source;
    try {
      if (before.version > 0 && json.find("source") == nullptr) require_declared_types(session, before, source);
      return resolve(session, changed(session, std::move(definition), json));
    } catch (Error const& error) {
      rethrow_about_column(session, before, OidIsValid(source) ? qualified_name(source) : "schema.table", error);
    }
  }();
  after.id = before.id;
  after.version = before.version;
  if (before.version > 0)
    require_allowed_change(session, before, after);
  else if (before.target_schema != after.target_schema || before.target_name != after.target_name)
    require_unused(session, after);
  if (after.population != before.population) enter_population(session, after.population);
  method_of(after).check(session, after);
  check_relations(after);
  for (auto const& column : after.columns) hold_taxonomy(session, column.taxonomy);
  if (columns_json(before.columns) != columns_json(after.columns)) note_unused_taxonomies(session, after);
  update_policy(session, after, changes);
  if (before.version == 0) make_ledger_again(session, before, after);
  if (method_of(after).advise_again) method_of(after).advise(session, after);
  if (columns_json(before.columns) != columns_json(after.columns) || before.population != after.population ||
      shaped_by(before) != shaped_by(after))
    warn_declared_again(session, after);
}

void drop(SpiSession& session, std::string const& name) {
  Policy const policy = load_policy(session, name, true);
  require_not_under_way(policy.ledger());
  OwnLedger const owner(session, policy, Parts::kAsTheyAre);
  delete_policy(session, policy);
  if (policy.version == 0) drop_ledger(session, policy.ledger(), schema_of(session, policy));
}

}  // namespace anon_seq::release
