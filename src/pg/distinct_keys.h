// How many persons there are, by the functions of their keys' type.
//
// Audits count by what DISTINCT would compare by, the hash and the equality of the type, not by the keys of
// value_type.h, by which a publish tells persons apart: a fault there must not be repeated here.
#pragma once

#include "core/base/memory.h"
//
#include "pg/context.h"

namespace anon_seq::pg {

class DistinctKeys {
 public:
  // Throws kDamaged for what is no type of keys: it comes from a ledger, which its owner may have altered.
  explicit DistinctKeys(Oid type);

  void clear();
  // REQUIRES: not NULL. Copies it.
  void add(Datum key);
  std::size_t size() const { return numbers_.size() + keys_.size(); }
  // Of those added, how many differ. Reorders them; cost: that of sorting numbers.
  std::int64_t count();

 private:
  struct Hashed {
    std::uint32_t hash;
    Datum key;
  };
  bool are_equal(Datum a, Datum b) const;

  Oid type_, collation_ = InvalidOid;
  FmgrInfo *hash_ = nullptr, *equal_ = nullptr;
  bool by_value_ = false;
  std::int16_t length_ = 0;
  ScratchContext scratch_;
  Vector<std::int64_t> numbers_;  // keys that are integers need no function to compare
  Vector<Hashed> keys_;           // others
};

}  // namespace anon_seq::pg
