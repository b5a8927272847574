#include "incremental/member_recount.h"

#include <algorithm>
#include <numeric>

#include "catalog/ledger.h"
#include "incremental/earlier_places.h"
#include "pg/distinct_keys.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {
namespace {

constexpr std::int32_t kNoRank = -2;

std::string table(Release const& release, char const* name) { return ledger_table(release.ledger, name); }

}  // namespace

OrderedValues::OrderedValues(SpiSession& session, Release const& release, std::size_t column) {
  auto const& type = release.columns[column].type;
  auto const value = "v.value::" + type;
  DatumCursor cursor(session,
                     sql_text("SELECT v.code, {value} FROM {values} AS v WHERE v.attribute = {column} ORDER BY {order}",
                              {{"value", value},
                               {"values", table(release, "value")},
                               {"column", std::to_string(column + 1)},
                               {"order", order_of(release.columns[column], "(" + value + ")")}}),
                     DatumCursor::Form::kPacked);
  Vector<std::int32_t> codes;  // by rank
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      auto const code = cursor.integer(row, 0);
      if (code < 1 || cursor.is_null(row, 1)) throw_damaged(release, "It has a value that is none.");
      codes.push_back(code);
      values_.emplace_back(cursor.bytes(row, 1));
    }
  ranks_.assign(codes.size() + 1, kNoRank);
  for (std::size_t rank = 0; rank < codes.size(); ++rank) {
    auto const code = static_cast<std::size_t>(codes[rank]);
    if (code > codes.size()) throw_damaged(release, "It lacks a value.");
    ranks_[code] = static_cast<std::int32_t>(rank);
  }
}

std::int32_t OrderedValues::rank(Release const& release, std::int32_t code) const {
  if (code == 0) return kNull;
  auto const known = static_cast<std::size_t>(code);  // a negative one is beyond all
  if (known >= ranks_.size() || ranks_[known] == kNoRank)
    throw_damaged(release, "Its members have a value that it lacks.");
  return ranks_[known];
}

// Who is there: the persons of a region, by their keys.
class MemberRecount::People {
 public:
  People(SpiSession& session, Release const& release, Regions const& of, std::optional<std::int32_t> since)
      : left_(session, release, of) {
    auto const type = session.execute(R"(
SELECT t.typelem, t.oid
FROM pg_attribute AS a
JOIN pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = $1 AND a.attname = 'persons')",
                                      {SqlValue::oid(ledger_part(session, release.ledger, "member"))}, true);
    Oid const key = type.oid(0, 1);
    person_ = value_type_of(key, "person");
    array_ = type.oid(0, 2);
    keys_.emplace(key);
    earlier_.emplace(session, release, person_, array_, of.has_value(), since);
  }

  Oid array() const { return array_; }
  Departures const& departures() const { return left_; }

  void clear() {
    keys_->clear();
    forgotten_ = elsewhere_ = 0;
  }
  void add(std::int32_t region, std::int64_t object, Datum key, bool forgotten) {
    if (forgotten) {
      ++forgotten_;
      elsewhere_ += earlier_->was_elsewhere(region, object, {});
      return;
    }
    char buffer[8];
    elsewhere_ += earlier_->was_elsewhere(region, object, key_of(person_, key, buffer, "person"));
    keys_->add(key);
  }
  std::int64_t members() const { return static_cast<std::int64_t>(keys_->size()) + forgotten_; }
  std::int64_t persons() { return keys_->count() + forgotten_; }
  std::int64_t elsewhere() const { return elsewhere_; }

 private:
  Oid array_ = InvalidOid;  // type of the arrays of keys
  ValueType person_;
  Departures left_;
  std::optional<EarlierPlaces> earlier_;
  std::optional<DistinctKeys> keys_;
  std::int64_t forgotten_ = 0, elsewhere_ = 0;
};

MemberRecount::MemberRecount(SpiSession& session, Release const& release, Look look, Regions const& of,
                             std::optional<std::int32_t> since)
    : release_(release), look_(look), since_(since.value_or(release.version - 1)), format_(release.columns) {
  auto const planning = Settings::for_arrays();
  for (std::size_t i = 0; look == Look::kCells && i < release.columns.size(); ++i)
    if (!release.columns[i].is_quasi()) values_.emplace_back(session, release, i);
  People people(session, release, of, since);
  RowStream members(session,
                    select_of_version(release, "member", R"(
SELECT x.region, x.since, x.persons, x.objects, x.codes
FROM {table} AS x
{of_version}
ORDER BY x.region)",
                                      of),
                    DatumCursor::Form::kWhole);
  while (members.more()) read_region(members, people);
  people.departures().each_after(since_, [this](std::int64_t object, std::int32_t region) {
    make_room(left_, 1);
    left_.push_back({object, region});
  });
}

void MemberRecount::read_region(RowStream& members, People& people) {
  auto const region = members.integer(0);
  people.clear();
  read_.clear();
  for (; members.more() && members.integer(0) == region; members.step()) {
    auto const persons = members.elements(2, people.array());
    auto const objects = members.integers(3);
    auto const codes = members.array<std::int32_t>(4);
    if (objects.size() != persons.count) throw_damaged(release_, "Its members have not as many objects as persons.");
    if (codes.size() != objects.size() * format_.codes())
      throw_damaged(release_, "Its members have not as many values as objects.");
    auto const since = members.integer(1);
    make_room(read_, objects.size() * width());
    for (std::size_t i = 0; i < objects.size(); ++i) {
      checkpoint_.tick();
      auto const* const own = format_.codes_of(codes, i);  // his arrival comes first
      if (since > since_ && own[0] <= since_) {
        make_room(written_again_, 1);
        written_again_.push_back({objects[i], region});
      }
      if (people.departures().has_left(region, objects[i], since)) continue;
      people.add(region, objects[i], persons.values[i], persons.nulls[i]);
      for (std::size_t j = 0; j < width(); ++j) read_.push_back(values_[j].rank(release_, own[j + 1]));
    }
  }
  if (people.members() == 0) return;
  regions_.push_back({region, people.members(), people.persons(), people.elsewhere(), counts_.size()});
  if (look_ == Look::kPersons) return;
  order_.resize(static_cast<std::size_t>(people.members()));
  add_cells();
}

// Of the region at hand: its members, those who show the same together.
void MemberRecount::add_cells() {
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    checkpoint_.tick();
    auto const x = member(a), y = member(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
    auto const shown = member(order_[begin]);
    while (++end < order_.size() && std::ranges::equal(shown, member(order_[end]))) continue;
    make_room(ranks_, width());
    ranks_.insert(ranks_.end(), shown.begin(), shown.end());
    counts_.push_back(static_cast<std::int64_t>(end - begin));
  }
}

class MemberRecount::Cells : public CellStream {
 public:
  Cells(MemberRecount const& members, Vector<std::int32_t> of) : members_(members), of_(std::move(of)) {
    find_region();
  }

  bool more() const override { return at_ < of_.size(); }
  void step() override {
    if (++cell_ < end_) return;
    ++at_;
    find_region();
  }
  std::int32_t region() const override { return of_[at_]; }
  std::int64_t count() const override { return members_.counts_[cell_]; }
  std::optional<std::string_view> value(std::size_t i) const override {
    return members_.values_[i][members_.ranks_[cell_ * members_.width() + i]];
  }

 private:
  void find_region() {
    auto const& regions = members_.regions_;
    for (; more(); ++at_) {
      auto const found = std::ranges::lower_bound(regions, of_[at_], {}, &Region::region);
      if (found == regions.end() || found->region != of_[at_]) continue;
      cell_ = found->cells;
      end_ = found + 1 == regions.end() ? members_.counts_.size() : found[1].cells;
      return;
    }
  }

  MemberRecount const& members_;
  Vector<std::int32_t> of_;
  std::size_t at_ = 0;              // the region at hand
  std::size_t cell_ = 0, end_ = 0;  // of its cells
};

std::unique_ptr<CellStream> MemberRecount::cells(Vector<std::int32_t> of) const {
  return std::make_unique<Cells>(*this, std::move(of));
}

}  // namespace anon_seq::incremental
