#include "core/table/dictionary.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace anon_seq {
namespace {

constexpr std::uint64_t kSeed = 0x9e3779b97f4a7c15ULL;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  auto product = static_cast<unsigned __int128>(a ^ kSeed) * (b ^ 0xd6e8feb86659fd93ULL);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

template <class Word>
std::uint64_t word_at(char const* from) {
  Word word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Up to eight bytes as a number, without a call of memcpy() for so few.
std::uint64_t load(char const* from, std::size_t length) {
  static_assert(std::endian::native == std::endian::little);
  if (length == 8) return word_at<std::uint64_t>(from);
  if (length >= 4) return word_at<std::uint32_t>(from) | word_at<std::uint32_t>(from + length - 4) << 8 * (length - 4);
  if (length >= 2) return word_at<std::uint16_t>(from) | word_at<std::uint16_t>(from + length - 2) << 8 * (length - 2);
  return length == 0 ? 0 : word_at<std::uint8_t>(from);
}

// memcmp() of some bytes costs a call; most values have few.
bool equal(std::string_view a, std::string_view b) {
  std::size_t const size = a.size();
  if (size != b.size()) return false;
  if (size < 8) return load(a.data(), size) == load(b.data(), size);
  if (size > 32) return a == b;
  for (std::size_t i = 0; i + 8 < size; i += 8)
    if (load(a.data() + i, 8) != load(b.data() + i, 8)) return false;
  return load(a.data() + size - 8, 8) == load(b.data() + size - 8, 8);
}

}  // namespace

std::uint64_t hash_bytes(std::string_view value) {
  std::uint64_t hash = (value.size() + 1) * 0xff51afd7ed558ccdULL;  // never kSeed, which mix() would turn into 0
  char const* at = value.data();
  std::size_t left = value.size();
  for (; left > 8; at += 8, left -= 8) hash = mix(hash, load(at, 8));
  return mix(hash, left == 0 ? 0 : load(at, left));
}

std::size_t Dictionary::slot_of(std::string_view value) const {
  std::size_t const mask = slots_.size() - 1;
  std::size_t slot = hash_bytes(value) & mask;
  while (slots_[slot] != kNoCode && !equal((*this)[slots_[slot]], value)) slot = (slot + 1) & mask;
  return slot;
}

void Dictionary::grow() {
  Vector<Code> old(slots_.empty() ? 16 : slots_.size() * 2, kNoCode);
  old.swap(slots_);
  for (Code code : old)
    if (code != kNoCode) slots_[slot_of((*this)[code])] = code;
}

void Dictionary::spell_out_starts() {
  Vector<std::uint64_t> starts;
  starts.reserve(static_cast<std::size_t>(size_) + 2);
  for (std::size_t code = 0; code <= static_cast<std::size_t>(size_); ++code) starts.push_back(start(code));
  starts_ = std::move(starts);
}

Code Dictionary::append(std::string_view value) {
  if (size() == std::numeric_limits<Code>::max() - 1)
    throw Error(Fault::kLimit, "too many distinct values in one column or taxonomy");
  Code const code = size();
  make_room(bytes_, value.size());
  if (code == 0) first_ = value.size();
  if (code == 1) width_ = value.size();
  if (code > 1 && starts_.empty() && value.size() != width_) spell_out_starts();
  if (!starts_.empty()) make_room(starts_, 1);
  bytes_.insert(bytes_.end(), value.begin(), value.end());
  if (!starts_.empty()) starts_.push_back(bytes_.size());
  ++size_;
  return code;
}

Code Dictionary::intern(std::string_view value) {
  // At most 3/4 full; hidden entries take no slot, so this errs on the roomy side.
  if (static_cast<std::size_t>(size()) * 4 >= slots_.size() * 3) grow();
  std::size_t const slot = slot_of(value);
  if (slots_[slot] == kNoCode) slots_[slot] = append(value);
  return slots_[slot];
}

void Dictionary::index() {
  slots_.assign(std::bit_ceil(static_cast<std::size_t>(size()) * 4 / 3 + 16), kNoCode);
  for (Code code = 1; code < size(); ++code) slots_[slot_of((*this)[code])] = code;
}

void Dictionary::clear() {
  bytes_.clear();
  starts_.clear();
  std::fill(slots_.begin(), slots_.end(), kNoCode);
  size_ = 0;
}

Code Dictionary::add_hidden(std::string_view shown) { return append(shown); }

Code Dictionary::find(std::string_view value) const { return slots_.empty() ? kNoCode : slots_[slot_of(value)]; }

}  // namespace anon_seq
