// What a version costs: everybody in a class that has a bounded value is charged for it, whoever has it.
#pragma once

#include "core/lossy/sensitive.h"
#include "core/serial/purses.h"
#include "core/table/classes.h"

namespace anon_seq {

// Of this version alone: what everybody who is in a class with a bounded value meets, by row and bound. Persons without
// a class meet nothing. Cost: linear in rows and in what they meet.
Vector<Met> charges_of(Sensitive const& sensitive, Classes const& classes, Checkpoint& checkpoint);

// Both together: what was met before, and then. Each by row and bound, each pair once.
Vector<Met> paid(std::span<Met const> before, std::span<Met const> charges, Checkpoint& checkpoint);

// met: in the numbers of these rows and bounds.
inline Vector<Met> charged(std::span<Met const> met, Sensitive const& sensitive, Classes const& classes,
                           Checkpoint& checkpoint) {
  return paid(met, charges_of(sensitive, classes, checkpoint), checkpoint);
}

}  // namespace anon_seq
