// Arguments of SQL functions as C++ values.
//
// None of our functions is STRICT: a NULL where a value is needed is an error that names the argument,
// not a silent NULL.
#pragma once

#include <string>
#include <vector>

#include "pg/guard.h"

namespace anon_seq::pg {

class Arguments {
 public:
  explicit Arguments(FunctionCallInfo call) : call_(call) {}

  bool has(int number) const { return !call_->args[number].isnull; }

  // Each throws kParameter, naming the argument, if it is NULL.
  std::string text(int number, char const* name) const;
  std::int32_t integer(int number, char const* name) const;
  Oid relation(int number, char const* name) const;
  Datum datum(int number, char const* name) const;
  // Text form of the elements, in order; an element that is NULL is an error as well.
  std::vector<std::string> array(int number, char const* name) const;
  // A regclass[] without NULLs.
  std::vector<Oid> relations(int number, char const* name) const;
  // Text form of an argument of any type; kLimit if it is jsonb and not small.
  std::string printed(int number, char const* name, Oid type) const;

 private:
  FunctionCallInfo call_;
};

}  // namespace anon_seq::pg
