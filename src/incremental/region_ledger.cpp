#include "incremental/region_ledger.h"

#include "catalog/ledger.h"

namespace anon_seq::incremental {
namespace {

std::string c(std::size_t i) { return "c" + std::to_string(i + 1); }

bool is_quasi(PublishedColumn const& column) { return column.role == "quasi"; }

// Columns c<i> with their types: those that generalize, or the others.
std::string typed(Policy const& policy, bool quasi) {
  std::string list;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    if (is_quasi(policy.columns[i]) == quasi) list += ", " + c(i) + " " + policy.columns[i].type;
  return list;
}

// What rows of one region are ordered by: values by their types, texts by their bytes.
std::string order_of(PublishedColumn const& column, std::string const& value) {
  bool const is_text = column.type.starts_with("text") || column.type.starts_with("char") ||
                       column.type.starts_with("name") || column.type.starts_with("\"char\"");
  return value + (is_text ? "::pg_catalog.text COLLATE \"C\"" : "") + " NULLS FIRST";
}

void create_tables(SpiSession& session, Policy const& policy, std::string const& person_type) {
  auto const ledger = policy.ledger();
  auto create = [&](char const* table, std::string const& columns) {
    auto const name = ledger_table(ledger, table);
    session.execute("CREATE TABLE " + name + " (" + columns + ")");
    close_table(session, name);
  };
  create("region",
         "region int PRIMARY KEY, parent int NOT NULL, attribute int NOT NULL, side text NOT NULL, bound text,"
         " nodes text[], made int NOT NULL, since int, until int" +
             typed(policy, true));
  create("count", "region int NOT NULL, since int NOT NULL, n bigint NOT NULL" + typed(policy, false));
  create("member", "region int NOT NULL, since int NOT NULL, persons " + person_type +
                       "[] NOT NULL, objects bigint[] NOT NULL, codes int[] NOT NULL, points bytea NOT NULL");
  create("gone",
         "region int NOT NULL, since int NOT NULL, object bigint NOT NULL, rejoined boolean NOT NULL,"
         " elsewhere boolean NOT NULL, persons " +
             person_type + "[] NOT NULL");
  create("moved", "object bigint NOT NULL, before bigint NOT NULL, apart boolean NOT NULL");
  create("value", "attribute int NOT NULL, code int NOT NULL, value text NOT NULL, PRIMARY KEY (attribute, code)");
  create(
      "note",
      "version int PRIMARY KEY, fingerprint text NOT NULL, cut jsonb, trace jsonb, detail jsonb, regions int[], deferred bigint[]");
  auto const member = ledger_table(ledger, "member");
  // Statistics would be one more place to find keys in.
  session.execute("ALTER TABLE " + ledger_table(ledger, "gone") + " ALTER COLUMN persons SET STATISTICS 0");
  for (char const* column : {"persons", "objects", "codes", "points"})
    session.execute("ALTER TABLE " + member + " ALTER COLUMN " + column + " SET STORAGE EXTERNAL, ALTER COLUMN " +
                    column + " SET STATISTICS 0");
}

// Regions of a version in their order, joined with what has been counted in them up to it.
void create_cell_view(SpiSession& session, Policy const& policy) {
  auto const ledger = policy.ledger();
  std::string shown, group;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    bool const quasi = is_quasi(policy.columns[i]);
    shown += (quasi ? ", r." : ", k.") + c(i);
    if (!quasi) group += ", k." + c(i);
  }
  auto const view = ledger_table(ledger, "cell");
  session.execute(
      "CREATE VIEW " + view + " AS SELECT v.version, o.place::int AS cell, pg_catalog.sum(k.n)::bigint AS n" + shown +
      " FROM " + ledger_table(ledger, "note") +
      " AS v CROSS JOIN LATERAL pg_catalog.unnest(v.regions) WITH ORDINALITY AS o (region, place) JOIN " +
      ledger_table(ledger, "region") + " AS r ON r.region = o.region JOIN " + ledger_table(ledger, "count") +
      " AS k ON k.region = o.region AND k.since <= v.version GROUP BY v.version, o.place, r.region" + group +
      " HAVING pg_catalog.sum(k.n) > 0");
  close_relation(session, "TABLE", view);
}

// Codes stand person by person: the version of arrival, then a code per column that is published as it is. The exact
// values of the others are in points, four bytes each: only the next publish reads them.
void create_objects_view(SpiSession& session, Policy const& policy) {
  auto const ledger = policy.ledger();
  std::string const width = std::to_string(policy.columns.size() - policy.quasi.size() + 1);
  std::string shown, joins;
  std::size_t plain = 1;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    std::string const value = "w" + std::to_string(i + 1), number = std::to_string(i + 1);
    shown += is_quasi(policy.columns[i]) ? ", r." + c(i)
                                         : ", " + value + ".value::" + policy.columns[i].type + " AS " + c(i);
    if (is_quasi(policy.columns[i])) continue;
    joins += " LEFT JOIN " + ledger_table(ledger, "value") + " AS " + value + " ON " + value +
             ".attribute = " + number + " AND " + value + ".code = m.codes[(u.i - 1) * " + width + " + " +
             std::to_string(++plain) + "]";
  }
  auto const view = ledger_table(ledger, "object");
  session.execute(
      "CREATE VIEW " + view + " AS SELECT v.version, o.place, o.region, u.person, u.object, m.codes[(u.i - 1) * " +
      width + " + 1] AS arrived" + shown + " FROM " + ledger_table(ledger, "note") +
      " AS v CROSS JOIN LATERAL pg_catalog.unnest(v.regions) WITH ORDINALITY AS o (region, place) JOIN " +
      ledger_table(ledger, "region") + " AS r ON r.region = o.region JOIN " + ledger_table(ledger, "member") +
      " AS m ON m.region = o.region AND m.since <= v.version"
      " CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(m.persons), pg_catalog.unnest(m.objects)) WITH ORDINALITY AS u (person, object, i)" +
      joins + " WHERE NOT EXISTS (SELECT FROM " + ledger_table(ledger, "gone") +
      " AS g WHERE g.object = u.object AND g.region = m.region AND g.since > m.since AND g.since <= v.version)");
  close_relation(session, "TABLE", view);
}

}  // namespace

void create_region_ledger(SpiSession& session, Policy const& policy, std::string const& person_type) {
  create_tables(session, policy, person_type);
  create_cell_view(session, policy);
  create_objects_view(session, policy);
}

std::string cell_order(std::vector<PublishedColumn> const& columns) { return "c.cell" + plain_order(columns); }

std::string plain_order(std::vector<PublishedColumn> const& columns) {
  std::string order;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!is_quasi(columns[i])) order += ", " + order_of(columns[i], "c." + c(i));
  return order;
}

std::string create_region_view(SpiSession& session, Policy const& policy) {
  auto const ledger = policy.ledger(), version = std::to_string(policy.version);
  std::string shown, quasi, plain;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    shown += (shown.empty() ? "c." : ", c.") + c(i) + " AS " + quote_name(policy.columns[i].column);
    (is_quasi(policy.columns[i]) ? quasi : plain) += ", " + c(i);
  }
  return create_expanded(
      session, policy, shown,
      "(SELECT o.place AS cell, k.n" + quasi + plain + " FROM (SELECT region" + plain +
          ", pg_catalog.sum(n)::bigint AS n FROM " + ledger_table(ledger, "count") + " WHERE since <= " + version +
          " GROUP BY region" + plain + ") AS k JOIN " + ledger_table(ledger, "region") + " AS r USING (region) JOIN (" +
          ledger_table(ledger, "note") +
          " AS v CROSS JOIN LATERAL pg_catalog.unnest(v.regions) WITH ORDINALITY AS u (region, place)) AS o USING (region)"
          " WHERE o.version = " +
          version + " AND k.n > 0) AS c ORDER BY " + cell_order(policy.columns));
}

std::string create_object_view(SpiSession& session, Policy const& policy) {
  std::string shown, order;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    shown += "o." + c(i) + " AS " + quote_name(policy.columns[i].column) + ", ";
    if (!is_quasi(policy.columns[i])) order += ", " + order_of(policy.columns[i], "o." + c(i));
  }
  auto const relation = release_relation(policy, policy.version);
  session.execute("CREATE MATERIALIZED VIEW " + relation + " AS SELECT " + shown + "o.object AS object_id FROM " +
                  ledger_table(policy.ledger(), "object") + " AS o WHERE o.version = " +
                  std::to_string(policy.version) + " ORDER BY o.place" + order + ", o.object");
  return relation;
}

}  // namespace anon_seq::incremental
