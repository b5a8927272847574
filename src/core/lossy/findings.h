// What is worth telling the owner of a table before its classes are made: nothing here forbids anything.
#pragma once

#include "core/lossy/sensitive.h"

namespace anon_seq {

struct Finding {
  enum class Kind {
    kHalfShare,  // a bounded value has more than alpha/2 of the rows: no cut
    kHalfDealt,  // a block that is dealt has more than half of what the smallest classes can hold of it: no cut
    kAbsent,     // a listed value does not occur
    kAllEqual,   // a sensitive column has one value
    kNear        // singly bounded numbers lie close: `count` rows within a hundredth of the range, more than alpha
  };
  Kind kind = Kind::kHalfShare;
  std::size_t column = 0;
  Code code = kNoCode;     // kHalf...: of one value. kNoCode: several together. Not to be shown
  std::int64_t count = 0;  // rows
  bool operator==(Finding const&) const = default;
};

// In the order of columns and codes. k: of classes that are dealt, regional.h; none: no class is. Cost: linear in the
// rows and the values.
std::vector<Finding> findings_of(Sensitive const& sensitive, std::span<SensitiveColumn const> columns,
                                 std::optional<std::int64_t> k, Checkpoint& checkpoint);

}  // namespace anon_seq
