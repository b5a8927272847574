// SQL functions about who may publish, and who may take part in a population.
#include "catalog/rights.h"
#include "catalog/ledger.h"
#include "catalog/population.h"
#include "pg/arguments.h"
#include "pg/lock_wait.h"
#include "pg/result_rows.h"

extern "C" {
#include "access/xlog.h"
}

namespace anon_seq::api {
namespace {

Datum change_publisher(FunctionCallInfo fcinfo, bool may) {
  return writing(fcinfo, [&]() -> Datum {
    auto const role = Arguments(fcinfo).text(0, "role");
    SpiSession session;
    set_publisher(session, role, may);
    return Datum{};
  });
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_grant_publish);
Datum anon_seq_grant_publish(PG_FUNCTION_ARGS) { return change_publisher(fcinfo, true); }

PG_FUNCTION_INFO_V1(anon_seq_revoke_publish);
Datum anon_seq_revoke_publish(PG_FUNCTION_ARGS) { return change_publisher(fcinfo, false); }

PG_FUNCTION_INFO_V1(anon_seq_grant_population);
Datum anon_seq_grant_population(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const population = arguments.text(0, "population"), role = arguments.text(1, "role");
    SpiSession session;
    grant_population(session, population, role);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_revoke_population);
Datum anon_seq_revoke_population(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const population = arguments.text(0, "population"), role = arguments.text(1, "role");
    SpiSession session;
    revoke_population(session, population, role);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_adopt_ledgers);
Datum anon_seq_adopt_ledgers(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    begin_result(fcinfo);
    SpiSession session;
    if (!has_rights_of_extension_owner(session))
      throw Error(Fault::kPrivilege, "must be owner of the extension to adopt ledgers");
    auto const adopted = adopt_ledgers(session);
    for (std::uint64_t row = 0; row < adopted.count(); ++row)
      put_texts(fcinfo, {adopted.text(row, 1), adopted.text(row, 2), adopted.text(row, 3)});
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_place);
Datum anon_seq_place(FunctionCallInfo) {
  return entry([&]() -> Datum {
    auto const place = std::to_string(GetSystemIdentifier()) + "/" + std::to_string(MyDatabaseId);
    return text_datum(place);
  });
}

}  // extern "C"

}  // namespace anon_seq::api
