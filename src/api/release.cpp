// SQL functions about releases that exist: look, register, retire, withdraw, forget.
#include <algorithm>

#include "core/text/some_of.h"
//
#include "catalog/ledger_sums.h"
#include "catalog/rights.h"
#include "pg/arguments.h"
#include "pg/lock_wait.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/result_rows.h"
#include "release/flat.h"
#include "release/forget.h"
#include "release/heed.h"
#include "release/ledger_format.h"
#include "release/measures.h"
#include "release/publish.h"
#include "release/registration.h"
#include "release/relations.h"
#include "release/shared_rows.h"
#include "release/swap.h"
#include "release/withdrawal.h"

extern "C" {
#include "commands/trigger.h"
}

namespace anon_seq::api {
namespace {

std::string of_version(Release const& release, char const* table) {
  return ledger_table(release.ledger, table) + " WHERE version = " + std::to_string(release.version);
}

// Registered releases have no cut, no trace and no measures.
void require_made_here(Release const& release) {
  if (release.is_registered())
    throw Error(Fault::kUnsupported, "release " + quoted(release.reference()) + " was registered, not made here",
                "Nothing is known of how its values were chosen.");
}

// The release meant, for its owner only; retired ones too.
Release owned_release(SpiSession& session, FunctionCallInfo fcinfo) {
  return find_release(session, Arguments(fcinfo).text(0, "release"));
}

// The rows that `put(session, release)` puts, looked up with the rights of the release's owner.
template <class Put>
Datum look(FunctionCallInfo fcinfo, Put put) {
  return entry([&]() -> Datum {
    begin_result(fcinfo);
    SpiSession session;
    auto const release = owned_release(session, fcinfo);
    OwnLedger const owner(session, release);
    put(session, release);
    return Datum{};
  });
}

bool shows(Policy const& policy, std::string const& attribute) {
  return std::any_of(policy.columns.begin(), policy.columns.end(),
                     [&](auto const& column) { return column.attribute == attribute; });
}

// What the caller should know about a registration: columns that none of his policies there has by that name, as they
// are not compared; and policies that could not be published now, as no rule speaks of it.
void note_registration(SpiSession& session, Release const& release) {
  auto const rows = session.execute("SELECT p.name FROM anon_seq.policies AS p WHERE p.population = $1 ORDER BY p.name",
                                    {release.population});
  std::vector<Policy> policies;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto policy = load_policy(session, rows.get(row, 1), false);
    if (is_measured(policy.method, release)) policies.push_back(std::move(policy));
  }
  if (policies.empty()) return;
  std::vector<std::string> strange;
  for (auto const& column : release.columns)
    if (std::none_of(policies.begin(), policies.end(),
                     [&](auto const& policy) { return shows(policy, column.attribute); }))
      strange.push_back(quoted(column.attribute));
  if (!strange.empty())
    notice("no policy of this population has columns called " + some_of(strange) + ", so they are not compared",
           "If one is a column of theirs by another name, withdraw_release() and register it by that: attributes => "
           "'{\"age\": \"age_group\"}'.");
  for (auto const& policy : policies) {
    try {
      method_of(policy).advise(session, policy);
    } catch (Error const&) {  // what is wrong with a policy is said when it is used
    }
  }
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_release_rows);
Datum anon_seq_release_rows(PG_FUNCTION_ARGS) {
  return look(fcinfo, [&](SpiSession&, Release const& release) {
    std::string shown;
    for (std::size_t i = 0; i < release.columns.size(); ++i)
      shown += (i == 0 ? "c" : ", c") + std::to_string(i + 1) + " AS " + quote_name(release.columns[i].column);
    put_query(fcinfo, "SELECT pg_catalog.to_jsonb(r.*) FROM (SELECT " + shown + " FROM (SELECT * FROM " +
                          of_version(release, "cell") +
                          ") AS c CROSS JOIN LATERAL pg_catalog.generate_series(1::bigint, c.n) ORDER BY " +
                          cell_order(release.columns) + ") AS r");
  });
}

PG_FUNCTION_INFO_V1(anon_seq_cut);
Datum anon_seq_cut(PG_FUNCTION_ARGS) {
  return look(fcinfo, [&](SpiSession&, Release const& release) {
    require_made_here(release);
    put_query(fcinfo, method_of(release).cut(release));
  });
}

PG_FUNCTION_INFO_V1(anon_seq_trace);
Datum anon_seq_trace(PG_FUNCTION_ARGS) {
  return look(fcinfo, [&](SpiSession&, Release const& release) {
    require_made_here(release);
    put_query(fcinfo, method_of(release).trace(release));
  });
}

PG_FUNCTION_INFO_V1(anon_seq_measure);
Datum anon_seq_measure(PG_FUNCTION_ARGS) {
  return look(fcinfo, [&](SpiSession& session, Release const& release) {
    require_made_here(release);
    auto const rows =
        session.execute("SELECT (detail->'measures')::text FROM " + of_version(release, "note"), {}, true);
    auto const measures = parse_json(rows.get(0, 1), "measures");
    auto const put = [&](std::string const& name, Metric const& metric) {
      if (auto const value = measured(measures, name)) put_texts(fcinfo, {name, *value, metric.unit, metric.meaning});
    };
    for (auto const& metric : metrics()) put(metric.name, metric);
    auto const& of_column = column_metric();
    for (auto const& column : release.columns) put(of_column.name + column.column, of_column);
  });
}

PG_FUNCTION_INFO_V1(anon_seq_register_release);
Datum anon_seq_register_release(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    Oid const relation = arguments.relation(1, "relation");
    auto const population = arguments.text(2, "population");
    std::string const attributes = arguments.has(3) ? arguments.printed(3, "attributes", JSONBOID) : "";
    SpiSession session;
    require_publisher(session);
    auto const json = parse_json(attributes.empty() ? "null" : attributes, "attributes");
    note_registration(session,
                      register_release(session, name, relation, population, attributes.empty() ? nullptr : &json));
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_retire_release);
Datum anon_seq_retire_release(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    SpiSession session;
    auto const release = owned_release(session, fcinfo);
    require_not_under_way(release.ledger);
    if (release.is_registered())
      throw Error(Fault::kParameter,
                  "release " + quoted(release.name) + " was registered; its relation is not ours to drop");
    if (release.retired)
      throw Error(Fault::kParameter, "release " + quoted(release.reference()) + " is retired already");
    bool const policy_lives = session.exists("SELECT FROM anon_seq.policies AS p WHERE p.name = $1", {release.name});
    bool const newest = session.exists(
        "SELECT FROM anon_seq.policies AS p WHERE p.name = $1 AND NOT EXISTS (SELECT FROM anon_seq.releases AS r"
        " WHERE r.policy = p.name AND r.version > $2 AND r.withdrawn_at IS NULL)",
        {release.name, release.version});
    if (newest)
      throw Error(Fault::kInUse, "release " + quoted(release.reference()) + " is the newest of its policy",
                  "The stable name stands on it.", "Publish a newer one first, or drop the policy.");
    bool const newest_made = !session.exists(
        "SELECT FROM anon_seq.releases AS r WHERE r.policy = $1 AND r.version > $2 AND r.withdrawn_at IS NULL",
        {release.name, release.version});
    OwnLedger const owner(session, release);
    std::vector<std::string> gone;
    for (auto const& relation : release.relations) {
      if (auto const view = stable_view(session, release, relation);
          newest_made && !view.empty() && name_shows(session, view, release, relation)) {
        if (auto const flat = flat_on(session, view); !flat.empty()) gone.push_back(flat);
        gone.push_back(view);
      }
      gone.push_back(relation.name);
      if (relation.is_shared()) gone.push_back(shown_cells(release.ledger, release.version));
    }
    lock_alone(session, gone);
    FreshSnapshot const snapshot;  // the names may have been swapped while we waited
    for (auto const& relation : release.relations)
      if (auto const view = stable_view(session, release, relation);
          !newest_made && !view.empty() && name_shows(session, view, release, relation))
        throw Error(Fault::kInUse, view + " still shows release " + quoted(release.reference()),
                    "Somebody read it when a later version was published.",
                    policy_lives ? "SELECT anon_seq.point(" + sql_literal(release.name) + ");"
                                 : "Its policy is gone: DROP VIEW " + view +
                                       (flat_on(session, view).empty() ? ";" : ", " + flat_on(session, view) + ";"));
    // Its policy is gone, or it would not be the newest: stable views go with the release that they show.
    for (auto const& relation : release.relations)
      if (auto const view = stable_view(session, release, relation);
          newest_made && !view.empty() && name_shows(session, view, release, relation))
        drop_stable(session, view);
    for (auto relation = release.relations.rbegin(); relation != release.relations.rend(); ++relation) {
      require_free(session, relation->name, "");
      drop_relation(session, release, *relation);  // what joins others comes after them
    }
    mark_retired(session, release);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_point);
Datum anon_seq_point(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    auto const policy = Arguments(fcinfo).text(0, "policy");
    SpiSession session;
    return BoolGetDatum(point(session, policy));
  });
}

PG_FUNCTION_INFO_V1(anon_seq_shown_relation);
Datum anon_seq_shown_relation(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const ledger = Arguments(fcinfo).text(0, "ledger");
    SpiSession session;
    Oid const relation = relation_shown(session, ledger);
    fcinfo->isnull = !OidIsValid(relation);
    return ObjectIdGetDatum(relation);
  });
}

PG_FUNCTION_INFO_V1(anon_seq_withdraw_release);
Datum anon_seq_withdraw_release(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const release = arguments.text(0, "release"), reason = arguments.text(1, "reason");
    SpiSession session;
    withdraw_release(session, release, reason);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_forget);
Datum anon_seq_forget(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const population = arguments.text(0, "population");
    auto const person = arguments.text(1, "person");
    begin_result(fcinfo);
    SpiSession session;
    for (auto const& release : forget(session, population, person)) {
      std::string names;
      for (auto const& relation : release.relations) names += (names.empty() ? "" : ", ") + relation.name;
      put_texts(fcinfo, {release.reference(), names.empty() ? std::nullopt : std::optional(names),
                         release.retired ? "f" : "t"});
    }
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_keep_ledger);
Datum anon_seq_keep_ledger(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    if (fcinfo->context == nullptr || fcinfo->context->type != T_TriggerData)
      throw Error(Fault::kParameter, "keep_ledger is a trigger function");
    if (!LedgerPen::held())
      throw Error(Fault::kInUse, "rows of the ledger are not changed by hand",
                  "Releases, audits and later publishes rest on them.",
                  "To answer an erasure request use anon_seq.forget().");
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_sum_rows);
Datum anon_seq_sum_rows(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    if (fcinfo->context == nullptr || fcinfo->context->type != T_TriggerData)
      throw Error(Fault::kParameter, "sum_rows is a trigger function");
    SpiSession session;
    catalog::follow_change(session, *reinterpret_cast<TriggerData*>(fcinfo->context));
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
