// Values that were listed late: what earlier versions already told of them is charged from their old classes.
#pragma once

#include <map>

#include "serial/budget.h"

namespace anon_seq::serial {

// Adds what versions that count tell of listed values that no account is of, to `budget`. Returns it by the version
// whose state it belongs to, to be written there. Nothing where nothing can be new: the same lists as before, without a
// taxonomy that could have grown.
std::map<std::int32_t, Vector<Account>> add_past(PublishRun const& run, Budget& budget, PersonCodes& persons);

}  // namespace anon_seq::serial
