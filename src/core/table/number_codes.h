// Numbers and their codes, for keys that mostly lie close together: whoever looks up neighbours one after the other
// finds them in the memory that he has just read. A dictionary of the same would spread them all over its table.
#pragma once

#include <array>

#include "core/table/dictionary.h"

namespace anon_seq {

class NumberCodes {
 public:
  // The code of a number, kNoCode until somebody sets it. Valid until the next call.
  Code& at(std::int64_t number) {
    auto const page = number >> kBits;
    if (page != last_page_ || pages_.empty()) turn_to(page);
    return pages_[last_][static_cast<std::size_t>(number & kMask)];
  }

  // A page takes as much as 16 codes: where most have one number only, a dictionary takes less.
  std::size_t pages() const { return pages_.size(); }

 private:
  static constexpr int kBits = 4;  // a page is a line of the cache
  static constexpr std::int64_t kMask = (1 << kBits) - 1;
  using Page = std::array<Code, 1 << kBits>;
  struct Slot {
    std::int64_t page = 0;
    std::int32_t place = -1;  // of the page; -1: empty
  };

  void turn_to(std::int64_t page);
  std::size_t slot_of(std::int64_t page) const;
  void grow();

  Vector<Page> pages_;
  Vector<Slot> slots_;  // open addressing, a power of two
  std::int64_t last_page_ = 0;
  std::size_t last_ = 0;
};

}  // namespace anon_seq
