#include "core/numbers/round_cut.h"

#include <algorithm>

#include "core/base/error.h"

namespace anon_seq {
namespace {

// Digits of |x| * 10^scale, without sign; all operands of one problem have the same length.
using Digits = std::string;

struct Decimal {
  bool negative = false;
  std::string whole, fraction;
};

Decimal parse(std::string_view text) {
  Decimal value;
  std::string_view rest = text;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    value.negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  auto const point = std::min(rest.find('.'), rest.size());
  value.whole = rest.substr(0, point);
  if (point < rest.size()) value.fraction = rest.substr(point + 1);
  auto digits = [](std::string const& part) { return part.find_first_not_of("0123456789") == std::string::npos; };
  if ((value.whole.empty() && value.fraction.empty()) || !digits(value.whole) || !digits(value.fraction))
    throw Error(Fault::kInternal, "a cut between values that are no decimals");
  return value;
}

bool is_zero(Digits const& digits) { return digits.find_first_not_of('0') == std::string::npos; }

// The smallest multiple of 10^power above x. REQUIRES: x has leading zeros to spare.
Digits next_multiple(Digits const& x, std::size_t power) {
  Digits result = x;
  std::size_t i = x.size() - power;
  std::fill(result.begin() + static_cast<std::ptrdiff_t>(i), result.end(), '0');
  while (result[--i] == '9') result[i] = '0';
  ++result[i];
  return result;
}

// The roundest m with low < m < high; empty if there is none.
Digits roundest(Digits const& low, Digits const& high) {
  for (std::size_t power = low.size() - 1; power-- > 0;) {
    Digits const first = next_multiple(low, power);
    for (Digits m = first; m < high; m = next_multiple(m, power))
      if (m[m.size() - 1 - power] == '5') return m;
    if (first < high) return first;
  }
  return {};
}

std::string text_of(Digits const& digits, std::size_t scale, bool negative) {
  std::string whole = digits.substr(0, digits.size() - scale), fraction = digits.substr(digits.size() - scale);
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return (negative ? "-" : "") + whole + (fraction.empty() ? "" : "." + fraction);
}

}  // namespace

std::optional<std::string> roundest_between(std::string_view lo, std::string_view hi, bool whole) {
  Decimal const low = parse(lo), high = parse(hi);
  std::size_t const scale = std::max(low.fraction.size(), high.fraction.size()) + (whole ? 0 : 1);
  std::size_t const length = std::max(low.whole.size(), high.whole.size()) + 2;  // room for a carry
  auto digits = [&](Decimal const& value) {
    return Digits(length - value.whole.size(), '0') + value.whole + value.fraction +
           Digits(scale - value.fraction.size(), '0');
  };
  Digits const a = digits(low), b = digits(high);
  bool const low_negative = low.negative && !is_zero(a), high_negative = high.negative && !is_zero(b);
  bool const ordered = low_negative != high_negative ? low_negative : low_negative ? a > b : a < b;
  if (!ordered) throw Error(Fault::kInternal, "a cut between values that do not ascend");
  if (low_negative && !high_negative && !is_zero(b)) return "0";
  auto const found = low_negative ? roundest(b, a) : roundest(a, b);
  if (found.empty()) return std::nullopt;
  return text_of(found, scale, low_negative);
}

}  // namespace anon_seq
