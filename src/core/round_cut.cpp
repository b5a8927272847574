#include "core/round_cut.h"

#include <algorithm>

#include "core/error.h"

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

// The smallest multiple of 10^power above x, or from x on if `from`. One digit longer than x at most: x has
// leading zeros to spare.
Digits next_multiple(Digits const& x, std::size_t power, bool from) {
  Digits result = x;
  bool exact = true;
  for (std::size_t i = x.size() - power; i < x.size(); ++i) {
    exact = exact && x[i] == '0';
    result[i] = '0';
  }
  if (exact && from) return result;
  std::size_t i = x.size() - power;
  while (result[--i] == '9') result[i] = '0';
  ++result[i];
  return result;
}

// The roundest m >= 0 with low < m <= high, or low <= m < high if `mirrored`. REQUIRES: there is none at 0.
Digits roundest(Digits const& low, Digits const& high, bool mirrored) {
  auto inside = [&](Digits const& m) { return mirrored ? m < high : m <= high; };
  Digits const& own = mirrored ? low : high;  // the row's own value, taken only if there is no other
  for (std::size_t power = low.size() - 1; power-- > 0;) {
    Digits m = next_multiple(low, power, mirrored);
    if (!inside(m)) continue;
    Digits first = m;
    for (; inside(m); m = next_multiple(m, power, false)) {
      if (m[m.size() - 1 - power] == '5') return m;
      if (first == own) first = m;
    }
    return first;
  }
  return high;
}

std::string text_of(Digits const& digits, std::size_t scale, bool negative) {
  std::string whole = digits.substr(0, digits.size() - scale), fraction = digits.substr(digits.size() - scale);
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size() - 1));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return (negative ? "-" : "") + whole + (fraction.empty() ? "" : "." + fraction);
}

}  // namespace

std::string roundest_between(std::string_view lo, std::string_view hi) {
  Decimal const low = parse(lo), high = parse(hi);
  std::size_t const scale = std::max(low.fraction.size(), high.fraction.size());
  std::size_t const length = std::max(low.whole.size(), high.whole.size()) + 2;  // room for a carry
  auto digits = [&](Decimal const& value) {
    return Digits(length - value.whole.size(), '0') + value.whole + value.fraction +
           Digits(scale - value.fraction.size(), '0');
  };
  Digits const a = digits(low), b = digits(high);
  bool const low_negative = low.negative && !is_zero(a), high_negative = high.negative && !is_zero(b);
  bool const ordered = low_negative != high_negative ? low_negative : low_negative ? a > b : a < b;
  if (!ordered) throw Error(Fault::kInternal, "a cut between values that do not ascend");
  if (low_negative && !high_negative) return "0";
  if (low_negative) return text_of(roundest(b, a, true), scale, true);
  return text_of(roundest(a, b, false), scale, false);
}

}  // namespace anon_seq
