#include "release/heed.h"

namespace anon_seq::release {
namespace {

// ours, theirs; what is not here is refused. Versions of one policy are `own`.
struct Pair {
  std::string_view ours, theirs;
  bool own;
  Owed owed;
};
constexpr Pair kPairs[] = {
    {"sequential", "sequential", true, Owed::kRule},
    {"sequential", "sequential", false, Owed::kRule},
    {"sequential", kRegistered, false, Owed::kRule},
    {"incremental", "incremental", true, Owed::kNothing},
};

Owed find(std::string_view ours, Release const& other, bool own) {
  for (auto const& pair : kPairs)
    if (pair.ours == ours && pair.theirs == other.method && pair.own == own) return pair.owed;
  return Owed::kRefused;
}

}  // namespace

Owed owed(Policy const& policy, Release const& other) { return find(policy.method, other, other.name == policy.name); }

bool is_measured(std::string const& method, Release const& other) { return find(method, other, false) == Owed::kRule; }

}  // namespace anon_seq::release
