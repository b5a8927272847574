// Registered populations of SequentialProblem: everybody as the ranks of our attributes that his values cover.
#include <algorithm>
#include <cmath>

#include "core/sequential/join_model.h"
#include "core/sequential/population_levels.h"
//
#include "sequential/line_interval.h"
#include "sequential/problem.h"

namespace anon_seq::sequential {
namespace {

constexpr Extent kNoClass{0, 0}, kUnknown{0, 1};

// Labels that the taxonomy does not know fit no class, its root neither.
Vector<Extent> labels_of(Column const& column, Taxonomy const& tree, bool open) {
  Vector<Extent> ranks{kUnknown};
  for (Code code = 1; code < column.distinct(); ++code) {
    Node const node = tree.find(column.values[code]);
    ranks.push_back(node == kNoNode ? kNoClass : open ? nodes_from(tree, node) : ranks_of(tree, node));
  }
  return ranks;
}

// The ranks between whose cuts an interval lies.
Extent ranks_between(Attribute const& attribute, Interval interval, Extent outside) {
  if (interval.lower >= interval.upper) return kNoClass;
  if (interval.lower < attribute.first || interval.upper > attribute.end) return outside;
  auto const begin = attribute.cuts.begin() + 2, end = attribute.cuts.end();  // that below the first value is none
  auto const from = std::upper_bound(begin, end, interval.lower), to = std::lower_bound(begin, end, interval.upper);
  return {static_cast<Rank>(from - attribute.cuts.begin()) - 1, static_cast<Rank>(to - attribute.cuts.begin())};
}

}  // namespace

void SequentialProblem::read_populations(SpiSession& session, Checkpoint& checkpoint) {
  for (auto& of : population_columns(session, policy_, demands_))
    people_.push_back(read_people(session, policy_, std::move(of), checkpoint));
}

// Open taxonomies grow to the values of the people that are of their form.
void SequentialProblem::tell_people() {
  for (auto const& people : people_)
    for (std::size_t i = 0; i < people.of.x.size(); ++i) {
      auto const& taxonomy = policy_.columns[people.of.x[i]].taxonomy;
      auto const& column = people.table.columns[i];
      for (Code code = 1; code < column.distinct() && !taxonomy.empty(); ++code)
        if (pool_.knows(taxonomy, column.values[code])) pool_.expect(taxonomy, column.values[code]);
    }
}

// What the most general value of a continuous column shows decides about who is beyond all cuts, and about NULL.
Vector<Extent> SequentialProblem::ranks_on_line(PeopleTable const& people, std::size_t i) const {
  auto const& column = people.table.columns[i];
  Attribute attribute = problem_.attributes[people.of.x[i]];
  auto const& ours = source_.table.columns[attribute.column];
  if (people.lines[i] != line_of(ours.kind)) throw_not_comparable(policy_.columns[people.of.x[i]].attribute);
  bool const nulls = std::find(ours.codes.begin(), ours.codes.end(), kNull) != ours.codes.end();
  bool const whole = nulls || std::isnan(attribute.lower);
  Rank const distinct = ours.distinct();
  if (distinct == 1) {
    Vector<Extent> ranks(static_cast<std::size_t>(column.distinct()), kNoClass);
    ranks.front() = kUnknown;
    return ranks;
  }
  PlaceOrder order;
  add_cuts(attribute, order);
  Vector<Interval> intervals{kNullPlaces};
  auto const& bounds = people.bounds[i];
  for (Code code = 1; code < column.distinct(); ++code)
    intervals.push_back(
        bounds.of.empty() ? at_point(place_of(column, code, order))
                          : shown_range(column.values[code], bounds, bounds.of[static_cast<std::size_t>(code)], order));
  order.settle();
  for (auto& interval : intervals) settle(interval, order);
  for (auto& cut : attribute.cuts) cut = order.settled(cut);
  attribute.first = order.settled(attribute.first);
  attribute.end = order.settled(attribute.end);
  Extent const outside = whole ? Extent{0, distinct} : kNoClass;
  Vector<Extent> ranks{whole ? kUnknown : kNoClass};
  for (Code code = 1; code < column.distinct(); ++code) {
    auto const& interval = intervals[static_cast<std::size_t>(code)];
    ranks.push_back(interval.covers_null ? outside : ranks_between(attribute, interval, outside));
  }
  return ranks;
}

void SequentialProblem::add_populations() {
  for (auto const& people : people_) {
    Population population;
    for (std::size_t i = 0; i < people.of.x.size(); ++i) {
      auto const& column = people.table.columns[i];
      auto const* const tree = problem_.attributes[people.of.x[i]].taxonomy;
      bool const open = tree != nullptr && pool_.is_open(policy_.columns[people.of.x[i]].taxonomy);
      population.axes.push_back({people.of.x[i],
                                 tree != nullptr ? labels_of(column, *tree, open) : ranks_on_line(people, i), open,
                                 column.codes});
    }
    population.people = people.table.weights;
    problem_.populations.push_back(std::move(population));
  }
}

void SequentialProblem::add_population_rule(BoundRule const& bound) {
  Rule rule;
  rule.kind = bound.spec.anonymity ? Rule::Kind::kAnonymity : Rule::Kind::kLinkability;
  rule.min = bound.spec.min;
  rule.max = bound.spec.least ? *bound.spec.least : bound.spec.max.value_or(Ratio{1, 1});
  rule.side = bound.spec.least ? Rule::Side::kAtLeast : bound.spec.below ? Rule::Side::kBelow : Rule::Side::kAtMost;
  auto const x = x_of(policy_, bound.spec);
  auto const found = std::find_if(people_.begin(), people_.end(), [&](auto const& people) {
    return people.of.name == bound.spec.population && people.of.x == x;
  });
  if (found == people_.end()) throw Error(Fault::kInternal, "a rule's population was not read");
  rule.population = static_cast<std::size_t>(found - people_.begin());
  for (std::size_t const a : x) rule.x.push_back({0, problem_.attributes[a].column});
  problem_.rules.push_back(std::move(rule));
}

}  // namespace anon_seq::sequential
