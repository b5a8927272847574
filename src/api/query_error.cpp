// The SQL function query_error: how far counts over a release are off.
#include "audit/query_error.h"

#include <charconv>

#include "core/numbers/decimal.h"
#include "core/numbers/rounded.h"
//
#include "pg/arguments.h"
#include "pg/result_rows.h"
#include "release/method.h"
#include "release/release_audit.h"

namespace anon_seq::api {
namespace {

std::int64_t at_least_one(Arguments const& arguments, int number, char const* name) {
  auto const value = arguments.integer(number, name);
  if (value < 1)
    throw Error(Fault::kParameter, "argument " + quoted(name) + " must be at least 1",
                "It is " + std::to_string(value) + ".");
  return value;
}

double selectivity_argument(Arguments const& arguments, int number) {
  auto const text = arguments.printed(number, "selectivity", NUMERICOID);
  bool const in_range =
      !normal_decimal(text).empty() && compare_decimals(text, "0") > 0 && compare_decimals(text, "1") <= 0;
  if (!in_range)
    throw Error(Fault::kParameter, "argument \"selectivity\" must be above 0 and at most 1", "It is " + text + ".",
                "It is the share of the rows that a query would meet if columns were independent.");
  double value = 0;  // of what no double can hold
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Release asked_release(SpiSession& session, std::string const& reference) {
  auto release = find_release(session, reference);
  auto const name = quoted(release.reference());
  if (release.is_registered())
    throw Error(Fault::kUnsupported, "release " + name + " was registered, not made here",
                "Nothing is known of which of its columns are sensitive.");
  if (release.withdrawn) throw Error(Fault::kParameter, "release " + name + " was withdrawn");
  if (release.retired)
    throw Error(Fault::kParameter, "release " + name + " is retired", "", "Ask for a version that is still shown.");
  return release;
}

std::optional<std::string> shown(std::optional<double> measure) {
  return measure ? std::optional(rounded_text(*measure)) : std::nullopt;
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_query_error);
Datum anon_seq_query_error(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const reference = arguments.text(0, "release");
    Oid const original = arguments.relation(1, "original");
    WorkloadDemands demands;
    demands.queries = at_least_one(arguments, 2, "queries");
    demands.dimensions = static_cast<std::size_t>(at_least_one(arguments, 3, "dimensions"));
    demands.selectivity = selectivity_argument(arguments, 4);
    demands.seed = static_cast<std::uint64_t>(arguments.integer(5, "seed"));
    begin_result(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    auto const release = asked_release(session, reference);
    bool const generalized =
        !release.is_projected() || method_of(release).labels(policy_at(Policy(), release)) != nullptr;
    auto const found = measure_query_errors(session, release, generalized, original, demands, checkpoint);
    for (auto const& of : found.estimators)
      put_texts(fcinfo, {of.estimator, std::to_string(found.answered), std::to_string(found.skipped), shown(of.mean),
                         shown(of.median), shown(of.max), shown(of.low), shown(of.high)});
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
