#include "release/heed.h"

#include "release/followable.h"

namespace anon_seq::release {
namespace {

// ours, theirs; what is not here is refused. Versions of one policy are `own`.
struct Pair {
  std::string_view ours, theirs;
  bool own;
  Owed owed;
};
constexpr Pair kPairs[] = {
    {"sequential", "sequential", true, Owed::kRule},       //
    {"sequential", "sequential", false, Owed::kRule},      //
    {"sequential", kRegistered, false, Owed::kRule},       //
    {"incremental", "incremental", true, Owed::kNothing},  //
#ifdef ANON_SEQ_SELFTEST
    {"projections", "projections", true, Owed::kNothing},
#endif
};

Owed find(std::string_view ours, Release const& other, bool own) {
  for (auto const& pair : kPairs)
    if (pair.ours == ours && pair.theirs == other.method && pair.own == own) return pair.owed;
  return Owed::kRefused;
}

}  // namespace

Owed owed(Policy const& policy, Release const& other) { return find(policy.method, other, other.name == policy.name); }

void require_heeded(PublishRun const& run) {
  if (run.demands->leaves_out_all()) return;
  for (auto const& release : run.population)
    if (owed(run.policy, release) == Owed::kRefused && !run.demands->leaves_out(release.name, release.reference()))
      throw Error(Fault::kUnsupported,
                  "there is no joint guarantee with release " + quoted(release.reference()) + " of population " +
                      quoted(run.policy.population),
                  "",
                  alter_statement(run.policy, "\"options\": {\"unguarded\": [" + json_string(release.name) + "]}") +
                      " leaves it out of account; audits will say so.");
}

bool is_measured(std::string const& method, Release const& other) { return find(method, other, false) == Owed::kRule; }

}  // namespace anon_seq::release
