#include "release/relations.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/line_type.h"
#include "pg/lock_wait.h"
#include "pg/reading.h"
#include "pg/settings.h"
#include "pg/sql_text.h"

extern "C" {
#include "catalog/dependency.h"
#include "catalog/pg_class.h"
#include "catalog/pg_rewrite.h"
}

namespace anon_seq::release {
namespace {

std::string c(std::size_t i) { return "c" + std::to_string(i); }

// Of a part of the columns, rows are put together and stand in an order of their own: that of the cells tells more.
std::string part_of_cells(Policy const& policy, RelationShape const& relation) {
  std::string columns, groups, order;
  for (std::size_t const i : relation.columns) {
    columns += c(i) + ", ";
    groups += (groups.empty() ? "" : ", ") + c(i);
    order += (order.empty() ? "" : ", ") + order_of(policy.columns[i - 1], "c." + c(i));
  }
  return "(SELECT " + columns + "pg_catalog.sum(n)::bigint AS n FROM " + ledger_table(policy.ledger(), "cell") +
         " WHERE version = " + std::to_string(policy.version) + " GROUP BY " + groups + ") AS c ORDER BY " + order;
}

std::string all_cells(Policy const& policy) {
  return ledger_table(policy.ledger(), "cell") + " AS c WHERE c.version = " + std::to_string(policy.version) +
         " ORDER BY c.cell";
}

std::string shown_of(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers) {
  std::string shown;
  for (std::size_t const i : numbers)
    shown += (shown.empty() ? "c." : ", c.") + c(i) + " AS " + quote_name(columns[i - 1].column);
  return shown;
}

std::string shown_of(Policy const& policy, RelationShape const& relation) {
  return shown_of(policy.columns, relation.columns);
}

// Each of the cells as many times as it counts. A function in the list of columns repeats a row at less than half the
// cost of a lateral join with it. Rows are sorted before they are repeated.
std::string expanded(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers,
                     std::string const& shown, std::string const& cells) {
  std::string names, copy = "copy";
  for (std::size_t const i : numbers) names += (names.empty() ? "s." : ", s.") + quote_name(columns[i - 1].column);
  while (std::any_of(columns.begin(), columns.end(), [&](auto const& of) { return of.column == copy; })) copy += "_";
  return "SELECT " + names + " FROM (SELECT " + shown + ", pg_catalog.generate_series(1::bigint, c.n) AS " +
         quote_name(copy) + " FROM " + cells + ") AS s";
}

}  // namespace

std::string create_from_cells(SpiSession& session, Policy const& policy, RelationShape const& relation) {
  auto const shown = shown_of(policy, relation);
  bool const all = relation.columns.size() == policy.columns.size();
  auto const cells = all ? all_cells(policy) : part_of_cells(policy, relation);
  if (!relation.counted) return create_expanded(session, policy, relation, shown, cells);
  auto const name = relation_name(policy, relation.suffix);
  session.execute("CREATE MATERIALIZED VIEW " + name + " AS SELECT " + shown + ", c.n FROM " + cells);
  return name;
}

std::string create_unfilled(SpiSession& session, Policy const& policy, RelationShape const& relation) {
  auto const name = relation_name(policy, relation.suffix);
  session.execute("CREATE MATERIALIZED VIEW " + name + " AS " +
                  select_expanded(policy.columns, relation.columns, all_cells(policy)) + " WITH NO DATA");
  return name;
}

RelationShape whole(Policy const& policy) {
  RelationShape relation;
  for (std::size_t i = 1; i <= policy.columns.size(); ++i) relation.columns.push_back(i);
  return relation;
}

std::string relation_name(Policy const& policy, std::string const& suffix) {
  return quote_name(policy.target_schema) + "." +
         quote_name(policy.target_name + "_r" + std::to_string(policy.version) + suffix);
}

std::string create_expanded(SpiSession& session, Policy const& policy, RelationShape const& relation,
                            std::string const& shown, std::string const& cells) {
  auto const name = relation_name(policy, relation.suffix);
  session.execute("CREATE MATERIALIZED VIEW " + name + " AS " +
                  expanded(policy.columns, relation.columns, shown, cells));
  return name;
}

std::string select_expanded(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers,
                            std::string const& cells) {
  return expanded(columns, numbers, shown_of(columns, numbers), cells);
}

void create_relations(SpiSession& session, Policy const& policy, Method const& method, Release& release) {
  auto const create = method.create_relation == nullptr ? create_from_cells : method.create_relation;
  auto const planning = Settings::for_arrays();
  for (auto const& shape : method.relations(policy))
    release.relations.push_back(
        {create(session, policy, shape), shape.suffix, shape.columns, shape.counted, shape.form});
}

void create_indexes(SpiSession& session, Demands const& demands, Release const& release) {
  for (auto const& relation : release.relations)
    for (auto const& index : demands.indexes) {
      std::vector<std::string> names;
      std::string const* type = nullptr;
      for (std::size_t const i : relation.columns) {
        auto const& column = release.columns[i - 1];
        if (std::find(index.begin(), index.end(), column.column) != index.end()) type = &column.type;
      }
      for (auto const& name : index)
        if (std::any_of(relation.columns.begin(), relation.columns.end(),
                        [&](std::size_t i) { return release.columns[i - 1].column == name; }))
          names.push_back(quote_name(name));
      if (relation.is_view() || names.size() < index.size()) continue;
      bool const single = names.size() == 1;
      session.execute("CREATE INDEX ON " + relation.name +
                      (single && is_range_type(*type) ? " USING gist ("
                       : single && *type == "text[]"  ? " USING gin ("
                                                      : " (") +
                      joined(names, ", ") + ")");
    }
}

namespace {

// Relations whose query reads `relation`, but for `except` and what was dropped a moment ago: numbers of their rules,
// names, and whether they may show anything. Making a view asks for no right on what it reads; a materialized view
// keeps what it once read, and a rule on a table shows nothing by itself.
Rows dependents(SpiSession& session, std::string const& relation, std::string const& except) {
  return session.execute(
      R"(
SELECT DISTINCT r.oid, format('%I.%I', n.nspname, c.relname) AS name,
       has_any_column_privilege(c.relowner, d.refobjid, 'SELECT') OR c.relkind = 'm' AND c.relispopulated, c.oid
FROM pg_depend AS d
JOIN pg_rewrite AS r ON r.oid = d.objid AND d.classid = 'pg_rewrite'::regclass
JOIN pg_class AS c ON c.oid = r.ev_class
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass($1)
  AND c.oid <> d.refobjid AND c.oid IS DISTINCT FROM to_regclass(nullif($2, ''))
ORDER BY name)",
      {relation, except}, false);
}

// What rests on a relation and shows nobody anything, as its owner may not read that: views, and of tables, which
// stay, the rule, as DROP ... CASCADE does it.
void drop_blind(SpiSession& session, std::string const& relation) {
  auto const rows = dependents(session, relation, "");
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    if (rows.boolean(row, 3)) continue;
    Oid const rule = rows.oid(row, 1), blind = rows.oid(row, 4);
    auto const lockable = Lockable::relation(blind, "relation " + rows.get(row, 2));
    if (!try_lock(lockable, AccessExclusiveLock))  // its owner is not waited for
      throw Error(
          Fault::kLocked, lockable.what() + " is in use by another transaction",
          "It rests on " + relation + ". It is in use by " + holders_of(session, lockable, AccessExclusiveLock) + ".",
          "Try again.");
    FreshSnapshot const snapshot;  // it may have gone with one before
    if (!session.exists("SELECT FROM pg_rewrite AS r WHERE r.oid = $1", {SqlValue::oid(rule)})) continue;
    call_pg([&]() noexcept {
      bool const is_table = get_rel_relkind(blind) == RELKIND_RELATION;
      ObjectAddress address{RelationRelationId, blind, 0};
      if (is_table) address = {RewriteRelationId, rule, 0};
      performDeletion(&address, DROP_CASCADE, 0);
    });
  }
}

}  // namespace

bool is_free(SpiSession& session, std::string const& relation) {
  auto const rows = dependents(session, relation, "");
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    if (rows.boolean(row, 3)) return false;
  return true;
}

void require_free(SpiSession& session, std::string const& relation, std::string const& except) {
  auto const rows = dependents(session, relation, except);
  std::string names;
  for (std::uint64_t row = 0; row < rows.count(); ++row)
    if (rows.boolean(row, 3)) names += (names.empty() ? "" : ", ") + rows.get(row, 2);
  if (names.empty()) return;
  throw Error(Fault::kInUse, relation + " cannot go: other relations rest on it", "They are " + names + ".",
              "Drop them first.");
}

void lock_alone(SpiSession& session, std::vector<std::string> const& relations) {
  std::vector<Lockable> all;
  for (auto const& name : relations) {
    Oid const oid = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {name}, true).oid(0, 1);
    if (OidIsValid(oid)) all.push_back(Lockable::relation(oid));
  }
  lock_in_turns(session, all, AccessExclusiveLock);
}

void drop_relation(SpiSession& session, std::string const& name) {
  auto const kind = session.execute(
      "SELECT c.relkind FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($1)", {name}, true);
  if (kind.count() > 0) drop_blind(session, name);
  if (kind.count() > 0) session.execute((kind.get(0, 1) == "v" ? "DROP VIEW " : "DROP MATERIALIZED VIEW ") + name);
}

void drop_relation(SpiSession& session, Release const& release, ReleaseRelation const& relation) {
  drop_relation(session, relation.name);
  if (!relation.is_shared() || !OidIsValid(shown_part(session, release.ledger, release.version))) return;
  drop_blind(session, shown_cells(release.ledger, release.version));
  session.execute("DROP VIEW " + shown_cells(release.ledger, release.version));
}

bool has_own_relation(SpiSession& session, Release const& release, ReleaseRelation const& relation) {
  lock_shared(relation.name);
  if (!session.exists(
          "SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($1)"
          " AND c.relkind = $3 AND c.relowner = $2",
          {relation.name, SqlValue::oid(ledger_owner(session, release.ledger)), relation.is_view() ? "v" : "m"}))
    return false;
  if (!relation.is_shared()) return true;
  lock_shared(shown_cells(release.ledger, release.version));
  return OidIsValid(shown_part(session, release.ledger, release.version));
}

bool has_own_relations(SpiSession& session, Release const& release) {
  return std::ranges::all_of(release.relations,
                             [&](auto const& relation) { return has_own_relation(session, release, relation); });
}

}  // namespace anon_seq::release
