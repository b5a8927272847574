// write_version(): what changed goes into the ledger. Rows that are there stay as they are, but for being closed.
// Regions: region_write.cpp.
#include <algorithm>

#include "core/partition/count_changes.h"
//
#include "catalog/ledger.h"
#include "incremental/ledger_codes.h"
#include "incremental/member_format.h"
#include "incremental/next_version.h"
#include "incremental/region_store.h"
#include "pg/strong_random.h"
#include "pg/writing.h"
#include "release/key_arrays.h"

namespace anon_seq::incremental {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

#ifdef ANON_SEQ_SELFTEST
bool foreseen = false;  // what foresee_objects() was told
#endif

// Who came, who went and how many there are of each kind.
class MemberWriter {
 public:
  MemberWriter(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint)
      : session_(session),
        state_(state),
        policy_(*state.policy),
        checkpoint_(checkpoint),
        codes_(*state.values),
        keys_(state.source, checkpoint),
        counts_(policy_.columns.size() - policy_.quasi.size()) {
    for (std::size_t i = 0; i < policy_.columns.size(); ++i) {
      columns_.push_back(&state.column(i));
      if (!policy_.columns[i].is_quasi()) plain_.push_back(i);
    }
  }

  void run() {
    find_worn();
    write_changes_of_old_regions();
    write_members_and_new_counts();
    write_values();
  }

 private:
  std::string table(char const* name) const { return ledger_table(policy_.ledger(), name); }
  std::string version() const { return std::to_string(policy_.version); }
  Region const& region(RegionId id) const { return state_.partition.regions[at(id)]; }
  // Whether nobody was published in this region before.
  bool is_new(RegionId id) const { return at(id) >= state_.known_regions || !state_.was_open[at(id)]; }
  bool is_over(RegionId id) const { return region(id).children > 0; }
  // Whether its rows are written anew.
  bool is_worn(RegionId id) const { return at(id) < worn_.size() && worn_[at(id)] != 0; }

  // Regions that go on, with many changes for their people: their rows are closed, and all who are in them are written
  // once more. So a region has few rows beyond its people's, and what is written anew is paid for by the changes
  // before.
  void find_worn() {
    constexpr std::int32_t kFew = 8, kShare = 4;  // changes: beyond a few, and one for so many people
    worn_.assign(state_.wear.size(), 0);
    Vector<std::int32_t> people(state_.wear.size(), 0);
    for (RegionId const id : state_.refined.region)
      if (id != kNoRegion && at(id) < people.size()) ++people[at(id)];
    std::string ids;
    for (std::size_t id = 0; id < people.size(); ++id) {
      auto const region = static_cast<RegionId>(id);
      if (people[id] == 0 || is_new(region) || is_over(region)) continue;
      if (state_.wear[id] <= std::max(kFew, people[id] / kShare)) continue;
      worn_[id] = 1;
      state_.worn.push_back(region);
      ids += (ids.empty() ? "" : ",") + std::to_string(id);
    }
    if (!ids.empty()) close_rows(session_, policy_, "{" + ids + "}");
  }

  // Random, so that it tells neither key nor order nor time.
  std::int64_t new_id([[maybe_unused]] std::size_t row) {
#ifdef ANON_SEQ_SELFTEST
    auto const& person = state_.source.table.columns[state_.source.person];
    if (foreseen)
      return static_cast<std::int64_t>(hash_bytes(std::string(person.values[person.codes[row]]) + version()) >> 1 | 1);
#endif
    return static_cast<std::int64_t>(random_.next() >> 1 | 1);
  }

  std::vector<std::string> count_columns() const {
    std::vector<std::string> columns{"region", "since", "part", "n"};
    for (std::size_t i : plain_) columns.push_back("c" + std::to_string(i + 1));
    return columns;
  }

  // Counts of regions that stay: one more for who came, one less for who went. The first of a row's two codes
  // is what it was.
  void write_changes_of_old_regions() {
    auto& changes = counts_;
    auto const count = [&](RegionId id, std::size_t row, std::int32_t persons) {
      if (is_worn(id)) return;
      changes.begin(persons, id);
      for (std::size_t i : plain_) changes.add(columns_[i]->codes[row]);
    };
    auto const take_back = [&](RegionId id, IncrementalState::Changed const& changed) {
      if (is_worn(id)) return;
      changes.begin(-1, id);
      for (Code code : changed.before) changes.add(code);
    };
    BulkWriter gone(session_, table("gone"),
                    {"region", "since", "until", "object", "rejoined", "elsewhere", "persons"});
    auto const& person = state_.source.table.columns[state_.source.person];
    auto leaves = [&](RegionId id, std::size_t row, bool rejoined) {
      gone.put(std::int64_t{id});
      gone.put(std::int64_t{policy_.version});
      if (is_over(id) || is_worn(id))  // no row of members is left that he would be in
        gone.put(std::int64_t{policy_.version});
      else
        gone.put_null();
      gone.put(state_.ids[row]);
      gone.put(rejoined ? "true" : "false");
      gone.put(state_.objects.successor[row] >= 0 ? "true" : "false");
      Code const key = rejoined ? kNull : person.codes[row];
      keys_.put(gone, {&key, 1}, 0, 1);
      gone.end_row();
    };
    for (std::size_t row = 0; row < state_.refined.region.size(); ++row) {
      checkpoint_.tick();
      RegionId const before = state_.objects.region[row], now = state_.refined.region[row];
      if (before == now && now != kNoRegion && is_worn(now)) rewritten_.push_back(row);
      if (before == now) continue;
      moved_.push_back(static_cast<std::uint32_t>(row));
      if (before != kNoRegion && (now == kNoRegion || !is_over(before))) leaves(before, row, false);
      if (before != kNoRegion && !is_over(before)) count(before, row, -1);
      if (now != kNoRegion && !is_new(now)) count(now, row, 1);
    }
    for (auto const& changed : state_.changed) {
      RegionId const before = state_.objects.region[changed.row], now = state_.refined.region[changed.row];
      if (before != now || is_over(before)) {
        // Cut, or withheld: counted with its new values above or in the new region; the old ones are taken back here.
        if (before != now && !is_over(before)) count(before, changed.row, 1), take_back(before, changed);
        continue;
      }
      leaves(before, changed.row, true);
      if (!is_worn(now)) rewritten_.push_back(changed.row);
      take_back(before, changed);
      count(now, changed.row, 1);
    }
    gone.finish();
    BulkWriter writer(session_, table("count"), count_columns());
    put_changes(writer, changes);
    writer.finish();
  }

  void put_count(BulkWriter& writer, RegionId id, std::span<Code const> codes, std::int64_t n) {
    writer.put(std::int64_t{id});
    writer.put(std::int64_t{policy_.version});
    writer.put(++parts_);
    writer.put(n);
    for (std::size_t j = 0; j < plain_.size(); ++j) {
      if (codes[j] == kNull)
        writer.put_null();
      else
        writer.put(columns_[plain_[j]]->values[codes[j]]);
    }
    writer.end_row();
  }

  // Rows that join a region, region by region: those of a region are order[ends[id]] .. order[ends[id + 1]].
  void deal_joining(Vector<std::uint32_t>& ends, Vector<std::uint32_t>& order) const {
    auto const& now = state_.refined.region;
    ends.assign(state_.partition.regions.size() + 1, 0);
    auto each = [&](auto visit) {
      for (std::size_t row : moved_)
        if (now[row] != kNoRegion) visit(row);
      for (std::size_t row : rewritten_) visit(row);
    };
    each([&](std::size_t row) { ++ends[at(now[row]) + 1]; });
    for (std::size_t id = 1; id < ends.size(); ++id) ends[id] += ends[id - 1];
    order.resize(ends.back());
    Vector<std::uint32_t> next(ends);
    each([&](std::size_t row) { order[next[at(now[row])]++] = static_cast<std::uint32_t>(row); });
  }

  // A row of members per region that somebody joins, or that is worn. The counts of such, and of a new region, are
  // those of its members.
  void write_members_and_new_counts() {
    Vector<std::uint32_t> ends, order;
    deal_joining(ends, order);
    auto const& person = state_.source.table.columns[state_.source.person];
    BulkWriter counts(session_, table("count"), count_columns());
    BulkWriter members(session_, table("member"), {"region", "since", "persons", "objects", "codes", "points"});
    BulkWriter moved(session_, table("moved"), {"object", "before", "apart"});
    std::string points;
    std::vector<std::int64_t> objects, codes;
    std::vector<Code> persons;
    for (RegionId id = 0; at(id) + 1 < ends.size(); ++id) {
      std::span<std::uint32_t const> const rows(order.data() + ends[at(id)], order.data() + ends[at(id) + 1]);
      if (rows.empty()) continue;
      points.clear();
      objects.clear();
      codes.clear();
      persons.clear();
      for (auto const& row : rows) {
        checkpoint_.tick();
        fetch_ahead(order, static_cast<std::size_t>(&row - order.data()), person);
        append_member(row, objects, codes, points);
        persons.push_back(person.codes[row]);
        if (state_.objects.region[row] == kNoRegion) write_moved(moved, row, objects.back());
      }
      members.put(std::int64_t{id});
      members.put(std::int64_t{policy_.version});
      keys_.put(members, persons, 0, persons.size());
      members.put(objects);
      members.put(codes);
      members.put(points);
      members.end_row();
      if (is_new(id) || is_worn(id)) write_counts(counts, id, rows);
    }
    members.finish();
    moved.finish();
    counts.finish();
  }

  // A new object of somebody who was shown before; of who was forgotten then, as no known object.
  void write_moved(BulkWriter& writer, std::size_t row, std::int64_t object) {
    auto const earlier = row < state_.earlier.size() ? state_.earlier[row] : 0;
    bool const returned = row < state_.returned.size() && state_.returned[row] != 0;
    if (earlier == 0 && !returned) return;
    writer.put(object);
    writer.put(earlier);
    writer.put(state_.objects.has_moved(row) ? "true" : "false");
    writer.end_row();
  }

  void write_counts(BulkWriter& writer, RegionId id, std::span<std::uint32_t const> rows) {
    for (auto row : rows) {
      counts_.begin(1, id);
      for (std::size_t i : plain_) counts_.add(columns_[i]->codes[row]);
    }
    put_changes(writer, counts_);
  }

  void put_changes(BulkWriter& writer, CountChanges& changes) {
    changes.settle([&](RegionId id, std::span<Code const> codes, std::int64_t n) { put_count(writer, id, codes, n); });
  }

  // Members of a region lie far apart in the table. Reading what some of them need in one short loop lets the processor
  // wait for all of it at once; prefetches are dropped where a page is not mapped in its cache.
  void fetch_ahead(Vector<std::uint32_t> const& order, std::size_t i, Column const& person) {
    constexpr std::size_t kChunk = 64;
    if (i % kChunk != 0) return;
    std::size_t const end = std::min(i + kChunk, order.size());
    std::uint32_t sum = 0;
    auto const fetch = [&](Code code) { sum ^= static_cast<std::uint32_t>(code); };
    for (std::size_t j = i; j < end; ++j) {
      std::size_t const row = order[j];
      fetch(person.codes[row]);
      fetch(state_.objects.region[row]);
      fetch(state_.codes.at(row, 0));
      fetch(state_.codes.at(row, state_.axis_count() - 1));
      for (std::size_t column : plain_) fetch(columns_[column]->codes[row]);
    }
    for (std::size_t j = i; j < end; ++j) {
      auto const key = person.values[person.codes[order[j]]];
      if (!key.empty()) fetch(key.front());
    }
    fetched_ = sum;
  }

  void append_member(std::size_t row, std::vector<std::int64_t>& objects, std::vector<std::int64_t>& codes,
                     std::string& points) {
    bool const is_known = state_.objects.region[row] != kNoRegion;
    objects.push_back(is_known ? state_.ids[row] : new_id(row));
    codes.push_back(is_known ? state_.objects.since[row] : policy_.version);
    bool const forgotten = state_.source.table.columns[state_.source.person].codes[row] == kNull;
    for (std::size_t a = 0; a < state_.axis_count(); ++a) {
      Code const code = forgotten ? kNoCode : codes_.of(a, *columns_[a], state_.codes.at(row, a));
      MemberFormat::put_point(points, code);
    }
    for (std::size_t i : plain_) codes.push_back(codes_.of(i, *columns_[i], columns_[i]->codes[row]));
  }

  void write_values() {
    BulkWriter writer(session_, table("value"), {"attribute", "code", "value"});
    for (auto const& added : codes_.added()) {
      writer.put(std::int64_t{added.attribute});
      writer.put(std::int64_t{added.code});
      writer.put(added.value);
      writer.end_row();
    }
    writer.finish();
  }

  SpiSession& session_;
  IncrementalState& state_;
  Policy const& policy_;
  Checkpoint& checkpoint_;
  LedgerCodes& codes_;
  KeyArrays keys_;
  CountChanges counts_;
  std::int64_t parts_ = 0;  // rows of counts that were written
  std::vector<Column const*> columns_;
  std::vector<std::size_t> plain_;
  StrongRandom random_;  // ids to come
  volatile std::uint32_t fetched_ = 0;
  Vector<std::uint32_t> moved_;         // rows that are in another region than before, or in none
  std::vector<std::size_t> rewritten_;  // rows that are written anew in their old region
  std::vector<char> worn_;              // region -> whether all of its are
};

}  // namespace

#ifdef ANON_SEQ_SELFTEST
void foresee_objects(bool all) { foreseen = all; }
#endif

void write_version(SpiSession& session, IncrementalState& state, RegionTexts& texts, Checkpoint& checkpoint) {
  write_regions(session, state, texts, checkpoint);
  MemberWriter(session, state, checkpoint).run();
}

}  // namespace anon_seq::incremental
