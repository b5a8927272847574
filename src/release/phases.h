// What a running publish is at: INFO lines for verbose, and the text that pg_stat_activity shows.
#pragma once

#include <string>

#include "pg/guard.h"

namespace anon_seq::release {

class Phases {
 public:
  Phases(std::string policy, int phases, bool verbose);
  ~Phases();
  Phases(Phases const&) = delete;
  Phases& operator=(Phases const&) = delete;

  void begin(char const* phase);
  void end();

 private:
  std::string policy_;
  int phases_;
  bool verbose_;
  char const* phase_ = nullptr;
  int number_ = 0;
  std::int64_t began_ = 0;
};

}  // namespace anon_seq::release
