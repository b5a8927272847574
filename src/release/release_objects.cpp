#include "release/release_objects.h"

#include <algorithm>

#include "pg/ledger.h"
#include "pg/reading.h"

namespace anon_seq::pg {
namespace {

// Throws kUnsupported unless the ledger has a table or view of its owner's that tells who is in a release.
void require_own(SpiSession& session, Release const& release, char const* table) {
  auto const relation = ledger_table(release.ledger, table);
  lock_shared(relation);
  auto const known = session.execute(
      "SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($2) AND c.relkind IN ('r', 'v')"
      " AND c.relowner = anon_seq.ledger_owner($1)",
      {release.ledger, relation}, true);
  if (known.count() > 0) return;
  throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " knows no persons",
              "Its policy has no person column, so every row is another person.",
              "If it shows an object id, use audit_inference_relations() on its relation.");
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
    return "SELECT object::pg_catalog.text" + columns + " FROM " + ledger_table(release.ledger, "object") +
           " WHERE version = " + version;
  }
  require_own(session, release, "person");
  return "SELECT p.object" + columns +
         " FROM (SELECT cell, pg_catalog.unnest(persons)::pg_catalog.text AS object FROM " +
         ledger_table(release.ledger, "person") + " WHERE version = " + version + ") AS p JOIN " +
         ledger_table(release.ledger, "cell") + " AS c ON c.version = " + version +
         " AND c.cell = p.cell WHERE p.object IS NOT NULL";
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

}  // namespace anon_seq::pg
