// A version of a serial policy with classes for life in the making.
//
// Who has a place keeps it. The others are grouped among themselves, by regions that are dealt (regional.h), each
// listed value at most 1/l of a class: so what is read of sensitive values is read of new classes as a whole. Whether
// newcomers are grouped now or wait follows from their number alone: fewer than cohort_min times m wait, m = max(k, l
// rounded up). If they cannot be grouped the whole version is refused: who is new would else be told by who is missing.
#pragma once

#include "release/publish_run.h"

namespace anon_seq::serial {

std::unique_ptr<Draft> make_lives_draft(PublishRun const& run);

}  // namespace anon_seq::serial
