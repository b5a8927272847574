// SQL functions that try, make and check releases.
#include "release/publish.h"
#include "pg/arguments.h"
#include "pg/array_text.h"
#include "pg/lock_wait.h"
#include "pg/result_rows.h"
#include "release/log.h"
#include "release/looser.h"
#include "release/release_audit.h"

namespace anon_seq::api {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

std::string names_of(std::vector<ReleaseRelation> const& relations) {
  std::string array = "{";
  for (auto const& relation : relations) append_element(array, relation.name);
  return array + "}";
}

AuditWish wish_of(bool everything) { return everything ? AuditWish::kEverything : AuditWish::kNewest; }

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_publish);
Datum anon_seq_publish(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const policy = arguments.text(0, "policy");
    bool const verbose = DatumGetBool(arguments.datum(1, "verbose"));
    bool const force = DatumGetBool(arguments.datum(2, "force"));
    std::optional<std::int32_t> after;
    if (arguments.has(3)) after = arguments.integer(3, "after");
    if (after && *after < 0)
      throw Error(Fault::kParameter, "argument \"after\" must not be negative", "",
                  "It is the newest version that is known to the caller: 0 if there is none.");
    Release release;
    {
      SpiSession session;
      release = publish(session, policy, verbose, force, after);
    }
    return make_row(
        fcinfo,
        {release.name, number(release.version), names_of(release.relations), number(release.published),
         number(release.withheld), number(release.waiting), number(release.deferred), number(release.classes),
         release.smallest_class ? std::optional(number(*release.smallest_class)) : std::nullopt, release.digest});
  });
}

PG_FUNCTION_INFO_V1(anon_seq_preview);
Datum anon_seq_preview(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const policy = arguments.text(0, "policy");
    std::vector<std::string> changes{"{}"};
    if (arguments.has(1)) changes = arguments.array(1, "changes");
    begin_result(fcinfo);
    SpiSession session;
    std::vector<Variant> variants;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      auto const place = "changes[" + number(static_cast<std::int64_t>(i) + 1) + "]";
      require_small_json(changes[i], place);
      auto const json = parse_json(changes[i], place);
      auto const& variant = variants.emplace_back(preview(session, policy, arguments.has(1) ? &json : nullptr));
      auto if_feasible = [&](std::string const& json) { return variant.feasible ? std::optional(json) : std::nullopt; };
      auto shown = [&](std::int64_t value) { return variant.feasible ? std::optional(number(value)) : std::nullopt; };
      put_texts(fcinfo, {number(static_cast<std::int64_t>(i) + 1), changes[i], variant.feasible ? "t" : "f",
                         variant.feasible ? std::nullopt : std::optional(variant.reason), shown(variant.published),
                         shown(variant.withheld), shown(variant.classes), shown(variant.smallest_class),
                         variant.measures, if_feasible(variant.shown), if_feasible(variant.detail_lost)});
    }
    note_looser(variants);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit);
Datum anon_seq_audit(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const policy = arguments.text(0, "policy");
    bool const everything = DatumGetBool(arguments.datum(1, "everything"));
    begin_result(fcinfo);
    SpiSession session;
    for (auto const& check : audit_policy(session, policy, wish_of(everything)))
      put_texts(fcinfo, {check.name, check.scope, check.required, check.observed, check.ok ? "t" : "f",
                         number(check.offending), check.detail});
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_assert_audit);
Datum anon_seq_assert_audit(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const policy = arguments.text(0, "policy");
    bool const everything = DatumGetBool(arguments.datum(1, "everything"));
    SpiSession session;
    if (auto const error = failed(policy, everything, audit_policy(session, policy, wish_of(everything)))) throw *error;
    return Datum{};
  });
}

// For jobs, which must go on after a failure: what failed, as text, once it is kept.
PG_FUNCTION_INFO_V1(anon_seq_audit_failures);
Datum anon_seq_audit_failures(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const policy = Arguments(fcinfo).text(0, "policy");
    std::optional<Error> error;
    {
      SpiSession session;
      error = failed(policy, false, audit_policy(session, policy, AuditWish::kUnlessUnchanged));
    }
    if (error) return text_datum(std::string(error->what()) + "\n" + error->detail());
    fcinfo->isnull = true;
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_log_failure);
Datum anon_seq_log_failure(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "policy"), step = arguments.text(1, "step"), error = arguments.text(2, "error");
    SpiSession session;
    log_failure(session, load_policy(session, name, false), step, error);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
