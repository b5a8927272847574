// SQL functions that measure what releases do not promise: audit_minimality, audit_correlation.
#include <cmath>

#include "core/numbers/decimal.h"
//
#include "lossy_join/correlation.h"
#include "lossy_join/read_back.h"
#include "pg/arguments.h"
#include "pg/result_rows.h"
#include "release/ledger_format.h"
#include "release/minimality.h"

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
    MinimalityFinding found;
    {
      SpiSession session;
      found = audit_minimality(session, find_release(session, reference), runs);
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

PG_FUNCTION_INFO_V1(anon_seq_audit_correlation);
Datum anon_seq_audit_correlation(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const reference = arguments.text(0, "release");
    auto const most = arguments.integer(1, "versions");
    if (most < 1) throw Error(Fault::kParameter, "argument \"versions\" must be 1 or more");
    begin_result(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    auto const release = find_release(session, reference);
    lossy_join::require_classes(release);
    auto const versions =
        lossy_join::learnt_from(releases_of(session, release.population), release, static_cast<std::size_t>(most));
    OwnLedger const owner(session, release);
    for (auto const& of : lossy_join::measure_correlation(session, versions, checkpoint)) {
      std::optional<std::string> promised, excess;
      if (of.promised) promised = share(of.promised->num, of.promised->den);
      if (of.promised && of.rows > 0)
        excess = decimal(static_cast<double>(of.right) / static_cast<double>(of.rows) -
                         static_cast<double>(of.promised->num) / static_cast<double>(of.promised->den));
      put_texts(fcinfo, {of.column, of.listed ? "t" : "f", std::to_string(of.rows), share(of.right, of.rows), promised,
                         share(of.plainly_right, of.guessed), excess});
    }
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
