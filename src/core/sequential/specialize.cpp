#include "core/sequential/specialize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/sequential/cut_classes.h"
#include "core/sequential/sequential_state.h"

namespace anon_seq {
namespace {

constexpr int kSplitTrials = 64;  // of one continuous value as long as its classes stay, with valid_split
// Looks at each row beyond the steps of the method: in search of a state that keeps all rules, for each attribute and
// once more, and of other splits of one attribute, so that a column that cannot be cut takes nothing from the others.
constexpr std::int64_t kSearchLooks = 16, kSplitLooks = 32;
// At least so many whatever the table.
constexpr std::int64_t kLeastSearch = 1 << 18, kLeastSplits = 1 << 22;

bool clearly_more(double a, double b) { return a - b > 1e-9 * std::max(1.0, std::abs(b)); }

class Specializer {
 public:
  Specializer(Problem const& problem, Checkpoint& checkpoint)
      : problem_(problem), state_(problem, checkpoint), split_(problem.attributes.size()) {
    most_split_ = std::max(kLeastSplits, kSplitLooks * static_cast<std::int64_t>(problem.table->rows()));
    // The order of steps does not follow what is secret.
    for (std::size_t r = 0; r < rules(); ++r)
      scored_.push_back(!state_.is_at_worst(r) && !(problem.order && problem.reads_other_columns(problem.rules[r])));
  }

  SequentialOutcome run();
  Feasibility feasibility(std::int64_t effort);

 private:
  struct Candidate {
    std::size_t attribute = 0;
    ValueId value = -1;
    double score = 0, loss = 0, excess = 0;
  };
  struct Verdict {
    bool valid = true;
    bool for_ever = false;  // a rule that is broken for good
    double loss = 0, excess = 0;
  };

  std::size_t rules() const { return problem_.rules.size(); }
  bool now_violates(std::size_t rule) const { return state_.judge(rule).violates(state_.now(rule)); }
  bool any_violated() const;
  bool to_valid_state(SequentialOutcome& outcome);
  Verdict judge(std::size_t a, ValueId v);
  bool find_valid_split(std::size_t a, ValueId v, Verdict& verdict);
  Candidate best();
  Candidate least_excess();
  Candidate candidate(std::size_t a, ValueId v, Verdict const& verdict) const;
  void take(Candidate const& step, bool searching, SequentialOutcome& outcome);
  bool search(SequentialOutcome& outcome);
  void follow(std::vector<SplitStep> order, SequentialOutcome& outcome);

  Problem const& problem_;
  SequentialState state_;
  std::vector<bool> scored_;  // rule -> whether its loss counts in the score
  // What may be looked at: in search of a state that keeps all rules, and of other splits.
  std::int64_t searched_ = std::numeric_limits<std::int64_t>::max(), most_split_ = 0;
  Vector<std::int64_t> split_;  // attribute -> what was looked at for its other splits
  bool cut_short_ = false;
};

bool Specializer::any_violated() const {
  for (std::size_t r = 0; r < rules(); ++r)
    if (now_violates(r)) return true;
  return false;
}

Specializer::Verdict Specializer::judge(std::size_t a, ValueId v) {
  Verdict verdict;
  for (std::size_t r = 0; r < rules(); ++r) {
    auto const& judge = state_.judge(r);
    Level const level = state_.after(r, a, v);
    if (scored_[r]) verdict.loss += std::max(0.0, judge.risk(level) - judge.risk(state_.now(r)));
    verdict.excess = std::max(verdict.excess, judge.excess(level));
    if (!judge.violates(level)) continue;
    verdict.valid = false;
    verdict.for_ever |= state_.plan(r).monotone;
  }
  return verdict;
}

// Other splits of a continuous value whose best one is invalid, most useful first. Those beyond the last trial are
// never tried, so if all that were are broken for good, so is the value; not so where there was no room for them.
bool Specializer::find_valid_split(std::size_t a, ValueId v, Verdict& verdict) {
  if (!problem_.valid_split || !state_.cut(a).splits_numbers(v)) return false;
  auto const splits = state_.cut(a).splits_by_gain(v);
  Verdict const first = verdict;
  bool for_ever = first.for_ever;
  int trials = kSplitTrials;
  auto const width = state_.cut(a)[v].ranks.end - state_.cut(a)[v].ranks.begin;
  for (Code m : splits) {
    if (trials-- == 0) break;
    if (split_[a] >= most_split_) {
      cut_short_ = true;
      for_ever = false;
      break;
    }
    auto const before = state_.looked_at();
    state_.split_at(a, v, m);
    verdict = judge(a, v);
    split_[a] += width + state_.looked_at() - before;
    if (verdict.valid) return true;
    for_ever = for_ever && verdict.for_ever;
  }
  verdict = first;
  verdict.for_ever = for_ever;
  return false;
}

Specializer::Candidate Specializer::candidate(std::size_t a, ValueId v, Verdict const& verdict) const {
  return {a, v, state_.info_gain(a, v) / (verdict.loss + 1), verdict.loss, verdict.excess};
}

Specializer::Candidate Specializer::best() {
  Candidate best;
  for (std::size_t a = 0; a < problem_.attributes.size(); ++a) {
    Vector<ValueId> const current = state_.cut(a).current();
    for (ValueId v : current) {
      if (!state_.is_candidate(a, v) || state_.is_settled(a, v)) continue;
      Verdict verdict = judge(a, v);
      if (!verdict.valid && !find_valid_split(a, v, verdict)) {
        if (verdict.for_ever || problem_.pruning == Pruning::kPaper)
          state_.give_up(a, v);
        else
          state_.settle(a, v);
        continue;
      }
      Candidate const found = candidate(a, v, verdict);
      if (best.value < 0 || clearly_more(found.score, best.score)) best = found;
    }
  }
  return best;
}

Specializer::Candidate Specializer::least_excess() {
  Candidate best;
  for (std::size_t a = 0; a < problem_.attributes.size(); ++a)
    for (ValueId v : state_.cut(a).current()) {
      if (!state_.is_candidate(a, v)) continue;
      Verdict const verdict = judge(a, v);
      if (verdict.for_ever) {
        state_.give_up(a, v);
        continue;
      }
      Candidate const found = candidate(a, v, verdict);
      if (best.value < 0 || clearly_more(best.excess, found.excess) ||
          (!clearly_more(found.excess, best.excess) && clearly_more(found.score, best.score)))
        best = found;
    }
  return best;
}

void Specializer::take(Candidate const& step, bool searching, SequentialOutcome& outcome) {
  AttributeCut const& cut = state_.cut(step.attribute);
  TraceStep taken;
  taken.attribute = step.attribute;
  taken.value = cut[step.value];
  for (std::int32_t i = 0; i < taken.value.children; ++i) taken.children.push_back(cut[taken.value.first_child + i]);
  taken.info_gain = state_.info_gain(step.attribute, step.value);
  taken.priv_loss = step.loss;
  taken.score = step.score;
  taken.searching = searching;
  state_.apply(step.attribute, step.value);
  for (std::size_t r = 0; r < rules(); ++r) taken.after.push_back(state_.now(r));
  outcome.trace.push_back(std::move(taken));
}

// Below a most general state that violates: on by least excess until a state is valid.
bool Specializer::search(SequentialOutcome& outcome) {
  auto excess = [&] {
    double worst = 0;
    for (std::size_t r = 0; r < rules(); ++r) worst = std::max(worst, state_.judge(r).excess(state_.now(r)));
    return worst;
  };
  double least = excess();
  while (any_violated()) {
    if (state_.looked_at() >= searched_) {
      cut_short_ = true;
      return false;
    }
    Candidate const next = least_excess();
    if (next.value < 0) return false;
    take(next, true, outcome);
    if (excess() >= least) continue;
    least = excess();
    for (std::size_t r = 0; r < rules(); ++r) {
      outcome.rules[r].reached = state_.now(r);
    }
  }
  return true;
}

// What is refused is tried again after what could be taken, but what is broken for good.
void Specializer::follow(std::vector<SplitStep> order, SequentialOutcome& outcome) {
  for (bool any = true; any;) {
    any = false;
    std::vector<SplitStep> left;
    for (auto const& step : order) {
      auto const a = step.attribute;
      ValueId const v = state_.cut(a).value_at(step.ranks.end - 1);
      if (!state_.is_candidate(a, v) || state_.cut(a)[v].ranks != step.ranks || state_.is_settled(a, v)) {
        left.push_back(step);
        continue;
      }
      if (step.m != kNull) state_.split_at(a, v, step.m);
      Verdict const verdict = judge(a, v);
      if (verdict.valid) {
        take(candidate(a, v, verdict), false, outcome);
        any = true;
      } else if (!verdict.for_ever) {
        state_.settle(a, v);
        left.push_back(step);
      }
    }
    order = std::move(left);
  }
  state_.settle_nothing();  // a step is one split of several
}

// The most general state that may be, or one below it that keeps all rules.
bool Specializer::to_valid_state(SequentialOutcome& outcome) {
  auto const find_obstacle = [&](bool at_root) {
    for (std::size_t r = rules(); r-- > 0;)
      if (now_violates(r)) {
        bool const proof = at_root && state_.plan(r).proof_at_root;
        if (outcome.proof && !proof) continue;  // a rule that no state satisfies is the one to name
        outcome.obstacle = r;
        outcome.proof = proof;
      }
  };
  find_obstacle(true);
  state_.to_start();
  find_obstacle(false);
  for (std::size_t r = 0; r < rules(); ++r) outcome.rules.push_back({state_.plan(r), state_.now(r), state_.now(r)});
  return !any_violated() || (!outcome.proof && problem_.search && search(outcome));
}

Feasibility Specializer::feasibility(std::int64_t effort) {
  SequentialOutcome outcome;
  searched_ = effort;
  bool const found = to_valid_state(outcome);
  return {found, cut_short_, state_.looked_at()};
}

SequentialOutcome Specializer::run() {
  SequentialOutcome outcome;
  if (!to_valid_state(outcome)) return outcome;
  outcome.feasible = true;
  if (problem_.order) follow(*problem_.order, outcome);
  for (Candidate next = best(); next.value >= 0; next = best()) take(next, false, outcome);
  for (std::size_t r = 0; r < rules(); ++r) {
    outcome.rules[r].reached = state_.now(r);
    if (now_violates(r))
      throw Error(Fault::kInternal, "a specialization broke a rule that it had been measured to keep");
  }
  state_.check_one_rule();
  outcome.cut_short = cut_short_;
  for (std::size_t a = 0; a < problem_.attributes.size(); ++a) {
    outcome.cut.emplace_back();
    for (ValueId v : state_.cut(a).current()) outcome.cut.back().push_back(state_.cut(a)[v]);
  }
  return outcome;
}

}  // namespace

NoMatch::NoMatch(std::string const& detail)
    : Error(Fault::kData, "some records match no record of another release", "Records without a match: " + detail + ".",
            "Check that the releases are about the same people, or allow for those who came and went: "
            "options => '{\"dangling\": \"outer\"}'") {}

SequentialOutcome specialize(Problem const& problem, Checkpoint& checkpoint) {
  problem.check();
  if (problem.table->rows() == 0) throw Error(Fault::kData, "the source has no rows");
  problem.table->total_weight();
  Vector<std::int64_t> dangling;
  if (!problem.earlier.empty()) {
    dangling = count_dangling(problem, checkpoint);
    std::string detail;
    for (std::size_t i = 0; i < dangling.size(); ++i)
      if (dangling[i] != 0)
        detail += (detail.empty() ? "" : ", ") + std::to_string(dangling[i]) +
                  (i == 0                      ? " of the source"
                   : i <= problem.names.size() ? " of " + problem.names[i - 1]
                                               : " of earlier release number " + std::to_string(i));
    if (problem.dangling == Dangling::kError && !detail.empty()) throw NoMatch(detail);
  }
  SequentialOutcome outcome;
  {
    Specializer specializer(problem, checkpoint);  // gone, with its memory, before the classes are made
    outcome = specializer.run();
  }
  outcome.dangling = std::move(dangling);
  if (outcome.feasible) outcome.classes = classes_of_cut(problem, outcome.cut, checkpoint);
  return outcome;
}

std::int64_t search_effort(Problem const& problem) {
  auto const rows = static_cast<std::int64_t>(problem.table->rows());
  return std::max(kLeastSearch, kSearchLooks * rows * static_cast<std::int64_t>(problem.attributes.size() + 1));
}

Feasibility find_feasible(Problem const& problem, std::int64_t effort, Checkpoint& checkpoint) {
  return Specializer(problem, checkpoint).feasibility(effort);
}

std::vector<Level> measure_rules(Problem const& problem, std::vector<Vector<CutValue>> const& cut, bool general,
                                 Checkpoint& checkpoint) {
  SequentialState state(problem, checkpoint, general);
  for (std::size_t a = 0; a < cut.size(); ++a) {
    auto is_target = [&](CutValue const& value) {
      return std::any_of(cut[a].begin(), cut[a].end(),
                         [&](auto const& wanted) { return wanted.ranks == value.ranks && wanted.node == value.node; });
    };
    for (bool found = true; found;) {
      found = false;
      Vector<ValueId> const current = state.cut(a).current();
      for (ValueId v : current) {
        CutValue const value = state.cut(a)[v];
        if (is_target(value)) continue;
        if (state.cut(a).continuous()) {  // at a cut of the target, whatever its gain
          auto const inside = std::find_if(cut[a].begin(), cut[a].end(), [&](auto const& wanted) {
            return wanted.ranks.begin > std::max(value.ranks.begin, 1) && wanted.ranks.begin < value.ranks.end;
          });
          if (inside == cut[a].end()) continue;
          state.split_at(a, v, inside->ranks.begin);
        } else if (value.first_child < 0) {
          continue;
        }
        state.apply(a, v);
        found = true;
      }
    }
  }
  if (cut.empty()) state.to_start();
  std::vector<Level> levels;
  for (std::size_t r = 0; r < problem.rules.size(); ++r) levels.push_back(state.now(r));
  return levels;
}

}  // namespace anon_seq
