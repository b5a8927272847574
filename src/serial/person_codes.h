// Persons of ledgers as codes of one dictionary.
#pragma once

#include "core/table/number_codes.h"
//
#include "pg/value_type.h"

namespace anon_seq::serial {

class PersonCodes {
 public:
  // The dictionary has different keys, and outlives this. Keys that are numbers are found here, not by it.
  PersonCodes(Dictionary& keys, ValueType type) : keys_(keys), type_(type) {
    call_pg([this]() noexcept { array_ = get_array_type(type_.type); });
    switch (type.kind) {
      case ValueKind::kBoolean:
      case ValueKind::kEnum:
      case ValueKind::kInteger:
      case ValueKind::kDate:
      case ValueKind::kTimestamp:
      case ValueKind::kTimestampTz: are_numbers_ = true; break;
      default: break;
    }
    if (!are_numbers_) {
      keys_.index();
      return;
    }
    for (Code code = 1; code < keys_.size() && are_numbers_; ++code) {
      numbers_.at(integer_of(keys_[code])) = code;
      give_up_if_sparse(static_cast<std::size_t>(code));
    }
  }
  PersonCodes(PersonCodes const&) = delete;
  PersonCodes& operator=(PersonCodes const&) = delete;

  Oid array_type() const { return array_; }
  // Added if it is new.
  Code of(Datum key) {
    char buffer[8];
    auto const bytes = key_of(type_, key, buffer, "person");
    if (!are_numbers_) return keys_.intern(bytes);
    auto& entry = numbers_.at(integer_of(bytes));
    if (entry == kNoCode) entry = keys_.add_hidden(bytes);
    Code const code = entry;
    give_up_if_sparse(size());
    return code;
  }
  // kNoCode if it is new.
  Code find(Datum key) {
    char buffer[8];
    auto const bytes = key_of(type_, key, buffer, "person");
    return are_numbers_ ? numbers_.at(integer_of(bytes)) : keys_.find(bytes);
  }
  std::size_t size() const { return static_cast<std::size_t>(keys_.size()); }

 private:
  // Keys that lie far apart are found by the dictionary.
  void give_up_if_sparse(std::size_t keys) {
    constexpr std::size_t kMany = 1 << 20;  // 64 MB
    if (numbers_.pages() < kMany || numbers_.pages() < keys / 4) return;
    are_numbers_ = false;
    numbers_ = NumberCodes();
    keys_.index();
  }

  Dictionary& keys_;
  ValueType type_;
  Oid array_ = InvalidOid;
  bool are_numbers_ = false;
  NumberCodes numbers_;
};

}  // namespace anon_seq::serial
