#include "release/release_objects.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/line_type.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::release {
namespace {

// Throws kUnsupported unless the ledger has a table or view of its owner's that tells who is in a release.
void require_own(SpiSession& session, Release const& release, char const* table) {
  auto const relation = ledger_table(release.ledger, table);
  lock_shared(relation);
  bool const known = session.exists(R"(
SELECT
FROM pg_class AS c
WHERE c.oid = to_regclass($2)
  AND c.relkind IN ('r', 'v')
  AND c.relowner = anon_seq.ledger_owner($1))",
                                    {release.ledger, relation});
  if (known) return;
  throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " knows no persons",
              "Its policy has no person column, so every row is another person.",
              "If it shows an object id, use audit_inference_relations() on its relation.");
}

// The persons of a row of the ledger as texts that are equal where the keys are: policies whose keys have other scales
// speak of the same persons.
std::string person_as_text(SpiSession& session, Release const& release) {
  bool const numeric = session.exists(R"(
SELECT
FROM pg_attribute
WHERE attrelid = $1::regclass
  AND attname = 'persons'
  AND atttypid = 'numeric[]'::regtype)",
                                      {ledger_table(release.ledger, "person")});
  return numeric ? "trim_scale(unnest(persons))::text" : "unnest(persons)::text";
}

// The type of the values that a published range is made of.
std::string value_type(std::string const& range) {
  if (range == "int4range") return "int";
  if (range == "int8range") return "bigint";
  if (range == "numrange") return "numeric";
  if (range == "daterange") return "date";
  return range == "tsrange" ? "timestamp" : "timestamptz";
}

std::string numbers_of(std::vector<Release> const& versions) {
  std::vector<std::string> numbers;
  for (auto const& version : versions) numbers.push_back(std::to_string(version.version));
  return joined(numbers, ", ");
}

// A SELECT of the exact quasi values of the objects in some versions of an incremental policy: object, c1, c2, ... They
// stand in the ledger as numbers of four bytes, see region_ledger.cpp.
std::string select_points(std::vector<Release> const& versions) {
  auto const& release = versions.front();
  std::size_t const width =
      4 * static_cast<std::size_t>(std::count_if(release.columns.begin(), release.columns.end(),
                                                 [](auto const& column) { return column.role == "quasi"; }));
  std::string columns, values;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    if (release.columns[i].role != "quasi") continue;
    std::vector<std::string> code;  // least byte first
    for (std::size_t byte = 0; byte < 4; ++byte)
      code.push_back(sql_text("(get_byte(m.points, ((u.i - 1) * {width} + {at})::int) << {bits})",
                              {{"width", std::to_string(width)},
                               {"at", std::to_string(4 * i + byte)},
                               {"bits", std::to_string(8 * byte)}}));
    auto const number = std::to_string(i + 1);
    columns += sql_text(
        ", v{i}.value::{type} AS c{i}",
        {{"i", number}, {"type", release.columns[i].taxonomy.empty() ? value_type(release.columns[i].type) : "text"}});
    values += sql_text(R"(
LEFT JOIN {value} AS v{i}
       ON v{i}.attribute = {i}
      AND v{i}.code = ({code}))",
                       {{"value", ledger_table(release.ledger, "value")},
                        {"i", number},
                        {"code", joined(code, "\n                   | ")}});
  }
  return sql_text(R"(
SELECT DISTINCT ON (u.object) u.object::text AS object{columns}
FROM {member} AS m
CROSS JOIN LATERAL ROWS FROM (unnest(m.objects), unnest(m.persons)) WITH ORDINALITY AS u (object, person, i){values}
WHERE u.person IS NOT NULL
  AND u.object IN (SELECT o.object FROM {object} AS o WHERE o.version IN ({versions})))",
                  {{"columns", columns},
                   {"member", ledger_table(release.ledger, "member")},
                   {"values", values},
                   {"object", ledger_table(release.ledger, "object")},
                   {"versions", numbers_of(versions)}});
}

// A lower bound that says: any value, but not unknown. Nothing for what is no range.
std::string least_known(std::string const& type) {
  if (!is_range_type(type)) return "";
  return type == "int4range" ? "-2147483648" : type == "int8range" ? "-9223372036854775808" : "-infinity";
}

// Of those who were forgotten it is known where they were: object, and what the region shows, c1, c2, ... What shows
// (,) may be unknown only where the region was not cut off from that.
std::string select_places(std::vector<Release> const& versions) {
  auto const& release = versions.front();
  std::string columns;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    if (release.columns[i].role != "quasi") continue;
    auto const number = std::to_string(i + 1), least = least_known(release.columns[i].type);
    columns += least.empty() ? ",\n       r.c" + number
                             : sql_text(R"(,
       CASE WHEN lower_inf(r.c{i}) AND upper_inf(r.c{i})
             AND EXISTS (SELECT FROM known AS k WHERE k.region = r.region AND k.attribute = {i})
            THEN '[{least},)'::{type}
            ELSE r.c{i} END AS c{i})",
                                        {{"i", number}, {"least", least}, {"type", release.columns[i].type}});
  }
  return sql_text(R"(
WITH RECURSIVE up AS (  -- every cut above a region
  SELECT a.region, a.parent, a.attribute, a.side
  FROM {region} AS a
  UNION
  SELECT up.region, p.parent, p.attribute, p.side
  FROM up
  JOIN {region} AS p ON p.region = up.parent
),
known AS (
  SELECT DISTINCT up.region, up.attribute
  FROM up
  WHERE up.side IN ('known', 'from')
)
SELECT DISTINCT ON (g.object) g.object::text AS object{columns}
FROM {gone} AS g
JOIN {region} AS r ON r.region = g.region
WHERE g.since = 0
  AND g.object IN (SELECT o.object FROM {object} AS o WHERE o.version IN ({versions}))
ORDER BY g.object, g.region DESC)",
                  {{"region", ledger_table(release.ledger, "region")},
                   {"columns", columns},
                   {"gone", ledger_table(release.ledger, "gone")},
                   {"object", ledger_table(release.ledger, "object")},
                   {"versions", numbers_of(versions)}});
}

}  // namespace

std::string select_objects(SpiSession& session, Release const& release) {
  if (release.version == 0)
    throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " was registered, not made here",
                "Nothing is known of who is in it.",
                "If it shows an object id, use audit_inference_relations() on its relation.");
  std::string const version = std::to_string(release.version);
  std::string columns;
  for (std::size_t i = 1; i <= release.columns.size(); ++i) columns += ", c" + std::to_string(i);
  if (release.method == "incremental") {
    require_own(session, release, "object");
    return sql_text("SELECT object::text{columns} FROM {object} WHERE version = {version}",
                    {{"columns", columns}, {"object", ledger_table(release.ledger, "object")}, {"version", version}});
  }
  require_own(session, release, "person");
  return sql_text(R"(
SELECT p.object{columns}
FROM (SELECT cell, {person} AS object FROM {persons} WHERE version = {version}) AS p
JOIN {cell} AS c ON c.version = {version} AND c.cell = p.cell
WHERE p.object IS NOT NULL)",
                  {{"columns", columns},
                   {"person", person_as_text(session, release)},
                   {"persons", ledger_table(release.ledger, "person")},
                   {"version", version},
                   {"cell", ledger_table(release.ledger, "cell")}});
}

std::vector<Release> releases_meant(SpiSession& session, std::vector<std::string> const& references) {
  if (references.empty()) throw Error(Fault::kParameter, "an audit needs at least one release");
  std::vector<Release> meant;
  for (auto const& reference : references)
    for (auto& release : find_releases(session, reference))
      if (std::none_of(meant.begin(), meant.end(), [&](auto const& other) { return other.id == release.id; }))
        meant.push_back(std::move(release));
  std::sort(meant.begin(), meant.end(), [](auto const& a, auto const& b) { return a.id < b.id; });
  return meant;
}

std::vector<std::string> quasi_attributes(std::vector<Release> const& releases) {
  std::vector<std::string> attributes;
  for (auto const& release : releases)
    for (auto const& column : release.columns)
      if (column.role == "quasi" &&
          std::find(attributes.begin(), attributes.end(), column.attribute) == attributes.end())
        attributes.push_back(column.attribute);
  return attributes;
}

std::vector<PublishedSource> release_sources(SpiSession& session, std::vector<Release> const& releases,
                                             std::vector<std::string> const& attributes) {
  std::vector<PublishedSource> sources;
  for (auto const& release : releases) {
    PublishedSource source;
    source.name = release.reference();
    source.object_column = "person";
    source.owner = ledger_owner(session, release.ledger);
    {
      ActingAs const owner(source.owner);
      source.query = select_objects(session, release);
    }
    for (auto const& attribute : attributes) {
      auto& of = source.attributes.emplace_back();
      for (auto const& column : release.columns)
        if (column.role == "quasi" && column.attribute == attribute)
          of = {static_cast<int>(release.number_of(column)), column.column, column.taxonomy, false};
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

PublishedHistory history_of(SpiSession& session, std::vector<Release> const& releases, Checkpoint& checkpoint) {
  auto const attributes = quasi_attributes(releases);
  auto sources = release_sources(session, releases, attributes);
  bool const of_one = std::all_of(releases.begin(), releases.end(), [&](auto const& release) {
    return release.method == "incremental" && release.ledger == releases.front().ledger;
  });
  if (of_one) {
    auto points = sources.front();
    points.name = "ledger of " + releases.front().name;
    points.query = select_points(releases);
    auto places = points;
    places.query = select_places(releases);
    sources.push_back(std::move(points));
    sources.push_back(std::move(places));
  }
  return PublishedHistory(session, attributes, sources, checkpoint, of_one);
}

}  // namespace anon_seq::release
