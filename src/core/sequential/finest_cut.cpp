#include "core/sequential/finest_cut.h"

#include <algorithm>

namespace anon_seq {
namespace {

constexpr std::int64_t kLatticeWork = 20'000'000, kDescentWork = 1'000'000;  // cells to look at

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
    found.full_domain = best_full_domain(table_, demands_, root_, kLatticeWork, checkpoint_);
    if (!found.full_domain.found) return found;
    descend(root_, {}, found);
    descend(root_, {.thrifty = true}, found);
    descend(found.full_domain.cuts, {}, found);
    auto const each = static_cast<std::int64_t>(table_.cells() * root_.size());
    if (!table_.several() && each * static_cast<std::int64_t>(root_.size()) <= kDescentWork)
      for (std::size_t a = 0; a < root_.size(); ++a) descend(root_, {.thrifty = true, .favourite = a}, found);
    if (found.found) found.left_out = table_.left_out(pieces_of(found.cuts), demands_.k);
    return found;
  }

 private:
  static std::vector<AttributeCut> cuts_of(Problem const& problem, Checkpoint& checkpoint) {
    std::vector<AttributeCut> cuts;
    for (std::size_t a = 0; a < problem.attributes.size(); ++a) cuts.emplace_back(problem, a, checkpoint);
    return cuts;
  }

  void descend(std::vector<AttributeCut> const& from, Preference preference, FinestCut& best) {
    KDescent descent(table_, demands_, from, preference, checkpoint_);
    std::size_t const number = descents_++;
    if (descent.out() > demands_.most_out) return;
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
