// SQL functions about ledgers that were restored or promoted.
#include "release/restored.h"

#include "pg/arguments.h"
#include "pg/lock_wait.h"
#include "pg/result_rows.h"

namespace anon_seq::api {

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_confirm_ledger);
Datum anon_seq_confirm_ledger(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const policy = arguments.text(0, "policy");
    auto const last = arguments.integer(1, "last_version");
    SpiSession session;
    confirm_ledger(session, policy, last);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_confirm_ledgers);
Datum anon_seq_confirm_ledgers(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const last = parse_json(arguments.has(0) ? arguments.printed(0, "last_versions", JSONBOID) : std::string("{}"),
                                 "last_versions");
    begin_result(fcinfo);
    SpiSession session;
    for (auto const& ledger : confirm_ledgers(session, last))
      put_texts(fcinfo, {ledger.policy, std::to_string(ledger.version), std::to_string(ledger.last),
                         std::to_string(ledger.lost)});
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_is_confirmed);
Datum anon_seq_is_confirmed(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const policy = Arguments(fcinfo).text(0, "policy");
    SpiSession session;
    return BoolGetDatum(is_confirmed(session, load_policy(session, policy, false)));
  });
}

}  // extern "C"

}  // namespace anon_seq::api
