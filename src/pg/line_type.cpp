#include "pg/line_type.h"

#include <algorithm>
#include <iterator>

#include "core/base/error.h"
#include "core/text/json_value.h"

namespace anon_seq::pg {
namespace {

struct LineType {
  std::string_view type, range;
  Line line;
  ValueKind kind;
  std::string_view element, least;  // of the range: its element as SQL, and the least one that is known
};

constexpr char kLeast4[] = "-2147483648", kLeast8[] = "-9223372036854775808", kEver[] = "-infinity";
// The first of a range is the type that it is taken for where the range alone is known.
constexpr LineType kTypes[] = {
    {"integer", "int4range", Line::kNumbers, ValueKind::kInteger, "int", kLeast4},
    {"smallint", "int4range", Line::kNumbers, ValueKind::kInteger, "int", kLeast4},
    {"bigint", "int8range", Line::kNumbers, ValueKind::kInteger, "bigint", kLeast8},
    {"numeric", "numrange", Line::kNumbers, ValueKind::kNumeric, "numeric", kEver},
    {"real", "numrange", Line::kNumbers, ValueKind::kFloat, "numeric", kEver},
    {"double precision", "numrange", Line::kNumbers, ValueKind::kFloat, "numeric", kEver},
    {"date", "daterange", Line::kDates, ValueKind::kDate, "date", kEver},
    {"timestamp without time zone", "tsrange", Line::kTimestamps, ValueKind::kTimestamp, "timestamp", kEver},
    {"timestamp with time zone", "tstzrange", Line::kTimestampsTz, ValueKind::kTimestampTz, "timestamptz", kEver},
};

// numeric(10,2) is numeric, timestamp(3) without time zone is timestamp without time zone.
std::string without_modifier(std::string_view type) {
  auto const open = type.find('('), close = type.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos) return std::string(type);
  return std::string(type.substr(0, open)) + std::string(type.substr(close + 1));
}

LineType const* find(std::string_view type) {
  auto const plain = without_modifier(type);
  auto const* const found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                         [&](auto const& of) { return of.type == plain || of.range == plain; });
  return found == std::end(kTypes) ? nullptr : found;
}

}  // namespace

Line line_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::kInteger:
    case ValueKind::kNumeric:
    case ValueKind::kFloat: return Line::kNumbers;
    case ValueKind::kDate: return Line::kDates;
    case ValueKind::kTimestamp: return Line::kTimestamps;
    case ValueKind::kTimestampTz: return Line::kTimestampsTz;
    default: return Line::kNone;
  }
}

Line line_of(std::string_view type) {
  auto const* const found = find(type);
  return found == nullptr ? Line::kNone : found->line;
}

bool is_range_type(std::string_view type) {
  auto const* const found = find(type);
  return found != nullptr && found->range == type;
}

std::string range_of(std::string_view type) {
  auto const* const found = find(type);
  return found == nullptr ? "numrange" : std::string(found->range);
}

void throw_not_comparable(std::string const& attribute) {
  throw Error(
      Fault::kType, "attribute " + quoted(attribute) + " has types that cannot be compared",
      "It is a number, a date, a timestamp with or without time zone in one release, and something else in another.",
      "Register the column with another type or as another attribute, or waive it: options => '{\"not_common\": [" +
          json_string(attribute) + "]}'.");
}

void throw_two_taxonomies(std::string const& attribute, std::string const& one, std::string const& other) {
  throw Error(
      Fault::kParameter,
      "attribute " + quoted(attribute) + " has two taxonomies, " + quoted(one) + " and " + quoted(other),
      "Labels of different taxonomies cannot be compared.",
      "Register the release again under another name, its column as another attribute or with the other taxonomy, or "
      "waive it: options => '{\"not_common\": [" +
          json_string(attribute) + "]}'.");
}

namespace {

LineType const& range_called(std::string_view type) {
  if (auto const* found = find(type); found != nullptr && found->range == type) return *found;
  throw Error(Fault::kDamaged, "the type of a column is no range", std::string(type) + " was found instead.");
}

}  // namespace

std::string element_of(std::string_view range) { return std::string(range_called(range).element); }

std::string least_of(std::string_view range) { return std::string(range_called(range).least); }

ValueKind kind_of(std::string_view range) { return range_called(range).kind; }

}  // namespace anon_seq::pg
