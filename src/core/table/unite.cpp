#include "core/table/unite.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace anon_seq {
namespace {

constexpr int kPartBits = 12;  // values in a part, about
constexpr std::uint64_t kFree = ~std::uint64_t{0};

// Values dealt into parts by the top bits of their hash: (low half of the hash, code), in the order of codes.
struct Parts {
  Vector<std::uint64_t> entries;
  Vector<std::uint32_t> ends;  // of each part

  Parts(Dictionary const& values, Checkpoint& checkpoint) {
    int const bits =
        std::max(1, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(values.size()))) - kPartBits);
    ends.assign(std::size_t{1} << bits, 0);
    auto part_of = [bits](std::uint64_t hash) { return hash >> (64 - bits); };
    for (Code code = 1; code < values.size(); ++code) {
      checkpoint.tick();
      ++ends[part_of(hash_bytes(values[code]))];
    }
    std::uint32_t sum = 0;
    for (auto& end : ends) end = std::exchange(sum, sum + end);
    entries.resize(sum);
    for (Code code = 1; code < values.size(); ++code) {
      checkpoint.tick();
      std::uint64_t const hash = hash_bytes(values[code]);
      entries[ends[part_of(hash)]++] = hash << 32 | static_cast<std::uint32_t>(code);
    }
  }
};

// Calls repeated(code, earlier) for each value of a part that an earlier one equals.
template <class Repeated>
void find_repeated(std::span<std::uint64_t const> part, Dictionary const& values, Vector<std::uint64_t>& slots,
                   Repeated repeated) {
  slots.assign(std::bit_ceil(part.size() * 2), kFree);
  std::size_t const mask = slots.size() - 1;
  for (auto const entry : part) {
    auto const code = static_cast<Code>(entry & 0xffffffffU);
    std::size_t slot = (entry >> 32) & mask;
    for (; slots[slot] != kFree; slot = (slot + 1) & mask) {
      auto const earlier = static_cast<Code>(slots[slot] & 0xffffffffU);
      if (slots[slot] >> 32 != entry >> 32 || values[earlier] != values[code]) continue;
      repeated(code, earlier);
      break;
    }
    if (slots[slot] == kFree) slots[slot] = entry;
  }
}

// first[code] is the first code with the same value; empty if all values differ.
Vector<Code> first_codes(Dictionary const& values, Checkpoint& checkpoint) {
  Vector<Code> first;
  Vector<std::uint64_t> slots;
  Parts const parts(values, checkpoint);
  std::size_t begin = 0;
  for (std::size_t const end : parts.ends) {
    checkpoint.poll();
    find_repeated({parts.entries.data() + begin, end - begin}, values, slots, [&](Code code, Code earlier) {
      if (first.empty())
        for (Code c = 0; c < values.size(); ++c) first.push_back(c);
      first[static_cast<std::size_t>(code)] = earlier;
    });
    begin = end;
  }
  return first;
}

}  // namespace

void unite_equal(Column& column, Checkpoint& checkpoint) {
  auto renamed = first_codes(column.values, checkpoint);
  if (renamed.empty()) return;
  Dictionary values;
  values.add_hidden(column.values[kNull]);
  for (Code code = 1; code < column.distinct(); ++code) {
    checkpoint.tick();
    auto& name = renamed[static_cast<std::size_t>(code)];
    name = name == code ? values.add_hidden(column.values[code]) : renamed[static_cast<std::size_t>(name)];
  }
  for (Code& code : column.codes) code = renamed[static_cast<std::size_t>(code)];
  column.values = std::move(values);
}

}  // namespace anon_seq
