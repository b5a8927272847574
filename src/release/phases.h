// What a running publish, or preview, is at: INFO lines for verbose, and what pg_stat_activity shows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pg/progress.h"

namespace anon_seq::release {

class Phases {
 public:
  // `work`: publish or preview. `method`: phases of the method, in order, up to the algorithm; what a publish does then
  // is the same for all. None: says nothing.
  Phases(char const* work, std::string policy, std::span<char const* const> method, bool verbose);
  ~Phases();
  Phases(Phases const&) = delete;
  Phases& operator=(Phases const&) = delete;

  void begin(std::string_view phase);  // REQUIRES: one of them
  void end();

 private:
  std::string policy_;
  std::vector<char const*> phases_;
  bool verbose_;
  std::optional<Progress> progress_;
  char const* phase_ = nullptr;
  std::int64_t began_ = 0;
};

}  // namespace anon_seq::release
