// What a serial policy demands, read from its parameters and options: a lossy join, again and again, under a budget.
//
// Its classes are those of a lossy join; which share of a value a class may have is no parameter, but what is left to
// the persons in it (core/serial).
#pragma once

#include "core/serial/cohorts.h"
//
#include "lossy_join/policy.h"

namespace anon_seq::serial {

using lossy_join::LossyPolicy;

struct SerialPolicy : LossyPolicy {
  Ratio l{2, 1};
  Plan plan;
  bool permanent = false;  // groups for life, see lives.h

  // options
  CohortDemands cohorts;
  std::int64_t largest_m = 0;  // who may only be where one of so many, or more, has a value is withheld; 0: no limit
  std::int64_t renewals = 0;   // of a fixed horizon: how often it was begun again
  double stale_share = 0.5;    // a WARNING above that share of unchanged values

  Ratio least() const { return least_kept(l); }
  // The first version that counts: those before belong to horizons that ended.
  std::int32_t period_begin(std::int32_t version) const {
    if (plan.kind != PlanKind::kFixed) return 1;
    return static_cast<std::int32_t>((version - 1) / plan.horizon * plan.horizon) + 1;
  }
};

// Throws kParameter, saying which parameter or option is wrong. Meets no table and no release.
SerialPolicy serial_policy(Policy const& policy);

// Whether persistence is "permanent", by the parameters of a policy or release. Of parameters that make no sense, no.
bool is_permanent(std::string const& parameters);

// What stands for all listed values where they are bounded together: the lists.
std::string merged_name(SerialPolicy const& demands);

// Which plan it is, in words.
std::string plan_text(SerialPolicy const& demands);

}  // namespace anon_seq::serial
