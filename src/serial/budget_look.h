// What is left of the budgets: for people who plan.
#pragma once

#include "release/publish_run.h"
#include "serial/policy.h"

namespace anon_seq::serial {

struct BudgetLine {
  std::string column, value;         // of values that are bounded together no column
  std::int64_t persons = 0;          // who met it
  std::int64_t spent = 0;            // of these, who may not stand beside it any more
  std::int64_t rows_for_one = 0;     // rows that a class needs for each of it, if anybody may be in it who still can
  std::string largest;               // the largest chance so far
  std::optional<std::int64_t> left;  // versions that the plan still lasts; nothing: no end
};
std::vector<BudgetLine> budget_lines(SpiSession& session, Policy const& policy);

// A version that is still to come, if the source kept its persons, and a share of them had values that are drawn anew.
struct ForecastLine {
  std::int32_t version = 0;
  std::optional<std::string> reason;  // why it could not be published; then the forecast ends
  std::int64_t published = 0, withheld = 0, classes = 0, smallest = 0;
  std::int64_t rows_for_one = 0;  // see above, of the tightest cohort
  double ncp = 0;
};
// changing: that share; nothing: what the last version found, or all.
std::vector<ForecastLine> forecast(SpiSession& session, Policy const& policy, std::int32_t versions,
                                   std::optional<double> changing, Checkpoint& checkpoint);

}  // namespace anon_seq::serial
