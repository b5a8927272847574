// SQL function that declares incremental policies.
#include "api/declaration.h"
#include "incremental/method.h"
#include "pg/lock_wait.h"

namespace anon_seq::api {

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_create_incremental_policy);
Datum anon_seq_create_incremental_policy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    JsonObject parameters;
    parameters.number("k", std::int64_t{arguments.integer(4, "k")});
    declare_policy(arguments, incremental::kMethod.name, 5, parameters);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
