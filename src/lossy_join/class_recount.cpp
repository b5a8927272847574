#include "lossy_join/class_recount.h"

#include <algorithm>

#include "lossy_join/listed.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"
#include "pg/sql_text.h"

namespace anon_seq::lossy_join {
namespace {

constexpr std::int32_t kNoNumber = PG_INT32_MIN;  // of a class; none of ours has it

std::int32_t number_of_class(DatumCursor const& cursor, std::size_t row) {
  return cursor.is_null(row, 0) ? kNoNumber : cursor.integer(row, 0);
}

struct Held {  // a row of SS
  std::int32_t id;
  Code value;
  std::int64_t n;
  auto operator<=>(Held const&) const = default;
};

template <class T>
void sort_by_class(Vector<T>& items, Checkpoint& checkpoint) {
  if (std::is_sorted(items.begin(), items.end())) return;  // as it was made
  std::sort(items.begin(), items.end(), [&](T const& a, T const& b) {
    checkpoint.tick();
    return a < b;
  });
}

Vector<std::int32_t> read_nss(SpiSession& session, Release const& release, Checkpoint& checkpoint) {
  Vector<std::int32_t> ids;
  DatumCursor cursor(session, "SELECT class_id FROM " + release.relations.front().name);
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) ids.push_back(number_of_class(cursor, row));
  sort_by_class(ids, checkpoint);
  return ids;
}

// SS, and what bounds each of its values, NULL the first.
class SensitiveRows {
 public:
  SensitiveRows(SpiSession& session, Release const& release, LossyPolicy const& demands, Checkpoint& checkpoint) {
    PublishedColumn const* column = nullptr;
    for (auto const& of : release.columns)
      if (of.role == Role::kSensitive) column = &of;
    values_.add_hidden("");
    DatumCursor cursor(
        session, "SELECT class_id, " + quote_name(column->column) + "::text, n FROM " + release.relations[1].name);
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row)
        rows.push_back({number_of_class(cursor, row),
                        cursor.is_null(row, 1) ? kNull : values_.intern(cursor.text(row, 1)),
                        cursor.is_null(row, 2) ? 0 : cursor.bigint(row, 2)});
    find_bounds(session, *column, demands, checkpoint);
    unite_equal(session, *column);
    sort_by_class(rows, checkpoint);
  }

  Vector<Held> rows;           // by class and value
  std::vector<Ratio> alphas;   // value -> of its share; over 1: not bounded
  std::vector<char> together;  // value -> whether it counts with others; empty: none does

 private:
  std::vector<std::string_view> texts() const {
    std::vector<std::string_view> all;
    for (Code code = 1; code < values_.size(); ++code) all.push_back(values_[code]);
    return all;
  }

  void find_bounds(SpiSession& session, PublishedColumn const& column, LossyPolicy const& demands,
                   Checkpoint& checkpoint) {
    auto const listing = demands.listing(column.column);
    auto const count = static_cast<std::size_t>(values_.size());
    alphas.assign(count, demands.alpha);
    if (listing == Listing::kEvery && !demands.alphas.contains(column.column)) return;
    TaxonomyPool pool(session, checkpoint);
    auto const found = find_listed(session, column, texts(), demands, pool);
    for (auto const& [text, alpha] : found.own) alphas[text + 1] = alpha;
    if (listing == Listing::kEvery) return;
    std::vector<char> listed(count, 0);
    std::copy(found.is_listed.begin(), found.is_listed.end(), listed.begin() + 1);
    if (listing == Listing::kAny) together = listed;
    for (std::size_t value = 0; value < count; ++value)
      if (listing == Listing::kAny || listed[value] == 0) alphas[value] = {2, 1};
  }

  // Values that the type takes for equal count as one, however they print.
  void unite_equal(SpiSession& session, PublishedColumn const& column) {
    if (column.type == "integer" || column.type == "bigint" || column.type == "boolean" || column.type == "date")
      return;
    auto const found = session.execute("SELECT min(i) OVER (PARTITION BY t::" + column.type +
                                           ") FROM unnest($1) WITH ORDINALITY AS u (t, i) ORDER BY i",
                                       {SqlValue::datum(TEXTARRAYOID, text_array(texts()))}, true);
    Vector<Code> first{kNull};
    for (std::uint64_t row = 0; row < found.count(); ++row) first.push_back(static_cast<Code>(found.integer(row, 1)));
    for (auto& row : rows) row.value = first[static_cast<std::size_t>(row.value)];
  }

  Dictionary values_;
};

// One class: its rows in NSS, and its values in SS.
void count_class(ClassRecount& found, SensitiveRows const& sensitive, std::int64_t size, std::span<Held const> values,
                 LossyPolicy const& demands) {
  std::int64_t all = 0, any = 0, equal = 0;
  bool twice = false, broken = size < demands.k || (!values.empty() && values.front().id == kNoNumber);
  auto const hold = [&](std::int64_t held, Ratio alpha) {
    broken |= size == 0 || !at_most(held, size, alpha);
    if (size > 0 && fraction_less(static_cast<Wide>(found.held), static_cast<Wide>(found.of), static_cast<Wide>(held),
                                  static_cast<Wide>(size))) {
      found.held = held;
      found.of = size;
    }
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto const value = static_cast<std::size_t>(values[i].value);
    all += values[i].n;
    equal = i > 0 && values[i].value == values[i - 1].value ? equal + values[i].n : values[i].n;
    twice |= equal != values[i].n || values[i].n < 1;
    if (!sensitive.together.empty() && sensitive.together[value] != 0) any += values[i].n;
    if (sensitive.alphas[value].num <= sensitive.alphas[value].den) hold(equal, sensitive.alphas[value]);
  }
  if (any > 0) hold(any, demands.alpha);
  ++found.classes;
  found.smallest = found.classes == 1 ? size : std::min(found.smallest, size);
  found.broken += broken;
  found.differing += twice || all != size;
}

}  // namespace

ClassRecount recount_classes(SpiSession& session, Release const& release, LossyPolicy const& demands) {
  InterruptCheckpoint checkpoint;
  auto const ids = read_nss(session, release, checkpoint);
  SensitiveRows const sensitive(session, release, demands, checkpoint);
  std::span<Held const> const rows = sensitive.rows;
  ClassRecount found;
  for (std::size_t person = 0, value = 0; person < ids.size() || value < rows.size();) {
    checkpoint.tick();
    std::int32_t const id = person == ids.size()   ? rows[value].id
                            : value == rows.size() ? ids[person]
                                                   : std::min(ids[person], rows[value].id);
    std::size_t const first_person = person, first_value = value;
    while (person < ids.size() && ids[person] == id) ++person;
    while (value < rows.size() && rows[value].id == id) ++value;
    count_class(found, sensitive, static_cast<std::int64_t>(person - first_person),
                rows.subspan(first_value, value - first_value), demands);
  }
  return found;
}

}  // namespace anon_seq::lossy_join
