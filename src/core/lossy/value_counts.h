// How often each small number occurs in a set, without a sort of the set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"

namespace anon_seq {

class ValueCounts {
 public:
  explicit ValueCounts(std::size_t bound) : counts_(bound) {}

  // Counts these values, each in [0, bound), and forgets those before. Cost: linear, and d log d in the distinct ones.
  void count(std::span<std::int32_t const> values, Checkpoint& checkpoint) {
    for (auto const value : distinct_) counts_[static_cast<std::size_t>(value)] = 0;
    distinct_.clear();
    for (auto const value : values) {
      checkpoint.tick();
      if (counts_[static_cast<std::size_t>(value)]++ == 0) distinct_.push_back(value);
    }
    if (distinct_.size() < counts_.size() / 16) {
      std::sort(distinct_.begin(), distinct_.end());
      return;
    }
    distinct_.clear();
    for (std::size_t value = 0; value < counts_.size(); ++value)
      if (counts_[value] > 0) distinct_.push_back(static_cast<std::int32_t>(value));
  }

  Vector<std::int32_t> const& distinct() const { return distinct_; }  // ascending
  std::int64_t of(std::int32_t value) const { return counts_[static_cast<std::size_t>(value)]; }

 private:
  Vector<std::int32_t> counts_, distinct_;
};

}  // namespace anon_seq
