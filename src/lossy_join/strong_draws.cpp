#include "lossy_join/strong_draws.h"

#include <memory>

#include "pg/guard.h"
//
#include "pg/pg_headers.h"

namespace anon_seq::lossy_join {
namespace {

class Numbers {
 public:
  std::uint64_t next() {
    if (unused_.empty()) {
      unused_.resize(4096);
      if (!pg_strong_random(unused_.data(), unused_.size() * sizeof unused_[0]))
        throw Error(Fault::kInternal, "could not generate random numbers");
    }
    auto const number = unused_.back();
    unused_.pop_back();
    return number;
  }

 private:
  Vector<std::uint64_t> unused_;
};

}  // namespace

Draws strong_draws() {
  return Draws([numbers = std::make_shared<Numbers>()] { return numbers->next(); });
}

}  // namespace anon_seq::lossy_join
