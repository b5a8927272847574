// SQL functions that change, describe and drop policies, and about inconsistent values.
#include "catalog/catalog_writer.h"
#include "catalog/rights.h"
#include "catalog/role_marker.h"
#include "pg/arguments.h"
#include "pg/lock_wait.h"
#include "release/declare_checks.h"
#include "release/method.h"

namespace anon_seq::api {

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_alter_policy);
Datum anon_seq_alter_policy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    auto const changes = arguments.printed(1, "changes", JSONBOID);
    SpiSession session;
    alter(session, name, changes);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_describe_policy);
Datum anon_seq_describe_policy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const name = Arguments(fcinfo).text(0, "name");
    std::string text;
    {
      SpiSession session;
      Policy const policy = load_policy(session, name, false);
      auto const more = method_of(policy).describe(session, policy);
      auto const rows = session.execute(
          "SELECT (pg_catalog.to_jsonb(p) || pg_catalog.jsonb_build_object('common', $2::pg_catalog.jsonb, 'effective_rules', $3::pg_catalog.jsonb,"
          " 'unnamed', $4::pg_catalog.jsonb))::text"
          " FROM anon_seq.policies AS p WHERE p.name = $1",
          {name, more.common, more.rules, more.unnamed}, true);
      text = rows.get(0, 1);
    }
    Datum result{};
    char const* const json = text.c_str();
    call_pg([&]() noexcept { result = DirectFunctionCall1(jsonb_in, CStringGetDatum(json)); });
    return result;
  });
}

PG_FUNCTION_INFO_V1(anon_seq_drop_policy);
Datum anon_seq_drop_policy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    auto const name = Arguments(fcinfo).text(0, "name");
    SpiSession session;
    drop(session, name);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_declare_inconsistent);
Datum anon_seq_declare_inconsistent(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const attribute_a = arguments.text(0, "attribute_a"), value_a = arguments.text(1, "value_a");
    auto const attribute_b = arguments.text(2, "attribute_b"), value_b = arguments.text(3, "value_b");
    if (attribute_a == attribute_b)
      throw Error(Fault::kParameter, "an inconsistency is between two attributes", "",
                  "Values of one attribute match only along a path of its taxonomy.");
    SpiSession session;
    require_publisher(session);
    auto const declarer = role_marker(session, GetUserId());
    CatalogWriter catalog(session);
    catalog.execute("INSERT INTO anon_seq.inconsistency VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
                    {attribute_a, value_a, attribute_b, value_b, declarer});
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_withdraw_inconsistent);
Datum anon_seq_withdraw_inconsistent(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const attribute_a = arguments.text(0, "attribute_a"), value_a = arguments.text(1, "value_a");
    auto const attribute_b = arguments.text(2, "attribute_b"), value_b = arguments.text(3, "value_b");
    SpiSession session;
    CatalogWriter catalog(session);
    auto const rows = catalog.execute(
        "DELETE FROM anon_seq.inconsistency WHERE attribute_a OPERATOR(pg_catalog.=) $1 AND value_a OPERATOR(pg_catalog.=) $2"
        " AND attribute_b OPERATOR(pg_catalog.=) $3 AND value_b OPERATOR(pg_catalog.=) $4 AND (anon_seq.has_marker($5, declared_by)"
        "      OR anon_seq.marked_role(declared_by) IS NULL AND pg_catalog.pg_has_role($5, (SELECT e.extowner"
        "        FROM pg_catalog.pg_extension AS e WHERE e.extname OPERATOR(pg_catalog.=) 'anon_seq'), 'USAGE'))",
        {attribute_a, value_a, attribute_b, value_b, catalog.caller_value()});
    return BoolGetDatum(rows.count() > 0);
  });
}

}  // extern "C"

}  // namespace anon_seq::api
