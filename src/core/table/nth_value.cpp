#include "core/table/nth_value.h"

#include <algorithm>
#include <bit>

namespace anon_seq {
namespace {

constexpr std::size_t kFew = 16384;
constexpr int kBits = 11;

}  // namespace

std::int32_t nth_value(std::span<std::int32_t const> values, std::size_t nth, std::int32_t low, std::int32_t high,
                       Checkpoint& checkpoint) {
  Vector<std::int32_t> kept;
  while (values.size() > kFew && low < high) {
    int const shift = std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(high - low))) - kBits);
    std::uint32_t counts[1 << kBits] = {};
    for (auto const value : values) {
      checkpoint.tick();
      ++counts[(value - low) >> shift];
    }
    std::int32_t bucket = 0;
    for (; nth >= counts[bucket]; ++bucket) nth -= counts[bucket];
    low += bucket << shift;
    high = std::min(high, low + ((1 << shift) - 1));
    if (low == high) break;
    Vector<std::int32_t> inside;
    inside.reserve(counts[bucket]);
    for (auto const value : values) {
      checkpoint.tick();
      if (value >= low && value <= high) inside.push_back(value);
    }
    kept.swap(inside);
    values = kept;
  }
  if (low == high) return low;
  if (kept.empty()) kept.assign(values.begin(), values.end());
  auto const place = kept.begin() + static_cast<std::ptrdiff_t>(nth);
  std::nth_element(kept.begin(), place, kept.end());
  return *place;
}

}  // namespace anon_seq
