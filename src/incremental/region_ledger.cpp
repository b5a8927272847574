#include "incremental/region_ledger.h"

#include "catalog/ledger.h"
#include "incremental/member_format.h"
#include "incremental/region_leaves.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "release/shared_rows.h"

namespace anon_seq::incremental {
namespace {

std::string c(std::size_t i) { return "c" + std::to_string(i + 1); }

// Columns c<i> with their types: those that generalize, or the others.
std::string typed(Policy const& policy, bool quasi) {
  std::string list;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    if (policy.columns[i].is_quasi() == quasi) list += ", " + c(i) + " " + policy.columns[i].type;
  return list;
}

std::vector<std::string> named(Policy const& policy, bool quasi) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    if (policy.columns[i].is_quasi() == quasi) names.push_back(c(i));
  return names;
}

std::vector<LedgerRelation> tables(Policy const& policy, std::string const& keys) {
  return {{.name = "region",
           .columns = "region int PRIMARY KEY, parent int NOT NULL, attribute int NOT NULL, side text NOT NULL,"
                      " bound text, nodes text[], made int NOT NULL, since int, until int, place bytea" +
                      typed(policy, true),
           .unmeasured = named(policy, true),
           .analyzed = true},
          {.name = "count",
           .columns = "region int NOT NULL, since int NOT NULL, until int, part int NOT NULL, n bigint NOT NULL" +
                      typed(policy, false) + ", PRIMARY KEY (since, part)",
           .unmeasured = named(policy, false),
           .indexes = {"(until, region)"},
           .analyzed = true,
           .counts_by = "since"},
          {.name = "member",
           .columns = "region int NOT NULL, since int NOT NULL, until int, persons " + keys +
                      "[] NOT NULL, objects bigint[] NOT NULL, codes int[] NOT NULL, points bytea NOT NULL,"
                      " PRIMARY KEY (region, since)",
           .keys = {"persons"},
           .packed = {"persons", "objects", "codes", "points"},
           .indexes = {"(until, region)"},
           .analyzed = true},
          {.name = "gone",
           .columns = "region int NOT NULL, since int NOT NULL, until int, object bigint NOT NULL,"
                      " rejoined boolean NOT NULL, elsewhere boolean NOT NULL, persons " +
                      keys + "[] NOT NULL, PRIMARY KEY (since, object)",
           .keys = {"persons"},
           .packed = {"persons"},
           .indexes = {"(until, region)", "USING hash ((persons[1]))"}},
          {.name = "key",
           .columns = "region int NOT NULL, since int NOT NULL, part int NOT NULL, persons " + keys +
                      "[] NOT NULL, PRIMARY KEY (since, part)",
           .keys = {"persons"},
           .packed = {"persons"},
           .indexes = {"USING hash ((persons[1]))"}},
          {.name = "held",
           .columns = "attribute int NOT NULL, code int NOT NULL, n bigint NOT NULL, PRIMARY KEY (attribute, code)"},
          {.name = "moved", .columns = "object bigint PRIMARY KEY, before bigint NOT NULL, apart boolean NOT NULL"},
          {.name = "secret", .columns = "secret bytea PRIMARY KEY"},
          {.name = "forgotten", .columns = "digest bytea PRIMARY KEY, since int NOT NULL"},
          {.name = "value",
           .columns = "attribute int NOT NULL, code int NOT NULL, value text NOT NULL, PRIMARY KEY (attribute, code)"},
          leaf_table(),
          {.name = "note",
           .columns = "version int PRIMARY KEY, fingerprint text NOT NULL, cut jsonb, trace jsonb, detail jsonb,"
                      " deferred bigint[], deferred_in int[], waiting " +
                      keys + "[]",
           .keys = {"waiting"},
           .packed = {"waiting"},
           .analyzed = true}};
}

// Regions of a version, joined with what has been counted in them up to it; a cell is called by the place of its region
// among all.
std::string select_cells(Policy const& policy) {
  std::string shown, group;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    bool const quasi = policy.columns[i].is_quasi();
    shown += (quasi ? ", r." : ", k.") + c(i);
    if (!quasi) group += ", k." + c(i);
  }
  return sql_text(R"(
    SELECT v.version, r.place AS cell, pg_catalog.sum(k.n)::bigint AS n{shown}
      FROM anon_seq_ledger.{ledger}_note AS v
      JOIN anon_seq_ledger.{ledger}_region AS r ON r.since <= v.version AND (r.until IS NULL OR r.until > v.version)
      JOIN anon_seq_ledger.{ledger}_count AS k ON k.region = r.region AND k.since <= v.version AND (k.until IS NULL OR k.until > v.version)
     GROUP BY v.version, r.region{group}
    HAVING pg_catalog.sum(k.n) > 0)",
                  {{"shown", shown}, {"ledger", policy.ledger()}, {"group", group}});
}

// A row per person and version.
std::string select_objects(Policy const& policy) {
  MemberFormat const format(policy.columns);
  std::string shown, joins;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    if (policy.columns[i].is_quasi()) {
      shown += ", r." + c(i);
      continue;
    }
    auto const value = "w" + std::to_string(i + 1);
    shown += ", " + value + ".value::" + policy.columns[i].type + " AS " + c(i);
    joins += "\n      LEFT JOIN " + ledger_table(policy.ledger(), "value") + " AS " + value + " ON " + value +
             ".attribute = " + std::to_string(i + 1) + " AND " + value + ".code = " + format.plain_code(i, "m", "u.i");
  }
  return sql_text(
      R"(
    SELECT v.version, r.place, r.region, u.person, u.object, {arrived} AS arrived{shown}
      FROM anon_seq_ledger.{ledger}_note AS v
      JOIN anon_seq_ledger.{ledger}_region AS r ON r.since <= v.version AND (r.until IS NULL OR r.until > v.version)
      JOIN anon_seq_ledger.{ledger}_member AS m ON m.region = r.region AND m.since <= v.version AND (m.until IS NULL OR m.until > v.version)
     CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(m.persons), pg_catalog.unnest(m.objects))
                   WITH ORDINALITY AS u (person, object, i){joins}
     WHERE NOT EXISTS (SELECT FROM anon_seq_ledger.{ledger}_gone AS g
                        WHERE g.object = u.object AND g.region = m.region AND g.since > m.since AND g.since <= v.version
                          AND (g.until IS NULL OR g.until > v.version)))",
      {{"arrived", format.arrived("m", "u.i")}, {"shown", shown}, {"ledger", policy.ledger()}, {"joins", joins}});
}

// The cells c of a version, which an SQL expression stands for: cell (the place of the region), n, c1, ... Behind FROM.
std::string cells_at(Policy const& policy, std::string const& version) {
  std::string quasi, plain;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) (policy.columns[i].is_quasi() ? quasi : plain) += ", " + c(i);
  return sql_text(R"((
  SELECT r.place AS cell, k.n{quasi}{plain}
  FROM (
    SELECT region{plain}, pg_catalog.sum(n)::bigint AS n
    FROM {count}
    WHERE since <= {version} AND (until IS NULL OR until > {version})
    GROUP BY region{plain}
  ) AS k
  JOIN {region} AS r USING (region)
  WHERE r.since <= {version} AND (r.until IS NULL OR r.until > {version}) AND k.n > 0
) AS c
ORDER BY {order})",
                  {{"quasi", quasi},
                   {"plain", plain},
                   {"count", ledger_table(policy.ledger(), "count")},
                   {"version", version},
                   {"region", ledger_table(policy.ledger(), "region")},
                   {"order", cell_order(policy.columns)}});
}

SelectCells select_shown(Policy const& policy) {
  return [&policy](std::string const& version) {
    std::string shown;
    for (std::size_t i = 0; i < policy.columns.size(); ++i) shown += "c." + c(i) + ", ";
    return "SELECT " + shown + "c.n FROM " + cells_at(policy, version);
  };
}

}  // namespace

LedgerSchema region_ledger(Policy const& policy, std::string const& keys) {
  LedgerSchema schema;
  schema.relations = tables(policy, keys);
  schema.relations.push_back({.name = "cell", .query = select_cells(policy)});
  schema.relations.push_back({.name = "object", .query = select_objects(policy)});
  for (auto& relation : shown_relations(policy.ledger(), select_shown(policy)))
    schema.relations.push_back(std::move(relation));
  return schema;
}

std::string create_region_view(SpiSession& session, Policy const& policy, RelationShape const& relation) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    shown.push_back("c." + c(i) + " AS " + quote_name(policy.columns[i].column));
  return create_expanded(session, policy, relation, joined(shown, ", "),
                         cells_at(policy, std::to_string(policy.version)));
}

std::string create_shared_view(SpiSession& session, Policy const& policy, RelationShape const& relation) {
  return create_shared(session, policy, relation, select_shown(policy));
}

std::string create_object_view(SpiSession& session, Policy const& policy, RelationShape const& shape) {
  std::string shown, order;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    shown += sql_text("o.{c} AS {name}, ", {{"c", c(i)}, {"name", quote_name(policy.columns[i].column)}});
    if (!policy.columns[i].is_quasi()) order += ", " + order_of(policy.columns[i], "o." + c(i));
  }
  auto const relation = relation_name(policy, shape.suffix);
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
