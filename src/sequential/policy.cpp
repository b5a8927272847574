#include "sequential/policy.h"

#include <algorithm>

#include "core/numbers/line_place.h"
#include "core/text/nearest.h"

namespace anon_seq::sequential {
namespace {

void read_parameters(SequentialPolicy& into, JsonValue const& json) {
  json.expect_keys({"k", "max_link", "rules", "label", "objective", "previous", "max_suppressed"});
  if (auto const* k = given(json, "k")) {
    into.k = k->integer();
    if (*into.k < 1) k->refuse("at least 1");
  }
  if (auto const* max_link = given(json, "max_link")) into.max_link = max_link->ratio();
  if (auto const* rules = given(json, "rules")) into.rules = parse_rules(*rules);
  if (auto const* label = given(json, "label")) into.label = label->string();
  if (auto const* previous = given(json, "previous")) into.previous = previous->strings();
  into.objective = into.label.empty() ? Objective::kDistortion : Objective::kEntropy;
  if (auto const* objective = given(json, "objective")) {
    into.objective = one_of<Objective>(*objective, {{"entropy", Objective::kEntropy},
                                                    {"distortion", Objective::kDistortion},
                                                    {"discernibility", Objective::kDiscernibility}});
    if (into.objective == Objective::kEntropy && into.label.empty())
      throw Error(Fault::kParameter, "objective \"entropy\" needs a label", "",
                  "Name the column that the release should predict: label => 'income'.");
  }
}

// A share below 1; 0 is none.
void read_max_suppressed(SequentialPolicy& into, JsonValue const& json) {
  auto const* share = given(json, "max_suppressed");
  if (share == nullptr) return;
  auto const text = share->number();
  bool const none = text.find_first_not_of("-0.") == std::string_view::npos;
  if (none) return;
  constexpr char kShare[] = "at least 0 and below 1";
  if (text.front() != '-' && std::strtod(std::string(text).c_str(), nullptr) >= 1) share->refuse(kShare);
  if (text.front() != '-') into.max_suppressed = share->ratio();
  if (!into.max_suppressed || into.max_suppressed->num >= into.max_suppressed->den) share->refuse(kShare);
  if (!into.k)
    throw Error(Fault::kParameter, "max_suppressed needs k",
                "Who is left out is decided by k and the quasi columns alone.", "Give k, for example k => 10.");
  into.dangling = Dangling::kOuter;  // who is left out now may be in earlier releases
}

void read_options(SequentialPolicy& into, JsonValue const& json) {
  read_shared_options(
      into, json,
      {"pruning", "valid_split", "overlap", "dangling", "search", "not_common", "null_is_public", "unknown_values",
       "decisions", "weights", "suppress", "recoding", "finest", "coarsest", "linked"});
  if (auto const* pruning = given(json, "pruning"))
    into.pruning = one_of<Pruning>(*pruning, {{"exact", Pruning::kExact}, {"paper", Pruning::kPaper}});
  if (auto const* dangling = given(json, "dangling"))
    into.dangling = one_of<Dangling>(*dangling, {{"error", Dangling::kError}, {"outer", Dangling::kOuter}});
  if (auto const* valid_split = given(json, "valid_split")) into.valid_split = valid_split->boolean();
  if (auto const* overlap = given(json, "overlap")) into.overlap = overlap->boolean();
  if (auto const* search = given(json, "search")) into.search = search->boolean();
  if (auto const* known = given(json, "null_is_public")) into.null_is_public = known->boolean();
  if (auto const* unknown = given(json, "unknown_values"))
    into.suppress_unknown = one_of<bool>(*unknown, {{"error", false}, {"suppress", true}});
  if (auto const* decisions = given(json, "decisions"))
    into.simulatable = one_of<bool>(*decisions, {{"paper", false}, {"simulatable", true}});
  if (auto const* recoding = given(json, "recoding"))
    into.local = one_of<bool>(*recoding, {{"global", false}, {"local", true}});
  if (auto const* waived = given(json, "not_common")) into.not_common = waived->strings();
}

void read_suppress(SequentialPolicy& into, JsonValue const& options, JsonValue const& parameters) {
  if (auto const* suppress = given(options, "suppress"))
    into.blanks = one_of<bool>(*suppress, {{"rows", false}, {"cells", true}});
  if (!into.blanks) return;
  if (given(parameters, "max_suppressed") == nullptr)
    throw Error(Fault::kParameter, "option \"suppress\": \"cells\" needs max_suppressed",
                "It says what happens to those whom k and the quasi columns do not let be shown.",
                "Give max_suppressed, for example max_suppressed => 0.01.");
  if (into.max_suppressed && into.dangling == Dangling::kError)
    throw Error(Fault::kParameter, "option \"suppress\": \"cells\" is not offered with \"dangling\": \"error\"",
                "Whether somebody who shows nothing has a partner, no release tells.", "Leave \"dangling\" out.");
  for (auto const& rule : into.rules)
    if (!rule.population.empty())
      throw Error(Fault::kParameter, "option \"suppress\": \"cells\" is not offered with rules about a population",
                  "Everybody fits what such persons show; whoever knows the code knows that only some can be they.",
                  "Leave \"suppress\" out: then they are left out.");
}

// What boxes are cut by is what they lose: no label, no class sizes, and no reader of the code.
void require_local(SequentialPolicy const& read) {
  if (!read.local) return;
  if (read.simulatable)
    throw Error(Fault::kUnsupported, "local recoding is not offered with simulatable decisions",
                "Which of two ways to divide a table is kept depends on sensitive values.",
                "Leave one of the options \"recoding\" and \"decisions\" out.");
  if (read.objective != Objective::kDistortion)
    throw Error(Fault::kParameter, "local recoding has objective \"distortion\" alone",
                "Boxes are cut where that saves most of what they lose.",
                "Give objective => 'distortion', or leave out the label, or the option \"recoding\".");
  for (auto const& rule : read.rules)
    if (!rule.population.empty())
      throw Error(Fault::kUnsupported, "local recoding is not offered with rules about a population",
                  "How many people fit a box is not counted while boxes are cut.",
                  "Leave the option \"recoding\" out.");
}

void require_quasi(Policy const& policy, std::string const& option, std::string const& column) {
  if (std::find(policy.quasi.begin(), policy.quasi.end(), column) == policy.quasi.end())
    throw Error(Fault::kParameter, "options." + option + " names " + quoted(column) + ", which is no quasi column", "",
                perhaps(column, policy.quasi));
}

// Whole numbers: losses are counted exactly.
void read_weights(SequentialPolicy& into, Policy const& policy, JsonValue const& options) {
  auto const* const weights = given(options, "weights");
  if (weights == nullptr) return;
  for (auto const& [column, weight] : weights->members()) {
    require_quasi(policy, "weights", column);
    constexpr std::int64_t kMost = 1000;
    into.weights[column] = weight.integer();
    if (into.weights[column] < 1 || into.weights[column] > kMost) weight.refuse("from 1 to " + std::to_string(kMost));
  }
}

void read_linked(SequentialPolicy& into, Policy const& policy, JsonValue const& options) {
  auto const* const linked = given(options, "linked");
  if (linked == nullptr) return;
  std::vector<std::string> met;
  for (auto const& group : linked->elements()) {
    into.linked.push_back(group.strings());
    if (into.linked.back().size() < 2) group.refuse("an array of two columns or more");
    for (auto const& column : into.linked.back()) {
      require_quasi(policy, "linked", column);
      if (std::find(met.begin(), met.end(), column) != met.end())
        throw Error(Fault::kParameter, "options.linked names column " + quoted(column) + " twice", "",
                    "Columns that go together are one group: [[\"city\", \"county\", \"state\"]].");
      met.push_back(column);
    }
  }
}

void read_detail(std::map<std::string, double>& into, char const* option, Policy const& policy,
                 JsonValue const& options) {
  auto const* const limits = given(options, option);
  if (limits == nullptr) return;
  for (auto const& [column, limit] : limits->members()) {
    require_quasi(policy, option, column);
    into[column] = number_place(limit.number());
    if (!(into[column] >= 0 && into[column] <= kMostDetail)) limit.refuse("at least 0, and at most 1e15");
  }
}

}  // namespace

SequentialPolicy sequential_policy(Policy const& policy) {
  SequentialPolicy read;
  read_parameters(read, parse_json(policy.parameters, "parameters"));
  read_max_suppressed(read, parse_json(policy.parameters, "parameters"));
  read_options(read, parse_json(policy.options, "options"));
  auto const options = parse_json(policy.options, "options");
  read_suppress(read, options, parse_json(policy.parameters, "parameters"));
  require_local(read);
  read_weights(read, policy, options);
  read_detail(read.finest, "finest", policy, options);
  read_detail(read.coarsest, "coarsest", policy, options);
  read_linked(read, policy, options);
  if (!read.k && !read.max_link && read.rules.empty())
    throw Error(Fault::kParameter, "policy " + quoted(policy.name) + " guarantees nothing", "",
                "Give k, max_link or rules, for example k => 10.");
  return read;
}

bool is_local(std::string const& options) {
  auto const json = parse_json(options, "options");
  auto const* recoding = given(json, "recoding");
  return recoding != nullptr && recoding->string() == "local";
}

bool is_published(Policy const& policy, std::string const& column) {
  return std::any_of(policy.columns.begin(), policy.columns.end(),
                     [&](auto const& published) { return published.column == column; });
}

std::vector<std::string> shaped_by(Policy const& policy) {
  auto const demands = sequential_policy(policy);
  if (demands.objective != Objective::kEntropy || is_published(policy, demands.label)) return {};
  return {demands.label};
}

void require_bounded_label(Policy const& policy, SequentialPolicy const& demands) {
  if (!demands.max_link || demands.label.empty() || is_published(policy, demands.label)) return;
  throw Error(
      Fault::kParameter,
      "max_link cannot bound what a release tells of label " + quoted(demands.label) + ", which is not published",
      "Cuts follow the label, so classes tell of it; an audit counts only what is written.",
      "List it in sensitive, or in publish_as_is if everybody may know it.");
}

RuleSpec rule_of_k(Policy const& policy, std::int64_t k) {
  RuleSpec rule;
  for (auto const& column : policy.quasi) rule.x.push_back({"", column});
  rule.y.push_back({"", policy.person.value_or("person")});
  rule.min = k;
  return rule;
}

}  // namespace anon_seq::sequential
