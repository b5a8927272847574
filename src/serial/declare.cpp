#include "serial/declare.h"

#include <algorithm>

#include "lossy_join/declare.h"
#include "lossy_join/listed.h"
#include "pg/report.h"
#include "release/alter.h"
#include "serial/policy.h"

namespace anon_seq::serial {
namespace {

constexpr char kAnother[] =
    "Declare another policy of the same population, with the same keys, l, plan, persistence and lists of values: they"
    " share one budget.";
constexpr char kShared[] =
    "Leave it as it is: all serial policies of a population share one budget and its terms. Another population is for"
    " other people.";
constexpr char kAlone[] =
    "Leave it as it is: a policy whose horizon was begun again shares its budget with no other. Another population is"
    " for other people.";
constexpr char kElsewhere[] = "Declare another policy, of another population.";
constexpr char kForLife[] = "Its classes are for life.";

bool holds_all(std::vector<std::string> const& values, std::vector<std::string> const& of) {
  return std::ranges::all_of(of, [&](auto const& value) { return std::ranges::find(values, value) != values.end(); });
}

// Classes for life spend no budget: whatever is said of one is a misunderstanding.
void check_permanent(Policy const& policy, SerialPolicy const& demands) {
  constexpr char kWhy[] = "Classes for life spend no budget.";
  if (demands.generalized)
    throw Error(Fault::kUnsupported, "persistence \"permanent\" is not offered with form \"generalized\"",
                "A class for life would show what its members no longer are.", "Use form => 'projections'.");
  if (demands.plan.kind != PlanKind::kHarmonic)
    throw Error(Fault::kUnsupported, "plans are not offered with persistence \"permanent\"", kWhy,
                "Leave plan and horizon out.");
  auto const options = parse_json(policy.options, "options");
  for (auto const* const name : {"cohorts", "withhold_below", "stale_share"})
    if (given(options, name) != nullptr)
      throw Error(Fault::kUnsupported,
                  "options." + std::string(name) + " is not offered with persistence \"permanent\"", kWhy,
                  "Leave it out.");
}

bool is_same_plan(Plan const& a, Plan const& b) { return a.kind == b.kind && a.horizon == b.horizon && a.rho == b.rho; }

}  // namespace

void check(SpiSession& session, Policy const& policy) {
  if (policy.sensitive.empty())
    throw Error(Fault::kParameter, "argument \"sensitive\" must name at least one column", "",
                "A serial policy bounds what persons are linked to in it.");
  auto const demands = serial_policy(policy);
  if (!policy.person)
    throw Error(Fault::kParameter, "a serial policy needs \"person\"",
                "What somebody was linked to adds up over versions, so he has to be known again.");
  lossy_join::check_names(policy);
  if (demands.generalized && !policy.publish_as_is.empty())
    throw Error(Fault::kUnsupported, "publish_as_is is not offered with form \"generalized\" of a serial policy",
                "Columns as they are would tell rows of a class apart.", "List them in quasi.");
  if (demands.permanent) check_permanent(policy, demands);
  if (!demands.domains.empty() && !demands.generalized)
    throw Error(Fault::kUnsupported, "options.domains is not offered where quasi columns are published as they are",
                "There are no ranges that could be bounded.", "It is for form \"generalized\".");
  check_domains(session, policy, demands.domains);
  lossy_join::check_listed(session, policy, demands);
}

void advise(SpiSession& session, Policy const& policy) {
  lossy_join::advise(session, policy);
  auto const demands = serial_policy(policy);
  if (demands.plan.kind == PlanKind::kWindow)
    warning("plan \"window\" keeps 1/" + ratio_text(demands.l) + " over any " + std::to_string(demands.plan.horizon) +
                " versions in a row of the population, for values that are drawn anew each time",
            "Over all versions it promises nothing, and a value that stays is not covered beyond a window.");
}

void require_followable(SpiSession&, Policy const& before, Policy const& after) {
  auto const old = serial_policy(before), now = serial_policy(after);
  bool const alone = old.renewals > 0 || now.renewals > 0;
  auto const* const hint = old.permanent ? kElsewhere : alone ? kAlone : kAnother;
  auto const refuse = [&](std::string const& what, std::string const& why) { refuse_change(before, what, why, hint); };
  auto const* const shared = old.permanent ? kElsewhere : alone ? kAlone : kShared;  // another one would be held to it
  auto const refuse_shared = [&](std::string const& what, std::string const& why) {
    refuse_change(before, what, why, shared);
  };
  auto const refuse_terms = [&](std::string const& what, std::string const& why) {
    refuse_shared(what, old.permanent ? kForLife : why);
  };
  require_same_frame(before, after, "Views on it keep their columns, types and meaning.",
                     old.permanent ? "Its classes are of these persons." : "Budgets are of these persons.", hint);
  if (now.l != old.l) refuse_terms("l is fixed", "Budgets were spent under it.");
  if (now.generalized != old.generalized) refuse("the form is fixed", "Its relations are there.");
  if (now.permanent != old.permanent) refuse_shared("persistence is fixed", "Earlier versions were made for it.");
  if (!is_same_plan(now.plan, old.plan)) refuse_shared("the plan is fixed", "Budgets were spent by it.");
  if (now.renewals < old.renewals) refuse_shared("renewals may grow, not shrink", "Horizons were begun again.");
  if (now.each != old.each) refuse_terms("whether values are bounded together is fixed", "Budgets are of these.");
  for (auto const& [column, values] : old.listed)
    if (!now.listed.contains(column) || !holds_all(now.listed.at(column), values))
      refuse_shared("values may be added to a list, not taken off", "Earlier releases promised to bound these.");
  if (!now.each && now.listed != old.listed)
    refuse_terms("values that are bounded together are fixed", "Their budget is one.");
  if (now.permanent && now.k != old.k) refuse("k is fixed", kForLife);
  if (now.k < old.k) refuse("k may be raised, not lowered", "Earlier releases promised the greater one.");
  if (now.domains != old.domains) refuse("domains are fixed", "They bound what its releases show.");
  require_no_more_unique(before, old, now, hint);
}

}  // namespace anon_seq::serial
