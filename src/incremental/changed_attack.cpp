// Phases: the tree of regions, and which of them the ledger's rows say were cut, entered or left (RegionTree); who is
// in these regions in each version, by key, as tracks (read_tracks); which regions anybody ever left, by what was noted
// and by the tracks; the paths of all places that are to be attacked; the attack (core/attack/region_paths.h).
//
// A place is a leaf of the tree. One without people is attacked only if somebody left a region around it: that person
// may be there, and an empty part of such a region must not be cut off.
#include "incremental/changed_attack.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "core/table/dictionary.h"
#include "incremental/version_rows.h"
#include "pg/array_text.h"
#include "pg/json_object.h"
#include "pg/sql_text.h"
#include "pg/value_type.h"

namespace anon_seq::incremental {
namespace {

std::string table(Release const& release, char const* name) { return ledger_table(release.ledger, name); }

std::size_t at(std::int32_t region) { return static_cast<std::size_t>(region); }

struct TreeRegion {
  std::int32_t parent, since, until;  // since: 0 if it was never shown; until: 0 if it still is
  bool leaf = true, changed = false, left = false, entered = false;  // entered: somebody is there in the newest version

  bool is_shown(std::int32_t version) const {
    return since != 0 && since <= version && (until == 0 || until > version);
  }
};

class RegionTree {
 public:
  // As of the newest of the versions; changed: since the first of them, or if it is the only one all that are shown.
  RegionTree(SpiSession& session, std::vector<Release> const& versions)
      : newest_(versions.back()), from_(versions.size() == 1 ? 0 : versions.front().version) {
    read(session);
    auto const written = sql_text(
        R"(
SELECT DISTINCT region FROM {member} WHERE (since > {from} OR until > {from}) AND since <= {to}
UNION
SELECT region FROM {gone} WHERE (since > {from} OR until > {from}) AND since <= {to})",
        {{"member", table(newest_, "member")},
         {"gone", table(newest_, "gone")},
         {"from", std::to_string(from_)},
         {"to", std::to_string(newest_.version)}});
    mark(session, written, &TreeRegion::changed);
    mark(session,
         "SELECT DISTINCT region FROM " + table(newest_, "gone") +
             " WHERE NOT rejoined AND since <= " + std::to_string(newest_.version),
         &TreeRegion::left);
    for (auto& region : regions_) region.changed |= region.since > from_ || region.until > from_;
    inherit(&TreeRegion::changed);
    inherit(&TreeRegion::left);
  }

  std::size_t size() const { return regions_.size(); }
  TreeRegion& operator[](std::int32_t region) {
    if (region < 0 || at(region) >= regions_.size()) throw_damaged(newest_, "Its members are in no region.");
    return regions_[at(region)];
  }
  // Whether `inner` is a region or part of it.
  bool holds(std::int32_t region, std::int32_t inner) const {
    while (inner > region) inner = regions_[at(inner)].parent;
    return inner == region;
  }
  // What a version shows around a region: itself, or one that it was cut from.
  std::int32_t shown_around(std::int32_t region, std::int32_t version) const {
    while (region >= 0 && !regions_[at(region)].is_shown(version)) region = regions_[at(region)].parent;
    return region < 0 ? kNowhere : region;
  }
  void inherit(bool TreeRegion::*flag) {
    for (auto& region : regions_)
      if (region.parent >= 0) region.*flag |= regions_[at(region.parent)].*flag;
  }
  std::int32_t from() const { return from_; }

 private:
  void read(SpiSession& session) {
    DatumCursor cursor(session,
                       sql_text(R"(
SELECT region, parent, coalesce(since, 0), coalesce(until, 0)
FROM {region}
WHERE made <= {version}
ORDER BY region)",
                                {{"region", table(newest_, "region")}, {"version", std::to_string(newest_.version)}}));
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) {
        auto const region = cursor.integer(row, 0), parent = cursor.integer(row, 1);
        if (at(region) != regions_.size() || parent >= region) throw_damaged(newest_, "Its regions are no tree.");
        make_room(regions_, 1);
        // What came later is none of it.
        auto const since = cursor.integer(row, 2), until = cursor.integer(row, 3);
        regions_.push_back({parent, since > newest_.version ? 0 : since, until > newest_.version ? 0 : until});
        if (parent >= 0) regions_[at(parent)].leaf = false;
      }
  }
  void mark(SpiSession& session, std::string const& query, bool TreeRegion::*flag) {
    DatumCursor cursor(session, query);
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) (*this)[cursor.integer(row, 0)].*flag = true;
  }

  Release const& newest_;
  std::int32_t from_;
  Vector<TreeRegion> regions_;
};

// Who left which region when: until the region's people are written anew, a row of members has them still.
struct Departure {
  std::int32_t region;
  std::int64_t object;
  std::int32_t since, until;  // until: 0 if nothing ended it
  auto operator<=>(Departure const&) const = default;
};

class TrackReader {
 public:
  TrackReader(SpiSession& session, std::vector<Release> const& versions, RegionTree& tree)
      : versions_(versions), release_(versions.back()), tree_(tree) {
    read_departures(session);
    read_members(session);
  }

  Vector<std::int32_t> take() { return std::move(tracks_); }

 private:
  void read_departures(SpiSession& session) {
    DatumCursor gone(session, sql_text(R"(
SELECT region, object, since, coalesce(until, 0)
FROM {gone}
WHERE since > 0 AND since <= {to} AND (until IS NULL OR until > {from}))",
                                       {{"gone", table(release_, "gone")},
                                        {"from", std::to_string(versions_.front().version)},
                                        {"to", std::to_string(release_.version)}}));
    while (gone.next())
      for (std::size_t row = 0; row < gone.rows(); ++row) {
        make_room(departures_, 1);
        departures_.push_back({gone.integer(row, 0), gone.bigint(row, 1), gone.integer(row, 2), gone.integer(row, 3)});
      }
    std::sort(departures_.begin(), departures_.end());
  }

  // Whether a row of members of `since` has somebody in a version who is not there any more.
  bool has_left(std::int32_t region, std::int64_t object, std::int32_t since, std::int32_t version) const {
    for (auto of = std::lower_bound(departures_.begin(), departures_.end(), Departure{region, object, since + 1, 0});
         of != departures_.end() && of->region == region && of->object == object; ++of)
      if (of->since <= version && (of->until == 0 || of->until > version)) return true;
    return false;
  }

  void read_members(SpiSession& session) {
    auto const type = session.execute(R"(
SELECT t.typelem, t.oid
FROM pg_attribute AS a
JOIN pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = $1 AND a.attname = 'persons')",
                                      {SqlValue::oid(ledger_part(session, release_.ledger, "member"))}, true);
    person_ = value_type_of(type.oid(0, 1), "person");
    auto const array = type.oid(0, 2);
    // Rows of regions that did not change are not fetched: where people are kept beside them is not looked at.
    RowStream rows(session,
                   sql_text(R"(
SELECT m.region, m.since, coalesce(m.until, 0), m.persons, m.objects
FROM {member} AS m
WHERE m.region = ANY ('{changed}'::int4[]) AND m.since <= {to} AND (m.until IS NULL OR m.until > {from}))",
                            {{"member", table(release_, "member")},
                             {"changed", changed()},
                             {"from", std::to_string(versions_.front().version)},
                             {"to", std::to_string(release_.version)}}),
                   DatumCursor::Form::kWhole);
    for (; rows.more(); rows.step()) {
      auto const region = rows.integer(0), since = rows.integer(1), until = rows.integer(2);
      auto const persons = rows.elements(3, array);
      auto const objects = rows.integers(4);
      if (objects.size() != persons.count) throw_damaged(release_, "Its members have not as many objects as persons.");
      for (std::size_t v = 0; v < versions_.size(); ++v) {
        auto const version = versions_[v].version;
        if (since > version || (until != 0 && until <= version) || !tree_[region].is_shown(version)) continue;
        for (std::size_t i = 0; i < objects.size(); ++i) {
          checkpoint_.tick();
          if (has_left(region, objects[i], since, version)) continue;
          auto const key = persons.nulls[i] ? std::optional<Datum>() : persons.values[i];
          tracks_[track_of(key, objects[i]) * versions_.size() + v] = region;
          if (v + 1 == versions_.size()) tree_[region].entered = true;
        }
      }
    }
  }

  std::string changed() {
    std::string list = "{";
    for (std::int32_t region = 0; at(region) < tree_.size(); ++region)
      if (tree_[region].changed) append_element(list, std::int64_t{region});
    return list + "}";
  }

  // Who was forgotten is known by the object.
  std::size_t track_of(std::optional<Datum> key, std::int64_t object) {
    char buffer[8];
    std::string const name = key ? std::string() : std::to_string(object);
    auto& known = key ? persons_ : forgotten_;
    auto& tracks = key ? track_of_person_ : track_of_forgotten_;
    auto const code =
        static_cast<std::size_t>(known.intern(key ? key_of(person_, *key, buffer, "person") : std::string_view(name)));
    if (code >= tracks.size()) {
      make_room(tracks, code + 1 - tracks.size());
      tracks.resize(code + 1, kNone);
    }
    if (tracks[code] == kNone) {
      tracks[code] = static_cast<std::uint32_t>(tracks_.size() / versions_.size());
      make_room(tracks_, versions_.size());
      tracks_.resize(tracks_.size() + versions_.size(), kNowhere);
    }
    return tracks[code];
  }

  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
  std::vector<Release> const& versions_;
  Release const& release_;
  RegionTree& tree_;
  Vector<Departure> departures_;
  ValueType person_;
  Dictionary persons_, forgotten_;
  Vector<std::uint32_t> track_of_person_, track_of_forgotten_;  // by code
  Vector<std::int32_t> tracks_;
  InterruptCheckpoint checkpoint_;
};

// Whoever was in a region, and is in no part of it in the next version, left it, whatever was noted.
void mark_left(RegionTree& tree, std::span<std::int32_t const> tracks, std::size_t versions) {
  for (std::size_t begin = 0; begin < tracks.size(); begin += versions)
    for (std::size_t v = 0; v + 1 < versions; ++v) {
      auto const was = tracks[begin + v], is = tracks[begin + v + 1];
      if (was != kNowhere && (is == kNowhere || !tree.holds(was, is))) tree[was].left = true;
    }
  tree.inherit(&TreeRegion::left);
}

// What readers have of tracks: without versions that were withdrawn.
Vector<std::int32_t> shown_to_readers(Vector<std::int32_t> tracks, std::vector<Release> const& versions) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i)
    if (!versions[i % versions.size()].withdrawn) tracks[kept++] = tracks[i];
  tracks.resize(kept);
  return tracks;
}

}  // namespace

Check changed_attack(SpiSession& session, std::vector<Release> const& versions, std::int64_t k) {
  auto const planning = Settings::for_arrays();
  InterruptCheckpoint checkpoint;
  RegionTree tree(session, versions);
  auto all = TrackReader(session, versions, tree).take();
  mark_left(tree, all, versions.size());
  auto const tracks = shown_to_readers(std::move(all), versions);
  std::vector<std::int32_t> held;
  for (auto const& version : versions)
    if (!version.withdrawn) held.push_back(version.version);
  Vector<std::int32_t> paths;
  std::int64_t shown = 0;
  for (std::int32_t region = 0; at(region) < tree.size(); ++region) {
    auto const& of = tree[region];
    shown += of.is_shown(held.back());
    if (!of.leaf || !of.changed || !(of.entered || of.left)) continue;
    make_room(paths, held.size());
    for (auto const version : held) paths.push_back(tree.shown_around(region, version));
  }
  auto const found = attack_paths(tracks, paths, held.size(), k, checkpoint);
  auto const places = static_cast<std::int64_t>(paths.size() / held.size());
  bool const one = held.size() == 1;
  auto const &first = versions.front(), &last = versions.back();
  auto observed = one ? "all " + std::to_string(places) + " places attacked"
                      : std::to_string(places) + " places attacked, of regions cut, entered or left since " +
                            first.reference() + ", where " + std::to_string(shown) + " regions are shown";
  if (places > 0) observed += "; " + std::to_string(found.smallest) + " candidates at least";
  JsonObject detail;
  detail.number("attacked", places).number("regions", shown);
  detail.number("persons", static_cast<std::int64_t>(tracks.size() / held.size()));
  detail.add("versions",
             json_array(found.releases, [&](auto i) { return std::to_string(held[static_cast<std::size_t>(i)]); }));
  return {"inference",
          one ? last.reference() : first.reference() + " and " + last.reference(),
          "at least " + std::to_string(k) + " candidates for everybody in any set of versions",
          std::move(observed),
          found.at_risk == 0,
          found.at_risk,
          detail.json()};
}

}  // namespace anon_seq::incremental
