#include "incremental/earlier_places.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/sql_text.h"
#include "release/key_digest.h"

namespace anon_seq::incremental {

EarlierPlaces::EarlierPlaces(SpiSession& session, Release const& release, ValueType person, Oid persons, bool of_some,
                             std::optional<std::int32_t> since)
    : session_(session), release_(release) {
  if (!of_some) read_parents();
  auto const version = std::to_string(release.version);
  read_places(session,
              "SELECT region, object, persons FROM " + table("gone") +
                  " WHERE since > 0 AND NOT rejoined AND since <= " + version,
              person, persons);
  if (since)
    read_places(session,
                "SELECT m.region, u.object, ARRAY[u.person] FROM " + table("member") +
                    " AS m CROSS JOIN LATERAL ROWS FROM (unnest(m.objects), unnest(m.persons)) AS u (object, person)"
                    " WHERE m.until > " +
                    std::to_string(*since) + " AND m.until <= " + version,
                person, persons);
  std::ranges::sort(by_object_, {}, &Place::object);
  std::ranges::sort(by_person_, {}, &Place::person);
  read_links(session);
  read_returned(session, person);
}

std::string EarlierPlaces::table(char const* name) const { return ledger_table(release_.ledger, name); }

Error EarlierPlaces::damaged(char const* detail) const {
  return Error(Fault::kDamaged, "the ledger of release " + quoted(release_.reference()) + " is damaged", detail);
}

void EarlierPlaces::read_parents() const {
  DatumCursor regions(session_, "SELECT region, parent FROM " + table("region") + " ORDER BY region");
  while (regions.next())
    for (std::size_t row = 0; row < regions.rows(); ++row) {
      std::int32_t const region = regions.integer(row, 0), parent = regions.integer(row, 1);
      if (region != static_cast<std::int32_t>(parents_.size()) || parent >= region)
        throw damaged("Its regions are no tree.");
      parents_.push_back(parent);
    }
}

void EarlierPlaces::read_places(SpiSession& session, std::string const& query, ValueType person, Oid persons) {
  DatumCursor places(session, query);
  while (places.next())
    for (std::size_t row = 0; row < places.rows(); ++row) {
      Place place{places.bigint(row, 1), places.integer(row, 0), kNoCode};
      auto const keys = places.elements(row, 2, persons);
      if (keys.count == 1 && !keys.nulls[0]) {
        char buffer[8];
        place.person = departed_.intern(key_of(person, keys.values[0], buffer, "person"));
        make_room(by_person_, 1);
        by_person_.push_back(place);
      }
      make_room(by_object_, 1);
      by_object_.push_back(place);
    }
}

void EarlierPlaces::read_links(SpiSession& session) {
  DatumCursor moved(session, "SELECT object, before FROM " + table("moved"));
  while (moved.next())
    for (std::size_t row = 0; row < moved.rows(); ++row) {
      make_room(links_, 1);
      links_.push_back({moved.bigint(row, 0), moved.bigint(row, 1)});
    }
  std::ranges::sort(links_, {}, &Link::object);
}

// Their members are in rows that were written after they were forgotten.
void EarlierPlaces::read_returned(SpiSession& session, ValueType person) {
  if (!session.exists("SELECT FROM " + table("forgotten"))) return;
  DatumCursor keys(
      session, sql_text(R"(
SELECT u.person
FROM {member} AS m
CROSS JOIN LATERAL pg_catalog.unnest(m.persons) AS u (person)
CROSS JOIN {secret} AS s
WHERE m.since > (SELECT pg_catalog.min(f.since) FROM {forgotten} AS f)
  AND m.since <= {version}
  AND u.person IS NOT NULL
  AND {digest} IN (SELECT f.digest FROM {forgotten} AS f))",
                        {{"member", table("member")},
                         {"secret", table("secret")},
                         {"forgotten", table("forgotten")},
                         {"version", std::to_string(release_.version)},
                         {"digest", key_digest_sql("s.secret", canonical_sql("u.person", type_name(person.type)))}}));
  while (keys.next())
    for (std::size_t row = 0; row < keys.rows(); ++row) {
      char buffer[8];
      returned_.intern(key_of(person, keys.get(row, 0), buffer, "person"));
    }
}

bool EarlierPlaces::is_around(std::int32_t region, std::int32_t inner) const {
  if (parents_.empty()) read_parents();
  if (inner < 0 || static_cast<std::size_t>(inner) >= parents_.size()) throw damaged("Its members are in no region.");
  while (inner > region && inner >= 0) inner = parents_[static_cast<std::size_t>(inner)];
  return inner == region;
}

bool EarlierPlaces::was_linked_elsewhere(std::int32_t region, std::int64_t object) const {
  // Nobody moves twice in a version; links that were altered may go in a circle.
  for (std::int32_t steps = 0; steps <= release_.version; ++steps) {
    auto const link = std::ranges::lower_bound(links_, object, {}, &Link::object);
    if (link == links_.end() || link->object != object) return false;
    if (link->before == 0) return true;  // forgotten, and back
    object = link->before;
    for (auto const& place : std::ranges::equal_range(by_object_, object, {}, &Place::object))
      if (!is_around(place.region, region)) return true;
  }
  return false;
}

bool EarlierPlaces::was_elsewhere(std::int32_t region, std::int64_t object, std::optional<std::string_view> key) const {
  if (was_linked_elsewhere(region, object)) return true;
  if (key && returned_.size() > 0 && returned_.find(*key) != kNoCode) return true;
  if (!key || by_person_.empty()) return false;
  Code const known = departed_.find(*key);
  if (known == kNoCode) return false;
  auto const others = std::ranges::equal_range(by_person_, known, {}, &Place::person);
  return std::any_of(others.begin(), others.end(),
                     [&](auto const& other) { return other.object != object && !is_around(other.region, region); });
}

}  // namespace anon_seq::incremental
