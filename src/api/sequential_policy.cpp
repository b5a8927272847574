// SQL function that declares sequential policies.
#include "api/declaration.h"
#include "pg/lock_wait.h"
#include "sequential/method.h"

namespace anon_seq::api {

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_create_sequential_policy);
Datum anon_seq_create_sequential_policy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    JsonObject parameters;
    if (arguments.has(4)) parameters.number("k", std::int64_t{arguments.integer(4, "k")});
    if (arguments.has(5)) {
      auto const max_link = arguments.printed(5, "max_link", NUMERICOID);
      if (max_link == "NaN" || max_link.ends_with("Infinity"))
        throw Error(Fault::kParameter, "argument \"max_link\" must be above 0 and at most 1");
      parameters.add("max_link", max_link);
    }
    if (arguments.has(6)) parameters.add("rules", arguments.printed(6, "rules", JSONBOID));
    if (arguments.has(7)) parameters.text("label", arguments.text(7, "label"));
    if (arguments.has(8)) parameters.text("objective", arguments.text(8, "objective"));
    if (arguments.has(9)) parameters.add("previous", json_array(arguments.array(9, "previous"), json_string));
    if (arguments.has(16)) {
      auto const share = arguments.printed(16, "max_suppressed", NUMERICOID);
      if (share == "NaN" || share.ends_with("Infinity"))
        throw Error(Fault::kParameter, "argument \"max_suppressed\" must be at least 0 and below 1");
      parameters.add("max_suppressed", share);
    }
    declare_policy(arguments, sequential::kMethod.name, 10, parameters);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
