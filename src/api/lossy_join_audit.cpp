// SQL function that measures what a reader of lossy joins learns who knows the code: audit_minimality.
#include <cmath>

#include "core/numbers/decimal.h"
//
#include "lossy_join/minimality.h"
#include "pg/arguments.h"
#include "pg/result_rows.h"

namespace anon_seq::api {
namespace {

// To six places.
std::string decimal(double value) { return decimal_text(std::llround(value * 1e6), 6); }

std::optional<std::string> share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return decimal(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_audit_minimality);
Datum anon_seq_audit_minimality(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const reference = arguments.text(0, "release");
    std::int64_t const runs = arguments.integer(1, "runs");
    lossy_join::MinimalityFinding found;
    {
      SpiSession session;
      found = lossy_join::audit_minimality(session, find_release(session, reference), runs);
    }
    std::optional<std::string> worst, at_least, above;
    if (found.exposure) {
      worst = decimal(found.exposure->worst);
      at_least = decimal(found.exposure->at_least);
      above = std::to_string(found.exposure->above);
    }
    return make_row(fcinfo, {found.exact ? "t" : "f", std::to_string(found.tried), std::to_string(found.accepted),
                             share(found.accepted, found.tried), worst, at_least,
                             share(found.bound.num, found.bound.den), above, found.meaning});
  });
}

}  // extern "C"

}  // namespace anon_seq::api
