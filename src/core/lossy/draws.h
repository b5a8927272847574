// Chance, as the caller gives it.
//
// What a release owes to chance must not be replayable: the server passes its strong random numbers, a test a seeded
// generator. Nothing here follows the order of rows: who is drawn is drawn uniformly among equals.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"
#include "core/numbers/ratio.h"

namespace anon_seq {

class Draws {
 public:
  using Bits = std::function<std::uint64_t()>;  // 64 bits, uniform and independent

  explicit Draws(Bits bits) : bits_(std::move(bits)) {}
  virtual ~Draws() = default;

  // Uniform in [0, n) without bias: D. Lemire, Fast Random Integer Generation in an Interval, 2019. REQUIRES: n > 0.
  virtual std::uint64_t below(std::uint64_t n) {
    Wide product = static_cast<Wide>(bits_()) * n;
    if (static_cast<std::uint64_t>(product) < n)
      for (std::uint64_t const least = -n % n; static_cast<std::uint64_t>(product) < least;)
        product = static_cast<Wide>(bits_()) * n;
    return static_cast<std::uint64_t>(product >> 64);
  }

  // The numbers of n classes: a permutation, so that an id says nothing of when or where its class was made.
  virtual Vector<std::int32_t> permutation(std::size_t n, Checkpoint& checkpoint) {
    Vector<std::int32_t> ids(n);
    for (std::size_t i = 0; i < n; ++i) ids[i] = static_cast<std::int32_t>(i);
    shuffle(std::span(ids), checkpoint);
    return ids;
  }

  template <class T>
  void shuffle(std::span<T> items, Checkpoint& checkpoint) {
    for (std::size_t i = items.size(); i > 1; --i) {
      checkpoint.tick();
      std::swap(items[i - 1], items[below(i)]);
    }
  }

 private:
  Bits bits_;
};

}  // namespace anon_seq
