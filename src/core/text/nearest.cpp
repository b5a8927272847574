#include "core/text/nearest.h"

#include <algorithm>

#include "core/base/error.h"

namespace anon_seq {
namespace {

constexpr std::size_t kMostEdits = 2, kLongest = 63;

std::size_t most_edits(std::string_view name) {
  constexpr std::size_t kShort = 3, kLong = 10;
  return name.size() < kShort ? 0 : name.size() < kLong ? 1 : kMostEdits;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Three rows of the table of Damerau's distance (optimal string alignment, 1964) are enough.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      bool const same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<std::string const> known) {
  if (name.size() > kLongest || std::ranges::find(known, name) != known.end()) return std::nullopt;
  std::optional<std::string> found;
  std::size_t fewest = most_edits(name) + 1;
  for (auto const& other : known) {
    if (other.size() > name.size() + kMostEdits || other.size() + kMostEdits < name.size()) continue;
    auto const needed = edits(name, other);
    if (needed >= fewest) continue;
    fewest = needed;
    found = other;
  }
  return found;
}

std::string perhaps(std::string_view name, std::span<std::string const> known) {
  auto const found = nearest(name, known);
  return found ? "Perhaps you meant " + quoted(*found) + "." : std::string();
}

}  // namespace anon_seq
