// What a reader who knows the code learns from classes: by trying the arrangements that show the same classes.
//
// Minimality attack (Wong, Fu, Wang, Pei, VLDB 2007): which classes an algorithm makes depends on the sensitive values,
// so not every arrangement of a class's values over its rows would have given this release. Each arrangement is run;
// the chance that a row holds a value is the share of those accepted in which it does. An algorithm whose decisions are
// simulatable accepts all of them. Rows that were left out hold their values in any order among themselves.
#pragma once

#include <functional>
#include <span>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"
#include "core/table/classes.h"

namespace anon_seq {

struct Arrangements {
  Classes const* classes = nullptr;
  std::span<std::int32_t const> values;    // row -> value in the true table: joint values
  std::uint64_t most_enumerated = 100000;  // no more arrangements than that: all are tried, else `runs` are drawn
  std::int64_t runs = 1000;
};

struct Minimality {
  bool exact = false;  // all arrangements were tried
  std::int64_t tried = 0, accepted = 0;
};

// Whether the release's own algorithm, run on these values (row -> value), gives this release, the draw within regions
// aside. It counts what it wants to know of those that do.
using GivesSameRelease = std::function<bool(std::span<std::int32_t const> values)>;

// below(n): uniform in [0, n). Cost: a run of the algorithm for each arrangement.
Minimality try_arrangements(Arrangements const& asked, GivesSameRelease const& gives_same,
                            std::function<std::uint64_t(std::uint64_t)> const& below, Checkpoint& checkpoint);

}  // namespace anon_seq
