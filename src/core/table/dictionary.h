// Distinct byte strings and their codes 0, 1, 2, ... in the order of first sight.
//
// The one map of the project: labels of a taxonomy, distinct values of a column. Bytes lie end to end in
// one arena, the hash table holds codes only; about 20 bytes a value besides the bytes themselves, 8 less while all
// values but the first have one length, as the keys of numbers do.
// A code stays valid for the life of the dictionary; a string_view only until the next intern().
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/memory.h"

namespace anon_seq {

using Code = std::int32_t;
inline constexpr Code kNoCode = -1;

class Dictionary {
 public:
  // The code of `value`, which is added if it is new.
  Code intern(std::string_view value);

  // Adds an entry that find() never returns: the NULL of a column.
  Code add_hidden(std::string_view shown);

  // Makes find() know the entries that add_hidden() appended, all but the first. REQUIRES: they differ.
  void index();
  // Forgets all entries, but keeps their room.
  void clear();

  // Makes find() know nothing again, and frees what that took. REQUIRES: no more intern().
  void forget_index() { give_back(slots_); }

  // The code of `value`, or kNoCode.
  Code find(std::string_view value) const;

  // REQUIRES: 0 <= code < size().
  std::string_view operator[](Code code) const {
    auto const begin = start(static_cast<std::size_t>(code));
    return {bytes_.data() + begin, start(static_cast<std::size_t>(code) + 1) - begin};
  }
  // Where find() of a value with this hash begins to look: its code, another, or kNoCode. REQUIRES: index() or
  // intern().
  Code guess(std::uint64_t hash) const { return slots_[hash & (slots_.size() - 1)]; }
  // Two steps towards (*this)[code] for whoever visits codes in no order: the second a while after the first.
  void prefetch_place(Code code) const {
    if (!starts_.empty()) __builtin_prefetch(&starts_[static_cast<std::size_t>(code)]);
  }
  void prefetch_bytes(Code code) const { __builtin_prefetch(bytes_.data() + start(static_cast<std::size_t>(code))); }

  Code size() const { return size_; }

 private:
  std::size_t slot_of(std::string_view value) const;
  void grow();
  Code append(std::string_view value);

  // Where the bytes of a code begin; those of the code before it end there.
  std::size_t start(std::size_t code) const {
    if (!starts_.empty()) return starts_[code];
    return code == 0 ? 0 : first_ + (code - 1) * width_;
  }
  void spell_out_starts();

  Vector<char> bytes_;
  Code size_ = 0;
  std::size_t first_ = 0, width_ = 0;  // length of the first value, and of each other
  Vector<std::uint64_t> starts_;       // empty while that holds; then starts_[c] .. starts_[c+1] are c's bytes
  Vector<Code> slots_;                 // open addressing, a power of two, kNoCode where empty
};

// A hash of short strings, the same on every machine and in every run. Cost: linear.
std::uint64_t hash_bytes(std::string_view value);

}  // namespace anon_seq
