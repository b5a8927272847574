#include "release/heed.h"

#include <algorithm>

#include "catalog/population.h"
#include "pg/roles.h"
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
    {"lossy_join", "lossy_join", true, Owed::kNothing},    // it publishes once, or is told not to guard
    {"serial", "serial", true, Owed::kNothing},            // they share one budget
    {"serial", "serial", false, Owed::kNothing},           //
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

void require_heeded(PublishRun const& run, std::string const& detail) {
  require_owner_takes_part(run.session, run.policy);
  auto const& demands = *run.demands;
  auto all = demands.unguarded;  // the list given replaces the one before
  std::optional<std::string> first;
  for (auto const& release : run.population) {
    if (owed(run.policy, release) != Owed::kRefused || demands.leaves_out_refused(release.name, release.reference()))
      continue;
    bool const ours = has_rights_of(run.session, ledger_owner(run.session, release.ledger));
    if (!first) first = ours ? "release " + quoted(release.reference()) : "a release of another role";
    std::string const name = ours ? release.name : "*";
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }
  if (!first) return;
  throw Error(Fault::kUnsupported,
              "there is no joint guarantee with " + *first + " of population " + quoted(run.policy.population), detail,
              alter_statement(run.policy, "\"options\": {\"unguarded\": " + json_array(all, json_string) + "}") +
                  " leaves it out of account; audits will say so.");
}

bool is_measured(std::string const& method, Release const& other) { return find(method, other, false) == Owed::kRule; }

}  // namespace anon_seq::release
