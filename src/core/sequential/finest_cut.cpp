#include "core/sequential/finest_cut.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/numbers/cut_point.h"
#include "core/sequential/line_window.h"
#include "core/sequential/published_loss.h"
#include "core/sequential/specialize.h"

namespace anon_seq {
namespace {

constexpr std::int64_t kLatticeWork = 50'000'000, kDescentWork = 2'000'000;  // cells to look at

// Table, persons and attributes: nothing else is in reach.
Problem of_quasi_alone(Problem const& problem) {
  Problem quasi;
  quasi.table = problem.table;
  quasi.person = problem.person;
  quasi.attributes = problem.attributes;
  return quasi;
}

std::vector<AttributeCut> cuts_of(Problem const& problem, Checkpoint& checkpoint) {
  std::vector<AttributeCut> cuts;
  for (std::size_t a = 0; a < problem.attributes.size(); ++a) {
    cuts.emplace_back(problem, a, checkpoint);
    cuts.back().to_start();
  }
  return cuts;
}

bool is_small(KTable const& table) {
  auto const each = static_cast<std::int64_t>(table.cells() * table.width() * table.width());
  return !table.several() && each <= kDescentWork;
}

// Where a descent ended.
struct End {
  std::size_t lost;
  std::int64_t loss;
  std::size_t number;
  std::vector<AttributeCut> cuts;
};

// One search: with one limit and one way to count widths.
class Search {
 public:
  // REQUIRES: problem, table and demands outlive it.
  Search(Problem const& problem, KTable const& table, KDemands const& demands, Checkpoint& checkpoint)
      : problem_(problem),
        demands_(demands),
        checkpoint_(checkpoint),
        root_(cuts_of(problem, checkpoint)),
        table_(table) {}

  FinestCut run() {
    FinestCut found;
    found.persons = table_.total();
    descend(root_, {});
    if (ends_.empty()) return found;  // not even the most general state keeps k
    descend(specialized(), {});
    bool const small = is_small(table_);
    for (std::size_t a = 0; small && a < root_.size(); ++a) descend(root_, {.favourite = a});
    if (shown_best().lost > 0) descend(root_, {.every = true});
    for (std::size_t a = 0; small && shown_best().lost > 0 && a < root_.size(); ++a)
      descend(root_, {.every = true, .last = a});
    auto const work = small ? kLatticeWork : kLatticeWork / 4;
    auto const known = shown_best().loss;
    found.full_domain = best_full_domain(table_, demands_, root_, known, work, checkpoint_);
    bool const met = found.full_domain.found;
    if (met) descend(found.full_domain.cuts, {});
    if (met && small) descend(found.full_domain.cuts, {.thrifty = true});
    keep(found, met ? std::min(known, found.full_domain.loss) : known);
    return found;
  }

 private:
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

  void descend(std::vector<AttributeCut> const& from, Preference preference) {
    KDescent descent(table_, demands_, from, preference, checkpoint_);
    std::size_t const number = descents_++;
    bool const counted = table_.several();  // sums of persons may then be too large
    if ((counted ? table_.left_out(pieces_of(from), demands_.k).persons : descent.out()) > demands_.most_out) return;
    descent.run();
    add({descent.lost(), descent.loss(), number, descent.cuts()});
  }

  // Only those are kept to which no other one is equal or better both ways.
  void add(End end) {
    auto const covers = [](End const& a, End const& b) { return a.lost <= b.lost && a.loss <= b.loss; };
    if (std::any_of(ends_.begin(), ends_.end(), [&](End const& other) { return covers(other, end); })) return;
    std::erase_if(ends_, [&](End const& other) { return covers(end, other); });
    ends_.push_back(std::move(end));
  }

  // The fewest columns lost; of these the least loss.
  End const& shown_best() const {
    return *std::min_element(ends_.begin(), ends_.end(), [](End const& a, End const& b) {
      return std::tie(a.lost, a.loss) < std::tie(b.lost, b.loss);
    });
  }

  // `most`: what the best full-domain recoding loses. REQUIRES: something was found that loses no more.
  void keep(FinestCut& found, std::int64_t most) {
    std::erase_if(ends_, [&](End const& end) { return end.loss > most; });
    End const& end = shown_best();
    found.found = true;
    found.lost = end.lost;
    found.loss = end.loss;
    found.cuts = end.cuts;
    found.descent = end.number;
    found.left_out = table_.left_out(pieces_of(found.cuts), demands_.k);
    found.published = published(found.cuts, found.left_out);
    found.full_domain_published = found.published;
    if (auto const& cuts = found.full_domain.cuts; !cuts.empty())
      found.full_domain_published = published(cuts, table_.left_out(pieces_of(cuts), demands_.k));
  }
  std::int64_t published(std::vector<AttributeCut> const& cuts, KTable::LeftOut const& out) const {
    return published_loss(problem_, cuts, out.rows, demands_.weights, checkpoint_);
  }

  Problem const& problem_;
  KDemands const& demands_;
  Checkpoint& checkpoint_;
  std::vector<AttributeCut> root_;
  KTable const& table_;
  std::size_t descents_ = 0;
  std::vector<End> ends_;
};

// Widths as shares of what is left without the outermost persons, whose scale says which bounds are coarse. False: no
// line is narrower.
bool narrow(Problem& problem, KTable const& table, std::int64_t most_out) {
  bool any = false;
  for (std::size_t a = 0; a < problem.attributes.size(); ++a) {
    auto& attribute = problem.attributes[a];
    if (attribute.taxonomy != nullptr || !std::isnan(attribute.lower)) continue;
    auto const& column = problem.table->columns[attribute.column];
    attribute.window = line_window(table, a, column, most_out);
    if (attribute.window.end == 0) continue;
    lift_bars(column, attribute.window, attribute.barred);
    any = true;
  }
  return any;
}

// Two searches are compared by what the release would tell; `found` knows what full-domain recodings lose at its limit.
bool is_better(FinestCut const& found, FinestCut const& best) {
  if (!found.found || !best.found) return found.found;
  if (best.published > found.full_domain_published) return found.published < best.published;
  return std::tie(found.lost, found.published) < std::tie(best.lost, best.published);
}

}  // namespace

FinestCut find_finest_cut(Problem const& problem, KDemands demands, Checkpoint& checkpoint) {
  Problem quasi = of_quasi_alone(problem);
  if (demands.weights.empty()) demands.weights.assign(quasi.attributes.size(), kLossUnit);
  KTable const table(quasi, cuts_of(quasi, checkpoint), checkpoint);
  KDemands nobody = demands;
  nobody.most_out = 0;
  FinestCut best = Search(quasi, table, nobody, checkpoint).run();
  if (demands.most_out == 0) return best;
  auto try_with = [&](Problem const& widths) {
    FinestCut found = Search(widths, table, demands, checkpoint).run();
    if (is_better(found, best)) best = std::move(found);
  };
  Problem narrowed = quasi;
  bool const any = narrow(narrowed, table, demands.most_out);
  if (any) try_with(narrowed);
  if (!any || is_small(table)) try_with(quasi);
  return best;
}

std::vector<SplitStep> order_towards(Problem const& problem, FinestCut const& finest, KDemands const& demands,
                                     Checkpoint& checkpoint) {
  Problem quasi = of_quasi_alone(problem);
  limit_to(quasi, finest.cuts);
  KTable const table(quasi, cuts_of(quasi, checkpoint), checkpoint);
  KDescent descent(table, demands, cuts_of(quasi, checkpoint), {}, checkpoint);
  descent.run();
  return descent.path();
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
