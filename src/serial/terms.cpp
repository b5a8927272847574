#include "serial/terms.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/roles.h"

namespace anon_seq::serial {
namespace {

std::vector<std::string> sorted(std::vector<std::string> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// What differs, in words; empty: nothing.
std::string difference(SerialPolicy const& ours, SerialPolicy const& theirs) {
  if (ours.l != theirs.l) return "another l";
  if (ours.permanent != theirs.permanent) return "another persistence";
  if (ours.plan.kind != theirs.plan.kind || ours.plan.horizon != theirs.plan.horizon ||
      ours.plan.rho != theirs.plan.rho)
    return "another plan, " + plan_text(theirs);
  if (ours.renewals > 0 || theirs.renewals > 0) return "a horizon of its own, which was begun again";
  bool shared = false;
  for (auto const& [column, values] : ours.listed) {
    auto const found = theirs.listed.find(column);
    if (found == theirs.listed.end()) continue;
    shared = true;
    if (sorted(values) != sorted(found->second)) return "another list of values of column " + quoted(column);
  }
  if (ours.each != theirs.each && shared)
    return "values that are bounded " + std::string(theirs.each ? "singly" : "together");
  return "";
}

}  // namespace

SerialPolicy terms_of(Release const& release) {
  Policy then;
  then.method = release.method;
  then.parameters = release.parameters;
  then.options = release.options;
  then.columns = release.columns;
  for (auto const& column : release.columns)
    if (column.role == Role::kSensitive) then.sensitive.push_back(column.column);
  return serial_policy(then);
}

namespace {

[[noreturn]] void refuse_second(PublishRun const& run, Release const& other) {
  bool const ours = has_rights_of(run.session, ledger_owner(run.session, other.ledger));
  throw Error(Fault::kUnsupported,
              "population " + quoted(run.policy.population) + " has classes for life already, of another policy",
              (ours ? "Release " + quoted(other.reference()) : "A release of another role") +
                  " puts its people into classes; others of the same people would tell more than either.",
              "Publish more columns by one policy with several sensitive ones; or give another population, if these"
              " are other people.");
}

}  // namespace

void require_same_terms(PublishRun const& run) {
  auto const& demands = run.demanded<SerialPolicy>();
  std::vector<std::string> met;
  for (auto release = run.population.rbegin(); release != run.population.rend(); ++release) {
    if (release->method != run.policy.method || release->ledger == run.policy.ledger()) continue;
    if (std::ranges::find(met, release->ledger) != met.end()) continue;
    met.push_back(release->ledger);
    auto const theirs = terms_of(*release);
    if (demands.permanent && theirs.permanent) refuse_second(run, *release);
    auto const differs = difference(demands, theirs);
    if (differs.empty()) continue;
    bool const ours = has_rights_of(run.session, ledger_owner(run.session, release->ledger));
    throw Error(
        Fault::kUnsupported,
        "serial policies of population " + quoted(run.policy.population) +
            " share one budget, and another one has other terms",
        (ours ? "Release " + quoted(release->reference()) : "A release of another role") + " has " + differs + ".",
        "Give both the same l, plan, persistence and lists of values; or another population, if they are about"
        " other people.");
  }
}

void require_budgets(SpiSession& session, Policy const& policy) {
  bool const own = is_permanent(policy.parameters);
  bool const any = std::ranges::any_of(releases_of(session, policy.population), [&](Release const& release) {
    return release.method == policy.method && is_permanent(release.parameters);
  });
  if (!own && !any) return;
  throw Error(Fault::kUnsupported,
              own ? "policy " + quoted(policy.name) + " has persistence \"permanent\", and spends no budget"
                  : "population " + quoted(policy.population) + " has classes for life, which spend no budget",
              own ? "Its classes have at most 1/l of each listed value, in all versions together." : "",
              own ? "SELECT * FROM anon_seq.preview(" + sql_literal(policy.name) + ") tells of the next version."
                  : "A policy that spends budgets is for another population.");
}

}  // namespace anon_seq::serial
