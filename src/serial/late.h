// Values that were listed late: what earlier versions already told of them is charged from their old classes.
#pragma once

#include <map>

#include "serial/budget.h"

namespace anon_seq::serial {

// version -> bound -> as GroupCharges has it
using Worst = std::map<std::int32_t, std::map<std::int32_t, Ratio>>;

// What versions tell of values that were not listed then.
struct Past {
  std::map<std::int32_t, Vector<Account>> accounts;  // of the policy's own, by the version whose state they belong to
  std::map<std::string, Worst> worst;                // by ledger
};

// Adds what versions that count tell of listed values that no account is of, to `budget`; what the policy's own tell is
// returned too, to be written. Nothing where nothing can be new: the same lists as before, without a taxonomy that
// could have grown.
Past add_past(PublishRun const& run, Budget& budget, PersonCodes& persons);

}  // namespace anon_seq::serial
