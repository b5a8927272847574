// Items by their numbers: those that are joined into sets, lists of them, distinct ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"

namespace anon_seq {

// Sets of items that are joined; each set is called by one of its items.
class Joined {
 public:
  explicit Joined(std::size_t items) : up_(items) {
    for (std::size_t i = 0; i < items; ++i) up_[i] = static_cast<std::int32_t>(i);
  }
  std::size_t set_of(std::int32_t item) {
    auto i = static_cast<std::size_t>(item);
    while (up_[i] != static_cast<std::int32_t>(i)) {
      up_[i] = up_[static_cast<std::size_t>(up_[i])];
      i = static_cast<std::size_t>(up_[i]);
    }
    return i;
  }
  void join(std::int32_t a, std::int32_t b) { up_[set_of(a)] = static_cast<std::int32_t>(set_of(b)); }

 private:
  Vector<std::int32_t> up_;
};

struct Lists {
  Vector<std::size_t> begins;
  Vector<std::int32_t> items;

  std::span<std::int32_t const> of(std::size_t number) const {
    return std::span(items).subspan(begins[number], begins[number + 1] - begins[number]);
  }
};

// Items by number, each below `bound`, in the order in which they come. each(put) calls put(number, item) for every
// one; it is called twice.
template <class Each>
Lists make_lists(std::size_t bound, Each each) {
  Lists made;
  made.begins.resize(bound + 2);
  each([&](std::size_t number, std::int32_t) { ++made.begins[number + 2]; });
  for (std::size_t i = 2; i < made.begins.size(); ++i) made.begins[i] += made.begins[i - 1];
  made.items.resize(made.begins.back());
  each([&](std::size_t number, std::int32_t item) { made.items[made.begins[number + 1]++] = item; });
  made.begins.pop_back();
  return made;
}

// Puts numbers in order, each once.
inline void sort_distinct(Vector<std::int32_t>& numbers, Checkpoint& checkpoint) {
  std::sort(numbers.begin(), numbers.end(), [&](auto a, auto b) {
    checkpoint.tick();
    return a < b;
  });
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace anon_seq
