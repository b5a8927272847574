#include "core/lossy/class_counts.h"

namespace anon_seq {
namespace {

// Rows in the order of their codes.
Vector<std::uint32_t> rows_by_code(std::span<Code const> codes, Code distinct, Checkpoint& checkpoint) {
  Vector<std::size_t> next(static_cast<std::size_t>(distinct) + 1);
  for (auto const code : codes) ++next[static_cast<std::size_t>(code) + 1];
  for (std::size_t code = 1; code < next.size(); ++code) next[code] += next[code - 1];
  Vector<std::uint32_t> rows(codes.size());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    checkpoint.tick();
    rows[next[static_cast<std::size_t>(codes[row])]++] = static_cast<std::uint32_t>(row);
  }
  return rows;
}

}  // namespace

ClassCounts class_counts(Classes const& classes, std::span<Code const> codes, Code distinct, Checkpoint& checkpoint) {
  auto const rows = rows_by_code(codes, distinct, checkpoint);
  auto const count = static_cast<std::size_t>(classes.count());
  Vector<Code> last(count, kNoCode);
  ClassCounts made;
  made.begins.resize(count + 1);
  for (auto const row : rows) {
    ClassId const id = classes.class_of(row);
    if (id == kWithheld || last[static_cast<std::size_t>(id)] == codes[row]) continue;
    last[static_cast<std::size_t>(id)] = codes[row];
    ++made.begins[static_cast<std::size_t>(id) + 1];
  }
  for (std::size_t id = 1; id <= count; ++id) made.begins[id] += made.begins[id - 1];
  made.codes.resize(made.begins.back());
  made.counts.resize(made.begins.back());
  last.assign(count, kNoCode);
  Vector<std::size_t> next(made.begins.begin(), made.begins.end());
  for (auto const row : rows) {
    checkpoint.tick();
    if (classes.class_of(row) == kWithheld) continue;
    auto const id = static_cast<std::size_t>(classes.class_of(row));
    if (last[id] != codes[row]) made.codes[next[id]++] = last[id] = codes[row];
    ++made.counts[next[id] - 1];
  }
  return made;
}

}  // namespace anon_seq
