#include "catalog/population.h"

#include "catalog/catalog_writer.h"
#include "catalog/ledger.h"
#include "catalog/ledger_maker.h"
#include "catalog/rights.h"
#include "pg/lock_wait.h"

namespace anon_seq::catalog {
namespace {

std::string marker_of(std::int64_t id) { return "n" + std::to_string(id); }

Lockable lockable(std::string const& population) {
  return Lockable::name("population", population, "population " + quoted(population));
}

struct Known {
  std::optional<std::int64_t> id;  // none: nobody has used the name yet
  Oid owner = InvalidOid;          // of the marker; InvalidOid: it has gone
};

Known find(SpiSession& session, std::string const& population) {
  CatalogWriter catalog(session);
  auto const rows = catalog.execute(
      "SELECT p.id, anon_seq.ledger_owner(pg_catalog.concat('n', p.id)) FROM anon_seq.population AS p"
      " WHERE p.name OPERATOR(pg_catalog.=) $1",
      {population});
  if (rows.count() == 0) return {};
  return {rows.integer(0, 1), rows.oid(0, 2)};
}

[[noreturn]] void throw_closed(std::string const& population, char const* what) {
  throw Error(Fault::kPrivilege, "population " + quoted(population) + " " + what,
              "Releases of a population bind each other, so its owner says who takes part.",
              "Let its owner SELECT anon_seq.grant_population(" + sql_literal(population) + ", " +
                  sql_literal(role_name(GetUserId())) + "), or give another population.");
}

// Who owns the relations that a population's name means; throws kPrivilege if that is not for the current user to use.
// InvalidOid: there are none. is_known: the population is there, and has lost its marker: the one who asks was let in.
Oid namesake_owner(SpiSession& session, std::string const& population, bool is_known = false) {
  auto const rows = session.execute(
      "SELECT c.relowner, pg_catalog.pg_has_role(c.relowner, 'USAGE') FROM pg_catalog.pg_class AS c"
      " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
      " WHERE n.nspname || '.' || c.relname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 2",
      {population}, true);
  if (rows.count() > 0) {
    if (!is_known && !rows.boolean(0, 2)) throw_closed(population, "is named after a relation of another role");
    return rows.oid(0, 1);
  }
  if (is_known) return InvalidOid;
  auto const dot = population.find('.');
  bool const is_like_a_relation = dot != std::string::npos && dot > 0 && dot + 1 < population.size() &&
                                  population.find_first_of(" .", dot + 1) == std::string::npos &&
                                  population.find(' ') == std::string::npos;
  if (is_like_a_relation) throw_closed(population, "is named like a relation, and there is none of that name");
  if (session.exists("SELECT FROM pg_catalog.pg_namespace AS n WHERE pg_catalog.starts_with($1, n.nspname || '.')"
                     " AND NOT pg_catalog.has_schema_privilege(n.oid, 'CREATE')",
                     {population}))
    throw_closed(population, "is named like a relation of a schema that you may not create in");
  return InvalidOid;
}

// The marker of a new population, closed to all but its owner. Made as the owner of the schema, since whom a population
// belongs to need not be somebody who publishes.
void create_marker(SpiSession& session, std::int64_t id, Oid owner) {
  auto const name = marker_of(id), marker = ledger_table(name, "population");
  LedgerMaker maker(session);
  session.execute("CREATE SEQUENCE " + marker + " AS int");
  maker.hand_over("SEQUENCE", marker, owner);
  record_ledger(session, name);
}

void set_participant(SpiSession& session, std::string const& population, std::string const& role, bool may) {
  auto const known = find(session, population);
  if (!known.id || !OidIsValid(known.owner) || !has_rights_of(session, known.owner)) {
    if (known.id && is_participant(session, population, GetUserId()))
      throw Error(Fault::kPrivilege, "must be owner of population " + quoted(population));
    throw Error(Fault::kNoObject, "population " + quoted(population) + " does not exist", "",
                "The populations of your releases are in the view anon_seq.releases.");
  }
  auto const grantee = role_as_sql(session, role, may);
  if (grantee.empty()) return;
  ActingAs const owner(known.owner);
  session.execute(std::string(may ? "GRANT" : "REVOKE") + " USAGE ON SEQUENCE " +
                  ledger_table(marker_of(*known.id), "population") + (may ? " TO " : " FROM ") + grantee);
}

}  // namespace

bool is_participant(SpiSession& session, std::string const& population, Oid role) {
  CatalogWriter catalog(session);
  return catalog.execute("SELECT anon_seq.takes_part($1, $2)", {SqlValue::oid(role), population}).boolean(0, 1);
}

void require_participant(SpiSession& session, std::string const& population, Oid role) {
  if (!is_participant(session, population, role)) throw_closed(population, "belongs to another role");
}

void require_namesake(SpiSession& session, std::string const& population) {
  auto const namesakes = session.execute(
      "SELECT pg_catalog.bool_or(c.relowner = $2) FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n"
      " ON n.oid = c.relnamespace WHERE n.nspname || '.' || c.relname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')",
      {population, SqlValue::oid(find(session, population).owner)}, true);
  auto const is_of_owner = namesakes.text(0, 1);
  if (!is_of_owner || *is_of_owner == "t") return;
  throw Error(Fault::kPrivilege,
              "population " + quoted(population) + " belongs to another role than the relation it is named after",
              "Somebody used its name first, or the relation has changed hands.",
              "Give a population by name: this one, if you know whose it is, or another.");
}

void require_owner_takes_part(SpiSession& session, Policy const& policy) {
  Oid const owner = policy.id == 0 ? GetUserId() : ledger_owner(session, policy.ledger());
  require_participant(session, policy.population, owner);
}

void enter_population(SpiSession& session, std::string const& population) {
  if (population.empty()) throw Error(Fault::kParameter, "a population needs a name");
  adopt_restored(session);
  if (is_participant(session, population, GetUserId())) return;
  auto const known = find(session, population);
  // A marker that has gone with its owner is made again by nobody but the extension's owner.
  if (known.id && OidIsValid(known.owner)) throw_closed(population, "belongs to another role");
  if (known.id && !has_rights_of_extension_owner(session))
    throw Error(Fault::kPrivilege, "population " + quoted(population) + " has lost its owner",
                "It was dropped with what he owned.",
                "Give another population, or ask the owner of the extension: SELECT anon_seq.grant_population(" +
                    sql_literal(population) + ", " + sql_literal(role_name(GetUserId())) + ").");
  Oid const namesake = namesake_owner(session, population, known.id.has_value()),
            owner = OidIsValid(namesake) ? namesake : GetUserId();
  auto const id = known.id ? *known.id : [&]() -> std::int64_t {
    lock(session, lockable(population));
    CatalogWriter catalog(session);
    auto const next = free_ledger_number(catalog, 'n', "SELECT pg_catalog.nextval('anon_seq.population_id_seq')");
    auto const made = catalog.execute(
        "INSERT INTO anon_seq.population (name, id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING id",
        {population, next});
    return made.count() == 0 ? 0 : made.integer(0, 1);
  }();
  if (id != 0) return create_marker(session, id, owner);
  FreshSnapshot const snapshot;  // somebody else was first
  require_participant(session, population, GetUserId());
}

void lock_population(SpiSession& session, std::string const& population) {
  lock(session, lockable(population));
  CatalogWriter catalog(session);
  // An update, not a lock alone: under REPEATABLE READ who comes second, or later, must get 40001, as it would
  // not see the release that the first one made.
  auto const rows =
      catalog.execute("UPDATE anon_seq.population SET name = name WHERE name OPERATOR(pg_catalog.=) $1", {population});
  if (rows.count() == 0) throw Error(Fault::kDamaged, "population " + quoted(population) + " is not in the catalog");
}

namespace {

// Of a temporary relation the population would stay when it has gone.
bool is_temporary(SpiSession& session, std::string const& population) {
  return session.exists(
      "SELECT FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
      " WHERE n.nspname || '.' || c.relname = $1 AND c.relpersistence = 't'",
      {population});
}

}  // namespace

void grant_population(SpiSession& session, std::string const& population, std::string const& role) {
  auto const known = find(session, population);
  // Only a relation's owner makes a population by granting it: another name may be misspelt.
  if ((!known.id && OidIsValid(namesake_owner(session, population)) && !is_temporary(session, population)) ||
      (known.id && !OidIsValid(known.owner)))
    enter_population(session, population);
  set_participant(session, population, role, true);
}

void revoke_population(SpiSession& session, std::string const& population, std::string const& role) {
  set_participant(session, population, role, false);
}

}  // namespace anon_seq::catalog
