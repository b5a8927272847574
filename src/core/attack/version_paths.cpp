#include "core/attack/version_paths.h"

#include <algorithm>

namespace anon_seq {

std::vector<VersionPaths::Verdict> VersionPaths::judge(std::int64_t& budget) {
  hold_versions_without_hits();
  merge_columns();
  weigh_pairs();
  find_paths();
  std::vector<Verdict> verdicts;
  for (std::size_t row = 0; row < victims_.size(); row += versions_) {
    char const* const victim = victims_.data() + row;
    // Many victims are seen in the same versions as the one before.
    bool const same = row > 0 && std::equal(victim, victim + versions_, victim - versions_);
    verdicts.push_back(same ? verdicts.back() : judge_victim(victim, budget));
  }
  return verdicts;
}

// Who is missed in a version that is held is no candidate, so that others may be without hits then.
void VersionPaths::hold_versions_without_hits() {
  Vector<char> held(versions_, 0);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t v = 0; v < versions_; ++v) {
      checkpoint_.tick();
      if (held[v] != 0) continue;
      bool hit = false;
      for (std::size_t p = v; p < people_.size(); p += versions_) hit |= people_[p] == kHit;
      for (std::size_t p = v; p < victims_.size(); p += versions_) hit |= victims_[p] != 0;
      if (hit) continue;
      held[v] = more = true;
      held_.push_back(static_cast<std::int32_t>(v));
      Vector<char> rest;
      for (std::size_t row = 0; row < people_.size(); row += versions_)
        if (people_[row + v] != kMiss) rest.insert(rest.end(), people_.data() + row, people_.data() + row + versions_);
      people_ = std::move(rest);
    }
  }
  for (std::size_t v = 0; v < versions_; ++v)
    if (held[v] == 0) columns_.push_back(static_cast<std::int32_t>(v));
}

void VersionPaths::merge_columns() {
  auto const equal = [&](std::int32_t a, std::int32_t b) {
    auto const x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
    for (auto const* rows : {&people_, &victims_})
      for (std::size_t row = 0; row < rows->size(); row += versions_)
        if ((*rows)[row + x] != (*rows)[row + y]) return false;
    return true;
  };
  std::vector<std::int32_t> distinct;
  for (auto const column : columns_) {
    checkpoint_.tick();
    if (std::none_of(distinct.begin(), distinct.end(), [&](auto other) { return equal(other, column); }))
      distinct.push_back(column);
  }
  columns_ = std::move(distinct);
}

void VersionPaths::weigh_pairs() {
  std::size_t const n = columns_.size();
  weights_.assign(n, std::vector<std::int64_t>(n + 1, 0));
  for (std::size_t row = 0; row < people_.size(); row += versions_) {
    checkpoint_.tick();
    auto const sight = [&](std::size_t c) { return people_[row + static_cast<std::size_t>(columns_[c])]; };
    std::size_t end = n;  // one past the last column that shows him
    while (end > 0 && sight(end - 1) == kAbsentThen) --end;
    for (std::size_t c = 0; c < end && sight(c) != kMiss; ++c)
      if (sight(c) == kHit) ++weights_[c][end];
  }
  for (auto& of : weights_)
    for (std::size_t d = 1; d <= n; ++d) of[d] += of[d - 1];
}

// A path begins where the victim is seen: an earlier column would only add to its sum.
void VersionPaths::find_paths() {
  std::size_t const n = columns_.size();
  from_.assign(n, 0);
  next_.assign(n, n);
  for (std::size_t c = n; c-- > 0;) {
    from_[c] = weights_[c][n];
    for (std::size_t d = c + 1; d < n; ++d) {
      checkpoint_.tick();
      if (std::int64_t const sum = weights_[c][d] + from_[d]; sum < from_[c]) from_[c] = sum, next_[c] = d;
    }
  }
}

VersionPaths::Verdict VersionPaths::judge_victim(char const* victim, std::int64_t& budget) const {
  std::size_t const n = columns_.size();
  std::size_t best = n;
  for (std::size_t c = 0; c < n; ++c)
    if (victim[columns_[c]] != 0 && (best == n || from_[c] < from_[best])) best = c;
  if (best == n || from_[best] >= k_) return {k_, true, {}};  // n: he is seen nowhere
  auto const path = path_from(best);
  if (std::int64_t const left = count(path); left < k_) return {left, true, versions_of(path)};
  return try_all(victim, budget);
}

std::vector<std::size_t> VersionPaths::path_from(std::size_t column) const {
  std::vector<std::size_t> path;
  for (std::size_t c = column; c != columns_.size(); c = next_[c]) path.push_back(c);
  return path;
}

// The candidates in a set, counted as they are.
std::int64_t VersionPaths::count(std::vector<std::size_t> const& columns) const {
  std::int64_t found = 0;
  for (std::size_t row = 0; row < people_.size(); row += versions_) {
    bool hit = false, miss = false;
    for (auto const c : columns) {
      char const sight = people_[row + static_cast<std::size_t>(columns_[c])];
      hit |= sight == kHit;
      miss |= sight == kMiss;
    }
    found += hit && !miss;
  }
  return found;
}

std::vector<std::int32_t> VersionPaths::versions_of(std::vector<std::size_t> const& columns) const {
  auto versions = held_;
  for (auto const c : columns) versions.push_back(columns_[c]);
  std::sort(versions.begin(), versions.end());
  return versions;
}

VersionPaths::Verdict VersionPaths::try_all(char const* victim, std::int64_t& budget) const {
  constexpr std::size_t kMostColumns = 24;
  std::size_t const n = columns_.size();
  if (n > kMostColumns || budget >> n < static_cast<std::int64_t>(people()) + 1) return {k_, false, {}};
  budget -= static_cast<std::int64_t>(people() + 1) << n;
  std::vector<std::uint32_t> hits, misses;
  std::uint32_t seen = 0;
  for (std::size_t c = 0; c < n; ++c) seen |= static_cast<std::uint32_t>(victim[columns_[c]] != 0) << c;
  for (std::size_t row = 0; row < people_.size(); row += versions_) {
    hits.push_back(0);
    misses.push_back(0);
    for (std::size_t c = 0; c < n; ++c) {
      char const sight = people_[row + static_cast<std::size_t>(columns_[c])];
      hits.back() |= static_cast<std::uint32_t>(sight == kHit) << c;
      misses.back() |= static_cast<std::uint32_t>(sight == kMiss) << c;
    }
  }
  Verdict worst{k_, true, {}};
  for (std::uint32_t set = 1; set < 1u << n; ++set) {
    checkpoint_.tick();
    if ((set & seen) == 0) continue;
    std::int64_t found = 0;
    for (std::size_t p = 0; p < hits.size() && found < worst.candidates; ++p)
      found += (set & hits[p]) != 0 && (set & misses[p]) == 0;
    if (found >= worst.candidates) continue;
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < n; ++c)
      if ((set >> c & 1) != 0) columns.push_back(c);
    worst = {found, true, versions_of(columns)};
  }
  return worst;
}

}  // namespace anon_seq
