// Nothing useless is published silently: columns that show one value for everybody, much less detail than the version
// before, and what each further version of a policy that is measured against its own costs.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::release {

// NOTICEs, each for all columns. What they tell follows from what the version shows. REQUIRES: the draft is solved.
// Throws kDamaged if the note of the version before is not as it was written.
void tell_lost(PublishRun const& run, Draft& draft, Release const& release);

}  // namespace anon_seq::release
