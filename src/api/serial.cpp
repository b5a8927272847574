// SQL functions about serial policies: budget, forecast.
#include "core/numbers/rounded.h"
#include "pg/arguments.h"
#include "pg/lock_wait.h"
#include "pg/result_rows.h"
#include "release/ledger_format.h"
#include "serial/budget_look.h"
#include "serial/method.h"

namespace anon_seq::api {
namespace {

Policy serial_policy_called(SpiSession& session, std::string const& name, bool lock) {
  auto policy = load_policy(session, name, lock);
  if (policy.method != serial::kMethod.name)
    throw Error(Fault::kUnsupported, "policy " + quoted(name) + " is not serial", "Only serial policies have budgets.");
  return policy;
}

std::string real_text(double value) {
  char text[32];
  pg_snprintf(text, sizeof text, "%.6f", value);
  return text;
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_budget);
Datum anon_seq_budget(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const name = Arguments(fcinfo).text(0, "policy");
    begin_result(fcinfo);
    SpiSession session;
    for (auto const& line : serial::budget_lines(session, serial_policy_called(session, name, false))) {
      std::optional<std::string> left;
      if (line.left) left = std::to_string(*line.left);
      put_texts(fcinfo, {line.column, line.value, std::to_string(line.persons), line.largest,
                         std::to_string(line.spent), std::to_string(line.rows_for_one), left});
    }
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_forecast);
Datum anon_seq_forecast(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "policy");
    auto const versions = arguments.integer(1, "releases");
    if (versions < 1 || versions > 1000) throw Error(Fault::kParameter, "argument \"releases\" must be from 1 to 1000");
    std::optional<double> changing;
    if (arguments.has(2)) changing = DatumGetFloat8(arguments.datum(2, "changing"));
    if (changing && !(*changing >= 0 && *changing <= 1))
      throw Error(Fault::kParameter, "argument \"changing\" must be from 0 to 1",
                  "It is the share of persons whose sensitive values are drawn anew for each version.");
    begin_result(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    for (auto const& line :
         serial::forecast(session, serial_policy_called(session, name, false), versions, changing, checkpoint)) {
      bool const feasible = !line.reason;
      auto const number = [&](std::int64_t value) -> std::optional<std::string> {
        if (!feasible) return std::nullopt;
        return std::to_string(value);
      };
      std::optional<std::string> average, ncp;
      if (feasible) {
        average = real_text(static_cast<double>(line.published) / static_cast<double>(line.classes));
        ncp = real_text(line.ncp);
      }
      put_texts(fcinfo, {std::to_string(line.version), feasible ? "t" : "f", line.reason, number(line.published),
                         number(line.withheld), number(line.classes), number(line.smallest), average,
                         number(line.rows_for_one), ncp});
    }
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
