#include "sequential/rule_scope.h"

#include <algorithm>

#include "core/text/nearest.h"
//
#include "catalog/population.h"
#include "pg/line_type.h"
#include "pg/report.h"
#include "release/heed.h"
#include "release/release_audit.h"

namespace anon_seq::sequential {
namespace {

template <class T>
bool contains(std::vector<T> const& list, T const& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool is_meant(std::string const& name, Release const& release) {
  return name == release.name || name == release.reference();
}

// One bound rule per choice of a release for each name.
void bind_all(RuleSpec const& spec, std::vector<Release> const& releases, std::vector<BoundRule>& into) {
  std::vector<BoundRule> bound{{spec, names_in(spec), {}}};
  for (auto const& name : bound.front().names) {
    std::vector<BoundRule> longer;
    for (auto const& rule : bound)
      for (std::size_t i = 0; i < releases.size(); ++i)
        if (is_meant(name, releases[i])) {
          longer.push_back(rule);
          longer.back().releases.push_back(i);
        }
    bound = std::move(longer);
  }
  into.insert(into.end(), bound.begin(), bound.end());
}

// What max_link protects in a release: its sensitive columns; of a registered one, whose roles nobody told,
// whatever our own release does not show as well.
bool is_protected(Policy const& policy, Release const& release, PublishedColumn const& column) {
  if (!release.is_registered()) return column.role == Role::kSensitive;
  return !is_common(policy, column);
}

// The newest version of each release that is not our own, by index.
std::vector<std::size_t> newest_of_others(Policy const& policy, std::vector<Release> const& releases) {
  std::vector<std::size_t> newest;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    bool const superseded = std::any_of(releases.begin(), releases.end(), [&](auto const& other) {
      return other.name == releases[i].name && other.version > releases[i].version;
    });
    if (releases[i].name != policy.name && !superseded) newest.push_back(i);
  }
  return newest;
}

// Two releases may meet through a third: what is bounded in the join with each is bounded in the join with all.
void bind_jointly(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& releases,
                  std::vector<BoundRule>& into) {
  auto const others = newest_of_others(policy, releases);
  if (others.size() < 2) return;
  std::vector<std::string> names;
  for (auto i : others) names.push_back(releases[i].reference());
  for (auto const& column : policy.sensitive)
    into.push_back({link_rule(policy, demands, *demands.max_link, {"", column}), names, others});
  for (auto i : others)
    for (auto const& column : releases[i].columns)
      if (is_protected(policy, releases[i], column))
        into.push_back(
            {link_rule(policy, demands, *demands.max_link, {releases[i].reference(), column.column}), names, others});
}

// What a release says of a person by itself (its own copies of common columns in x) no generalization of
// ours can change; so x is our quasi columns, as they are shown.
void bind_max_link(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& releases,
                   std::vector<BoundRule>& into) {
  for (auto const& column : policy.sensitive)
    bind_all(link_rule(policy, demands, *demands.max_link, {"", column}), releases, into);
  for (std::size_t i = 0; i < releases.size(); ++i) {
    auto const& release = releases[i];
    for (auto const& column : policy.sensitive)  // the join with what is out may tell more than our rows alone
      into.push_back({link_rule(policy, demands, *demands.max_link, {"", column}), {release.reference()}, {i}});
    for (auto const& column : release.columns)
      if (is_protected(policy, release, column))
        bind_all(link_rule(policy, demands, *demands.max_link, {release.reference(), column.column}), releases, into);
  }
}

bool is_left_out(Policy const& policy, SequentialPolicy const& demands, Release const& release) {
  return demands.leaves_out(release.name, release.reference()) ||
         (owed(policy, release) == Owed::kRefused && demands.leaves_out("*", "*"));
}

// The list given replaces the one before, so the hint holds what was left out already, and all that has to be.
void require_measured(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& heeded) {
  Release const* first = nullptr;
  auto left_out = demands.unguarded;
  for (auto const& release : heeded) {
    if (owed(policy, release) == Owed::kRule) continue;
    if (first == nullptr) first = &release;
    if (!contains(left_out, release.name)) left_out.push_back(release.name);
  }
  if (first == nullptr) return;
  std::string const option = "{\"unguarded\": " + json_array(left_out, json_string) + "}";
  throw Error(Fault::kUnsupported,
              "there is no joint guarantee with release " + quoted(first->reference()) + " of method " + first->method,
              "A sequential release is measured against generalized tables.",
              (policy.id == 0 ? "options => " + sql_literal(option)
                              : "SELECT anon_seq.alter_policy(" + sql_literal(policy.name) + ", " +
                                    sql_literal("{\"options\": " + option + "}") + ");") +
                  " leaves it out of account; audits will say so.");
}

std::vector<BoundRule> bound_rules(Policy const& policy, SequentialPolicy const& demands,
                                   std::vector<Release> const& releases) {
  std::vector<BoundRule> bound;
  if (demands.k) bound.push_back({rule_of_k(policy, *demands.k), {}, {}});
  if (demands.max_link) {
    bind_max_link(policy, demands, releases, bound);
    bind_jointly(policy, demands, releases, bound);
  }
  for (auto const& rule : demands.rules)
    for (auto const& part : parts_of(rule)) bind_all(part, releases, bound);
  return bound;
}

}  // namespace

std::vector<std::string> names_in(RuleSpec const& spec) {
  std::vector<std::string> names;
  for (auto const* columns : {&spec.x, &spec.y})
    for (auto const& column : *columns)
      if (!column.release.empty() && !contains(names, column.release)) names.push_back(column.release);
  for (auto const& name : spec.with)
    if (!contains(names, name)) names.push_back(name);
  return names;
}

RuleSpec link_rule(Policy const& policy, SequentialPolicy const& demands, Ratio max, RuleColumn y) {
  RuleSpec rule;
  rule.anonymity = false;
  rule.nulls = !demands.null_is_public;
  rule.max = max;
  for (auto const& column : policy.quasi) rule.x.push_back({"", column});
  if (demands.simulatable && y.release.empty())  // a class is all that a reader knows of its rows
    for (auto const& column : policy.publish_as_is) rule.x.push_back({"", column});
  rule.y.push_back(std::move(y));
  rule.partial_x = true;
  return rule;
}

bool is_common(Policy const& policy, PublishedColumn const& column) {
  return std::any_of(policy.columns.begin(), policy.columns.end(),
                     [&](auto const& ours) { return ours.attribute == column.attribute; });
}

bool has_heeded(Release const& made, Release const& earlier) {
  Policy then;
  then.name = made.name;
  then = policy_at(std::move(then), made);
  auto const demands = sequential_policy(then);
  if (is_left_out(then, demands, earlier)) return false;
  if (made.population == earlier.population && !demands.unguarded_by_wish()) return true;
  std::vector<std::string> named = demands.previous.value_or(std::vector<std::string>{});
  for (auto const& rule : demands.rules)
    for (auto const& name : names_in(rule)) named.push_back(name);
  return std::any_of(named.begin(), named.end(), [&](auto const& name) { return is_meant(name, earlier); });
}

std::size_t BoundRule::release_of(RuleColumn const& column) const {
  auto const found = std::find(names.begin(), names.end(), column.release);
  return found == names.end() ? kSource : releases[static_cast<std::size_t>(found - names.begin())];
}

bool means_person(Policy const& policy, RuleColumn const& column) {
  if (!column.release.empty()) return false;
  if (policy.person && column.column == *policy.person) return true;
  return column.column == "person" && std::none_of(policy.columns.begin(), policy.columns.end(),
                                                   [](auto const& ours) { return ours.column == "person"; });
}

namespace {

// Ranges of ours are not known before they are made.
void check_listed(Policy const& policy, RuleSpec const& rule) {
  for (auto const& column : rule.y)
    for (auto const& ours : policy.columns)
      if (column.release.empty() && ours.column == column.column && ours.is_quasi() && is_range_type(ours.type))
        throw Error(Fault::kParameter,
                    "a rule of policy " + quoted(policy.name) + " lists values of column " + quoted(ours.column) +
                        ", which is published in ranges",
                    "Which ranges there will be is found out by publishing.",
                    "Leave \"values\" out, or list labels of a taxonomy: taxonomies => " +
                        sql_literal("{" + json_string(ours.column) + ": \"...\"}") + ".");
}

// People are compared with what classes show, which is of quasi columns.
void check_population_columns(Policy const& policy, RuleSpec const& rule) {
  for (auto const& column : rule.x)
    if (!contains(policy.quasi, column.column))
      throw Error(Fault::kNoColumn,
                  "x of a rule of policy " + quoted(policy.name) + " about population " + quoted(rule.population) +
                      " names " + quoted(column.column) + ", which is no quasi column",
                  "Who of a population fits a class is told by quasi columns.", perhaps(column.column, policy.quasi));
}

}  // namespace

void check_rule_columns(Policy const& policy, SequentialPolicy const& demands) {
  for (auto const& rule : demands.rules) {
    if (!rule.values.empty()) check_listed(policy, rule);
    if (!rule.population.empty()) check_population_columns(policy, rule);
  }
  for (auto const& rule : demands.rules)
    for (auto const* side : {&rule.x, &rule.y})
      for (auto const& column : *side) {
        bool const published = std::any_of(policy.columns.begin(), policy.columns.end(),
                                           [&](auto const& ours) { return ours.column == column.column; });
        bool const persons = side == &rule.y && means_person(policy, column);
        if (persons && !rule.anonymity)
          throw Error(Fault::kParameter, "a linkability rule of policy " + quoted(policy.name) + " has persons in y",
                      "Linkability bounds the share of a value; persons are counted by anonymity rules.",
                      "Name sensitive columns in y, or state an anonymity rule with \"min\".");
        if (!column.release.empty() || published || persons) continue;
        std::vector<std::string> known;
        for (auto const& ours : policy.columns) known.push_back(ours.column);
        throw Error(Fault::kNoColumn,
                    "column " + quoted(column.column) + " of a rule is not published by policy " + quoted(policy.name),
                    "Rules speak of what a reader of the releases sees, and of persons in y.",
                    perhaps(column.column, known));
      }
}

std::vector<Release> heeded_releases(SpiSession& session, Policy const& policy, SequentialPolicy const& demands) {
  return heeded_releases(session, policy, demands, releases_of(session, policy.population));
}

std::vector<Release> heeded_releases(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                                     std::vector<Release> population) {
  require_owner_takes_part(session, policy);
  std::vector<Release> heeded;
  auto add = [&](Release release) {
    if (is_left_out(policy, demands, release)) return;
    bool const known =
        std::any_of(heeded.begin(), heeded.end(), [&](auto const& other) { return other.id == release.id; });
    if (!known) heeded.push_back(std::move(release));
  };
  if (!demands.unguarded_by_wish())
    for (auto& release : population) add(std::move(release));
  std::vector<std::string> named = demands.previous.value_or(std::vector<std::string>{});
  for (auto const& rule : demands.rules)
    for (auto const& name : names_in(rule)) named.push_back(name);
  for (auto const& name : named) {
    // One of the population may be somebody else's: naming it needs no rights on it, reading it does.
    if (std::any_of(heeded.begin(), heeded.end(), [&](auto const& known) { return is_meant(name, known); })) continue;
    if (name == policy.name) continue;  // its own versions, of which there may be none yet
    for (auto& release : find_releases(session, name)) add(std::move(release));
  }
  require_measured(policy, demands, heeded);
  return heeded;
}

std::vector<BoundRule> bind_rules(Policy const& policy, SequentialPolicy const& demands,
                                  std::vector<Release> const& releases) {
  auto bound = bound_rules(policy, demands, releases);
  if (bound.empty())
    throw Error(Fault::kParameter, "policy " + quoted(policy.name) + " guarantees nothing",
                "max_link speaks about sensitive columns, and neither this policy nor an earlier release has any.",
                "Give k or rules, for example k => 10.");
  return bound;
}

void warn_of_no_bound(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& releases) {
  if (!demands.max_link) return;
  SequentialPolicy alone = demands;
  alone.k.reset();
  alone.rules.clear();
  if (!bound_rules(policy, alone, releases).empty()) return;
  warning(
      "max_link of policy " + quoted(policy.name) + " bounds nothing",
      "It speaks about sensitive columns, and neither this policy nor an earlier release has any. List them in sensitive, or leave max_link out.");
}

std::vector<Release const*> unnamed_releases(Policy const& policy, SequentialPolicy const& demands,
                                             std::vector<Release> const& releases) {
  auto const bound = bound_rules(policy, demands, releases);
  std::vector<Release const*> unnamed;
  for (std::size_t i = 0; i < releases.size(); ++i)
    if (std::none_of(bound.begin(), bound.end(), [&](auto const& rule) { return contains(rule.releases, i); }))
      unnamed.push_back(&releases[i]);
  return unnamed;
}

}  // namespace anon_seq::sequential
