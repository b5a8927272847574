#include "core/sequential/finest_cut.h"

#include <algorithm>
#include "core/sequential/specialize.h"

namespace anon_seq {
namespace {

constexpr std::int64_t kLatticeWork = 20'000'000, kDescentWork = 2'000'000;  // cells to look at

// Table, persons and attributes: nothing else is in reach.
Problem of_quasi_alone(Problem const& problem) {
  Problem quasi;
  quasi.table = problem.table;
  quasi.person = problem.person;
  quasi.attributes = problem.attributes;
  return quasi;
}

class Search {
 public:
  Search(Problem const& problem, KDemands demands, Checkpoint& checkpoint)
      : problem_(of_quasi_alone(problem)),
        demands_(std::move(demands)),
        checkpoint_(checkpoint),
        root_(cuts_of(problem_, checkpoint)),
        table_(problem_, root_, checkpoint) {
    if (demands_.weights.empty()) demands_.weights.assign(root_.size(), kLossUnit);
  }

  FinestCut run() {
    FinestCut found;
    found.persons = table_.total();
    descend(root_, {}, found);
    if (!found.found) return found;  // not even the most general state keeps k
    descend(specialized(), {}, found);
    auto const each = static_cast<std::int64_t>(table_.cells() * root_.size() * root_.size());
    bool const small = !table_.several() && each <= kDescentWork;
    for (std::size_t a = 0; small && a < root_.size(); ++a) descend(root_, {.favourite = a}, found);
    auto const work = small ? kLatticeWork : kLatticeWork / 4;
    found.full_domain = best_full_domain(table_, demands_, root_, found.loss, work, checkpoint_);
    if (found.full_domain.found) descend(found.full_domain.cuts, {}, found);
    if (found.full_domain.found && small) descend(found.full_domain.cuts, {.thrifty = true}, found);
    if (found.found) found.left_out = table_.left_out(pieces_of(found.cuts), demands_.k);
    return found;
  }

 private:
  static std::vector<AttributeCut> cuts_of(Problem const& problem, Checkpoint& checkpoint) {
    std::vector<AttributeCut> cuts;
    for (std::size_t a = 0; a < problem.attributes.size(); ++a) cuts.emplace_back(problem, a, checkpoint);
    return cuts;
  }

  // Where the method itself arrives that scores steps by what they save and how much smaller the smallest class gets.
  std::vector<AttributeCut> specialized() {
    Problem problem = problem_;
    Rule rule;
    for (auto const& attribute : problem.attributes) rule.x.push_back({0, attribute.column});
    rule.y_keys.push_back(0);
    rule.min = demands_.k;
    problem.rules.push_back(std::move(rule));
    problem.valid_split = true;
    auto const outcome = specialize(problem, checkpoint_);
    auto cuts = root_;
    if (outcome.feasible)
      for (std::size_t a = 0; a < cuts.size(); ++a) cut_to(cuts[a], outcome.cut[a]);
    return cuts;
  }

  // In halves, so that each piece of a line is looked at a few times only.
  static void cut_to(AttributeCut& cut, Vector<CutValue> const& target) {
    Vector<Rank> places;
    for (auto const& wanted : target) places.push_back(wanted.ranks.begin);
    std::sort(places.begin(), places.end());
    Vector<ValueId> open(cut.current());
    while (!open.empty()) {
      ValueId const v = open.back();
      open.pop_back();
      Extent const ranks = cut[v].ranks;
      auto const first =
          std::upper_bound(places.begin(), places.end(), std::max(ranks.begin, cut.continuous() ? 1 : 0));
      auto const last = std::lower_bound(first, places.end(), ranks.end);
      if (first == last || !cut.split(v)) continue;
      if (cut.continuous()) cut.split_at(v, *(first + (last - first) / 2));
      cut.specialize(v);
      for (std::int32_t i = 0; i < cut[v].children; ++i) open.push_back(cut[v].first_child + i);
    }
  }

  void descend(std::vector<AttributeCut> const& from, Preference preference, FinestCut& best) {
    KDescent descent(table_, demands_, from, preference, checkpoint_);
    std::size_t const number = descents_++;
    bool const counted = table_.several();  // sums of persons may then be too large
    if ((counted ? table_.left_out(pieces_of(from), demands_.k).persons : descent.out()) > demands_.most_out) return;
    descent.run();
    if (best.found && descent.loss() >= best.loss) return;
    best.found = true;
    best.loss = descent.loss();
    best.cuts = descent.cuts();
    best.descent = number;
  }

  Problem problem_;
  KDemands demands_;
  Checkpoint& checkpoint_;
  std::vector<AttributeCut> root_;
  KTable table_;
  std::size_t descents_ = 0;
};

}  // namespace

FinestCut find_finest_cut(Problem const& problem, KDemands demands, Checkpoint& checkpoint) {
  return Search(problem, std::move(demands), checkpoint).run();
}

void limit_to(Problem& problem, std::vector<AttributeCut> const& cuts) {
  for (std::size_t a = 0; a < cuts.size(); ++a) {
    auto& attribute = problem.attributes[a];
    if (attribute.taxonomy != nullptr) {
      attribute.whole.assign(static_cast<std::size_t>(attribute.taxonomy->size()), 0);
      for (ValueId v : cuts[a].current())
        if (cuts[a][v].node != kNoNode) attribute.whole[static_cast<std::size_t>(cuts[a][v].node)] = 1;
      continue;
    }
    attribute.fixed = true;
    attribute.barred.assign(static_cast<std::size_t>(cuts[a].ranks()), 1);
    for (ValueId v : cuts[a].current()) attribute.barred[static_cast<std::size_t>(cuts[a][v].ranks.begin)] = 0;
  }
}

}  // namespace anon_seq
