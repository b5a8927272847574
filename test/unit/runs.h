// How many random instances a property test tries, and from which seed.
//
// ANON_SEQ_SEED and ANON_SEQ_INSTANCES set both by hand. With ANON_SEQ_GRID=full, which `make test-long` sets, ten
// times as many are tried.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace anon_seq::testing {

// Whether everything is tried, in place of a sample.
inline bool full_grid() {
  char const* const grid = std::getenv("ANON_SEQ_GRID");
  return grid != nullptr && std::string_view(grid) == "full";
}

struct Runs {
  std::uint64_t seed;
  int instances;
};

inline Runs runs(std::uint64_t seed, int instances) {
  char const *const given = std::getenv("ANON_SEQ_SEED"), *const count = std::getenv("ANON_SEQ_INSTANCES");
  Runs const all{given != nullptr ? std::strtoull(given, nullptr, 10) : seed, count != nullptr ? std::atoi(count)
                                                                              : full_grid()    ? 10 * instances
                                                                                               : instances};
  std::printf("seed %llu\n", static_cast<unsigned long long>(all.seed));
  return all;
}

}  // namespace anon_seq::testing
