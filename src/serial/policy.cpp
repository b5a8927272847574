#include "serial/policy.h"

#include <algorithm>

#include "core/numbers/decimal.h"
//
#include "lossy_join/listed.h"

namespace anon_seq::serial {
namespace {

constexpr char kWhySubset[] =
    "Bounding every value needs more different values in each class than tables have: under 1/2, for two versions, four"
    " that are equally frequent. So name those that nobody may be linked to.";

std::int64_t positive(JsonValue const& json, std::int64_t most) {
  std::int64_t const value = json.integer();
  if (value < 1 || value > most) json.refuse("from 1 to " + std::to_string(most));
  return value;
}

// Greater than 1, and with few enough digits that fractions of budgets are exact.
Ratio read_l(JsonValue const& json) {
  auto const text = json.number();
  auto const scale = decimal_scale(text);
  Ratio l{0, 1};
  if (scale && *scale <= 3) {
    for (int i = 0; i < *scale; ++i) l.den *= 10;
    l.num = decimal_floor(text, *scale).value_or(0);
  }
  constexpr std::int64_t kMost = 1000;
  if (l.num <= l.den || l.num > kMost * l.den)
    json.refuse("above 1 and at most 1000, with three decimals at most",
                "The chance of a listed value stays at most 1/l.");
  for (; l.den > 1 && l.num % 10 == 0; l.den /= 10) l.num /= 10;  // as ratio_text() writes it
  return l;
}

void read_plan(SerialPolicy& into, JsonValue const& json, JsonValue const& options) {
  auto const* const plan = given(json, "plan");
  if (plan != nullptr)
    into.plan.kind = one_of<PlanKind>(*plan, {{"harmonic", PlanKind::kHarmonic},
                                              {"fixed", PlanKind::kFixed},
                                              {"geometric", PlanKind::kGeometric},
                                              {"window", PlanKind::kWindow}});
  auto const* const horizon = given(json, "horizon");
  auto const* const window = given(options, "window");
  auto const* const rho = given(options, "ratio");
  auto const only_for = [](JsonValue const* given, char const* name, char const* plan) {
    if (given != nullptr) throw Error(Fault::kParameter, std::string(name) + " is for plan \"" + plan + "\" alone");
  };
  constexpr std::int64_t kMost = 10000;
  if (into.plan.kind != PlanKind::kFixed) only_for(horizon, "\"horizon\"", "fixed");
  if (into.plan.kind != PlanKind::kWindow) only_for(window, "options.window", "window");
  if (into.plan.kind != PlanKind::kGeometric) only_for(rho, "options.ratio", "geometric");
  if (into.plan.kind == PlanKind::kFixed) {
    if (horizon == nullptr)
      throw Error(Fault::kParameter, "plan \"fixed\" needs \"horizon\": how many versions there will be", "",
                  "For example horizon => 12.");
    into.plan.horizon = positive(*horizon, kMost);
  }
  if (into.plan.kind == PlanKind::kWindow) {
    if (window == nullptr)
      throw Error(Fault::kParameter, "plan \"window\" needs options.window: over how many versions in a row it holds",
                  "", "For example options => '{\"window\": 12}'.");
    into.plan.horizon = positive(*window, kMost);
  }
  if (rho != nullptr) {
    into.plan.rho = rho->ratio();
    if (into.plan.rho.num >= into.plan.rho.den) rho->refuse("above 0 and below 1");
  }
  if (auto const* const renewals = given(options, "renewals")) {
    if (into.plan.kind != PlanKind::kFixed) only_for(renewals, "options.renewals", "fixed");
    into.renewals = renewals->integer();
    if (into.renewals < 0 || into.renewals > 1000) renewals->refuse("from 0 to 1000");
  }
}

void read_lists(SerialPolicy& into, Policy const& policy, JsonValue const& json, JsonValue const& options) {
  auto const add = [&](std::string const& column, JsonValue const& values) {
    into.listed[column] = values.strings();
    if (into.listed[column].empty()) values.refuse("at least one value", kWhySubset);
  };
  auto const* const one = given(json, "sensitive_values");
  auto const* const by_column = given(options, "sensitive_values");
  if (one != nullptr && by_column != nullptr)
    throw Error(Fault::kParameter, "sensitive_values is given twice, as a parameter and as an option");
  if (one != nullptr && policy.sensitive.size() > 1)
    throw Error(Fault::kParameter, "sensitive_values lists values of one column, and there are several", "",
                "Name them by column: options => '{\"sensitive_values\": {" + json_string(policy.sensitive.front()) +
                    ": [...]}}'.");
  if (one != nullptr && !policy.sensitive.empty()) add(policy.sensitive.front(), *one);
  if (by_column != nullptr)
    for (auto const& [column, values] : by_column->members()) {
      if (std::find(policy.sensitive.begin(), policy.sensitive.end(), column) == policy.sensitive.end())
        throw Error(Fault::kParameter, "options.sensitive_values names " + quoted(column) + ", no sensitive column");
      add(column, values);
    }
  for (auto const& column : policy.sensitive)
    if (!into.listed.contains(column))
      throw Error(Fault::kParameter, "a serial policy needs a list of values of column " + quoted(column), kWhySubset,
                  policy.sensitive.size() > 1
                      ? "List them: options => '{\"sensitive_values\": {" + json_string(column) + ": [...]}}'."
                      : "List the values that nobody may be linked to: sensitive_values => ARRAY[...].");
}

void read_cohorts(SerialPolicy& into, JsonValue const& options) {
  if (auto const* const cohorts = given(options, "cohorts"))
    into.cohorts.by_cut = one_of<bool>(*cohorts, {{"cut", true}, {"ledger", false}});
  if (auto const* const least = given(options, "cohort_min")) into.cohorts.least = positive(*least, 1000000000);
  if (auto const* const share = given(options, "withhold_below")) {
    auto const lowest = share->ratio();
    into.largest_m = lowest.den / lowest.num;
    auto const first = planned_share(into.plan, into.least(), 0);
    if (first.den > into.largest_m)
      share->refuse(
          "at most 1/" + std::to_string(first.den) + ", which is what the plan gives to whom nobody was linked yet",
          "Else everybody would be withheld.");
  }
  into.k = into.l.num / into.l.den + (into.l.num % into.l.den != 0);
  if (auto const* const k = given(options, "k")) into.k = positive(*k, 1000000000);
  into.cohorts.k = into.k;
  into.cohorts.dealt = !into.generalized;
}

}  // namespace

SerialPolicy serial_policy(Policy const& policy) {
  SerialPolicy read;
  auto const json = parse_json(policy.parameters, "parameters");
  auto const options = parse_json(policy.options, "options");
  json.expect_keys({"sensitive_values", "l", "form", "plan", "horizon", "persistence"});
  read_shared_options(read, options,
                      {"sensitive_values", "any", "window", "ratio", "renewals", "cohorts", "cohort_min",
                       "withhold_below", "k", "stale_share"});
  auto const* const l = given(json, "l");
  if (l == nullptr) throw Error(Fault::kParameter, "a serial policy needs \"l\"", "", "For example l => 3.");
  read.l = read_l(*l);
  read.alpha = {read.l.den, read.l.num};
  auto const* const form = given(json, "form");
  if (form == nullptr)
    throw Error(Fault::kParameter, "a serial policy needs \"form\"", "", "For example form => 'generalized'.");
  read.generalized = one_of<bool>(*form, {{"projections", false}, {"generalized", true}});
  read.numbered = true;
  read.flat = read.generalized && read.flat;
  read.classes = read.generalized ? lossy_join::ClassKind::kTopdown : lossy_join::ClassKind::kRegional;
  read_plan(read, json, options);
  if (auto const* const persistence = given(json, "persistence"))
    read.permanent = one_of<bool>(*persistence, {{"transient", false}, {"permanent", true}});
  read_lists(read, policy, json, options);
  auto const* const any = given(options, "any");
  read.each = any == nullptr || !any->boolean();
  read_cohorts(read, options);
  if (auto const* const stale = given(options, "stale_share")) {
    auto const share = stale->ratio();
    read.stale_share = static_cast<double>(share.num) / static_cast<double>(share.den);
  }
  return read;
}

bool is_permanent(std::string const& parameters) {
  auto const json = parse_json(parameters, "parameters");
  auto const* const persistence = given(json, "persistence");
  return persistence != nullptr && persistence->kind() == JsonValue::Kind::kString &&
         persistence->string() == "permanent";
}

std::string merged_name(SerialPolicy const& demands) {
  std::string name;
  for (auto [column, values] : demands.listed) {
    std::sort(values.begin(), values.end());
    name += (name.empty() ? "" : "; ") + json_string(column) + ": " + json_array(values, json_string);
  }
  return name;
}

std::string plan_text(SerialPolicy const& demands) {
  auto const horizon = std::to_string(demands.plan.horizon);
  switch (demands.plan.kind) {
    case PlanKind::kFixed: return "fixed, of " + horizon + " versions";
    case PlanKind::kGeometric: return "geometric, ratio " + ratio_text(demands.plan.rho);
    case PlanKind::kWindow: return "window of " + horizon + " versions";
    default: return "harmonic";
  }
}

}  // namespace anon_seq::serial
