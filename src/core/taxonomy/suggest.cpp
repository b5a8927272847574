#include "core/taxonomy/suggest.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numbers/decimal.h"
#include "core/text/json_value.h"
#include "core/text/text_look.h"

namespace anon_seq {
namespace {

constexpr std::int64_t kFewRows = 50;  // below, a sample says little about uniqueness

std::string flat(Column const& column) {
  std::string root = "ANY";
  while (column.values.find(root) != kNoCode) root += '*';
  Vector<Code> codes;
  for (Code code = 1; code < column.distinct(); ++code)
    if (!column.values[code].empty()) codes.push_back(code);
  return "{" + json_string(root) + ": " +
         json_array(codes, [&](Code code) { return json_string(column.values[code]); }) + "}";
}

bool is_code_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '/';
}

// Letters and digits without blanks, at least one digit each, short.
bool are_codes(Column const& column) {
  constexpr std::size_t kLongestCode = 20;
  for (Code code = 1; code < column.distinct(); ++code) {
    auto const value = column.values[code];
    if (value.size() < 2 || value.size() > kLongestCode ||
        !std::all_of(value.begin(), value.end(), is_code_character) ||
        value.find_first_of("0123456789") == std::string_view::npos)
      return false;
  }
  return column.distinct() > 8;
}

std::int64_t distinct_prefixes(Column const& column, std::size_t length) {
  std::int64_t groups = 0;
  std::string_view previous;
  for (Code code = 1; code < column.distinct(); ++code) {  // values ascend by bytes
    auto const prefix = column.values[code].substr(0, length);
    groups += code == 1 || prefix != previous;
    previous = prefix;
  }
  return groups;
}

std::size_t longest_of(Column const& column) {
  std::size_t longest = 0;
  for (Code code = 1; code < column.distinct(); ++code) longest = std::max(longest, column.values[code].size());
  return longest;
}

bool is_separator(char c) { return c == '.' || c == '-' || c == '/'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether all values that reach beyond `at` have a character there for which `is` holds, and some value does.
template <class Is>
bool all_at(Column const& column, std::size_t at, Is is) {
  bool some = false;
  for (Code code = 1; code < column.distinct(); ++code) {
    auto const value = column.values[code];
    if (value.size() <= at) continue;
    if (!is(value)) return false;
    some = true;
  }
  return some;
}

// Where codes such as A00.1 have parts: before each separator that all have at one place, and before the first of these
// where letters and digits meet. Descending; empty for codes without such a separator.
std::vector<std::size_t> ends_of_parts(Column const& column, std::size_t longest) {
  std::vector<std::size_t> ends;
  for (std::size_t at = longest; at-- > 1;)
    if (all_at(column, at, [at](std::string_view value) { return is_separator(value[at]); })) ends.push_back(at);
  if (ends.empty()) return ends;
  for (std::size_t at = ends.back(); at-- > 1;)
    if (all_at(column, at, [at](std::string_view value) { return is_digit(value[at]) != is_digit(value[at - 1]); }))
      ends.push_back(at);
  return ends;
}

// Lengths at which codes have parts; without these, at which groups are at most half as many as at the one kept before.
std::string prefixes(Column const& column) {
  std::size_t const longest = longest_of(column);
  std::vector<std::size_t> lengths;
  std::int64_t groups = column.distinct() - 1;
  auto const keep = [&](std::size_t length, std::int64_t at_most) {
    std::int64_t const fewer = distinct_prefixes(column, length);
    if (fewer > 1 && fewer <= at_most) lengths.push_back(length), groups = fewer;
  };
  auto const ends = ends_of_parts(column, longest);
  for (std::size_t const length : ends) keep(length, groups - 1);
  if (ends.empty())
    for (std::size_t length = longest - 1; length >= 1; --length) keep(length, groups / 2);
  if (lengths.empty()) return {};
  return "{\"kind\": \"prefix\", \"lengths\": " + json_array(lengths, [](std::size_t n) { return std::to_string(n); }) +
         "}";
}

// A number m * 10^e with m = 1, 2 or 5.
struct Round {
  std::int64_t mantissa;
  int exponent;

  double value() const { return static_cast<double>(mantissa) * std::pow(10.0, exponent); }
  std::string text(std::int64_t times) const {
    std::int64_t const units = mantissa * times;
    return exponent < 0
               ? decimal_text(units, -exponent)
               : std::to_string(units) + (units == 0 ? "" : std::string(static_cast<std::size_t>(exponent), '0'));
  }
  // The next wider round number that this one divides: 5, 10, 20, 100; of 1 alone 5.
  Round wider(bool alone) const { return mantissa == 1 ? Round{alone ? 5 : 2, exponent} : Round{1, exponent + 1}; }
};

// The smallest round number that is at least `width`.
Round round_up(double width) {
  Round round{1, static_cast<int>(std::floor(std::log10(width)))};
  for (std::int64_t mantissa : {1, 2, 5}) {
    round.mantissa = mantissa;
    if (round.value() >= width) return round;
  }
  return {1, round.exponent + 1};
}

double quantile(Column const& column, Vector<std::int64_t> const& counts, double share) {
  double total = 0, seen = 0;
  for (Code code = 1; code < column.distinct(); ++code)
    total += static_cast<double>(counts[static_cast<std::size_t>(code)]);
  for (Code code = 1; code < column.distinct(); ++code) {
    seen += static_cast<double>(counts[static_cast<std::size_t>(code)]);
    if (seen >= share * total) return column.positions[static_cast<std::size_t>(code)];
  }
  return column.positions.back();
}

std::string intervals(Column const& column, Vector<std::int64_t> const& counts) {
  constexpr double kMaxMultiple = 1e15, kMaxUnits = 4e18;
  constexpr double kFinest = 1e-12, kCoarsest = 1e18;
  double const low = column.positions[1], high = column.positions.back();
  double const middle = quantile(column, counts, 0.95) - quantile(column, counts, 0.05);
  double finest = middle > 0 ? middle / 20 : high > low ? (high - low) / 20 : std::max(1.0, std::abs(high) / 10);
  if (column.kind == ValueKind::kInteger) finest = std::max(finest, 2.0);  // a width of 1 would generalize nothing
  auto refuse = [&]() {
    throw Error(Fault::kParameter,
                "the numbers of column " + quoted(column.name) + " are too large or too fine to suggest widths");
  };
  if (!(finest >= kFinest && finest <= kCoarsest)) refuse();
  std::vector<Round> widths{round_up(finest)};
  while (widths.size() < 6) {
    Round const wider = widths.back().wider(widths.size() == 1);
    if (wider.value() >= (high - low) / 2) break;
    widths.push_back(wider);
  }
  Round const widest = widths.back();
  // Quotients are inexact: one that may be whole is taken as whole, and the bound put one step further.
  auto slack = [](double quotient) { return 4 * std::numeric_limits<double>::epsilon() * std::abs(quotient); };
  double const first = low / widest.value(), last = high / widest.value();
  double const outward = std::ceil(first - slack(first)) - 1, above = std::floor(last + slack(last)) + 1;
  double const below = low >= 0 ? std::max(outward, 0.0) : outward;            // that nothing is negative is no secret
  double const grid = std::min(1.0, std::pow(10.0, widths.front().exponent));  // bounds are 64-bit multiples of it
  if (std::max(std::abs(below), std::abs(above)) > std::min(kMaxMultiple, kMaxUnits * grid / widest.value())) refuse();
  return "{\"kind\": \"range\", \"lower\": " + widest.text(static_cast<std::int64_t>(below)) +
         ", \"upper\": " + widest.text(static_cast<std::int64_t>(above)) +
         ", \"widths\": " + json_array(widths, [](Round const& width) { return width.text(1); }) + "}";
}

std::string calendar(bool with_time, double years) {
  std::vector<std::string> units;
  if (with_time) units.push_back("day");
  units.push_back("month");
  if (years > 1) units.insert(units.end(), {"quarter", "year"});
  if (years > 20) units.push_back("decade");
  return "{\"kind\": \"date\", \"units\": " + json_array(units, json_string) + "}";
}

std::string calendar(Column const& column) {
  double const day = column.kind == ValueKind::kDate ? 1 : 86400e6;
  return calendar(column.kind != ValueKind::kDate, (column.positions.back() - column.positions[1]) / day / 365);
}

// The type that every text can be cast to, as it looks.
std::string cast_of(Column const& column, TextLook look) {
  if (look == TextLook::kIsoDates) return longest_of(column) > kIsoDay ? "timestamp" : "date";
  if (look != TextLook::kNumbers) return {};
  for (Code code = 1; code < column.distinct(); ++code)
    if (normal_decimal(column.values[code]).empty()) return {};
  return "numeric";
}

void tell_look(Suggestion& suggestion, Column const& column, TextLook look) {
  suggestion.cast = cast_of(column, look);
  suggestion.note = "column " + quoted(column.name) + " holds texts that look like " +
                    (look == TextLook::kNumbers ? "numbers" : "dates");
  suggestion.hint = look == TextLook::kNumbers
                        ? "Cast it in a view: numbers are generalized in ranges, with a taxonomy or without."
                        : "Cast it in a view: dates are generalized in ranges, with a taxonomy or without.";
}

// Throws kParameter for values that a list of them says nothing about.
void require_groups(Column const& column, Vector<std::int64_t> const& counts, std::string const& hint) {
  std::int64_t rows = 0;
  for (auto count : counts) rows += count;
  if (rows >= kFewRows && 2 * std::int64_t{column.distinct() - 1} > rows)
    throw Error(Fault::kParameter, "column " + quoted(column.name) + " is nearly unique",
                "Most of its values occur once: it names its rows rather than describing them.",
                !hint.empty() ? hint : "Leave it out of the release, or write a taxonomy as a relation of paths.");
  if (column.distinct() > kMaxSuggestedLeaves)
    throw Error(
        Fault::kParameter, "column " + quoted(column.name) + " has too many distinct values to suggest a taxonomy",
        "It has " + std::to_string(column.distinct() - 1) + " and they share no beginnings; up to " +
            std::to_string(kMaxSuggestedLeaves) + " are listed below one root.",
        !hint.empty()
            ? hint
            : "Write the taxonomy as a relation of paths, list the most frequent values (frequent => 20), or leave the"
              " column out of the release.");
}

}  // namespace

Suggestion suggest_taxonomy(Column const& column, Vector<std::int64_t> const& counts) {
  if (column.distinct() == 1) throw Error(Fault::kData, "column " + quoted(column.name) + " has no values");
  switch (column.kind) {
    case ValueKind::kInteger:
    case ValueKind::kNumeric:
    case ValueKind::kFloat: return {intervals(column, counts), {}, {}, {}};
    case ValueKind::kDate:
    case ValueKind::kTimestamp:
    case ValueKind::kTimestampTz: return {calendar(column), {}, {}, {}};
    default: break;
  }
  Suggestion suggestion;
  auto const look = column.kind == ValueKind::kText ? look_of(column) : TextLook::kText;
  if (look != TextLook::kText) tell_look(suggestion, column, look);
  if (look == TextLook::kIsoDates) {
    suggestion.json = calendar(longest_of(column) > kIsoDay,
                               year_of(column.values[column.distinct() - 1]) - year_of(column.values[1]));
    return suggestion;
  }
  if (column.kind == ValueKind::kText && look == TextLook::kText && are_codes(column))
    suggestion.json = prefixes(column);
  if (!suggestion.json.empty()) return suggestion;
  require_groups(column, counts, suggestion.hint);
  suggestion.json = flat(column);
  return suggestion;
}

FrequentValues frequent_values(Column const& column, Vector<std::int64_t> const& counts, std::int64_t most) {
  if (is_continuous(column.kind))
    throw Error(Fault::kType,
                "column " + quoted(column.name) + " holds numbers or dates: its frequent values are no groups");
  Vector<Code> codes;
  for (Code code = 1; code < column.distinct(); ++code)
    if (counts[static_cast<std::size_t>(code)] >= kFewestOfListed && !column.values[code].empty())
      codes.push_back(code);
  if (codes.empty())
    throw Error(Fault::kParameter,
                "no value of column " + quoted(column.name) + " is in " + std::to_string(kFewestOfListed) + " rows");
  std::stable_sort(codes.begin(), codes.end(), [&](Code a, Code b) {
    return counts[static_cast<std::size_t>(a)] > counts[static_cast<std::size_t>(b)];
  });
  if (static_cast<std::int64_t>(codes.size()) > most) codes.resize(static_cast<std::size_t>(most));
  std::sort(codes.begin(), codes.end());  // their order tells no counts
  FrequentValues frequent{{}, "OTHER", static_cast<std::int64_t>(codes.size())};
  std::string root = "ANY";
  while (column.values.find(root) != kNoCode) root += '*';
  while (column.values.find(frequent.other) != kNoCode) frequent.other += '*';
  auto values = json_array(codes, [&](Code code) { return json_string(column.values[code]); });
  values.pop_back();  // the bracket that ends it
  frequent.json = "{" + json_string(root) + ": " + values + ", " + json_string(frequent.other) + "]}";
  return frequent;
}

}  // namespace anon_seq
