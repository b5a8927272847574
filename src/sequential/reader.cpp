#include "sequential/reader.h"

#include <algorithm>

#include "pg/json_object.h"
#include "pg/report.h"
#include "release/followable.h"
#include "release/shown_again.h"

namespace anon_seq::sequential {
namespace {

constexpr char kPaper[] = "Before the first release, {\"decisions\": \"paper\"} offers it, as a weaker promise.";

bool is_in(std::vector<std::string> const& names, std::string const& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_sensitive(Policy const& policy, RuleColumn const& column) {
  return column.release.empty() && is_in(policy.sensitive, column.column);
}

bool has_sensitive(Policy const& policy, std::vector<RuleColumn> const& columns) {
  return std::any_of(columns.begin(), columns.end(), [&](auto const& column) { return is_sensitive(policy, column); });
}

[[noreturn]] void refuse(Fault fault, std::string const& what, std::string const& why, std::string const& hint) {
  throw Error(fault, what + " is not offered with simulatable decisions", why, hint);
}

void require_rule(Policy const& policy, RuleSpec const& rule) {
  if (has_sensitive(policy, rule.x))
    refuse(Fault::kUnsupported, "a rule with a sensitive column of the policy in x",
           "Groups of its values are no classes: whom a cut puts into them is secret. The rule is " + rule.text() + ".",
           kPaper);
  if (!has_sensitive(policy, rule.y)) return;
  if (rule.anonymity)
    refuse(Fault::kUnsupported, "counting distinct values of a sensitive column",
           "How many there are behind a cut depends on who has them. The rule is " + rule.text() + ".",
           "State a linkability rule about the column. " + std::string(kPaper));
  for (auto const& column : rule.y)
    if (!column.release.empty() || is_in(policy.quasi, column.column))
      refuse(
          Fault::kUnsupported, "a rule with a sensitive column in y beside one that a reader knows",
          "Quasi columns, and what others show, are known to him. The rule is " + rule.text() + ".",
          "A rule about the sensitive column alone bounds it together with whatever is known. " + std::string(kPaper));
}

// All that is published but the sensitive columns: who knows that of somebody, knows his class.
bool knows_class(Policy const& policy, RuleSpec const& rule) {
  return std::all_of(policy.columns.begin(), policy.columns.end(), [&](auto const& column) {
    return column.role == Role::kSensitive ||
           std::find(rule.x.begin(), rule.x.end(), RuleColumn{"", column.column}) != rule.x.end();
  });
}

// Whether a release shows a sensitive column of the policy.
bool shows_sensitive(Policy const& policy, Release const& other) {
  for (auto const& theirs : other.columns)
    for (auto const& ours : policy.columns)
      if (ours.role == Role::kSensitive && ours.attribute == theirs.attribute) return true;
  return false;
}

// The sensitive column of the policy that the cuts of a release follow without showing it; nullptr: there is none.
PublishedColumn const* followed_sensitive(Policy const& policy, Release const& other) {
  auto const shaped = release::shaped_by(other);
  for (auto const& ours : policy.columns)
    if (ours.role == Role::kSensitive && is_in(shaped, ours.attribute)) return &ours;
  return nullptr;
}

// What a release does with a sensitive column of the policy; "": it has nothing to do with them.
std::string tells_sensitive(Policy const& policy, Release const& other) {
  if (shows_sensitive(policy, other)) return "shows a sensitive column";
  return followed_sensitive(policy, other) != nullptr ? "has cuts that follow a sensitive column" : "";
}

// Another release that somebody may have read, and that tells of one; the oldest. `release`: id 0 if it is being made.
Release const* told_beside(Policy const& policy, std::vector<Release> const& population, Release const& release) {
  for (auto const& other : population)
    if (!other.withdrawn && other.id != release.id && !tells_sensitive(policy, other).empty()) return &other;
  return nullptr;
}

}  // namespace

void require_simulatable(Policy const& policy, SequentialPolicy const& demands) {
  if (!demands.simulatable) return;
  if (demands.search)
    refuse(Fault::kParameter, "option \"search\"", "The order of its steps follows sensitive values.",
           "Leave one of the two options out.");
  if (demands.null_is_public)
    refuse(Fault::kParameter, "option \"null_is_public\"",
           "Who knows who has no value of a sensitive column is surer of the others than their share in a class.",
           "Without max_link, a linkability rule with \"values\" bounds those alone: nobody need know who has none.");
  if (!demands.label.empty() && !is_in(policy.quasi, demands.label) && !is_in(policy.publish_as_is, demands.label))
    refuse(Fault::kParameter, "label " + quoted(demands.label) + ", which is no quasi column,",
           "Cuts follow the label, and would tell of it.", "Leave label out, or list it in quasi or publish_as_is.");
  for (auto const& rule : demands.rules) require_rule(policy, rule);
}

std::string way_beside(Policy const& policy, SequentialPolicy const& demands, Release const& shown) {
  constexpr char kSerial[] = " Serial policies bound values that several releases show.";
  if (shown.name != policy.name)
    return "options => '{\"unguarded\": " + json_array(std::vector{shown.name}, json_string) +
           "}' leaves it out of account: nothing bounds what the two tell together then, and every audit says so, by the"
           " checks \"reader\" and \"unguarded\"." +
           kSerial;
  std::string const once = "With simulatable decisions a policy publishes once.";
  if (shown.retired && !shown.withdrawn) return once + kSerial;
  auto left_out = demands.unguarded;
  left_out.push_back(shown.reference());
  auto const alter = alter_statement(policy, "\"options\": {\"unguarded\": " + json_array(left_out, json_string) + "}");
  if (shown.withdrawn) return once + " " + alter + " leaves out what was withdrawn." + kSerial;
  constexpr std::size_t kSelect = 7;  // one statement of two
  return once + " SELECT anon_seq.withdraw_release(" + sql_literal(shown.reference()) + ", 'why'), " +
         alter.substr(kSelect) + " takes that version back, if nobody has read it." + kSerial;
}

void note_once(Policy const& policy, SequentialPolicy const& demands) {
  if (!demands.simulatable || policy.sensitive.empty() || policy.version > 0 || demands.leaves_out_all() ||
      demands.leaves_out(policy.name, policy.name))
    return;
  notice("policy " + quoted(policy.name) + " publishes once: simulatable decisions refuse a version beside another one",
         "A version that nobody has read can be taken back, by withdraw_release(). Serial policies are for values that"
         " are published again and again.");
}

std::string advice(Policy const& policy) {
  if (shown_once(policy).empty()) return "";
  std::string const half =
      " may help: simulatable decisions cut a class in two only where every bounded value has at most half of the"
      " allowed share in it";
  return (sequential_policy(policy).max_link
              ? "A higher max_link, or in its place a linkability rule with \"values\", those that matter,"
              : "A higher max of linkability rules, or fewer of their \"values\",") +
         half;
}

void warn_of_shown(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& heeded) {
  if (!demands.simulatable) return;
  for (auto const& other : heeded)
    if (auto const told = tells_sensitive(policy, other); !told.empty())
      return warning("release \"" + other.reference() + "\" " + told +
                         " of the same people: simulatable decisions are refused beside it",
                     "A serial policy bounds values that several releases show.");
}

void require_not_followed(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& heeded) {
  for (auto const& other : heeded)
    if (auto const* const column = followed_sensitive(policy, other))
      throw Error(Fault::kUnsupported,
                  "another release whose cuts follow sensitive column " + quoted(column->column) +
                      " is not offered with simulatable decisions",
                  "It is release " + quoted(other.reference()) + ": the column is its label.",
                  way_beside(policy, demands, other));
}

std::vector<std::string> shown_once(Policy const& policy) {
  auto const demands = sequential_policy(policy);
  bool const bounds = demands.max_link ||
                      std::any_of(demands.rules.begin(), demands.rules.end(),
                                  [&](auto const& rule) { return !rule.anonymity && has_sensitive(policy, rule.y); });
  std::vector<std::string> attributes;
  for (auto const& column : policy.columns)
    if (demands.simulatable && bounds && column.role == Role::kSensitive) attributes.push_back(column.attribute);
  return attributes;
}

bool bounds_sensitive(Policy const& policy, BoundRule const& bound) {
  return !bound.spec.anonymity && has_sensitive(policy, bound.spec.y);
}

void add_reader(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                std::vector<BoundRule> const& rules, std::vector<Release> const& population, Release const& release,
                Checks& checks) {
  std::vector<std::string> persons, shares;
  for (auto const& bound : rules) {
    if (!bounds_sensitive(policy, bound)) continue;
    auto& of = demands.simulatable && knows_class(policy, bound.spec) ? persons : shares;
    if (auto const text = bound.spec.text(); !is_in(of, text)) of.push_back(text);
  }
  if (persons.empty() && shares.empty()) return;
  auto const as_is = [](std::string const& json) { return json; };
  Check check{"reader", release.reference(), "", "", true, 0, "{}"};
  check.detail = JsonObject()
                     .text("decisions", demands.simulatable ? "simulatable" : "paper")
                     .add("persons", json_array(persons, as_is))
                     .add("shares", json_array(shares, as_is))
                     .json();
  check.required = demands.simulatable ? "who knows the code learns no more than the rows tell" : "reported only";
  check.observed = demands.simulatable ? "decisions are simulatable"
                                       : "decisions of the paper: rules hold as far as the rows themselves tell";
  if (auto const* const other = demands.simulatable ? told_beside(policy, population, release) : nullptr) {
    check.observed = told_as(session, *other) + " " + tells_sensitive(policy, *other) + " of the same people, and " +
                     (release.id == 0 || other->id < release.id ? "is left out of account" : "came later");
    check.ok = false;
    check.offending = 1;
  }
  checks.push_back(std::move(check));
}

}  // namespace anon_seq::sequential
