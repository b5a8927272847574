#include "pg/distinct_keys.h"

#include <algorithm>

extern "C" {
#include "utils/datum.h"
}

namespace anon_seq::pg {

DistinctKeys::DistinctKeys(Oid type) : type_(type) {
  call_pg([this]() noexcept {
    if (!OidIsValid(type_)) return;
    auto* const known = lookup_type_cache(type_, TYPECACHE_HASH_PROC_FINFO | TYPECACHE_EQ_OPR_FINFO);
    hash_ = &known->hash_proc_finfo;
    equal_ = &known->eq_opr_finfo;
    collation_ = known->typcollation;
    by_value_ = known->typbyval;
    length_ = known->typlen;
  });
  if (hash_ == nullptr || !OidIsValid(hash_->fn_oid) || !OidIsValid(equal_->fn_oid))
    throw Error(Fault::kDamaged, "a table of a ledger was altered", "It does not hold the keys of persons any more.");
}

void DistinctKeys::clear() {
  numbers_.clear();
  keys_.clear();
  scratch_.reset();
}

void DistinctKeys::add(Datum key) {
  if (type_ == INT4OID) return numbers_.push_back(DatumGetInt32(key));
  if (type_ == INT8OID) return numbers_.push_back(DatumGetInt64(key));
  Hashed hashed{};
  call_pg([&]() noexcept {
    MemoryContext const home = MemoryContextSwitchTo(scratch_.get());
    hashed = {DatumGetUInt32(FunctionCall1Coll(hash_, collation_, key)), datumCopy(key, by_value_, length_)};
    MemoryContextSwitchTo(home);
  });
  keys_.push_back(hashed);
}

std::int64_t DistinctKeys::count() {
  InterruptCheckpoint checkpoint;
  std::sort(numbers_.begin(), numbers_.end(), [&](auto a, auto b) {
    checkpoint.tick();
    return a < b;
  });
  std::int64_t distinct = std::unique(numbers_.begin(), numbers_.end()) - numbers_.begin();
  std::sort(keys_.begin(), keys_.end(), [&](auto const& a, auto const& b) {
    checkpoint.tick();
    return a.hash < b.hash;
  });
  for (std::size_t begin = 0, i = 0; i < keys_.size(); ++i) {
    checkpoint.tick();
    if (keys_[i].hash != keys_[begin].hash) begin = i;
    bool met = false;
    for (std::size_t j = begin; j < i && !met; ++j) met = are_equal(keys_[j].key, keys_[i].key);
    distinct += !met;
  }
  return distinct;
}

bool DistinctKeys::are_equal(Datum a, Datum b) const {
  bool equal = false;
  call_pg([&]() noexcept { equal = DatumGetBool(FunctionCall2Coll(equal_, collation_, a, b)); });
  return equal;
}

}  // namespace anon_seq::pg
