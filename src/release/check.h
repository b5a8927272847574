// A line of an audit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anon_seq::release {

struct Check {
  std::string name;   // rows, classes, anonymity, linkability, dangling, nested, inference, ledger, unguarded, ...
  std::string scope;  // a release, and what is checked of it; or a policy
  std::string required, observed;
  bool ok = false;
  std::int64_t offending = 0;
  std::string detail = "{}";  // json
};

using Checks = std::vector<Check>;

}  // namespace anon_seq::release
