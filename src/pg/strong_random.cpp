#include "pg/strong_random.h"

#include "pg/guard.h"
//
#include "pg/pg_headers.h"

namespace anon_seq::pg {

std::uint64_t StrongRandom::next() {
  if (unused_.empty()) {
    unused_.resize(4096);
    if (!pg_strong_random(unused_.data(), unused_.size() * sizeof unused_[0]))
      throw Error(Fault::kInternal, "could not generate random numbers");
  }
  auto const number = unused_.back();
  unused_.pop_back();
  return number;
}

}  // namespace anon_seq::pg
