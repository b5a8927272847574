// SQL function that declares serial policies.
#include "api/declaration.h"
#include "pg/lock_wait.h"
#include "serial/method.h"

namespace anon_seq::api {

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_create_serial_policy);
Datum anon_seq_create_serial_policy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    JsonObject parameters;
    if (arguments.has(5))
      parameters.add("sensitive_values", json_array(arguments.array(5, "sensitive_values"), json_string));
    auto const l = arguments.printed(6, "l", NUMERICOID);
    if (l == "NaN" || l.ends_with("Infinity"))
      throw Error(Fault::kParameter, "argument \"l\" must be above 1 and at most 1000");
    parameters.add("l", l);
    parameters.text("form", arguments.text(7, "form"));
    if (arguments.has(8)) parameters.text("plan", arguments.text(8, "plan"));
    if (arguments.has(9)) parameters.number("horizon", std::int64_t{arguments.integer(9, "horizon")});
    if (arguments.has(10)) parameters.text("persistence", arguments.text(10, "persistence"));
    declare_policy(arguments, serial::kMethod.name, 10, parameters, 4);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
