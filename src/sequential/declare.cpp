#include "sequential/declare.h"

#include <algorithm>

#include "pg/json_object.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "release/declare.h"
#include "release/followable.h"
#include "sequential/common.h"
#include "sequential/detail.h"
#include "sequential/people.h"
#include "sequential/reader.h"

namespace anon_seq::sequential {

void require_sound(SpiSession& session, Policy const& policy, SequentialPolicy const& demands) {
  check_rule_columns(policy, demands);
  require_bounded_label(policy, demands);
  require_simulatable(policy, demands);
  check_domains(session, policy, demands.domains);
  population_columns(session, policy, demands);  // says what is wrong with a table of people
  check_detail(policy, demands);
}

void check(SpiSession& session, Policy const& policy) {
  auto const demands = sequential_policy(policy);
  if (!demands.label.empty()) select_columns(session, source_of(session, policy), {&demands.label, 1});
  require_sound(session, policy, demands);
  auto const heeded = heeded_releases(session, policy, demands);  // says which named release is not there
  warn_of_no_bound(policy, demands, heeded);
  warn_of_shown(policy, demands, heeded);
  note_once(policy, demands);
  if (demands.blanks && demands.max_link)
    notice("later versions of policy " + quoted(policy.name) +
               " will leave out those whom this one shows without quasi values: max_link joins versions",
           alter_statement(policy, "\"options\": {\"suppress\": \"rows\"}") + " is to be said before them.");
  if (!demands.label.empty() && !is_published(policy, demands.label))
    warning("label \"" + demands.label +
                "\" is not published, and nothing bounds what the cuts, which follow it, tell of it",
            "List it in sensitive, where rules speak of it, or in publish_as_is if everybody may know it.");
  for (auto const& column : policy.sensitive) {
    bool const bounded =
        demands.max_link || std::any_of(demands.rules.begin(), demands.rules.end(), [&](auto const& rule) {
          return std::find(rule.y.begin(), rule.y.end(), RuleColumn{"", column}) != rule.y.end();
        });
    if (!bounded)
      warning("sensitive column \"" + column + "\" is published as it is, and no rule bounds what it tells",
              "Give max_link, or a linkability rule with the column in y.");
  }
}

Description describe(SpiSession& session, Policy const& policy) {
  auto const demands = sequential_policy(policy);
  auto const heeded = heeded_releases(session, policy, demands);
  JsonObject common;
  for (auto const& release : heeded) common.add(release.reference(), common_json(session, policy, demands, release));
  auto const rules = json_array(bind_rules(policy, demands, heeded), [](auto const& rule) { return rule.spec.text(); });
  auto const unnamed = json_array(unnamed_releases(policy, demands, heeded),
                                  [](auto const* release) { return json_string(release->reference()); });
  return {common.json(), rules, unnamed};
}

}  // namespace anon_seq::sequential
