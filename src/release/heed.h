// What releases of several methods owe each other, in one table.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::release {

enum class Owed {
  kRule,     // it is measured against the other one, which a rule must name
  kNothing,  // its method guards it together with the other one by itself
  kRefused   // no joint guarantee is known: it has to be left out of account, of which audits tell
};

// What a version of a policy owes a release of the same population.
Owed owed(Policy const& policy, Release const& other);

// Throws kUnsupported if the population has releases that the policy has no guarantee with and does not leave out of
// account, kPrivilege if its owner takes no part there; `detail` says what its method guards. The hint leaves out all
// of them, those of other roles by "*". Each publish asks once it is solved; a method may ask before.
void require_heeded(PublishRun const& run, std::string const& detail = {});

// Whether releases of a method can be measured against a release by rules.
bool is_measured(std::string const& method, Release const& other);

}  // namespace anon_seq::release
