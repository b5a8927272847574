#include "core/attack/boxes.h"

namespace anon_seq {

BoxId Boxes::add(std::span<SetId const> sets) {
  BoxId const known = seen_.size();
  BoxId const code = seen_.intern({reinterpret_cast<char const*>(sets.data()), sets.size_bytes()});
  if (code == known) sets_.insert(sets_.end(), sets.begin(), sets.end());
  return code + 1;
}

BoxId Boxes::meet(BoxId a, BoxId b) {
  if (a == b || b == kAbsent) return a;
  if (a == kAbsent) return b;
  std::int32_t const pair = pairs_.intern(std::min(a, b), std::max(a, b));
  if (static_cast<std::size_t>(pair) < meets_.size()) return meets_[static_cast<std::size_t>(pair)];
  work_.clear();
  for (std::size_t i = 0; i < attributes(); ++i) work_.push_back(sets_of_[i].meet((*this)[a][i], (*this)[b][i]));
  meets_.push_back(add(work_));
  return meets_.back();
}

bool Boxes::holds(BoxId outer, BoxId inner) const {
  for (std::size_t i = 0; i < attributes(); ++i)
    if (!sets_of_[i].holds((*this)[outer][i], (*this)[inner][i])) return false;
  return true;
}

bool Boxes::is_contradiction(BoxId box) const {
  auto const sets = (*this)[box];
  return std::find(sets.begin(), sets.end(), kNothing) != sets.end();
}

}  // namespace anon_seq
