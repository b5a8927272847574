// What is kept of persons and bounded values, in order: by person, in linear time, then by bound.
#pragma once

#include <algorithm>

#include "core/base/checkpoint.h"
#include "core/table/table.h"

namespace anon_seq::serial {

// Entries have a person and a bound.
template <class Entry>
void sort_by_person(Vector<Entry>& entries, Checkpoint& checkpoint) {
  Code most = kNull;
  for (auto const& entry : entries) most = std::max(most, entry.person);
  Vector<std::uint32_t> next(static_cast<std::size_t>(most) + 2);
  for (auto const& entry : entries) ++next[static_cast<std::size_t>(entry.person) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  Vector<Entry> sorted(entries.size());
  for (auto const& entry : entries) {
    checkpoint.tick();
    sorted[next[static_cast<std::size_t>(entry.person)]++] = entry;
  }
  for (std::size_t begin = 0, end; begin < sorted.size(); begin = end) {
    for (end = begin; end < sorted.size() && sorted[end].person == sorted[begin].person; ++end) continue;
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin), sorted.begin() + static_cast<std::ptrdiff_t>(end),
              [](Entry const& a, Entry const& b) { return a.bound < b.bound; });
  }
  entries = std::move(sorted);
}

// The same, and entries of one person and bound become one: join(into, next).
template <class Entry, class Join>
void merge_by_person(Vector<Entry>& entries, Join join, Checkpoint& checkpoint) {
  sort_by_person(entries, checkpoint);
  std::size_t kept = 0;
  for (auto const& entry : entries)
    if (kept > 0 && entries[kept - 1].person == entry.person && entries[kept - 1].bound == entry.bound)
      join(entries[kept - 1], entry);
    else
      entries[kept++] = entry;
  entries.resize(kept);
}

}  // namespace anon_seq::serial
