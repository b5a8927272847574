#include "incremental/member_match.h"

#include <algorithm>
#include <array>

#include "catalog/ledger.h"
#include "incremental/key_rows.h"
#include "incremental/member_format.h"
#include "incremental/member_rows.h"
#include "incremental/packed_rows.h"
#include "incremental/returned.h"
#include "pg/datum_cursor.h"

namespace anon_seq::incremental {
namespace {

class Matcher {
 public:
  Matcher(SpiSession& session, IncrementalState& state)
      : session_(session),
        state_(state),
        policy_(*state.policy),
        format_(policy_.columns),
        gone_(left_then(session, state)),
        moved_(moved_objects(session, policy_)) {
    call_pg([this]() noexcept { persons_ = get_array_type(state_.source.person_value.type); });
    for (std::size_t i = 0; i < policy_.columns.size(); ++i) {
      columns_.push_back(&state.source.table.columns[state.source.column(policy_.columns[i].column)]);
      to_column_.push_back(state.values->to_column(i, *columns_.back()));
    }
    auto& objects = state.objects;
    objects.region.assign(state.live, kNoRegion);
    objects.gone.assign(state.live, 0);
    if (policy_.version == 1 && !state.demands.demands.arrivals_known) return;
    objects.since.assign(state.live, policy_.version);
    if (policy_.version == 1) return;
    objects.successor.assign(state.live, -1);
    state.ids.assign(state.live, 0);
    person().values.index();
    state_.wear.assign(state_.store->size(), 0);
  }

  void run(Checkpoint& checkpoint) {
    read_deferred();
    packed_.emplace(columns_, policy_.quasi.size(), state_.live, checkpoint);
    read_members(checkpoint);
    packed_.reset();
    find_earlier(checkpoint);
    find_returned(session_, state_, checkpoint);
    append_rows();
    count_newcomers();
    if (state_.partial) count_others();
    if (state_.watched) count_persons();
  }

 private:
  void read_members(Checkpoint& checkpoint) {
    DatumCursor cursor(session_,
                       touched_rows(state_, "m.region, m.since, m.persons, m.objects, m.codes, m.points", "member"));
    while (cursor.next()) {
      for (std::size_t row = 0; row < cursor.rows(); ++row) take(cursor, row, checkpoint);
      match_waiting();
    }
  }

  void read_deferred() {
    DatumCursor cursor(session_, "SELECT pg_catalog.unnest(deferred) AS d FROM " +
                                     ledger_table(policy_.ledger(), "note") +
                                     " WHERE version = " + std::to_string(policy_.version - 1) + " ORDER BY d");
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) deferred_.push_back(cursor.bigint(row, 0));
  }

  Column& person() { return state_.source.table.columns[state_.source.person]; }

  void take(DatumCursor& cursor, std::size_t row, Checkpoint& checkpoint) {
    RegionId const region = cursor.integer(row, 0);
    std::int32_t const since = cursor.integer(row, 1);
    auto const persons = cursor.elements(row, 2, persons_);
    auto const ids = cursor.array<std::int64_t>(row, 3);
    auto const codes = cursor.array<std::int32_t>(row, 4);
    auto const points = cursor.text(row, 5);
    if (ids.size() != persons.count || !format_.fits(persons.count, points.size(), codes.size()) ||
        !state_.store->has(region))
      throw damaged();
    auto& wear = state_.wear[static_cast<std::size_t>(region)];
    ++wear;
    for (std::size_t i = 0; i < persons.count; ++i) {
      checkpoint.tick();
      if (!gone_.empty() && has_left(gone_, ids[i], region, since)) {
        ++wear;
        continue;
      }
      if (waiting_ == kWaiting) match_waiting();
      Member& member = members_[waiting_++];
      member = {region, ids[i], format_.points_of(points, i), format_.codes_of(codes, i), persons.nulls[i], {}, {}};
      if (!member.forgotten)
        member.key = key_of(state_.source.person_value, persons.values[i], member.buffer, "person");
    }
  }

  struct Member {
    RegionId region;
    std::int64_t id;
    std::int32_t const* points;  // ledger codes of the quasi columns
    std::int32_t const* codes;   // the version of arrival, then ledger codes of the others
    bool forgotten;
    char buffer[8];  // of the key, if it is short
    std::string_view key;
  };

  // Members of a region lie far apart in the source: what some of them need is fetched at once.
  void match_waiting() {
    auto const& values = person().values;
    std::uint32_t sum = 0;
    auto const fetch = [&](auto value) { sum ^= static_cast<std::uint32_t>(value); };
    std::array<Code, kWaiting> guesses;
    for (std::size_t i = 0; i < waiting_; ++i)
      guesses[i] = members_[i].forgotten ? kNoCode : values.guess(hash_bytes(members_[i].key));
    for (std::size_t i = 0; i < waiting_; ++i) {
      if (guesses[i] <= kNull) continue;
      auto const bytes = values[guesses[i]];
      if (!bytes.empty()) fetch(bytes.front());
      auto const row = static_cast<std::size_t>(guesses[i]) - 1;
      if (row >= state_.live) continue;
      fetch(state_.ids[row]);
      fetch(state_.objects.region[row]);
      if (packed_->fits())
        fetch((*packed_)[row]);
      else
        for (auto const* column : columns_) fetch(column->codes[row]);
    }
    fetched_ = sum;
    for (std::size_t i = 0; i < waiting_; ++i) match(members_[i]);
    waiting_ = 0;
  }

  void match(Member const& member) {
    Code const code = member.forgotten ? kNoCode : person().values.find(member.key);
    std::size_t const row =
        code == kNoCode ? 0 : static_cast<std::size_t>(code) - 1;  // keys stand in the order of rows
    bool const read = code != kNoCode && row < state_.live;
    ++loaded_;
    if (state_.partial && !was_gone(member.id)) count_here(member);
    asked_ += code != kNoCode && code < state_.asked_persons;
    if (state_.watched) {  // keys behind those of rows are of who was looked for, and is not there
      state_.turnover.before += read || !was_gone(member.id);
      if (code == kNoCode && !member.forgotten) return keep(member, person().values.add_hidden(member.key));
    } else {
      state_.turnover.before += code != kNoCode || !was_gone(member.id);
      if (code != kNoCode && !read) return keep(member, code);  // not read, as it has not changed
    }
    auto const [same, as_it_was] = read && state_.ids[row] == 0 ? compare(member, row) : Compared{};
    if (!same) return lose(member, code);
    state_.objects.region[row] = member.region;
    state_.objects.since[row] = member.codes[0];
    state_.ids[row] = member.id;
    if (has_moved(member.id)) note_moved(row);
    if (was_gone(member.id)) note_deferred(row);
    if (as_it_was) return;
    state_.changed.push_back({row, {}});
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (!policy_.columns[i].is_quasi()) state_.changed.back().before.push_back(code_of(i, member));
  }

  // Whether a row has the quasi values of a member; whether it has all of them.
  struct Compared {
    bool same = false, as_it_was = false;
  };
  Compared compare(Member const& member, std::size_t row) const {
    if (packed_->fits()) {
      std::uint64_t packed = 0;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        Code const code = code_of(i, member);  // kNoCode: no row has that value, nor its number
        packed |= packed_->in_place(i, code == kNoCode ? columns_[i]->distinct() : code);
      }
      return {packed_->same_quasi(packed, (*packed_)[row]), packed == (*packed_)[row]};
    }
    Compared found{true, true};
    for (std::size_t i = 0; found.same && i < columns_.size(); ++i) {
      bool const equal = code_of(i, member) == columns_[i]->codes[row];
      if (policy_.columns[i].is_quasi()) found.same = equal;
      found.as_it_was &= equal;
    }
    return found;
  }

  void lose(Member const& member, Code code) {
    Code const successor = code != kNoCode && static_cast<std::size_t>(code) <= state_.live ? code : kNoCode;
    if (code == kNoCode) code = member.forgotten ? kNull : person().values.add_hidden(member.key);
    append(member, code, successor, true);
  }

  // A person whose row was not read is as he was; an object that was kept without him is not he.
  void keep(Member const& member, Code code) { append(member, code, kNoCode, was_gone(member.id)); }

  bool was_gone(std::int64_t id) const { return std::binary_search(deferred_.begin(), deferred_.end(), id); }
  bool has_moved(std::int64_t id) const { return std::binary_search(moved_.begin(), moved_.end(), id); }
  void note_moved(std::size_t row) {
    auto& moved = state_.objects.moved;
    if (moved.size() <= row) moved.resize(row + 1, 0);
    moved[row] = 1;
  }

  void note_deferred(std::size_t row) {
    auto& deferred = state_.deferred_before;
    if (deferred.size() <= row) deferred.resize(row + 1, 0);
    deferred[row] = 1;
  }

  void append(Member const& member, Code person, Code successor, bool gone) {
    make_room(rows_, 1);
    rows_.push_back(
        {member.id, static_cast<std::uint32_t>(rows_.size()), member.region, member.codes[0], person, successor, gone});
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      make_room(columns_[i]->codes, 1);
      columns_[i]->codes.push_back(code_of(i, member));
    }
  }

  Code code_of(std::size_t i, Member const& member) const {
    std::size_t const quasi = policy_.quasi.size();
    if (member.forgotten && i < quasi) return kNull;  // nobody knows any more
    Code const code = i < quasi ? member.points[i] : member.codes[i - quasi + 1];
    if (code < 0 || static_cast<std::size_t>(code) >= to_column_[i].size()) throw damaged();
    return to_column_[i][static_cast<std::size_t>(code)];
  }

  Error damaged() const {
    return Error(Fault::kDamaged, "the ledger of policy " + quoted(policy_.name) + " is damaged",
                 "Its members do not agree with its regions and values.");
  }

  // Those who have gone stay in an order that says nothing: that of their random ids.
  void append_rows() {
    std::sort(rows_.begin(), rows_.end(), [](auto const& a, auto const& b) { return a.id < b.id; });
    Vector<std::int32_t> kept;  // person -> his row, if it was not read; empty: all were
    if (std::ranges::any_of(rows_, [](auto const& row) { return !row.gone; }))
      kept.assign(static_cast<std::size_t>(person().distinct()), -1);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!rows_[i].gone) kept[static_cast<std::size_t>(rows_[i].person)] = static_cast<std::int32_t>(state_.live + i);
    auto& objects = state_.objects;
    auto const reserve = [all = state_.live + rows_.size()](auto&... vectors) { (vectors.reserve(all), ...); };
    reserve(objects.region, objects.since, objects.gone, objects.successor, state_.ids, person().codes);
    for (auto* column : columns_) put_in_order(column->codes);
    for (auto const& row : rows_) {
      std::int32_t twin = row.successor == kNoCode ? -1 : row.successor - 1;
      if (row.person != kNull && !kept.empty() && kept[static_cast<std::size_t>(row.person)] >= 0)
        twin = kept[static_cast<std::size_t>(row.person)];
      objects.region.push_back(row.region);
      objects.since.push_back(row.since);
      objects.gone.push_back(row.gone);
      objects.successor.push_back(row.gone ? twin : -1);
      state_.ids.push_back(row.id);
      std::size_t const own = state_.ids.size() - 1;
      if (has_moved(row.id)) note_moved(own);
      if (was_gone(row.id)) note_deferred(own);
      if (row.person == kNull) {
        objects.placeless.resize(own + 1, 0);
        objects.placeless[own] = 1;
      }
      state_.turnover.left += row.gone && twin < 0 && !was_gone(row.id);
      if (row.gone && twin >= 0) add_earlier(static_cast<std::size_t>(twin), row.region, row.id, has_moved(row.id));
      person().codes.push_back(row.person);
    }
  }

  // What rows were appended with, in the order in which they were met, into that of the rows.
  void put_in_order(Vector<Code>& codes) const {
    Vector<Code> const met(codes.begin() + static_cast<std::ptrdiff_t>(state_.live), codes.end());
    for (std::size_t i = 0; i < rows_.size(); ++i) codes[state_.live + i] = met[rows_[i].met];
  }

  // Who is in the source, was not shown, and did not wait before.
  void count_newcomers() {
    auto const& objects = state_.objects;
    auto& known = state_.turnover.known;
    known.assign(state_.live, 0);
    for (std::size_t row = 0; row < state_.live; ++row) known[row] = state_.ids[row] != 0;
    for (std::size_t row = state_.live; row < objects.rows(); ++row)
      if (auto const twin = objects.successor[row]; twin >= 0 && static_cast<std::size_t>(twin) < state_.live)
        known[static_cast<std::size_t>(twin)] = 1;
    auto const unknown = std::count(known.begin(), known.end(), false);
    state_.turnover.came = std::max<std::int64_t>(unknown - state_.run.last.unseen, 0);
  }

  // Of the people whom the ledger counts, he is not elsewhere.
  void count_here(Member const& member) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      Code const code = code_of(i, member);
      if (code == kNoCode) throw damaged();
      --state_.elsewhere[i][static_cast<std::size_t>(code)];
    }
  }

  // Members of regions that are not loaded are all as they were.
  void count_others() {
    state_.unloaded = state_.shown_before - loaded_;
    state_.turnover.before += state_.unloaded;
    auto const negative = [](auto const& counts) { return std::ranges::any_of(counts, [](auto n) { return n < 0; }); };
    if (asked_ != state_.keyed_persons || state_.unloaded < 0 || std::ranges::any_of(state_.elsewhere, negative))
      throw damaged();
  }

  // Of the source, of which not all was read.
  void count_persons() {
    auto const& gone = state_.objects.gone;
    state_.source.persons = state_.unloaded + std::count(gone.begin(), gone.end(), 0);
    if (state_.source.persons > 0) return;
    throw Error(Fault::kData, "source " + qualified_name(state_.run.source.relation) + " is empty");
  }

  // Of a row that is not published: its person was shown in a region, as another object. The last of these is kept.
  void add_earlier(std::size_t row, RegionId region, std::int64_t id, bool moved) {
    auto& before = state_.objects.before;
    if (before.size() <= row) before.resize(row + 1, kNoRegion);
    if (state_.earlier.size() <= row) state_.earlier.resize(row + 1, 0);
    state_.earlier[row] = id;
    auto& last = before[row];
    if (last == kNeverAgain) return;
    if (moved || last == kScattered)
      last = kScattered;
    else if (last == kNoRegion || state_.store->lies_in(region, last))
      last = region;
    else if (!state_.store->lies_in(last, region))
      last = kScattered;
  }

  // Who is to be published and was once: those who left are known by their keys, until they are forgotten.
  void find_earlier(Checkpoint& checkpoint) {
    bool const known = state_.demands.demands.arrivals_known;
    std::optional<KeyRows> asked;
    auto gone = ledger_table(policy_.ledger(), "gone");
    if (state_.partial) {
      asked.emplace(person(), state_.source.person_value, checkpoint);
      for (std::size_t row = 0; row < state_.live; ++row)
        if (state_.objects.region[row] == kNoRegion) asked->add(static_cast<Code>(row) + 1);
      asked->publish();
      gone = asked->looked_up(state_.run.source.key, gone);
    }
    auto const planning = KeyRows::planning();
    DatumCursor cursor(session_, "SELECT region, object, elsewhere, m.persons FROM " + gone +
                                     " AS m WHERE NOT rejoined AND since > 0 ORDER BY since, object");
    while (cursor.next())
      for (std::size_t i = 0; i < cursor.rows(); ++i) {
        checkpoint.tick();
        auto const persons = cursor.elements(i, 3, persons_);
        RegionId const region = cursor.integer(i, 0);
        if (persons.count != 1 || !state_.store->has(region)) throw damaged();
        if (persons.nulls[0]) continue;
        char buffer[8];
        Code const code = person().values.find(key_of(state_.source.person_value, persons.values[0], buffer, "person"));
        if (code == kNoCode || static_cast<std::size_t>(code) > state_.live) continue;
        auto const row = static_cast<std::size_t>(code) - 1;
        if (state_.objects.region[row] != kNoRegion) continue;
        std::int64_t const id = cursor.bigint(i, 1);
        add_earlier(row, region, id, has_moved(id));
        if (known && !cursor.boolean(i, 2)) state_.objects.before[row] = kNeverAgain;
      }
  }

  struct Row {
    std::int64_t id;
    std::uint32_t met;  // how many were before it
    RegionId region;
    std::int32_t since;
    Code person, successor;  // kNull: forgotten; kNoCode: nobody
    bool gone;
  };

  SpiSession& session_;
  IncrementalState& state_;
  Policy const& policy_;
  MemberFormat format_;
  Vector<LeftThen> gone_;
  Vector<std::int64_t> moved_;
  Oid persons_ = InvalidOid;  // type of the arrays of keys
  std::vector<Column*> columns_;
  std::vector<Vector<Code>> to_column_;
  std::optional<PackedRows> packed_;  // of the source, while members are read
  static constexpr std::size_t kWaiting = 128;
  std::array<Member, kWaiting> members_;  // that are to be matched
  std::size_t waiting_ = 0;               // of them
  std::int64_t loaded_ = 0;               // members that were matched
  std::int64_t asked_ = 0;                // of those, persons that key_ledger.h was asked for
  volatile std::uint32_t fetched_ = 0;
  Vector<Row> rows_;               // that are appended to the table
  Vector<std::int64_t> deferred_;  // objects of the last version whose persons had gone, or had other values; ascending
};

}  // namespace

void match_members(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint) {
  Matcher matcher(session, state);
  if (state.policy->version > 1) matcher.run(checkpoint);
  state.source.table.columns[state.source.person].values.forget_index();
}

}  // namespace anon_seq::incremental
