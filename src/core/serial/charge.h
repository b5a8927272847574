// What a version costs: everybody in a class that has a bounded value is charged for it, whoever has it.
#pragma once

#include "core/lossy/sensitive.h"
#include "core/serial/purses.h"
#include "core/table/classes.h"

namespace anon_seq {

// met, with this version's classes: in the order of rows and bounds. met: likewise, as make_purses() takes it. Persons
// without a class are not charged. Cost: linear.
Vector<Met> charged(std::span<Met const> met, Sensitive const& sensitive, Classes const& classes,
                    Checkpoint& checkpoint);

}  // namespace anon_seq
