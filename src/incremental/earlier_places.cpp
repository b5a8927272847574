#include "incremental/earlier_places.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"

namespace anon_seq::incremental {

EarlierPlaces::EarlierPlaces(SpiSession& session, Release const& release, ValueType person, Oid persons)
    : release_(release) {
  read_parents(session);
  read_links(session, read_departures(session, person, persons));
}

std::string EarlierPlaces::table(char const* name) const { return ledger_table(release_.ledger, name); }

Error EarlierPlaces::damaged(char const* detail) const {
  return Error(Fault::kDamaged, "the ledger of release " + quoted(release_.reference()) + " is damaged", detail);
}

void EarlierPlaces::read_parents(SpiSession& session) {
  DatumCursor regions(session, "SELECT region, parent FROM " + table("region") + " ORDER BY region");
  while (regions.next())
    for (std::size_t row = 0; row < regions.rows(); ++row) {
      std::int32_t const region = regions.integer(row, 0), parent = regions.integer(row, 1);
      if (region != static_cast<std::int32_t>(parents_.size()) || parent >= region)
        throw damaged("Its regions are no tree.");
      parents_.push_back(parent);
    }
}

EarlierPlaces::OfObject EarlierPlaces::read_departures(SpiSession& session, ValueType person, Oid persons) {
  OfObject regions;
  DatumCursor gone(session, "SELECT region, object, persons FROM " + table("gone") +
                                " WHERE since > 0 AND NOT rejoined AND since <= " + std::to_string(release_.version));
  while (gone.next())
    for (std::size_t row = 0; row < gone.rows(); ++row) {
      Place const place{gone.integer(row, 0), gone.bigint(row, 1)};
      regions[place.object].push_back(place.region);
      auto const keys = gone.elements(row, 2, persons);
      if (keys.count != 1 || keys.nulls[0]) continue;
      char buffer[8];
      Code const known = departed_.intern(key_of(person, keys.values[0], buffer, "person"));
      if (static_cast<std::size_t>(known) == departures_.size()) departures_.emplace_back();
      departures_[static_cast<std::size_t>(known)].push_back(place);
    }
  return regions;
}

void EarlierPlaces::read_links(SpiSession& session, OfObject const& departures) {
  std::map<std::int64_t, std::int64_t> before;
  DatumCursor moved(session, "SELECT object, before FROM " + table("moved"));
  while (moved.next())
    for (std::size_t row = 0; row < moved.rows(); ++row) before.emplace(moved.bigint(row, 0), moved.bigint(row, 1));
  for (auto const& [object, earlier] : before) {
    auto& regions = linked_[object];
    std::size_t steps = 0;  // links that were altered may go in a circle
    for (auto at = before.find(object); at != before.end() && steps <= before.size(); at = before.find(at->second)) {
      if (auto const known = departures.find(at->second); known != departures.end())
        regions.insert(regions.end(), known->second.begin(), known->second.end());
      ++steps;
    }
  }
}

bool EarlierPlaces::is_around(std::int32_t region, std::int32_t inner) const {
  if (inner < 0 || static_cast<std::size_t>(inner) >= parents_.size()) throw damaged("Its members are in no region.");
  while (inner > region && inner >= 0) inner = parents_[static_cast<std::size_t>(inner)];
  return inner == region;
}

bool EarlierPlaces::was_elsewhere(std::int32_t region, std::int64_t object, std::optional<std::string_view> key) const {
  if (auto const links = linked_.find(object); links != linked_.end())
    for (auto const other : links->second)
      if (!is_around(other, region)) return true;
  if (!key || departures_.empty()) return false;
  Code const known = departed_.find(*key);
  if (known == kNoCode) return false;
  auto const& others = departures_[static_cast<std::size_t>(known)];
  return std::any_of(others.begin(), others.end(),
                     [&](auto const& other) { return other.object != object && !is_around(other.region, region); });
}

}  // namespace anon_seq::incremental
