// What ends a script: an expectation that does not hold, or a line that makes no sense.
#pragma once

#include <stdexcept>
#include <string>

namespace anon_client {

struct Failure : std::runtime_error {
  explicit Failure(std::string const& what, int at = 0) : std::runtime_error(what), line(at) {}
  int line;  // of the script; 0 until somebody knows it
};

}  // namespace anon_client
