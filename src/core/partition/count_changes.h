// Changes of how many persons a region has of each kind, summed before they are written.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

#include "core/partition/partition.h"
#include "core/table/dictionary.h"

namespace anon_seq {

class CountChanges {
 public:
  explicit CountChanges(std::size_t codes) : width_(codes + 1) {}

  // A change that so many codes follow.
  void begin(std::int32_t persons, RegionId region) {
    persons_.push_back(persons);
    parts_.push_back(region);
  }
  void add(Code code) { parts_.push_back(code); }

  // Calls take(region, codes, persons) in ascending order for all that do not cancel out, and forgets them.
  template <class Take>
  void settle(Take take) {
    order_.resize(persons_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    auto const of = [&](std::uint32_t i) { return std::span<Code const>(parts_).subspan(i * width_, width_); };
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
      return std::lexicographical_compare(of(i).begin(), of(i).end(), of(j).begin(), of(j).end());
    });
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      sum += persons_[order_[i]];
      auto const own = of(order_[i]);
      if (i + 1 < order_.size() && std::ranges::equal(own, of(order_[i + 1]))) continue;
      if (sum != 0) take(own.front(), own.subspan(1), sum);
      sum = 0;
    }
    persons_.clear();
    parts_.clear();
  }

 private:
  std::size_t width_;
  Vector<std::int32_t> persons_;  // -1, 1
  Vector<std::int32_t> parts_;    // region and codes of each
  Vector<std::uint32_t> order_;
};

}  // namespace anon_seq
