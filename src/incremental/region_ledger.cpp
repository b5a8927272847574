#include "incremental/region_ledger.h"

#include "catalog/ledger.h"
#include "pg/sql_text.h"

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
  create("region", sql_text(R"(
  region int PRIMARY KEY,
  parent int NOT NULL,
  attribute int NOT NULL,
  side text NOT NULL,
  bound text,
  nodes text[],
  made int NOT NULL,
  since int,
  until int{quasi})",
                            {{"quasi", typed(policy, true)}}));
  create("count", sql_text(R"(
  region int NOT NULL,
  since int NOT NULL,
  n bigint NOT NULL{plain})",
                           {{"plain", typed(policy, false)}}));
  create("member", sql_text(R"(
  region int NOT NULL,
  since int NOT NULL,
  persons {person}[] NOT NULL,
  objects bigint[] NOT NULL,
  codes int[] NOT NULL,
  points bytea NOT NULL)",
                            {{"person", person_type}}));
  create("gone", sql_text(R"(
  region int NOT NULL,
  since int NOT NULL,
  object bigint NOT NULL,
  rejoined boolean NOT NULL,
  elsewhere boolean NOT NULL,
  persons {person}[] NOT NULL)",
                          {{"person", person_type}}));
  create("moved", "object bigint NOT NULL, before bigint NOT NULL, apart boolean NOT NULL");
  create("value", "attribute int NOT NULL, code int NOT NULL, value text NOT NULL, PRIMARY KEY (attribute, code)");
  create("note", R"(
  version int PRIMARY KEY,
  fingerprint text NOT NULL,
  cut jsonb,
  trace jsonb,
  detail jsonb,
  regions int[],
  deferred bigint[])");
  // Statistics would be one more place to find keys in.
  session.execute("ALTER TABLE " + ledger_table(ledger, "gone") + " ALTER COLUMN persons SET STATISTICS 0");
  for (char const* column : {"persons", "objects", "codes", "points"})
    session.execute(sql_text(
        "ALTER TABLE {member} ALTER COLUMN {column} SET STORAGE EXTERNAL, ALTER COLUMN {column} SET STATISTICS 0",
        {{"member", ledger_table(ledger, "member")}, {"column", column}}));
}

// Regions of a version in their order, joined with what has been counted in them up to it.
void create_cell_view(SpiSession& session, Policy const& policy) {
  auto const ledger = policy.ledger();
  std::string shown, plain;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    bool const quasi = is_quasi(policy.columns[i]);
    shown += (quasi ? ", r." : ", k.") + c(i);
    if (!quasi) plain += ", k." + c(i);
  }
  auto const view = ledger_table(ledger, "cell");
  session.execute(sql_text(R"(
CREATE VIEW {view} AS
SELECT v.version, o.place::int AS cell, pg_catalog.sum(k.n)::bigint AS n{shown}
FROM {note} AS v
CROSS JOIN LATERAL pg_catalog.unnest(v.regions) WITH ORDINALITY AS o (region, place)
JOIN {region} AS r ON r.region = o.region
JOIN {count} AS k ON k.region = o.region AND k.since <= v.version
GROUP BY v.version, o.place, r.region{plain}
HAVING pg_catalog.sum(k.n) > 0)",
                           {{"view", view},
                            {"shown", shown},
                            {"note", ledger_table(ledger, "note")},
                            {"region", ledger_table(ledger, "region")},
                            {"count", ledger_table(ledger, "count")},
                            {"plain", plain}}));
  close_relation(session, "TABLE", view);
}

// Codes stand person by person: the version of arrival, then a code per column that is published as it is. The exact
// values of the others are in points, four bytes each: only the next publish reads them.
void create_objects_view(SpiSession& session, Policy const& policy) {
  auto const ledger = policy.ledger();
  std::string const width = std::to_string(policy.columns.size() - policy.quasi.size() + 1);
  std::string shown, values;
  std::size_t plain = 1;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    if (is_quasi(policy.columns[i])) {
      shown += ", r." + c(i);
      continue;
    }
    auto const number = std::to_string(i + 1);
    shown += sql_text(", w{i}.value::{type} AS c{i}", {{"i", number}, {"type", policy.columns[i].type}});
    values += sql_text(R"(
LEFT JOIN {value} AS w{i} ON w{i}.attribute = {i} AND w{i}.code = m.codes[(u.i - 1) * {width} + {place}])",
                       {{"value", ledger_table(ledger, "value")},
                        {"i", number},
                        {"width", width},
                        {"place", std::to_string(++plain)}});
  }
  auto const view = ledger_table(ledger, "object");
  session.execute(sql_text(R"(
CREATE VIEW {view} AS
SELECT v.version, o.place, o.region, u.person, u.object, m.codes[(u.i - 1) * {width} + 1] AS arrived{shown}
FROM {note} AS v
CROSS JOIN LATERAL pg_catalog.unnest(v.regions) WITH ORDINALITY AS o (region, place)
JOIN {region} AS r ON r.region = o.region
JOIN {member} AS m ON m.region = o.region AND m.since <= v.version
CROSS JOIN LATERAL
  ROWS FROM (pg_catalog.unnest(m.persons), pg_catalog.unnest(m.objects)) WITH ORDINALITY AS u (person, object, i){values}
WHERE NOT EXISTS (
  SELECT
  FROM {gone} AS g
  WHERE g.object = u.object AND g.region = m.region AND g.since > m.since AND g.since <= v.version))",
                           {{"view", view},
                            {"width", width},
                            {"shown", shown},
                            {"note", ledger_table(ledger, "note")},
                            {"region", ledger_table(ledger, "region")},
                            {"member", ledger_table(ledger, "member")},
                            {"values", values},
                            {"gone", ledger_table(ledger, "gone")}}));
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
  auto const ledger = policy.ledger();
  std::vector<std::string> shown;
  std::string quasi, plain;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    shown.push_back("c." + c(i) + " AS " + quote_name(policy.columns[i].column));
    (is_quasi(policy.columns[i]) ? quasi : plain) += ", " + c(i);
  }
  auto const cells = sql_text(R"((
  SELECT o.place AS cell, k.n{quasi}{plain}
  FROM (
    SELECT region{plain}, pg_catalog.sum(n)::bigint AS n
    FROM {count}
    WHERE since <= {version}
    GROUP BY region{plain}
  ) AS k
  JOIN {region} AS r USING (region)
  JOIN (
    {note} AS v
    CROSS JOIN LATERAL pg_catalog.unnest(v.regions) WITH ORDINALITY AS u (region, place)
  ) AS o USING (region)
  WHERE o.version = {version} AND k.n > 0
) AS c
ORDER BY {order})",
                              {{"quasi", quasi},
                               {"plain", plain},
                               {"count", ledger_table(ledger, "count")},
                               {"version", std::to_string(policy.version)},
                               {"region", ledger_table(ledger, "region")},
                               {"note", ledger_table(ledger, "note")},
                               {"order", cell_order(policy.columns)}});
  return create_expanded(session, policy, joined(shown, ", "), cells);
}

std::string create_object_view(SpiSession& session, Policy const& policy) {
  std::string shown, order;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    shown += sql_text("o.{c} AS {name}, ", {{"c", c(i)}, {"name", quote_name(policy.columns[i].column)}});
    if (!is_quasi(policy.columns[i])) order += ", " + order_of(policy.columns[i], "o." + c(i));
  }
  auto const relation = release_relation(policy, policy.version);
  session.execute(sql_text(R"(
CREATE MATERIALIZED VIEW {relation} AS
SELECT {shown}o.object AS object_id
FROM {object} AS o
WHERE o.version = {version}
ORDER BY o.place{order}, o.object)",
                           {{"relation", relation},
                            {"shown", shown},
                            {"object", ledger_table(policy.ledger(), "object")},
                            {"version", std::to_string(policy.version)},
                            {"order", order}}));
  return relation;
}

}  // namespace anon_seq::incremental
