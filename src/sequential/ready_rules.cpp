#include "sequential/ready_rules.h"

#include <algorithm>

#include "core/text/some_of.h"
//
#include "pg/report.h"
#include "release/followable.h"
#include "sequential/common.h"
#include "sequential/detail.h"
#include "sequential/loosened.h"

namespace anon_seq::sequential {
namespace {

// What a release shows and ours does not: how sure the join may make of it. Where there is nothing of the kind: k
// persons of ours for whatever is known of both.
std::vector<RuleSpec> rules_about(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                                  Release const& release) {
  std::vector<RuleSpec> rules;
  for (auto const& column : release.columns)
    if (!is_common(policy, column))
      rules.push_back(link_rule(policy, demands, {1, 100}, {release.name, column.column}));
  if (!rules.empty()) return rules;
  auto rule = rule_of_k(policy, demands.k.value_or(2));
  for (auto const& ours : policy.columns)
    for (auto const& theirs : release.columns) {
      if (!ours.is_quasi() || ours.attribute != theirs.attribute) continue;
      auto const how = comparison(session, demands, ours, theirs);
      if (how != Comparison::kWaived && how != Comparison::kNone) rule.x.push_back({release.name, theirs.column});
    }
  if (rule.x.size() == policy.quasi.size()) rule.with.push_back(release.name);
  rule.partial_x = true;  // what is shown as it is, is not what k speaks of
  return {rule};
}

std::string listed(std::vector<Release const*> const& releases) {
  std::vector<std::string> names;
  for (auto const* release : releases) names.push_back(quoted(release->reference()));
  return (releases.size() == 1 ? "release " : "releases ") + some_of(names);
}

std::string unnamed_message(Policy const& policy, std::vector<Release const*> const& releases) {
  return listed(releases) + " of population " + quoted(policy.population) + (releases.size() == 1 ? " is" : " are") +
         " not named by any rule of policy " + quoted(policy.name);
}

// The rules of a trial, measured where everything of ours is as general as can be.
struct Trial {
  std::unique_ptr<SequentialProblem> made;
  Problem problem;
  std::vector<Level> levels;
  bool came_and_went = false;  // records without a partner, which the options as they are refuse
};

Trial try_rules(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                std::vector<Release> const& heeded, SourceTable source, Checkpoint& checkpoint) {
  Trial trial;
  trial.made = std::make_unique<SequentialProblem>(session, policy, demands, heeded, std::move(source), checkpoint);
  trial.problem = trial.made->problem();
  trial.problem.check();
  if (trial.problem.dangling == Dangling::kError) {
    auto const dangling = count_dangling(trial.problem, checkpoint);
    trial.came_and_went = std::any_of(dangling.begin(), dangling.end(), [](auto count) { return count > 0; });
    if (trial.came_and_went) trial.problem.dangling = Dangling::kOuter;
  }
  trial.levels = measure_rules(trial.problem, {}, false, checkpoint);
  return trial;
}

// The first rule of the policy's own that the most general release breaks.
template <class IsNew>
std::optional<std::size_t> first_broken(Trial const& trial, IsNew const& is_new) {
  for (std::size_t i = 0; i < trial.levels.size(); ++i)
    if (!is_new(trial.made->rule(i)) && Judge(trial.problem.rules[i]).violates(trial.levels[i])) return i;
  return std::nullopt;
}

// Whether the search that the policy asks for finds a release, with new rules as they were loosened.
bool is_found(Trial& trial, Loosened const& loosened, Checkpoint& checkpoint) {
  if (!trial.problem.search) return false;
  for (std::size_t i = 0; i < trial.levels.size(); ++i)
    if (auto const* rule = loosened.find(trial.made->rule(i))) {
      trial.problem.rules[i].min = rule->min;
      trial.problem.rules[i].max = rule->max.value_or(trial.problem.rules[i].max);
    }
  return find_feasible(trial.problem, search_effort(trial.problem), checkpoint).found;
}

// Ceilings of detail without which there is a release, as a statement; empty: that would not help. The columns one by
// one as long as that is no more work than a release; then all of them.
std::string without_ceilings(Policy const& policy, SequentialRelease const& release, Checkpoint& checkpoint) {
  std::vector<std::string> all;
  for (auto const& [column, limit] : release.demands->coarsest) all.push_back(column);
  std::vector<std::vector<std::string>> tries;
  for (auto const& column : all) tries.push_back({column});
  if (all.size() > 1) tries.push_back(all);
  auto left = search_effort(release.problem->problem());
  for (auto const& columns : tries) {
    if (left <= 0 && columns.size() < all.size()) continue;
    Problem looser = release.problem->problem();
    for (auto& attribute : looser.attributes) {
      auto const& name = looser.table->columns[attribute.column].name;
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) continue;
      attribute.start_depth = 0;
      attribute.start.clear();
    }
    auto const tried = find_feasible(looser, std::max<std::int64_t>(left, 0), checkpoint);
    if (tried.found) return alter_statement(policy, coarsest_without(*release.demands, columns));
    left -= tried.looked_at;
  }
  return "";
}

bool tells_all(RuleSpec const& rule) { return rule.anonymity ? rule.min <= 1 : rule.max == Ratio{1, 1}; }

}  // namespace

void require_all_named(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                       std::vector<Release> const& heeded, SourceTable const& source, Checkpoint& checkpoint) {
  auto const unnamed = unnamed_releases(policy, demands, heeded);
  if (unnamed.empty()) return;
  SequentialPolicy with_rules = demands;
  std::vector<std::string> names;
  for (auto const* release : unnamed) {
    if (std::find(names.begin(), names.end(), release->name) != names.end()) continue;
    names.push_back(release->name);
    for (auto& rule : rules_about(session, policy, demands, *release)) with_rules.rules.push_back(std::move(rule));
  }
  auto trial = try_rules(session, policy, with_rules, heeded, source, checkpoint);
  auto const is_new = [&](BoundRule const& bound) {
    auto const text = bound.spec.text();
    return std::any_of(with_rules.rules.begin() + static_cast<std::ptrdiff_t>(demands.rules.size()),
                       with_rules.rules.end(), [&](auto const& added) { return added.text() == text; });
  };
  Loosened loosened(with_rules);
  for (std::size_t i = 0; i < trial.levels.size(); ++i)
    if (is_new(trial.made->rule(i))) loosened.allow(trial.made->rule(i), trial.problem.rules[i], trial.levels[i]);
  bool possible = true;
  std::string broken;
  if (auto const old = first_broken(trial, is_new); old && !is_found(trial, loosened, checkpoint)) {
    broken = " It keeps " + shown_level(trial.problem.rules[*old], trial.levels[*old]) + " of " +
             trial.made->rule(*old).spec.text() + ".";
    for (std::size_t i = 0; i < trial.levels.size(); ++i)
      possible = loosened.allow(trial.made->rule(i), trial.problem.rules[i], trial.levels[i]) && possible;
  }
  auto changes = loosened.changes(demands.rules.size());
  if (trial.came_and_went) changes += ", \"options\": {\"dangling\": \"outer\"}";
  std::string detail = "Whoever holds both can join them; k alone does not speak about that.";
  if (std::any_of(unnamed.begin(), unnamed.end(), [](auto const* release) { return release->withdrawn; }))
    detail += " What was withdrawn counts as well, unless the option unguarded names that version.";
  if (trial.came_and_went) detail += " Some people are in one and not in the other.";
  auto const& rules = loosened.demands().rules;
  if (std::any_of(rules.begin() + static_cast<std::ptrdiff_t>(demands.rules.size()), rules.end(), tells_all))
    detail += " A rule with max 1, or min 1, bounds nothing: the join tells that much however general this release is.";
  if (possible && is_allowed(session, policy, changes))
    throw Error(Fault::kParameter, unnamed_message(policy, unnamed), detail, alter_statement(policy, changes));
  std::vector<std::string> ceilings;
  for (auto const& [column, limit] : demands.coarsest) ceilings.push_back(column);
  throw Error(Fault::kParameter, unnamed_message(policy, unnamed),
              detail + " No rules about them help: what the policy " +
                  (policy.version > 1 ? "has promised already" : "asks for") +
                  " is broken by the most general release of this source" +
                  (ceilings.empty() ? "." : " that its ceilings of detail (\"coarsest\") allow.") + broken,
              ceilings.empty()
                  ? "Leave rows out of the source, as by a view, or declare another policy that asks for less."
                  : alter_statement(policy, coarsest_without(demands, ceilings)) + " lifts them; publish again then.");
}

Error infeasible(SpiSession& session, Policy const& policy, SequentialRelease const& release, Checkpoint& checkpoint) {
  auto const& outcome = release.outcome;
  auto const& problem = release.problem->problem();
  auto const& spec = release.problem->rule(outcome.obstacle).spec;
  bool stopped = false;  // a search for a hint
  std::string const best = shown_level(problem.rules[outcome.obstacle], outcome.rules[outcome.obstacle].reached);
  auto const error = [&](std::string const& hint) {
    return Error(Fault::kData,
                 "policy " + quoted(policy.name) + " cannot be met: a rule is broken " +
                     (outcome.proof    ? "however much is generalized"
                      : problem.search ? "in every state that the search met"
                                       : "by the most general release"),
                 "The rule is " + spec.text() + ". The best that was reached is " + best + "." +
                     (outcome.proof ? " This is proven: no generalization of this source does better."
                                    : " This is not a proof: a more specific state need not break it.") +
                     (stopped ? " A search for one stopped when it had cost as much as a release." : ""),
                 hint);
  };
  auto const& broken = problem.rules[outcome.obstacle];
  auto const& reached = outcome.rules[outcome.obstacle].reached;
  if (broken.population && !Judge(broken).anonymity() && reached.num > reached.den)
    return error("More persons of the source fit a class than people of population " + quoted(spec.population) +
                 ", so it does not hold everybody who is in the source. Register one that does.");
  if (auto const without = without_ceilings(policy, release, checkpoint); !without.empty())
    return error(without + " Its ceilings of detail (\"coarsest\") ask for more than there are persons for." +
                 (release.demands->k ? " Or leave more persons out, by max_suppressed." : ""));
  std::string const leave_out =
      "Leave rows out of the source, as by a view, or declare another policy that asks for less.";
  if (!outcome.proof && !problem.search && !problem.simulatable) {
    Problem deeper = problem;
    deeper.search = true;
    auto const tried = find_feasible(deeper, search_effort(deeper), checkpoint);
    stopped = tried.cut_short;
    if (tried.found)
      return error(alter_statement(policy, "\"options\": {\"search\": true}") +
                   " A search below the most general release finds one.");
  }
  Loosened loosened(*release.demands);
  bool possible = true;
  for (std::size_t i = 0; i < outcome.rules.size(); ++i)
    possible = loosened.allow(release.problem->rule(i), problem.rules[i], outcome.rules[i].root) && possible;
  auto const changes = loosened.changes(release.demands->rules.size());
  if (broken.population && reached.num == 0)
    return error(
        "Values of the population are unknown to a taxonomy, or lie outside a domain, so that its people fit no class,"
        " not the most general one either. Offer the others in a view, and register that.");
  if (!possible) return error("Relax the rule, if no release has promised it yet. " + leave_out);
  if (is_allowed(session, policy, changes))
    return error(
        alter_statement(policy, changes) +
        " It asks for what the most general release keeps, with a tenth of room. Or leave rows out of the source, as by a view.");
  return error("Earlier releases have promised some of what is broken, and that stays. " + leave_out);
}

Error infeasible_blanked(Policy const& policy, SequentialRelease const& release) {
  auto const [rule, level] = *release.blanked_break;
  return Error(Fault::kData,
               "policy " + quoted(policy.name) + " cannot be met: persons without quasi values break a rule",
               "They are a class of their own, of " + std::to_string(release.problem->suppressed().blanked) +
                   " persons. The rule is " + release.problem->rule(rule).spec.text() + ". What they keep is " +
                   shown_level(release.problem->problem().rules[rule], level) + ".",
               alter_statement(policy, "\"options\": {\"suppress\": \"rows\"}") + " leaves them out.");
}

void note_unnamed(SpiSession& session, Policy const& policy) {
  auto const demands = sequential_policy(policy);
  auto const heeded = heeded_releases(session, policy, demands);
  auto const unnamed = unnamed_releases(policy, demands, heeded);
  if (unnamed.empty()) return;
  std::string const hint = "Publishing is refused until rules speak of " +
                           std::string(unnamed.size() == 1 ? "it" : "them") + ". SELECT reason FROM anon_seq.preview(" +
                           sql_literal(policy.name) + "); has a statement that works.";
  notice(unnamed_message(policy, unnamed), hint);
}

}  // namespace anon_seq::sequential
