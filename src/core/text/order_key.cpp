#include "core/text/order_key.h"

#include <vector>

namespace anon_seq {

// Digits of a fraction in base 256, the last of which is never 0.
std::string key_between(std::string_view low, std::string_view high) {
  std::string key;
  bool bounded = !high.empty();
  for (std::size_t i = 0;; ++i) {
    int const from = i < low.size() ? static_cast<unsigned char>(low[i]) : 0;
    int const to = bounded ? static_cast<unsigned char>(high[i]) : 256;
    if (to - from > 1) return key += static_cast<char>(from + (to - from) / 2);
    key += static_cast<char>(from);
    bounded = bounded && from == to;
  }
}

void spread_keys(std::string_view low, std::string_view high, std::size_t count,
                 std::function<void(std::size_t, std::string)> const& take) {
  struct Gap {
    std::string low, high;
    std::size_t begin, end;
  };
  std::vector<Gap> gaps{{std::string(low), std::string(high), 0, count}};
  while (!gaps.empty()) {
    auto gap = std::move(gaps.back());
    gaps.pop_back();
    if (gap.begin == gap.end) continue;
    std::size_t const middle = gap.begin + (gap.end - gap.begin) / 2;
    auto key = key_between(gap.low, gap.high);
    gaps.push_back({std::move(gap.low), key, gap.begin, middle});
    gaps.push_back({key, std::move(gap.high), middle + 1, gap.end});
    take(middle, std::move(key));
  }
}

}  // namespace anon_seq
