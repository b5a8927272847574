#include "core/table/number_codes.h"

#include <utility>

namespace anon_seq {
namespace {

// Neighbours stay neighbours as far as eight pages go; everything above is mixed.
std::size_t spread(std::int64_t page) {
  auto const low = static_cast<std::uint64_t>(page) & 7, high = static_cast<std::uint64_t>(page) >> 3;
  auto mixed = high * 0x9e3779b97f4a7c15ULL;
  mixed ^= mixed >> 32;
  return static_cast<std::size_t>(mixed << 3 | low);
}

}  // namespace

std::size_t NumberCodes::slot_of(std::int64_t page) const {
  std::size_t const mask = slots_.size() - 1;
  std::size_t slot = spread(page) & mask;
  while (slots_[slot].place >= 0 && slots_[slot].page != page) slot = (slot + 1) & mask;
  return slot;
}

void NumberCodes::grow() {
  auto const old = std::exchange(slots_, Vector<Slot>(slots_.empty() ? 64 : slots_.size() * 2));
  for (auto const& slot : old)
    if (slot.place >= 0) slots_[slot_of(slot.page)] = slot;
}

void NumberCodes::turn_to(std::int64_t page) {
  if (pages_.size() * 2 >= slots_.size()) grow();
  auto& slot = slots_[slot_of(page)];
  if (slot.place < 0) {
    slot = {page, static_cast<std::int32_t>(pages_.size())};
    Page fresh;
    fresh.fill(kNoCode);
    pages_.push_back(fresh);
  }
  last_page_ = page;
  last_ = static_cast<std::size_t>(slot.place);
}

}  // namespace anon_seq
