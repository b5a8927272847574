#include "serial/terms.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/roles.h"
#include "release/ledger_format.h"

namespace anon_seq::serial {
namespace {

std::vector<std::string> sorted(std::vector<std::string> values) {
  std::sort(values.begin(), values.end());
  return values;
}

PublishedColumn const* find_column(std::vector<PublishedColumn> const& columns, std::string const& name) {
  auto const at = std::ranges::find(columns, name, &PublishedColumn::column);
  return at == columns.end() ? nullptr : &*at;
}

// A column that one lists and the other shows in another way; empty: there is none.
std::string column_difference(std::vector<PublishedColumn> const& ours, std::vector<PublishedColumn> const& theirs) {
  for (auto const& column : ours) {
    if (column.role != Role::kSensitive) continue;
    auto const* const same = find_column(theirs, column.column);
    if (same == nullptr) continue;
    if (same->role != Role::kSensitive)
      return "column " + quoted(column.column) + " as what it is, not as a sensitive one";
    if (same->taxonomy != column.taxonomy || same->type != column.type)
      return "another type or taxonomy of column " + quoted(column.column);
  }
  return "";
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
  if (shared && !(ours.each && theirs.each) && merged_name(ours) != merged_name(theirs))
    return "other values that are bounded together";
  if (ours.each != theirs.each && shared)
    return "values that are bounded " + std::string(theirs.each ? "singly" : "together");
  return "";
}

std::string key_difference(PublishRun const& run, Release const& release) {
  OwnLedger const owner(run.session, release);
  auto const theirs = key_type(run.session, release.ledger, schema_of(run.session, release));
  return theirs && *theirs == run.source.key.type ? "" : "keys of persons of another type";
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
    auto differs = difference(demands, theirs);
    if (differs.empty()) differs = column_difference(run.policy.columns, release->columns);
    if (differs.empty() && !column_difference(release->columns, run.policy.columns).empty())
      differs = "a sensitive column that this policy shows in another way";
    if (differs.empty()) differs = key_difference(run, *release);
    if (differs.empty()) continue;
    bool const ours = has_rights_of(run.session, ledger_owner(run.session, release->ledger));
    throw Error(
        Fault::kUnsupported,
        "serial policies of population " + quoted(run.policy.population) +
            " share one budget, and another one has other terms",
        (ours ? "Release " + quoted(release->reference()) : "A release of another role") + " has " + differs + ".",
        "Give both the same keys, l, plan, persistence, columns and lists of values; lists are fixed from the second"
        " policy on. Another population is for other people.");
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
