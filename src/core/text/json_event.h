// What a JSON parser met, in order: the server has one, and so have the tests; the core reads what they found.
#pragma once

#include <string_view>

namespace anon_seq {

struct JsonEvent {
  enum Kind : char { kObject, kObjectEnd, kArray, kArrayEnd, kKey, kString, kNumber, kOther };
  Kind kind;
  std::string_view text;  // of a key, string, number or literal, escapes resolved
};

}  // namespace anon_seq
