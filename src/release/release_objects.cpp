#include "release/release_objects.h"

#include <algorithm>

#include "core/attack/place_runs.h"
//
#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "release/ledger_format.h"
#include "release/method.h"

namespace anon_seq::release {
namespace {

// The persons of a row of the ledger as texts that are equal where the keys are: policies whose keys have other scales
// speak of the same persons.
std::string person_as_text(SpiSession& session, Release const& release) {
  bool const numeric = session.exists(R"(
SELECT
FROM pg_attribute
WHERE attrelid = $1
  AND attname = 'persons'
  AND atttypid = 'numeric[]'::regtype)",
                                      {SqlValue::oid(part_of(session, release, "person"))});
  return numeric ? "trim_scale(unnest(persons))::text" : "unnest(persons)::text";
}

}  // namespace

void require_persons(SpiSession& session, Release const& release, char const* table) {
  lock_shared(ledger_table(release.ledger, table));
  if (OidIsValid(part_of(session, release, table))) return;
  throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " knows no persons",
              "Its policy has no person column, so every row is another person.",
              "If it shows an object id, use audit_inference_relations() on its relation.");
}

std::string select_person_cells(SpiSession& session, Release const& release) {
  require_persons(session, release, "person");
  return sql_text(
      "SELECT object, cell FROM (SELECT cell, {person} AS object FROM {persons} WHERE version = {version}) AS p"
      " WHERE object IS NOT NULL",
      {{"person", person_as_text(session, release)},
       {"persons", ledger_table(release.ledger, "person")},
       {"version", std::to_string(release.version)}});
}

std::string select_persons(SpiSession& session, Release const& release) {
  std::string columns;
  for (std::size_t i = 1; i <= release.columns.size(); ++i) columns += ", c" + std::to_string(i);
  return sql_text(R"(
SELECT p.object{columns}
FROM ({persons}) AS p
JOIN {cell} AS c ON c.version = {version} AND c.cell = p.cell)",
                  {{"columns", columns},
                   {"persons", select_person_cells(session, release)},
                   {"version", std::to_string(release.version)},
                   {"cell", ledger_table(release.ledger, "cell")}});
}

std::string select_objects(SpiSession& session, Release const& release) {
  if (release.is_registered())
    throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " was registered, not made here",
                "Nothing is known of who is in it.",
                "If it shows an object id, use audit_inference_relations() on its relation.");
  return method_of(release).objects(session, release);
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
      if (column.is_quasi() && std::find(attributes.begin(), attributes.end(), column.attribute) == attributes.end())
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
      OwnLedger const owner(session, release);
      source.query = select_objects(session, release);
    }
    for (auto const& attribute : attributes) {
      auto& of = source.attributes.emplace_back();
      for (auto const& column : release.columns)
        if (column.is_quasi() && column.attribute == attribute)
          of = {static_cast<int>(release.number_of(column)), column.column, column.taxonomy, false};
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

namespace {

// How the regions of a ledger lie in each other.
TruePlaces read_places(SpiSession& session, Release const& release, std::string const& regions) {
  OwnLedger const owner(session, release);
  Vector<std::int32_t> parents;
  DatumCursor cursor(session, regions);
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      if (cursor.integer(row, 0) != static_cast<std::int32_t>(parents.size()))
        throw Error(Fault::kDamaged, "the ledger of release " + quoted(release.reference()) + " lacks regions");
      make_room(parents, 1);
      parents.push_back(cursor.integer(row, 1));
    }
  return {place_runs(parents)};
}

}  // namespace

PublishedHistory history_of(SpiSession& session, std::vector<Release> const& releases, Checkpoint& checkpoint) {
  auto const attributes = quasi_attributes(releases);
  auto sources = release_sources(session, releases, attributes);
  auto const& first = releases.front();
  auto const places = method_of(first).places;
  bool const of_one = places != nullptr && std::all_of(releases.begin(), releases.end(), [&](auto const& release) {
                        return release.ledger == first.ledger;
                      });
  if (!of_one) return PublishedHistory(session, attributes, sources, checkpoint);
  auto const queries = places(releases);
  for (auto const& query : {queries.known, queries.vague}) {
    auto known = sources.front();
    known.name = "ledger of " + first.name;
    known.query = query;
    sources.push_back(std::move(known));
  }
  auto const at = read_places(session, first, queries.regions);
  return PublishedHistory(session, attributes, sources, checkpoint, &at);
}

}  // namespace anon_seq::release
