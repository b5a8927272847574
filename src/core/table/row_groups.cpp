#include "core/table/row_groups.h"

#include <limits>

namespace anon_seq {
namespace {

std::uint64_t spread(std::uint64_t key) {
  key *= 0x9e3779b97f4a7c15ULL;
  return key ^ key >> 29;
}

// Keys below this many are numbered through a table instead of by hashing.
std::uint64_t direct_limit(std::size_t rows) { return rows + 65536; }

struct Packing {
  std::size_t columns = 0;  // how many of the keys are packed
  std::uint64_t space = 1;  // product of their bounds
};

Packing pack(std::span<KeyColumn const> keys, std::uint64_t groups) {
  Packing packing{0, groups};
  while (packing.columns < keys.size()) {
    auto const bound = static_cast<std::uint64_t>(keys[packing.columns].bound);
    if (bound != 0 && packing.space > std::numeric_limits<std::uint64_t>::max() / bound) break;
    packing.space *= bound;
    ++packing.columns;
  }
  return packing;
}

}  // namespace

std::size_t Interner::slot_of(std::uint64_t key) const {
  std::size_t const mask = slots_.size() - 1;
  std::size_t slot = spread(key) & mask;
  while (slots_[slot] >= 0 && keys_[static_cast<std::size_t>(slots_[slot])] != key) slot = (slot + 1) & mask;
  return slot;
}

void Interner::grow() {
  std::size_t const size = slots_.empty() ? 64 : slots_.size() * 2;
  give_back(slots_);  // given back before the larger one is asked for
  slots_.resize(size, -1);
  for (std::size_t i = 0; i < keys_.size(); ++i) slots_[slot_of(keys_[i])] = static_cast<std::int32_t>(i);
}

std::int32_t Interner::intern(std::uint64_t key) {
  if (keys_.size() * 4 >= slots_.size() * 3) grow();
  std::size_t const slot = slot_of(key);
  if (slots_[slot] < 0) {
    if (keys_.size() == static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw Error(Fault::kLimit, "too many distinct combinations of values");
    slots_[slot] = static_cast<std::int32_t>(keys_.size());
    keys_.push_back(key);
  }
  return slots_[slot];
}

std::int32_t Interner::find(std::int32_t a, std::int32_t b) const {
  if (slots_.empty()) return -1;
  return slots_[slot_of(static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 |
                        static_cast<std::uint32_t>(b))];
}

RowGroups group_rows(std::size_t rows, std::span<KeyColumn const> keys, Checkpoint& checkpoint) {
  RowGroups groups;
  groups.of_row.assign(rows, 0);
  if (rows == 0) return groups;
  groups.first_row.push_back(0);
  while (!keys.empty()) {
    Packing const packing = pack(keys, groups.count());
    if (packing.columns == 0) throw Error(Fault::kLimit, "too many distinct combinations of values");
    bool const direct = packing.space <= direct_limit(rows);
    Vector<std::int32_t> table(direct ? packing.space : 0, -1);
    Interner hashed;
    groups.first_row.clear();
    for (std::size_t row = 0; row < rows; ++row) {
      checkpoint.tick();
      auto key = static_cast<std::uint64_t>(groups.of_row[row]);
      for (auto const& column : keys.first(packing.columns))
        key = key * static_cast<std::uint64_t>(column.bound) + static_cast<std::uint64_t>(column.of(row));
      auto const next = static_cast<std::int32_t>(groups.count());
      std::int32_t group;
      if (direct) {
        if (table[key] < 0) table[key] = next;
        group = table[key];
      } else {
        group = hashed.intern(key);
      }
      if (group == next) groups.first_row.push_back(static_cast<std::uint32_t>(row));
      groups.of_row[row] = group;
    }
    keys = keys.subspan(packing.columns);
  }
  return groups;
}

}  // namespace anon_seq
