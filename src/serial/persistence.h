// How many values stayed: the guarantee is for values that are drawn anew, and diagnoses mostly stay.
#pragma once

#include "release/publish_run.h"
#include "serial/person_codes.h"
#include "serial/policy.h"

namespace anon_seq::serial {

struct Persistence {
  std::int64_t compared = 0, unchanged = 0;  // persons of the last version who are in the source, or a sample of them
  bool of_another = false;                   // policy of the population, which made that version
};

// By the ledger of the population's last version that shows such values; all of its persons, or those of classes at
// random where they are many. persons: of the source.
Persistence measure_persistence(PublishRun const& run, SourceTable const& source, PersonCodes& persons);

// A NOTICE, or a WARNING above the policy's share.
void tell_persistence(SerialPolicy const& demands, Persistence const& found);

}  // namespace anon_seq::serial
