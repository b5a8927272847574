#include "catalog/population_table.h"

#include "catalog/role_marker.h"
#include "core/base/error.h"
#include "pg/lock_wait.h"
#include "pg/reading.h"

namespace anon_seq::catalog {
namespace {

[[noreturn]] void throw_unknown(std::string const& name) {
  throw Error(Fault::kNoObject, "no population " + quoted(name) + " is registered", "",
              "The view anon_seq.population_tables lists those that you may use; anon_seq.register_population() names "
              "a table as one.");
}

// The registration of a name, and the policies whose rules are about it; for the roles of who registered it, and of the
// extension's owner, as after a restore elsewhere nobody may be of the former.
Rows find_registered(CatalogWriter& catalog, std::string const& name) {
  auto rows = catalog.read(
      R"(
SELECT p.name, p.source_schema, p.source_name, p.counts, p.attributes::pg_catalog.text, p.digest, u.n, u.names
FROM anon_seq.population_table AS p,
     LATERAL (SELECT pg_catalog.count(*), pg_catalog.string_agg(o.name, ', ' ORDER BY o.name)
                FILTER (WHERE anon_seq.owns_ledger($2, pg_catalog.concat('p', o.id)))
              FROM anon_seq.policy AS o
              WHERE o.parameters OPERATOR(pg_catalog.@>) pg_catalog.jsonb_build_object(
                'rules', pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object('population', p.name)))) AS u (n, names)
WHERE p.name OPERATOR(pg_catalog.=) $1
  AND (anon_seq.has_marker($2, p.owner)
       OR pg_catalog.pg_has_role($2, (SELECT e.extowner FROM pg_catalog.pg_extension AS e
                                      WHERE e.extname OPERATOR(pg_catalog.=) 'anon_seq'), 'USAGE')))",
      {name, catalog.caller_value()});
  if (rows.count() == 0) throw_unknown(name);
  return rows;
}

}  // namespace

void insert_population(SpiSession& session, RegisteredPopulation const& population) {
  lock(session,
       Lockable::name("population_table", population.name, "the name of population " + quoted(population.name)));
  auto const owner = role_marker(session, GetUserId());
  CatalogWriter catalog(session);
  auto const rows = catalog.execute(
      "INSERT INTO anon_seq.population_table (name, owner, source_schema, source_name, counts, attributes, digest)"
      " VALUES ($1, $2, $3, $4, nullif($5, ''), nullif($6, '')::pg_catalog.jsonb, $7) ON CONFLICT (name) DO NOTHING RETURNING name",
      {population.name, owner, population.schema, population.relation, population.counts.value_or(""),
       population.attributes.value_or(""), population.digest});
  if (rows.count() == 0)
    throw Error(Fault::kExists, "population " + quoted(population.name) + " is registered already", "",
                "Give another name, or take that one back by anon_seq.withdraw_population().");
}

RegisteredPopulation load_population(SpiSession& session, std::string const& name) {
  CatalogWriter catalog(session);
  auto const rows = find_registered(catalog, name);
  return {rows.get(0, 1), rows.get(0, 2), rows.get(0, 3), rows.text(0, 4), rows.text(0, 5), rows.get(0, 6)};
}

void remove_population(SpiSession& session, std::string const& name) {
  CatalogWriter catalog(session);
  auto const rows = find_registered(catalog, name);
  if (auto const users = rows.integer(0, 7); users > 0)
    throw Error(Fault::kInUse, "population " + quoted(name) + " is in use",
                "Rules of " + std::to_string(users) + (users == 1 ? " policy" : " policies") + " are about it" +
                    (rows.text(0, 8) ? ": " + rows.get(0, 8) : "") + ".",
                "What they promise is counted on it; drop them, or give them other rules, first.");
  catalog.execute("DELETE FROM anon_seq.population_table WHERE name OPERATOR(pg_catalog.=) $1", {name});
}

Oid relation_of(SpiSession& session, RegisteredPopulation const& population) {
  auto const name = quote_name(population.schema) + "." + quote_name(population.relation);
  lock_shared(name);
  auto const rows = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {name}, true);
  if (auto const oid = rows.oid(0, 1); OidIsValid(oid)) return oid;
  throw Error(Fault::kNoObject, "relation " + name + " of population " + quoted(population.name) + " does not exist",
              "It has been dropped or renamed since it was registered.",
              "Rename it back; or, if no rules are about it, withdraw_population() and register it anew.");
}

}  // namespace anon_seq::catalog
