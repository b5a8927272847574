#include "lossy_join/class_recount.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/table/row_groups.h"
//
#include "lossy_join/listed.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::lossy_join {
namespace {

constexpr std::int32_t kNoNumber = PG_INT32_MIN;  // of a class; none of ours has it

std::int32_t number_of_class(DatumCursor const& cursor, std::size_t row) {
  return cursor.is_null(row, 0) ? kNoNumber : cursor.integer(row, 0);
}

using Written = WrittenClasses;
using Held = Written::Held;

template <class T>
void sort_by_class(Vector<T>& items, Checkpoint& checkpoint) {
  if (std::is_sorted(items.begin(), items.end())) return;  // as it was made
  std::sort(items.begin(), items.end(), [&](T const& a, T const& b) {
    checkpoint.tick();
    return a < b;
  });
}

// As it was made, only the values of a class are in no order.
void sort_values(Vector<Held>& values, Checkpoint& checkpoint) {
  auto const by_class = [](Held const& a, Held const& b) { return a.id < b.id; };
  if (!std::is_sorted(values.begin(), values.end(), by_class)) return sort_by_class(values, checkpoint);
  for (auto begin = values.begin(); begin != values.end();) {
    checkpoint.tick();
    auto const end = std::find_if(begin, values.end(), [&](Held const& of) { return of.id != begin->id; });
    std::sort(begin, end);
    begin = end;
  }
}

PublishedColumn const& sensitive_column(Release const& release) {
  return *std::ranges::find_if(release.columns, [](auto const& of) { return of.role == Role::kSensitive; });
}

void add_person(Written& written, DatumCursor const& nss, std::size_t row) {
  written.people.push_back(number_of_class(nss, row));
}

void add_value(Written& written, DatumCursor const& ss, std::size_t row) {
  if (written.texts.size() == 0) written.texts.add_hidden("");
  written.values.push_back({number_of_class(ss, row),
                            ss.is_null(row, 1) ? kNull : written.texts.intern(ss.text(row, 1)),
                            ss.is_null(row, 2) ? 0 : ss.bigint(row, 2)});
}

Written read_projections(SpiSession& session, Release const& release) {
  Written written;
  DatumCursor nss(session, "SELECT class_id FROM " + release.relations.front().name);
  while (nss.next())
    for (std::size_t row = 0; row < nss.rows(); ++row) add_person(written, nss, row);
  DatumCursor ss(session, "SELECT class_id, " + quote_name(sensitive_column(release).column) + "::text, n FROM " +
                              release.relations[1].name);
  while (ss.next())
    for (std::size_t row = 0; row < ss.rows(); ++row) add_value(written, ss, row);
  if (written.texts.size() == 0) written.texts.add_hidden("");
  return written;
}

Written read_table(SpiSession& session, Release const& release, Checkpoint& checkpoint) {
  std::string columns;
  for (auto const& column : release.columns)
    columns += (columns.empty() ? "" : ", ") + quote_name(column.column) + "::text AS c" +
               std::to_string(release.number_of(column));
  auto const& name = release.relations.front().name;
  auto table = RowReader(session, "SELECT " + columns + " FROM " + name, name).finish(checkpoint);
  std::vector<KeyColumn> shown;
  Column* sensitive = nullptr;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    auto& column = table.columns[i];
    if (release.columns[i].role == Role::kSensitive)
      sensitive = &column;
    else
      shown.push_back({column.codes, column.distinct()});
  }
  Written written;
  written.people = group_rows(table.rows(), shown, checkpoint).of_row;
  for (std::size_t row = 0; row < written.people.size(); ++row)
    written.values.push_back({written.people[row], sensitive->codes[row], 1});
  written.texts = std::move(sensitive->values);
  return written;
}

// Equal ones become one.
void merge_equal(Vector<Held>& values) {
  std::size_t last = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i].id == values[last].id && values[i].value == values[last].value)
      values[last].n += values[i].n;
    else
      values[++last] = values[i];
  }
  if (!values.empty()) values.resize(last + 1);
}

// What bounds each value.
struct Bounds {
  std::vector<Ratio> alphas;   // of its share; over 1: not bounded
  std::vector<char> together;  // whether it counts with others; empty: none does
  Vector<Code> first;          // with which other value it counts, of one label; empty: none does
};

std::vector<std::string_view> known_values(Dictionary const& texts) {
  std::vector<std::string_view> all;
  for (Code code = 1; code < texts.size(); ++code) all.push_back(texts[code]);
  return all;
}

Bounds find_bounds(SpiSession& session, PublishedColumn const& column, Dictionary const& texts,
                   LossyPolicy const& demands, Checkpoint& checkpoint) {
  auto const listing = demands.listing(column.column);
  auto const count = static_cast<std::size_t>(texts.size());
  Bounds bounds{std::vector<Ratio>(count, demands.alpha), {}, {}};
  if (listing == Listing::kEvery && !demands.alphas.contains(column.column)) return bounds;
  TaxonomyPool pool(session, checkpoint);
  auto const found = find_listed(session, column, known_values(texts), demands, pool);
  for (auto const& [text, alpha] : found.own) bounds.alphas[text + 1] = alpha;
  if (!found.bounded.empty() && listing != Listing::kAny) {
    bounds.first.push_back(kNull);
    for (std::size_t text = 0; text + 1 < count; ++text)
      bounds.first.push_back(static_cast<Code>(found.first(text)) + 1);
  }
  if (listing == Listing::kEvery) return bounds;
  std::vector<char> listed(count, 0);
  std::copy(found.is_listed.begin(), found.is_listed.end(), listed.begin() + 1);
  for (std::size_t value = 0; value < count; ++value)
    if (listing == Listing::kAny || listed[value] == 0) bounds.alphas[value] = {2, 1};
  if (listing == Listing::kAny) bounds.together = std::move(listed);
  return bounds;
}

// Values that the type takes for equal count as one, however they print.
void unite_equal(SpiSession& session, PublishedColumn const& column, Written& written) {
  if (column.type == "integer" || column.type == "bigint" || column.type == "boolean" || column.type == "date") return;
  auto const found = session.execute(
      "SELECT min(i) OVER (PARTITION BY t::" + column.type + ") FROM unnest($1) WITH ORDINALITY AS u (t, i) ORDER BY i",
      {SqlValue::datum(TEXTARRAYOID, text_array(known_values(written.texts)))}, true);
  Vector<Code> first{kNull};
  for (std::uint64_t row = 0; row < found.count(); ++row) first.push_back(static_cast<Code>(found.integer(row, 1)));
  for (auto& held : written.values) held.value = first[static_cast<std::size_t>(held.value)];
}

// One class: its rows in NSS, and its values in SS.
void count_class(ClassRecount& found, Bounds const& bounds, std::int64_t size, std::span<Held const> values,
                 LossyPolicy const& demands) {
  std::int64_t all = 0, any = 0, equal = 0;
  std::map<Code, std::int64_t> of_label;
  bool twice = false, broken = size < demands.k || (!values.empty() && values.front().id == kNoNumber);
  auto const hold = [&](std::int64_t held, Ratio alpha) {
    broken |= size == 0 || !at_most(held, size, alpha);
    if (size > 0 && wide_mul(found.held, size) < wide_mul(held, found.of)) {
      found.held = held;
      found.of = size;
    }
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto const value = static_cast<std::size_t>(values[i].value);
    all += values[i].n;
    equal = i > 0 && values[i].value == values[i - 1].value ? equal + values[i].n : values[i].n;
    twice |= equal != values[i].n || values[i].n < 1;
    if (!bounds.together.empty() && bounds.together[value] != 0) any += values[i].n;
    if (!bounds.first.empty())
      of_label[bounds.first[value]] += values[i].n;
    else if (bounds.alphas[value].num <= bounds.alphas[value].den)
      hold(equal, bounds.alphas[value]);
  }
  if (any > 0) hold(any, demands.alpha);
  for (auto const& [first, held] : of_label)
    if (auto const alpha = bounds.alphas[static_cast<std::size_t>(first)]; alpha.num <= alpha.den) hold(held, alpha);
  ++found.classes;
  found.smallest = found.classes == 1 ? size : std::min(found.smallest, size);
  found.broken += broken;
  found.differing += twice || all != size;
}

}  // namespace

void ClassReader::visit(std::size_t relation, DatumCursor const& rows, std::size_t row) {
  strange_ |= relation == 1 && rows.type(1).atttypid != TEXTOID;
  if (relation == 0)
    add_person(written_, rows, row);
  else if (!strange_)
    add_value(written_, rows, row);
}

std::optional<WrittenClasses> ClassReader::take() {
  auto written = std::exchange(written_, {});
  if (!std::exchange(complete_, false) || written.texts.size() == 0) return std::nullopt;
  return written;
}

WrittenClasses read_classes(SpiSession& session, Release const& release, bool generalized) {
  InterruptCheckpoint checkpoint;
  return generalized ? read_table(session, release, checkpoint) : read_projections(session, release);
}

ClassRecount recount_classes(SpiSession& session, Release const& release, LossyPolicy const& demands,
                             WrittenClasses& written) {
  InterruptCheckpoint checkpoint;
  auto const& column = sensitive_column(release);
  auto const bounds = find_bounds(session, column, written.texts, demands, checkpoint);
  unite_equal(session, column, written);
  sort_by_class(written.people, checkpoint);
  sort_values(written.values, checkpoint);
  if (demands.generalized) merge_equal(written.values);
  auto const& people = written.people;
  std::span<Held const> const values = written.values;
  ClassRecount found;
  for (std::size_t person = 0, value = 0; person < people.size() || value < values.size();) {
    checkpoint.tick();
    std::int32_t const id = person == people.size()  ? values[value].id
                            : value == values.size() ? people[person]
                                                     : std::min(people[person], values[value].id);
    std::size_t const first_person = person, first_value = value;
    while (person < people.size() && people[person] == id) ++person;
    while (value < values.size() && values[value].id == id) ++value;
    count_class(found, bounds, static_cast<std::int64_t>(person - first_person),
                values.subspan(first_value, value - first_value), demands);
  }
  return found;
}

}  // namespace anon_seq::lossy_join
