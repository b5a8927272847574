#include "release/alter.h"

#include <algorithm>

#include "pg/cell_source.h"
#include "release/incremental_policy.h"
#include "release/rule_scope.h"
#include "release/sequential_policy.h"

namespace anon_seq::pg {
namespace {

[[noreturn]] void refuse(Policy const& policy, std::string const& what, std::string const& why) {
  throw Error(Fault::kParameter, "policy " + quoted(policy.name) + " has releases: " + what, why,
              "Declare another policy, or change only what asks for more.");
}

bool at_most_as_lax(Ratio tighter, Ratio laxer) { return at_most(tighter.num, tighter.den, laxer); }

// Whether a rule of `after` asks for at least what `rule` asked.
bool is_kept(RuleSpec const& rule, std::vector<RuleSpec> const& after) {
  return std::any_of(after.begin(), after.end(), [&](RuleSpec other) {
    if (rule.anonymity != other.anonymity) return false;
    if (rule.anonymity) {
      if (other.min < rule.min) return false;
      other.min = rule.min;
    } else if (rule.max && other.max) {
      if (!at_most_as_lax(*other.max, *rule.max)) return false;
      other.max = rule.max;
    }
    return other.text() == rule.text();
  });
}

bool same_columns(Policy const& before, Policy const& after) {
  return columns_json(before.columns) == columns_json(after.columns);
}

// Whether the population has releases of that name, and none of them can be heeded: the policy's owner, who acts,
// cannot read them, or no joint guarantee is known.
bool is_out_of_reach(SpiSession& session, Policy const& policy, std::string const& name) {
  bool found = false;
  for (auto const& release : releases_of(session, policy.population)) {
    if (release.name != name) continue;
    found = true;
    if (is_measured(release) && may_read(session, release)) return false;
  }
  return found;
}

}  // namespace

void require_allowed_change(SpiSession& session, Policy const& before, Policy const& after) {
  if (before.method == "incremental") return require_followable(before, after);
  auto const old = sequential_policy(before), now = sequential_policy(after);
  constexpr char const* kShape = "Views on it keep their columns, types and meaning.";
  if (!same_columns(before, after)) refuse(before, "its columns and taxonomies are fixed", kShape);
  if (before.target_schema != after.target_schema || before.target_name != after.target_name)
    refuse(before, "publish_as is fixed", kShape);
  if (before.person != after.person)
    refuse(before, "person is fixed", "Counts of earlier releases are counts of these persons.");
  if (before.population != after.population)
    refuse(before, "population is fixed", "Its releases would count for nobody else any more.");
  if (old.k && (!now.k || *now.k < *old.k))
    refuse(before, "k may be raised, not lowered", "It is " + std::to_string(*old.k) + " for what has been published.");
  if (old.max_link && (!now.max_link || !at_most_as_lax(*now.max_link, *old.max_link)))
    refuse(before, "max_link may be lowered, not raised", "Earlier releases promised the lower one.");
  for (auto const& rule : old.rules)
    if (!is_kept(rule, now.rules))
      refuse(before, "its rules must stay, or become stricter", "Missing or laxer is " + rule.text() + ".");
  for (auto const& name : now.unguarded)
    if (std::find(old.unguarded.begin(), old.unguarded.end(), name) == old.unguarded.end() &&
        !is_out_of_reach(session, before, name))
      refuse(before, "no release can be left out of account later", "unguarded would add " + name + ".");
  if (now.unguarded_by_wish() && !old.unguarded_by_wish())
    refuse(before, "no release can be left out of account later", "previous would be '{}'.");
  for (auto const& name : old.previous.value_or(std::vector<std::string>{}))
    if (!now.previous || std::find(now.previous->begin(), now.previous->end(), name) == now.previous->end())
      refuse(before, "no release can be left out of account later", "previous would lose " + name + ".");
  for (auto const& name : now.allow_unique)
    if (std::find(old.allow_unique.begin(), old.allow_unique.end(), name) == old.allow_unique.end())
      refuse(before, "no column can be allowed to be unique later", "allow_unique would add " + name + ".");
  for (auto const& name : now.not_common)
    if (std::find(old.not_common.begin(), old.not_common.end(), name) == old.not_common.end())
      refuse(before, "no common attribute can be waived later", "not_common would add " + name + ".");
  if (old.overlap && !now.overlap)
    refuse(before, "overlap cannot be switched off", "An attacker compares intervals all the same.");
}

}  // namespace anon_seq::pg
