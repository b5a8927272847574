// What the core says when it cannot go on.
//
// The core knows no SQLSTATE and no server: it throws an Error of one Fault, with the four parts that
// a PostgreSQL message has. Only pg/guard.cpp turns a Fault into a code. A message is lower case without
// a full stop and shows no cell value of a source; detail and hint are full sentences.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

// Said here, as every file includes this one: sums and products are checked in 128 bits, which only such machines have.
static_assert(sizeof(void*) == 8, "anon_seq needs a 64-bit machine");

namespace anon_seq {

enum class Fault {
  kParameter,    // an argument is out of range or of the wrong shape
  kData,         // the data handed over break a rule: unknown value, two roots, NaN
  kNoColumn,     // a column that the relation does not have
  kNoObject,     // a taxonomy, policy or release that does not exist, or that the caller may not see
  kExists,       // an object of that name exists already
  kInUse,        // refused while something depends on it
  kLocked,       // somebody else holds what is needed, for longer than is waited
  kReadOnly,     // a standby, or a read-only transaction
  kState,        // refused until somebody does or says something first
  kPrivilege,    // the caller lacks a right
  kName,         // a name is longer than 63 bytes
  kType,         // a column of a type that cannot be used so
  kUnsupported,  // meaningful, but not offered
  kLimit,        // a documented limit or anon_seq.max_memory
  kDamaged,      // what the catalog or a ledger holds was altered by somebody
  kBroken,       // a release that breaks what its policy promises
  kInternal,     // cannot happen
};

class Error : public std::exception {
 public:
  Error(Fault fault, std::string message, std::string detail = {}, std::string hint = {})
      : fault_(fault), message_(std::move(message)), detail_(std::move(detail)), hint_(std::move(hint)) {}

  Fault fault() const { return fault_; }
  char const* what() const noexcept override { return message_.c_str(); }
  std::string const& detail() const { return detail_; }
  std::string const& hint() const { return hint_; }

 private:
  Fault fault_;
  std::string message_, detail_, hint_;
};

// name in double quotes, as PostgreSQL's messages quote names.
inline std::string quoted(std::string_view name) { return '"' + std::string(name) + '"'; }

// At most so many bytes, no UTF-8 character cut in two, "..." where something is missing.
inline std::string clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (text[most] & 0xc0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "...";
}

}  // namespace anon_seq
