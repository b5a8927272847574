// SQL functions that tell how likely a person has ever had a value: audit_breach, audit_breach_relations.
#include <utility>

#include "core/attack/permanent.h"
//
#include "audit/relation_groups.h"
#include "pg/arguments.h"
#include "pg/progress.h"
#include "pg/report.h"
#include "pg/result_rows.h"
#include "pg/sql_text.h"
#include "release/release_groups.h"
#include "release/release_objects.h"

namespace anon_seq::api {
namespace {

enum class ValueModel { kTransient, kPermanent };

ValueModel model_argument(Arguments const& arguments, int number) {
  auto const name = arguments.text(number, "model");
  if (name == "transient") return ValueModel::kTransient;
  if (name == "permanent") return ValueModel::kPermanent;
  throw Error(Fault::kParameter, quoted(name) + " is no model of how values change", "",
              "Models are transient (values may change from release to release) and permanent (they stay).");
}

std::optional<std::vector<std::string>> listed_argument(Arguments const& arguments, int number) {
  if (!arguments.has(number)) return std::nullopt;
  auto const listed = arguments.array(number, "sensitive_values");
  if (listed.empty())
    throw Error(Fault::kParameter, "sensitive_values lists nothing", "", "NULL stands for every value.");
  return listed;
}

// Value -> whether it is asked for. Of a list it is told how many of it nowhere occur: a slip of the pen looks safe.
Vector<char> asked_values(audit::GroupHistory const& history, std::optional<std::vector<std::string>> const& listed) {
  Vector<char> asked(history.values(), listed ? 0 : 1);
  if (!listed) return asked;
  std::size_t missing = 0;
  for (auto const& text : *listed) {
    bool found = false;
    for (std::size_t value = 0; value < asked.size(); ++value) {
      if (history.value(static_cast<std::int32_t>(value)) != text) continue;
      asked[value] = 1;
      found = true;
    }
    missing += found ? 0 : 1;
  }
  if (missing > 0)
    notice(std::to_string(missing) + " of " + std::to_string(listed->size()) + " listed values occur in no release",
           "Values are compared as texts, as the audit shows them: numbers without zeros at their end.");
  return asked;
}

Breaches find_breaches(audit::GroupHistory const& history, ValueModel model, Vector<char> const& asked,
                       Checkpoint& checkpoint) {
  Breaches breaches;
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < history.attributes(); ++i)
    if (model == ValueModel::kTransient)
      add_transient_breaches(history.groups(), history.bags(i), asked, breaches, checkpoint);
    else
      changed += add_permanent_breaches(history.groups(), history.bags(i), asked, breaches, checkpoint).changed;
  if (changed > 0)
    warning("values are not permanent: no value of " + std::to_string(changed) +
                (changed == 1 ? " person is" : " persons is") + " in all groups of theirs",
            "They are left out, and chances of those they meet are estimates. The model \"transient\" fits.");
  breaches.put_worst_first(history.groups().persons(), checkpoint);
  return breaches;
}

void put_breaches(FunctionCallInfo fcinfo, audit::GroupHistory const& history, Breaches const& breaches,
                  Checkpoint& checkpoint) {
  TextRows rows(fcinfo);
  std::vector<std::optional<std::string>> row(7);
  std::int32_t last = -1;
  for (auto const& found : breaches.all()) {
    checkpoint.tick();
    row[0] = history.person(found.person);
    row[1] = history.value(found.value);
    if (std::exchange(last, found.breach) != found.breach) {
      auto const& breach = breaches.of(found);
      row[2] = chance_text(breach.p);
      row[3] = chance_text(breach.localized);
      row[4] = std::to_string(breach.releases);
      row[5] = breach.exact ? "t" : "f";
    }
    row[6] = history.attribute(history.attribute_of(found.value));
    rows.put(row);
  }
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_audit_breach_relations);
Datum anon_seq_audit_breach_relations(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const relations = arguments.relations(0, "relations");
    auto const group = arguments.array(1, "group_id");
    auto const person = arguments.text(2, "person");
    auto const sensitive = arguments.text(3, "sensitive");
    auto const listed = listed_argument(arguments, 4);
    auto const model = model_argument(arguments, 5);
    begin_result(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    std::string names;
    for (Oid const relation : relations) names += (names.empty() ? "" : ", ") + qualified_name(relation);
    Progress progress("audit_breach_relations", names, 2);
    progress.step("read");
    audit::GroupHistory history;
    for (auto const& source : audit::relation_groups(session, relations, group, person, sensitive))
      history.read(session, source, checkpoint);
    history.finish(checkpoint);
    progress.step("attack");
    auto const breaches = find_breaches(history, model, asked_values(history, listed), checkpoint);
    put_breaches(fcinfo, history, breaches, checkpoint);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_breach);
Datum anon_seq_audit_breach(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const references = arguments.array(0, "releases");
    auto const listed = listed_argument(arguments, 1);
    auto const model = model_argument(arguments, 2);
    begin_result(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    Progress progress("audit_breach", joined(references, ", "), 2);
    progress.step("read");
    auto const history = read_release_groups(session, releases_meant(session, references), checkpoint);
    progress.step("attack");
    auto const breaches = find_breaches(history, model, asked_values(history, listed), checkpoint);
    put_breaches(fcinfo, history, breaches, checkpoint);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
