// Random numbers of the server's, that nobody can foretell; fetched in blocks.
#pragma once

#include <cstdint>

#include "core/base/memory.h"

namespace anon_seq::pg {

class StrongRandom {
 public:
  std::uint64_t next();  // uniform

 private:
  Vector<std::uint64_t> unused_;
};

}  // namespace anon_seq::pg
