#include "core/attack/value_sets.h"

#include <limits>

namespace anon_seq {

ValueSets::ValueSets() {
  intern({});
  PieceRun const all{0, std::numeric_limits<std::int32_t>::max() - 1};
  intern({&all, 1});
}

SetId ValueSets::intern(std::span<PieceRun const> normal) {
  SetId const known = seen_.size();
  SetId const id = seen_.intern({reinterpret_cast<char const*>(normal.data()), normal.size_bytes()});
  if (id < known) return id;
  runs_.insert(runs_.end(), normal.begin(), normal.end());
  starts_.push_back(runs_.size());
  return id;
}

SetId ValueSets::add(std::span<PieceRun const> runs) {
  if (runs.size() == 1) return intern(runs);
  Vector<PieceRun> sorted(runs.begin(), runs.end()), normal;
  std::sort(sorted.begin(), sorted.end(), [](PieceRun a, PieceRun b) { return a.first < b.first; });
  for (PieceRun const run : sorted) {
    if (!normal.empty() && run.first <= normal.back().last + 1)
      normal.back().last = std::max(normal.back().last, run.last);
    else
      normal.push_back(run);
  }
  return intern(normal);
}

SetId ValueSets::meet(SetId a, SetId b) {
  if (a == b || b == kAnything) return a;
  if (a == kAnything) return b;
  auto const left = (*this)[a], right = (*this)[b];
  work_.clear();
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    PieceRun const common{std::max(left[i].first, right[j].first), std::min(left[i].last, right[j].last)};
    if (common.first <= common.last) work_.push_back(common);
    ++(left[i].last < right[j].last ? i : j);
  }
  return intern(work_);
}

bool ValueSets::holds(SetId outer, SetId inner) const {
  if (outer == inner || outer == kAnything) return true;
  auto const wide = (*this)[outer];
  std::size_t i = 0;
  for (PieceRun const run : (*this)[inner]) {
    while (i < wide.size() && wide[i].last < run.first) ++i;
    if (i == wide.size() || wide[i].first > run.first || wide[i].last < run.last) return false;
  }
  return true;
}

}  // namespace anon_seq
