#include "core/numbers/cut_point.h"

#include <charconv>

#include "core/numbers/calendar.h"
#include "core/numbers/decimal.h"
#include "core/numbers/line_place.h"
#include "core/numbers/round_cut.h"
#include "core/numbers/round_date.h"

namespace anon_seq {
namespace {

template <class Float>
Float float_of(std::string_view text) {
  Float value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Between two floats there may be decimals that the type cannot tell from one of them; then their middle.
template <class Float>
std::optional<std::string> room_for_float(std::string const& lo, std::string const& hi) {
  Float const low = float_of<Float>(lo), high = float_of<Float>(hi);
  if (!(low < high)) return std::nullopt;
  auto const inside = [&](Float value) { return low < value && value < high; };
  auto round = roundest_between(lo, hi, false);
  if (round && inside(float_of<Float>(*round))) return round;
  Float const middle = low / 2 + high / 2;
  if (!inside(middle)) return std::nullopt;
  char digits[400];
  auto const end = std::to_chars(digits, digits + sizeof digits, middle, std::chars_format::fixed).ptr;
  return std::string(digits, end);
}

std::optional<std::string> room_for_date(ValueKind kind, std::string_view lo, std::string_view hi) {
  if (lo == "-infinity" && hi == "infinity")
    return std::string("2000-01-01") + (kind == ValueKind::kDate ? "" : " 00:00:00") +
           (kind == ValueKind::kTimestampTz ? "+00" : "");
  return roundest_date(lo, hi);
}

}  // namespace

std::optional<std::string> room_between(Column const& column, Code code) {
  auto const lo = column.values[code - 1], hi = column.values[code];
  if (column.kind >= ValueKind::kDate) return room_for_date(column.kind, lo, hi);
  auto const low = plain_decimal(lo), high = plain_decimal(hi);
  if (column.kind != ValueKind::kFloat) return roundest_between(low, high, column.kind == ValueKind::kInteger);
  return column.single ? room_for_float<float>(low, high) : room_for_float<double>(low, high);
}

std::string cut_point(Column const& column, Code code) {
  if (auto room = room_between(column, code)) return std::move(*room);
  return column.kind >= ValueKind::kDate ? std::string(column.values[code]) : plain_decimal(column.values[code]);
}

double cut_position(ValueKind kind, std::string_view text) {
  if (kind < ValueKind::kDate) return number_place(text);
  auto const moment = moment_of(text);
  if (!moment) return 0;
  return kind == ValueKind::kDate ? static_cast<double>(moment->micros / kMicrosOfDay)
                                  : static_cast<double>(moment->micros);
}

namespace {

constexpr double kSteps = 20;  // of a coarse scale, at most

// Steps of whole numbers and days from the least to the greatest of a column's values.
class CoarseScale {
 public:
  CoarseScale(Column const& column, Extent codes) : kind_(column.kind) {
    if (codes.end <= codes.begin) return;
    auto place = [&](Code code) { return column.positions[static_cast<std::size_t>(code)]; };
    double const width = place(codes.end - 1) - place(codes.begin);
    if (kind_ == ValueKind::kInteger) {
      for (bool five = true; width / static_cast<double>(step_) > kSteps; five = !five) step_ *= five ? 5 : 2;
    } else {
      months_ = width <= kSteps ? 0 : width <= kSteps * 31 ? 1 : width <= kSteps * 92 ? 3 : 12;
    }
  }
  bool has(std::string_view value, double place) const {
    if (kind_ == ValueKind::kInteger) {
      std::int64_t number = 0;
      auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      return error == std::errc() && number % step_ == 0;
    }
    if (kind_ != ValueKind::kDate) return false;
    auto const day = civil_of(static_cast<std::int64_t>(place));
    return months_ == 0 || (day.day == 1 && (day.month - 1) % months_ == 0);
  }

 private:
  ValueKind kind_;
  std::int64_t step_ = 1;
  int months_ = 0;  // 0: days
};

}  // namespace

Vector<char> barred_cuts(Column const& column, std::span<std::int64_t const> holders, std::int64_t k) {
  if (std::ssize(column.positions) != column.distinct())
    throw Error(Fault::kType, "column " + quoted(column.name) + " has a type whose values cannot be cut into ranges");
  Vector<char> barred(static_cast<std::size_t>(column.distinct()), 0);
  CoarseScale const coarse(column, {1, column.distinct()});
  for (Code code = 2; code < column.distinct(); ++code) {
    auto const at = static_cast<std::size_t>(code);
    if (holders[at] >= k || room_between(column, code)) continue;
    barred[at] = !coarse.has(column.values[code], column.positions[at]);
  }
  return barred;
}

void lift_bars(Column const& column, Extent codes, Vector<char>& barred) {
  CoarseScale const coarse(column, codes);
  for (std::size_t at = 2; at < barred.size(); ++at)
    if (barred[at] != 0 && coarse.has(column.values[static_cast<Code>(at)], column.positions[at])) barred[at] = 0;
}

}  // namespace anon_seq
