// How many values stayed: the guarantee is for values that are drawn anew, and diagnoses mostly stay.
#pragma once

#include "release/publish_run.h"
#include "serial/policy.h"

namespace anon_seq::serial {

struct Persistence {
  std::int64_t compared = 0, unchanged = 0;  // persons of the last version who are in the source, or a sample of them
};

// By the last version's ledger; all of its persons, or those of classes at random where they are many. REQUIRES: the
// dictionary of persons is indexed.
Persistence measure_persistence(PublishRun const& run, SourceTable const& source);

// A NOTICE, or a WARNING above the policy's share.
void tell_persistence(SerialPolicy const& demands, Persistence const& found);

}  // namespace anon_seq::serial
