// Persons of ledgers as codes of one dictionary.
#pragma once

#include "core/table/dictionary.h"
//
#include "pg/value_type.h"

namespace anon_seq::serial {

class PersonCodes {
 public:
  // The dictionary finds what it holds (Dictionary::index), and outlives this.
  PersonCodes(Dictionary& keys, ValueType type) : keys_(keys), type_(type) {
    call_pg([this]() noexcept { array_ = get_array_type(type_.type); });
  }

  Oid array_type() const { return array_; }
  // Added if it is new.
  Code of(Datum key) {
    char buffer[8];
    return keys_.intern(key_of(type_, key, buffer, "person"));
  }
  std::size_t size() const { return static_cast<std::size_t>(keys_.size()); }

 private:
  Dictionary& keys_;
  ValueType type_;
  Oid array_ = InvalidOid;
};

}  // namespace anon_seq::serial
