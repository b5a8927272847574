#include "core/numbers/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace anon_seq {
namespace {

constexpr int kMostPlaces = 200000;  // numeric has fewer; a few letters must not stand for gigabytes

// [+-]digits[.digits][e[+-]digits], as digits and the power of ten of the last of them.
struct Parsed {
  bool negative = false;
  std::string digits;
  long exponent = 0;
};

std::optional<Parsed> parse(std::string_view text) {
  Parsed parsed;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) parsed.negative = text[i++] == '-';
  bool after_point = false;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !after_point) {
      after_point = true;
    } else if (text[i] >= '0' && text[i] <= '9') {
      parsed.digits += text[i];
      parsed.exponent -= after_point;
    } else {
      break;
    }
  }
  if (parsed.digits.empty()) return std::nullopt;
  if (i < text.size()) {
    if (text[i] != 'e' && text[i] != 'E') return std::nullopt;
    if (++i < text.size() && text[i] == '+') ++i;
    int power = 0;
    auto const [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), power);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    parsed.exponent += power;
  }
  while (parsed.digits.size() > 1 && parsed.digits.back() == '0') {
    parsed.digits.pop_back();
    ++parsed.exponent;
  }
  if (parsed.digits == "0") parsed.exponent = 0;
  return parsed;
}

// Without sign and zeros that say nothing: 0.digits * 10^magnitude. No digits: 0.
struct Size {
  std::string digits;
  long magnitude = 0;
};

Size size_of(Parsed const& parsed) {
  auto const first = std::min(parsed.digits.find_first_not_of('0'), parsed.digits.size());
  Size size{parsed.digits.substr(first), 0};
  size.magnitude = static_cast<long>(size.digits.size()) + parsed.exponent;
  size.digits.erase(size.digits.find_last_not_of('0') + 1);
  return size;
}

std::strong_ordering compare_sizes(Size const& a, Size const& b) {
  if (a.digits.empty() || b.digits.empty()) return !a.digits.empty() <=> !b.digits.empty();
  if (a.magnitude != b.magnitude) return a.magnitude <=> b.magnitude;
  return a.digits <=> b.digits;
}

}  // namespace

std::optional<int> decimal_scale(std::string_view text) {
  auto const parsed = parse(text);
  if (!parsed || parsed->exponent < -1000 || parsed->exponent > kMostPlaces) return std::nullopt;
  return parsed->exponent < 0 ? static_cast<int>(-parsed->exponent) : 0;
}

std::optional<std::int64_t> decimal_floor(std::string_view text, int scale) {
  auto const parsed = parse(text);
  if (!parsed) return std::nullopt;
  long const shift = parsed->exponent + scale;  // the digits are worth digits * 10^shift units
  auto const digits = static_cast<long>(parsed->digits.size());
  long const kept = shift < 0 ? digits + shift : digits;
  std::int64_t units = 0;
  for (long i = 0; i < kept; ++i)
    if (__builtin_mul_overflow(units, 10, &units) ||
        __builtin_add_overflow(units, parsed->digits[static_cast<std::size_t>(i)] - '0', &units))
      return std::nullopt;
  for (long i = 0; i < shift && units != 0; ++i)
    if (__builtin_mul_overflow(units, 10, &units)) return std::nullopt;
  bool lost = false;  // whether a digit other than 0 fell below the grid
  for (long i = kept < 0 ? 0 : kept; i < digits; ++i) lost |= parsed->digits[static_cast<std::size_t>(i)] != '0';
  return parsed->negative ? -units - lost : units;
}

std::string decimal_text(std::int64_t units, int scale) {
  bool const negative = units < 0;
  std::string digits = std::to_string(units).substr(negative);
  auto const places = static_cast<std::size_t>(scale);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  std::string fraction = digits.substr(digits.size() - places);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return (negative ? "-" : "") + digits.substr(0, digits.size() - places) + (fraction.empty() ? "" : "." + fraction);
}

std::string plain_decimal(std::string_view text) {
  if (text.find_first_of("eE") == std::string_view::npos) return std::string(text);
  auto const parsed = parse(text);
  if (!parsed || std::abs(parsed->exponent) > kMostPlaces) return std::string(text);
  std::string digits = parsed->digits;
  if (parsed->exponent >= 0) {
    digits.append(static_cast<std::size_t>(parsed->exponent), '0');
  } else {
    auto const places = static_cast<std::size_t>(-parsed->exponent);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
  }
  return (parsed->negative ? "-" : "") + digits;
}

std::string normal_decimal(std::string_view text) {
  if (!decimal_scale(text)) return {};
  std::string plain = plain_decimal(text);
  bool const negative = plain.front() == '-';
  plain.erase(0, plain.front() == '-' || plain.front() == '+' ? 1 : 0);
  if (plain.find('.') != std::string::npos) {
    plain.erase(plain.find_last_not_of('0') + 1);
    if (plain.back() == '.') plain.pop_back();
  }
  plain.erase(0, std::min(plain.find_first_not_of('0'), plain.size()));
  if (plain.empty() || plain.front() == '.') plain.insert(0, "0");
  return (negative && plain != "0" ? "-" : "") + plain;
}

bool same_decimal(std::string_view a, std::string_view b) {
  return decimal_scale(a) && decimal_scale(b) && compare_decimals(a, b) == 0;
}

std::strong_ordering compare_decimals(std::string_view a, std::string_view b) {
  auto const x = parse(a).value_or(Parsed{}), y = parse(b).value_or(Parsed{});
  Size const m = size_of(x), n = size_of(y);
  bool const below = x.negative && !m.digits.empty(), other_below = y.negative && !n.digits.empty();
  if (below != other_below) return other_below <=> below;
  return below ? compare_sizes(n, m) : compare_sizes(m, n);
}

}  // namespace anon_seq
