#include "sequential/solution.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/numbers/cut_point.h"
#include "core/sequential/blanked.h"
#include "core/sequential/cut_classes.h"
#include "core/sequential/local_recoding.h"
//
#include "pg/json_object.h"
#include "pg/sql_text.h"
#include "release/registration.h"
#include "sequential/common.h"
#include "sequential/declare.h"
#include "sequential/ready_rules.h"

namespace anon_seq::sequential {
namespace {

std::string level_json(Rule const& rule, Level level) {
  if (!level.measured()) return "null";
  if (rule.kind == Rule::Kind::kAnonymity) return std::to_string(level.num);
  if (level.num == kNobodyFits) return "\"1/0\"";
  return "\"" + std::to_string(level.num) + "/" + std::to_string(level.den) + "\"";
}

std::string number_json(double number) {
  char text[64];
  pg_snprintf(text, sizeof text, "%.12g", number);
  return text;
}

// Text of the value that a class shows in one attribute: a label, a range, or nothing for NULL.
class ValueTexts {
 public:
  ValueTexts(Policy const& policy, SequentialRelease const& release) : policy_(policy), release_(release) {
    for (auto const& attribute : release.problem->problem().attributes) {
      auto const& codes = release.problem->problem().table->columns[attribute.column].codes;
      has_null_.push_back(std::find(codes.begin(), codes.end(), kNull) != codes.end());
    }
  }

  std::optional<std::string> of(std::size_t attribute, CutValue const& value) const {
    Problem const& problem = release_.problem->problem();
    auto const& about = problem.attributes[attribute];
    if (about.taxonomy != nullptr) {
      if (value.node == kNoNode) return std::nullopt;
      return std::string(about.taxonomy->label(value.node));
    }
    if (value.ranks.end <= 1) return std::nullopt;  // rank 0 alone: NULL
    auto const& column = problem.table->columns[about.column];
    bool const lowest = value.ranks.begin <= 1, highest = value.ranks.end >= column.distinct();
    if (value.ranks.begin == 0 && has_null_[attribute])
      return "(,)";  // unknown and the numbers: the only form that may be
    return range(column.kind, lowest ? declared(attribute, true) : cut_point(column, value.ranks.begin),
                 highest ? declared(attribute, false) : cut_point(column, value.ranks.end), highest);
  }

 private:
  std::string declared(std::size_t attribute, bool lower) const {
    auto const& name = policy_.columns[attribute].column;
    auto const found = release_.demands->domains.find(name);
    if (found == release_.demands->domains.end()) return {};
    return lower ? found->second.lower : found->second.upper;
  }

  // In the form of the output functions: [a,b), unbounded sides left out; the last one includes a declared bound.
  static std::string range(ValueKind kind, std::string lower, std::string upper, bool closed) {
    if (kind == ValueKind::kTimestamp || kind == ValueKind::kTimestampTz) {
      if (!lower.empty()) lower = '"' + lower + '"';
      if (!upper.empty()) upper = '"' + upper + '"';
    }
    if (closed && !upper.empty() && kind == ValueKind::kInteger) {
      upper = std::to_string(std::stoll(upper) + 1);  // discrete ranges are shown half-open
      closed = false;
    }
    return (lower.empty() ? "(" : "[") + lower + "," + upper + (closed && !upper.empty() ? "]" : ")");
  }

  Policy const& policy_;
  SequentialRelease const& release_;
  std::vector<bool> has_null_;  // per attribute
};

// What each quasi column shows of persons without quasi values.
std::vector<std::optional<std::string>> blank_texts(SequentialRelease const& release) {
  std::vector<std::optional<std::string>> texts;
  for (auto const& attribute : release.problem->problem().attributes)
    texts.emplace_back(attribute.taxonomy != nullptr ? std::string(attribute.taxonomy->label(kRoot)) : "(,)");
  return texts;
}

std::string text_json(std::optional<std::string> const& text) { return text ? json_string(*text) : "null"; }

// Boxes show the same again and again.
std::vector<std::optional<std::string>> shown_by_box(Policy const& policy, SequentialRelease const& release) {
  auto const& boxes = release.outcome.boxes;
  std::size_t const width = release.outcome.cut.size();
  ValueTexts const texts(policy, release);
  std::vector<std::map<std::tuple<Rank, Rank, Node>, std::optional<std::string>>> known(width);
  std::vector<std::optional<std::string>> shown;
  shown.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    auto const& value = boxes[i];
    auto const [at, added] = known[i % width].try_emplace({value.ranks.begin, value.ranks.end, value.node});
    if (added) at->second = texts.of(i % width, value);
    shown.push_back(at->second);
  }
  return shown;
}

// The cut's value that covers the records of a class, per attribute: classes are cells of the cut.
std::vector<std::optional<std::string>> shown_by_class(Policy const& policy, SequentialRelease const& release) {
  auto const& outcome = release.outcome;
  if (release.demands->local) return shown_by_box(policy, release);
  Problem const& problem = release.problem->problem();
  ValueTexts const texts(policy, release);
  std::size_t const width = problem.attributes.size();
  // A region's first position tells the value: nodes by their preorder number, intervals by their ordinal.
  std::vector<std::vector<std::optional<std::string>>> by_ordinal(width);
  std::vector<std::map<Node, std::optional<std::string>>> by_node(width);
  for (std::size_t a = 0; a < width; ++a)
    for (auto const& value : outcome.cut[a]) {
      auto text = texts.of(a, value);
      if (problem.attributes[a].taxonomy != nullptr)
        by_node[a][value.node] = std::move(text);
      else if (value.ranks.end > 1)
        by_ordinal[a].push_back(std::move(text));
    }
  std::vector<std::optional<std::string>> shown;
  for (ClassId id = 0; id < outcome.classes.count(); ++id)
    for (std::size_t a = 0; a < width; ++a) {
      auto const region = outcome.classes.region(id, a);
      if (region.empty())
        shown.push_back(std::nullopt);
      else if (problem.attributes[a].taxonomy != nullptr)
        shown.push_back(by_node[a].at(region[0].begin));
      else
        shown.push_back(by_ordinal[a].at(static_cast<std::size_t>(region[0].begin)));
    }
  return shown;
}

// What joins the releases of a rule and is not in its x: the attacker may know it, and counts can then rise as values
// are specialized.
RuleNotice missing_in_x(Policy const& policy, std::vector<Release> const& releases, BoundRule const& bound) {
  RuleSpec whole = bound.spec;
  std::vector<std::string> missing;
  auto add = [&](RuleColumn column) {
    auto const in = [&](std::vector<RuleColumn> const& side) {
      return std::find(side.begin(), side.end(), column) != side.end();
    };
    if (in(whole.x) || in(whole.y)) return;
    if (std::find(missing.begin(), missing.end(), column.column) == missing.end()) missing.push_back(column.column);
    whole.x.push_back(std::move(column));
  };
  for (std::size_t n = 0; n < bound.releases.size(); ++n)
    for (auto const& theirs : releases[bound.releases[n]].columns)
      for (auto const& ours : policy.columns)
        if (ours.attribute == theirs.attribute) add({"", ours.column}), add({bound.names[n], theirs.column});
  std::string names;
  for (auto const& name : missing) names += (names.empty() ? "" : ", ") + quoted(name);
  return {
      "attackers may know what joins the releases of a rule and is not in its x" + (names.empty() ? "" : ": " + names),
      (names.empty() ? "The rule is " + bound.spec.text() + "."
                     : "To count on that, write the rule as " + whole.text() + ".") +
          " With \"partial_x\": true it is meant as it is."};
}

}  // namespace

std::string shown_level(Rule const& rule, Level level) {
  if (!level.measured()) return "nothing, as nothing joins";
  if (rule.kind == Rule::Kind::kAnonymity) return std::to_string(level.num);
  if (level.num == kNobodyFits) return "a class that nobody of the population fits";
  char text[64];
  pg_snprintf(text, sizeof text, "%.6g", static_cast<double>(level.num) / static_cast<double>(level.den));
  return std::string(text) + " (" + std::to_string(level.num) + " of " + std::to_string(level.den) + ")";
}

namespace {

// NCP, as the policy weighs it.
double lost(Problem const& problem, SequentialOutcome const& outcome, Vector<std::int64_t> const& weights,
            Checkpoint& checkpoint) {
  auto const axes = loss_axes(problem, outcome.cut);
  auto const loss = measure_loss(*problem.table, outcome.classes, axes, 1, checkpoint);
  double sum = 0;
  for (std::size_t a = 0; a < loss.axes.size(); ++a) sum += loss.axes[a].ncp * static_cast<double>(weights[a]);
  return sum;
}

// Of two feasible outcomes for the same rows the second one if it loses clearly less.
SequentialOutcome better(SequentialProblem const& made, SequentialOutcome one, SequentialOutcome other,
                         Checkpoint& checkpoint) {
  constexpr double kTie = 1e-9;
  if (!other.feasible) return one;
  auto const weights = made.weights();
  double const least = lost(made.problem(), one, weights, checkpoint) * (1 - kTie);
  return lost(made.problem(), other, weights, checkpoint) < least ? std::move(other) : std::move(one);
}

// Towards what k alone would show, and, if every rule is about quasi columns, also by the steps of the method alone:
// what loses clearly less is kept. Where persons are left out, no cut is finer than what k alone would show of the
// others; if other rules do not go with that, cuts of their own lose less.
SequentialOutcome specialize_best(SequentialProblem const& made, Checkpoint& checkpoint) {
  auto const& problem = made.problem();
  auto led = specialize(problem, checkpoint);
  auto const& rules = problem.rules;
  if (led.feasible && made.is_limited_beside_rules() && !problem.simulatable)
    return better(made, std::move(led), specialize(made.without_finest_cut(), checkpoint), checkpoint);
  if (!problem.order || !led.feasible ||
      std::any_of(rules.begin(), rules.end(), [&](Rule const& rule) { return problem.reads_other_columns(rule); }))
    return led;
  Problem free = problem;
  free.order.reset();
  return better(made, std::move(led), specialize(free, checkpoint), checkpoint);
}

}  // namespace

SequentialOutcome recode(SequentialPolicy const& demands, SequentialProblem const& problem, Checkpoint& checkpoint) {
  auto outcome = specialize_best(problem, checkpoint);
  if (!demands.local || !outcome.feasible) return outcome;
  return recode_locally(problem.without_finest_cut(), std::move(outcome), problem.weights(), checkpoint);
}

SequentialRelease solve(PublishRun const& run, SourceTable source) {
  auto& session = run.session;
  SequentialRelease release;
  release.demands = &run.demanded<SequentialPolicy>();
  require_sound(session, run.policy, *release.demands);
  auto heeded = heeded_releases(session, run.policy, *release.demands, run.population);
  require_comparable(session, run.policy, *release.demands, heeded);
  require_all_named(session, run.policy, *release.demands, heeded, source, run.checkpoint);
  release.problem = std::make_unique<SequentialProblem>(session, run.policy, *release.demands, std::move(heeded),
                                                        std::move(source), run.checkpoint);
  release.outcome = recode(*release.demands, *release.problem, run.checkpoint);
  if (release.outcome.feasible) settle_blanked(run.policy, release, run.checkpoint);
  return release;
}

void settle_blanked(Policy const& policy, SequentialRelease& release, Checkpoint& checkpoint) {
  auto& problem = *release.problem;
  if (problem.blanked().empty()) return;
  auto const shown = shown_by_class(policy, release), blank = blank_texts(release);
  bool same = false;
  for (std::size_t i = 0; i < shown.size(); i += blank.size())
    same = same || std::equal(blank.begin(), blank.end(), shown.begin() + static_cast<std::ptrdiff_t>(i));
  if (same) return problem.leave_blanked_out("nobody shows quasi values", checkpoint);
  release.blanked_break = broken_by_blanked(problem, checkpoint);
}

std::optional<SequentialRelease::BlankedBreak> broken_by_blanked(SequentialProblem const& problem,
                                                                 Checkpoint& checkpoint) {
  if (problem.blanked().empty()) return std::nullopt;
  auto const levels = measure_blanked(problem.problem(), problem.blanked_rows(), checkpoint);
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (Judge(problem.problem().rules[i]).violates(levels[i])) return SequentialRelease::BlankedBreak{i, levels[i]};
  return std::nullopt;
}

Classes published_classes(SequentialRelease const& release) {
  auto const& classes = release.outcome.classes;
  auto const& blanked = release.problem->blanked();
  if (blanked.empty()) return classes;
  Classes all(blanked.size(), 0);
  for (ClassId id = 0; id <= classes.count(); ++id) all.add_class();
  for (std::size_t row = 0, visible = 0; row < blanked.size(); ++row)
    all.assign(row, blanked[row] != 0 ? classes.count() : classes.class_of(visible++));
  return all;
}

std::vector<RuleNotice> rule_notices(Policy const& policy, SequentialRelease const& release) {
  std::vector<RuleNotice> missing, idle;                           // a kind each
  auto add = [](std::vector<RuleNotice>& to, RuleNotice notice) {  // once for all versions that a rule speaks of
    bool const said = std::any_of(to.begin(), to.end(), [&](auto const& other) {
      return other.text == notice.text && other.hint == notice.hint;
    });
    if (!said) to.push_back(std::move(notice));
  };
  for (std::size_t i = 0; i < release.outcome.rules.size(); ++i) {
    auto const& plan = release.outcome.rules[i].plan;
    auto const& bound = release.problem->rule(i);
    if (bound.releases.empty()) continue;
    if (plan.join_attribute_missing && !bound.spec.partial_x)
      add(missing, missing_in_x(policy, release.problem->releases(), bound));
    if (plan.join_plays_no_part && !bound.spec.partial_x)
      add(idle, {"the join plays no part in a rule: it says as much as the same rule without the earlier release",
                 "The rule is " + bound.spec.text() + "."});
  }
  std::vector<RuleNotice> notices;
  for (auto const* kind : {&missing, &idle}) {
    if (kind->empty()) continue;
    notices.push_back(kind->front());
    if (kind->size() > 1)
      notices.back().hint += " The same is to be said of " + std::to_string(kind->size() - 1) + " more.";
  }
  return notices;
}

ReleaseCells cells_of(Policy const& policy, SequentialRelease const& release, Checkpoint& checkpoint) {
  auto texts = shown_by_class(policy, release);
  for (auto& text : blank_texts(release)) texts.push_back(std::move(text));  // of the class after the last
  auto const shown = [&](std::size_t c, std::size_t i) -> auto const& { return texts[c * policy.quasi.size() + i]; };
  return make_cells(release.problem->source(), policy, published_classes(release), shown, checkpoint);
}

Loss loss_of(SequentialRelease const& release, Checkpoint& checkpoint) {
  auto const& problem = release.problem->problem();
  auto const axes = loss_axes(problem, release.outcome.cut);
  auto const& classes = release.outcome.classes;
  auto const k = release.demands->k.value_or(1);
  auto loss = measure_loss(*problem.table, classes, axes, k, checkpoint);
  if (release.demands->blanks) loss.blanked = 0;
  if (!release.problem->blanked().empty())
    add_blanked(loss, release.problem->blanked_rows(), axes, problem.table->total_weight(), classes.count(), k);
  return loss;
}

std::string suppressed_json(SequentialRelease const& release) {
  if (!release.demands->max_suppressed) return "null";
  auto const& out = release.problem->suppressed();
  JsonObject json;
  json.number("persons", out.persons + out.blanked).number("of", out.of);
  if (release.demands->blanks) json.number("blanked", out.blanked).number("blanked_rows", out.blanked_rows);
  return json.json();
}

std::string populations_json(SpiSession& session, SequentialRelease const& release) {
  return json_array(release.problem->people(), [&](PeopleTable const& people) {
    return JsonObject()
        .text("population", people.of.name)
        .text("digest", relation_fingerprint(session, people.of.relation))
        .number("people", people.table.total_weight())
        .json();
  });
}

std::string cut_json(Policy const& policy, SequentialRelease const& release) {
  if (release.demands->local) return "[]";
  ValueTexts const texts(policy, release);
  std::vector<std::string> values;
  for (std::size_t a = 0; a < release.outcome.cut.size(); ++a)
    for (auto const& value : release.outcome.cut[a])
      values.push_back(
          JsonObject().text("attribute", policy.columns[a].column).add("value", text_json(texts.of(a, value))).json());
  return "[" + joined(values, ", ") + "]";
}

std::string trace_json(Policy const& policy, SequentialRelease const& release) {
  ValueTexts const texts(policy, release);
  auto const& rules = release.problem->problem().rules;
  return json_array(release.outcome.trace, [&](TraceStep const& step) {
    auto const shown = [&](CutValue const& value) { return text_json(texts.of(step.attribute, value)); };
    std::vector<std::string> after;
    for (std::size_t i = 0; i < step.after.size(); ++i) after.push_back(level_json(rules[i], step.after[i]));
    JsonObject json;
    json.text("attribute", policy.columns[step.attribute].column).add("value", shown(step.value));
    json.add("children", json_array(step.children, shown));
    json.add("info_gain", number_json(step.info_gain)).add("priv_loss", number_json(step.priv_loss));
    json.add("score", number_json(step.score)).add("privacy_after", "[" + joined(after, ", ") + "]");
    return json.json();
  });
}

}  // namespace anon_seq::sequential
