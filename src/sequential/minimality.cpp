#include "sequential/minimality.h"

#include <algorithm>
#include <map>

#include "release/digest.h"
#include "release/ledger_format.h"
#include "release/publish.h"
#include "release/relations.h"
#include "release/release_audit.h"
#include "sequential/draft.h"
#include "sequential/reader.h"
#include "sequential/solution.h"

namespace anon_seq::sequential {
namespace {

// Rows that show the same but for what is sensitive: they differ in class, or in what is published as it is.
Classes shown_classes(Policy const& policy, SourceTable const& source, Classes const& of_cut, Checkpoint& checkpoint) {
  Vector<std::int32_t> of_row(of_cut.rows());
  for (std::size_t row = 0; row < of_row.size(); ++row) of_row[row] = of_cut.class_of(row);
  std::vector<KeyColumn> keys{{of_row, of_cut.count()}};
  for (auto const& name : policy.publish_as_is) {
    auto const& column = source.table.columns[source.column(name)];
    keys.push_back({column.codes, column.distinct()});
  }
  auto const groups = group_rows(source.table.rows(), keys, checkpoint);
  Classes classes(source.table.rows(), 0);
  for (std::size_t id = 0; id < groups.count(); ++id) classes.add_class();
  for (std::size_t row = 0; row < source.table.rows(); ++row) classes.assign(row, groups.of_row[row]);
  return classes;
}

// The values of all sensitive columns of a row as one, and which rules bound it.
class Joint {
 public:
  Joint(SequentialProblem const& problem, Policy const& policy, Checkpoint& checkpoint) {
    auto const& source = problem.source();
    std::vector<KeyColumn> keys;
    for (auto const& name : policy.sensitive) {
      columns_.push_back(source.column(name));
      auto const& column = source.table.columns[columns_.back()];
      keys.push_back({column.codes, column.distinct()});
    }
    auto groups = group_rows(source.table.rows(), keys, checkpoint);
    for (auto const row : groups.first_row) {
      codes_.emplace_back();
      for (auto const& key : keys) codes_.back().push_back(key.of(row));
    }
    values_.of_row = std::move(groups.of_row);
    values_.bounds_of.resize(codes_.size());
    for (std::size_t r = 0; r < problem.problem().rules.size(); ++r) add_rule(problem, policy, r);
  }

  std::vector<std::size_t> const& columns() const { return columns_; }
  Vector<Code> const& codes(JointValue value) const { return codes_[static_cast<std::size_t>(value)]; }
  BoundedValues const& values() const { return values_; }
  Ratio least() const {
    Ratio least = values_.most.front();
    for (auto const most : values_.most)
      if (at_most(most.num, most.den, least)) least = most;
    return least;
  }

 private:
  void add_rule(SequentialProblem const& problem, Policy const& policy, std::size_t r) {
    auto const& bound = problem.rule(r);
    Rule const& rule = problem.problem().rules[r];
    if (!bounds_sensitive(policy, bound) || !knows_quasi(policy, bound.spec)) return;
    std::vector<std::size_t> y;  // places in columns_
    for (auto const& ref : rule.y) {
      auto const at = std::find(columns_.begin(), columns_.end(), ref.column);
      if (ref.table != 0 || at == columns_.end()) return;  // what else is in y is known: the rule is about a part
      y.push_back(static_cast<std::size_t>(at - columns_.begin()));
    }
    // Several rules may say the same, about the join with each release.
    RuleSpec spec = bound.spec;
    spec.x.clear();
    spec.with.clear();
    if (auto const text = spec.text(); !seen_.emplace(text, true).second) return;
    rule.sensitive.empty() ? add_every(rule, y) : add_listed(rule, y);
  }

  void add_every(Rule const& rule, std::vector<std::size_t> const& y) {
    std::map<Vector<Code>, std::int32_t> numbers;
    for (std::size_t value = 0; value < codes_.size(); ++value) {
      Vector<Code> of;
      bool is_value = true;
      for (std::size_t i = 0; i < y.size(); ++i) {
        Code const code = codes_[value][y[i]];
        of.push_back(code);
        bool const nothing = !rule.nothing.empty() &&
                             std::find(rule.nothing[i].begin(), rule.nothing[i].end(), code) != rule.nothing[i].end();
        is_value = is_value && (code == kNull ? rule.nulls : !nothing);
      }
      if (!is_value) continue;
      auto const [at, added] = numbers.try_emplace(std::move(of), static_cast<std::int32_t>(values_.most.size()));
      if (added) values_.most.push_back(rule.max);
      values_.bounds_of[value].push_back(at->second);
    }
  }

  void add_listed(Rule const& rule, std::vector<std::size_t> const& y) {
    for (auto const& set : rule.sensitive) {
      auto const number = static_cast<std::int32_t>(values_.most.size());
      values_.most.push_back(set.max);
      for (std::size_t value = 0; value < codes_.size(); ++value) {
        bool const is_in = std::any_of(set.values.begin(), set.values.end(), [&](ListedY const& listed) {
          for (std::size_t i = 0; i < y.size(); ++i) {
            auto const& codes = listed.parts[i].codes;
            if (std::find(codes.begin(), codes.end(), codes_[value][y[i]]) == codes.end()) return false;
          }
          return true;
        });
        if (is_in) values_.bounds_of[value].push_back(number);
      }
    }
  }

  static bool knows_quasi(Policy const& policy, RuleSpec const& rule) {
    return std::all_of(policy.quasi.begin(), policy.quasi.end(), [&](auto const& name) {
      return std::find(rule.x.begin(), rule.x.end(), RuleColumn{"", name}) != rule.x.end();
    });
  }

  std::vector<std::size_t> columns_;
  std::vector<Vector<Code>> codes_;  // joint value -> a code for each column
  std::map<std::string, bool> seen_;
  BoundedValues values_;
};

// The values of a cut that somebody has: what readers see of it.
std::vector<std::vector<std::pair<Extent, Node>>> seen_cut(SequentialOutcome const& outcome) {
  std::vector<std::vector<std::pair<Extent, Node>>> seen;
  for (auto const& cut : outcome.cut) {
    seen.emplace_back();
    for (auto const& value : cut)
      if (value.weight > 0) seen.back().emplace_back(value.ranks, value.node);
  }
  return seen;
}

bool same_boxes(SequentialOutcome const& a, SequentialOutcome const& b) {
  auto const equal = [](auto const& x, auto const& y) { return x.ranks == y.ranks && x.node == y.node; };
  if (!std::equal(a.boxes.begin(), a.boxes.end(), b.boxes.begin(), b.boxes.end(), equal)) return false;
  for (std::size_t row = 0; row < a.classes.rows(); ++row)
    if (a.classes.class_of(row) != b.classes.class_of(row)) return false;
  return true;
}

bool same_cut(SequentialOutcome const& a, SequentialOutcome const& b) {
  auto const equal = [](auto const& x, auto const& y) {
    return x.first.begin == y.first.begin && x.first.end == y.first.end && x.second == y.second;
  };
  auto const one = seen_cut(a), other = seen_cut(b);
  for (std::size_t i = 0; i < one.size(); ++i)
    if (!std::equal(one[i].begin(), one[i].end(), other[i].begin(), other[i].end(), equal)) return false;
  return true;
}

// Whether an arrangement is released with that cut, or those boxes. One that leaves a record without a match is
// refused.
bool gives(SequentialRelease const& made, Checkpoint& checkpoint) {
  try {
    auto const again = recode(*made.demands, *made.problem, checkpoint);
    return again.feasible && (made.demands->local ? same_boxes(made.outcome, again) : same_cut(made.outcome, again));
  } catch (NoMatch const&) {
    return false;
  }
}

MinimalityFinding measure(SpiSession& session, Release const& release, Policy const& policy, std::int64_t runs,
                          Checkpoint& checkpoint) {
  auto const demands = sequential_policy(policy);
  auto population = releases_of(session, policy.population);
  std::erase_if(population, [&](auto const& other) { return other.id >= release.id; });
  auto heeded = heeded_releases(session, policy, demands, std::move(population));
  std::erase_if(heeded, [&](auto const& other) { return other.id >= release.id; });
  LeftOut left;
  auto source = read_content(session, policy, policy_source(session, policy), checkpoint, left);
  require_same_content(session, release, source.fingerprint);
  spell_out(source);
  SequentialRelease made;
  made.demands = &demands;
  made.problem =
      std::make_unique<SequentialProblem>(session, policy, demands, std::move(heeded), std::move(source), checkpoint);
  made.outcome = recode(demands, *made.problem, checkpoint);
  if (!made.outcome.feasible) throw_not_made_again(release);
  settle_blanked(policy, made, checkpoint);  // leaves rows out of the source, if their values play no part in it
  if (made.blanked_break) throw_not_made_again(release);
  Joint const joint(*made.problem, policy, checkpoint);
  if (joint.values().most.empty())
    throw Error(Fault::kUnsupported,
                "no rule of release " + quoted(release.reference()) +
                    " bounds a sensitive column for whoever knows its quasi columns",
                "What it shows of others does not depend on who has which value.");
  auto const cells = cells_of(policy, made, checkpoint);
  if (digest_of(session, policy, release, method_of(release).relations(policy), cells, checkpoint) != release.digest)
    throw_not_made_again(release);
  auto const classes = shown_classes(policy, made.problem->source(), published_classes(made), checkpoint);
  auto const rerun = [&](std::span<JointValue const> values) {
    for (std::size_t i = 0; i < joint.columns().size(); ++i) {
      Vector<Code> codes(values.size());
      for (std::size_t row = 0; row < values.size(); ++row) codes[row] = joint.codes(values[row])[i];
      made.problem->rearrange(joint.columns()[i], std::move(codes));
    }
    return gives(made, checkpoint) && !broken_by_blanked(*made.problem, checkpoint);
  };
  return try_release(classes, joint.values(), joint.least(), runs, rerun, checkpoint);
}

}  // namespace

MinimalityFinding audit_minimality(SpiSession& session, Release const& release, std::int64_t runs) {
  InterruptCheckpoint checkpoint;
  OwnLedger const owner(session, release);
  Policy const policy = policy_at(load_policy(session, release.name, false), release);
  lock_source_of(session, policy);
  FreshSnapshot const snapshot;
  return measure(session, release, policy, runs, checkpoint);
}

}  // namespace anon_seq::sequential
