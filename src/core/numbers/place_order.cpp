#include "core/numbers/place_order.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/numbers/calendar.h"
#include "core/numbers/decimal.h"

namespace anon_seq {
namespace {

// No two decimals of so many digits have one nearest double, and its shortest spelling is the decimal.
bool is_told_by_double(std::string_view text, double near) {
  constexpr std::ptrdiff_t kDigits = 15;
  auto const mantissa = text.substr(0, text.find_first_of("eE"));
  if (near == 0) return mantissa.find_first_of("123456789") == std::string_view::npos;  // else it is too small for one
  if (!(std::abs(near) > 1e-300 && std::abs(near) < 1e300)) return !std::isfinite(near);
  return std::count_if(mantissa.begin(), mantissa.end(), [](char c) { return c >= '0' && c <= '9'; }) <= kDigits;
}

// Empty where the double says all.
std::string exact_text(ValueKind kind, std::string_view text, double near) {
  if (kind < ValueKind::kDate) {
    if (is_told_by_double(text, near)) return {};
    auto const normal = normal_decimal(text);
    return normal.empty() ? std::string(text) : normal;
  }
  if (kind == ValueKind::kDate) return {};  // days
  auto const moment = moment_of(text);
  auto const micros = moment ? std::to_string(moment->micros) : std::string();
  return is_told_by_double(micros, near) ? std::string() : micros;
}

}  // namespace

Place PlaceOrder::add(ValueKind kind, std::string_view text, double near) {
  if (exact_.size() == 0) exact_.add_hidden("");
  auto const exact = exact_text(kind, text, near);
  points_.push_back({near, exact.empty() ? 0 : exact_.intern(exact)});
  return static_cast<Place>(points_.size() - 1) * 2;
}

std::string PlaceOrder::decimal(Point point) const {
  if (point.exact != 0) return std::string(exact_[point.exact]);
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, point.near).ptr};
}

bool PlaceOrder::before(Point a, Point b) const {
  if (a.near != b.near || a.exact == b.exact) return a.near < b.near;
  return compare_decimals(decimal(a), decimal(b)) < 0;
}

void PlaceOrder::settle() {
  Vector<std::size_t> order(points_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return before(points_[i], points_[j]); });
  places_.resize(points_.size());
  Place place = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && before(points_[order[i - 1]], points_[order[i]])) place += 2;
    places_[order[i]] = place;
  }
}

Place PlaceOrder::settled(Place added) const {
  if (added == kBelowAll || added == kAboveAll) return added;
  return places_[static_cast<std::size_t>(added / 2)] + added % 2;
}

}  // namespace anon_seq
