// SQL function that declares lossy joins.
#include "api/declaration.h"
#include "lossy_join/method.h"
#include "pg/lock_wait.h"

namespace anon_seq::api {

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_create_lossy_join_policy);
Datum anon_seq_create_lossy_join_policy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    JsonObject parameters;
    if (arguments.has(5)) {
      auto const alpha = arguments.printed(5, "alpha", NUMERICOID);
      if (alpha == "NaN" || alpha.ends_with("Infinity"))
        throw Error(Fault::kParameter, "argument \"alpha\" must be above 0 and at most 1");
      parameters.add("alpha", alpha);
    }
    if (arguments.has(6)) parameters.number("k", std::int64_t{arguments.integer(6, "k")});
    parameters.text("form", arguments.text(7, "form"));
    if (arguments.has(8)) parameters.text("classes", arguments.text(8, "classes"));
    if (arguments.has(9)) parameters.number("l", std::int64_t{arguments.integer(9, "l")});
    if (arguments.has(10))
      parameters.add("sensitive_values", json_array(arguments.array(10, "sensitive_values"), json_string));
    declare_policy(arguments, lossy_join::kMethod.name, 10, parameters, 4);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
