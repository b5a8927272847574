// What a running publish is at: INFO lines for verbose, and the text that pg_stat_activity shows. A preview says
// nothing.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pg/guard.h"

namespace anon_seq::release {

class Phases {
 public:
  // `method`: those of the method, in order, up to the algorithm; what follows is the same for all. None: says nothing.
  Phases(std::string policy, std::span<char const* const> method, bool verbose);
  ~Phases();
  Phases(Phases const&) = delete;
  Phases& operator=(Phases const&) = delete;

  void begin(std::string_view phase);  // REQUIRES: one of them
  void end();

 private:
  std::string policy_;
  std::vector<char const*> phases_;
  bool verbose_;
  char const* phase_ = nullptr;
  std::int64_t began_ = 0;
};

}  // namespace anon_seq::release
