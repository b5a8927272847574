#include "audit/published_column.h"

#include <algorithm>

#include "core/text/interval_text.h"
//
#include "pg/value_type.h"

namespace anon_seq::audit {
namespace {

struct KnownType {
  char const* type;
  Family family;
  Shape shape;
};

constexpr KnownType kLineTypes[] = {
    {"smallint", Family::kWhole, Shape::kPoint},
    {"integer", Family::kWhole, Shape::kPoint},
    {"bigint", Family::kWhole, Shape::kPoint},
    {"int4range", Family::kWhole, Shape::kRange},
    {"int8range", Family::kWhole, Shape::kRange},
    {"int4multirange", Family::kWhole, Shape::kMultirange},
    {"int8multirange", Family::kWhole, Shape::kMultirange},
    {"numeric", Family::kNumeric, Shape::kPoint},
    {"real", Family::kNumeric, Shape::kPoint},
    {"double precision", Family::kNumeric, Shape::kPoint},
    {"numrange", Family::kNumeric, Shape::kRange},
    {"nummultirange", Family::kNumeric, Shape::kMultirange},
    {"date", Family::kDate, Shape::kPoint},
    {"daterange", Family::kDate, Shape::kRange},
    {"datemultirange", Family::kDate, Shape::kMultirange},
    {"timestamp without time zone", Family::kTimestamp, Shape::kPoint},
    {"tsrange", Family::kTimestamp, Shape::kRange},
    {"tsmultirange", Family::kTimestamp, Shape::kMultirange},
    {"timestamp with time zone", Family::kTimestampTz, Shape::kPoint},
    {"tstzrange", Family::kTimestampTz, Shape::kRange},
    {"tstzmultirange", Family::kTimestampTz, Shape::kMultirange},
};

// Whether every text of the columns is an interval or a number; `some`: one of them is a real interval.
bool are_intervals(std::vector<PublishedValues> const& columns, bool& some) {
  some = false;
  for (auto const& column : columns) {
    if (column.values == nullptr || column.form.family != Family::kText) continue;
    for (Code code = 1; code < column.values->distinct(); ++code) {
      auto const text = column.values->values[code];
      if (!interval_or_point(text)) return false;
      some = some || (text.find_first_of("[]()") != std::string_view::npos);
    }
  }
  return true;
}

[[noreturn]] void throw_not_alike(std::string const& attribute, PublishedValues const& line,
                                  PublishedValues const& other) {
  throw Error(Fault::kType,
              "attribute " + quoted(attribute) + " is a range or number in relation " + line.relation +
                  " and a text in relation " + other.relation,
              "Column " + quoted(line.column) + " has type " + line.form.type + ", column " + quoted(other.column) +
                  " type " + other.form.type + ".",
              "Write the text as intervals such as [20,30), or compare columns of one type through a view.");
}

bool has_stars(std::vector<PublishedValues> const& columns) {
  for (auto const& column : columns)
    for (Code code = 1; column.values != nullptr && code < column.values->distinct(); ++code)
      if (auto const text = column.values->values[code]; text.size() > 1 && text.back() == '*') return true;
  return false;
}

// The taxonomy that somebody gave the attribute, and which column has it.
PublishedValues const* find_with_taxonomy(std::string const& attribute, std::vector<PublishedValues> const& columns) {
  PublishedValues const* found = nullptr;
  for (auto const& column : columns) {
    if (column.values == nullptr || column.taxonomy.empty()) continue;
    if (found != nullptr && found->taxonomy != column.taxonomy)
      throw Error(Fault::kParameter,
                  "attribute " + quoted(attribute) + " has two taxonomies, " + quoted(found->taxonomy) + " and " +
                      quoted(column.taxonomy),
                  "Labels of different taxonomies cannot be compared.");
    if (found == nullptr) found = &column;
  }
  return found;
}

}  // namespace

ColumnForm form_of(Oid type, std::string const& column) {
  Oid base = InvalidOid;
  call_pg([&]() noexcept { base = getBaseType(type); });
  ColumnForm form{Family::kText, Shape::kPoint, type_name(base)};
  for (auto const& known : kLineTypes)
    if (form.type == known.type) return {known.family, known.shape, form.type};
  Oid element = InvalidOid;
  call_pg([&]() noexcept { element = get_base_element_type(base); });
  if (element != InvalidOid) {
    form.family = Family::kLabels;
    if (!is_continuous(value_type_of(element, column).kind)) return form;
    throw Error(Fault::kType, "column " + quoted(column) + " has type " + form.type + ", which cannot be read",
                "An array is read as labels of a taxonomy.", "Offer it as a multirange, or as text[], in a view.");
  }
  value_type_of(base, column);  // says what can be read
  return form;
}

AttributeSets read_attribute(SpiSession& session, std::string const& attribute,
                             std::vector<PublishedValues> const& columns, ValueSets& sets) {
  auto const first_of = [&](auto const& is) {
    auto const found = std::find_if(columns.begin(), columns.end(),
                                    [&](auto const& column) { return column.values != nullptr && is(column); });
    return found == columns.end() ? nullptr : &*found;
  };
  auto const* const line = first_of([](auto const& column) { return column.form.is_line(); });
  auto const* const text = first_of([](auto const& column) { return column.form.family == Family::kText; });
  auto const* const array = first_of([](auto const& column) { return column.form.family == Family::kLabels; });
  if (auto const* const given = find_with_taxonomy(attribute, columns)) {
    auto const* const range = first_of([](auto const& column) { return column.form.shape != Shape::kPoint; });
    if (range != nullptr && given->form.is_line()) return read_line(session, attribute, columns, sets);
    if (range != nullptr) throw_not_alike(attribute, *range, *given);
    return read_labels(session, columns, given->taxonomy, given->owner, sets);
  }
  bool some_intervals = false;
  bool const intervals = array == nullptr && are_intervals(columns, some_intervals);
  if (line != nullptr) {
    if (!intervals) throw_not_alike(attribute, *line, array != nullptr ? *array : *text);
    return read_line(session, attribute, columns, sets);
  }
  auto const* const stated = first_of([](auto const& column) { return column.interval; });
  if (stated != nullptr && array == nullptr) return read_line(session, attribute, columns, sets);
  auto const known = labels_in(session, columns, attribute);
  if (known.exists && known.unknown == 0) return read_labels(session, columns, attribute, InvalidOid, sets);
  if (intervals && some_intervals) return read_line(session, attribute, columns, sets);
  // Where the taxonomy of that name knows some of the values it is the one meant, and says which it lacks.
  bool const meant = known.known > 0 && !has_stars(columns);
  return read_labels(session, columns, meant ? attribute : "", InvalidOid, sets);
}

}  // namespace anon_seq::audit
