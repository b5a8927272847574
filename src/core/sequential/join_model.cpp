#include "core/sequential/join_model.h"

#include <algorithm>

namespace anon_seq {
namespace {

bool is_null(Interval value) { return value.lower > value.upper; }
bool is_empty(Interval value) { return value.lower == value.upper; }

// The place of the cut below code c of a continuous attribute; below the first lies the end of the domain.
Place cut_below(Attribute const& attribute, std::size_t code) {
  return code <= 1 ? attribute.first : attribute.cuts[code];
}

// Bounds of all values of a continuous join attribute: rank r + 1 is [places[r], places[r + 1]).
Vector<Place> places_of(Problem const& problem, JoinAttribute const& attribute) {
  Vector<Place> places{kBelowAll};
  for (auto const& holder : attribute.holders) {
    for (auto const& value : holder.intervals)
      if (!is_null(value) && !is_empty(value)) {
        places.push_back(value.lower);
        places.push_back(value.upper);
      }
    auto const generalized = holder.table == 0 ? problem.generalizes(holder.column) : kNoColumn;
    if (generalized == kNoColumn || problem.attributes[generalized].taxonomy != nullptr) continue;
    auto const& column = problem.table->columns[holder.column];
    for (std::size_t code = 1; code < static_cast<std::size_t>(column.distinct()); ++code)
      places.push_back(cut_below(problem.attributes[generalized], code));
    places.push_back(problem.attributes[generalized].end);
  }
  places.push_back(kAboveAll);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

Rank rank_of(Vector<Place> const& places, Place place) {
  return static_cast<Rank>(std::lower_bound(places.begin(), places.end(), place) - places.begin()) + 1;
}

Extent interval_ranks(Vector<Place> const& places, Interval value) {
  if (is_null(value)) return {0, 1};
  if (is_empty(value)) return {0, 0};
  Extent ranks{rank_of(places, value.lower), rank_of(places, value.upper)};
  if (value.covers_null) ranks.begin = 0;
  return ranks;
}

// A continuous attribute of T1. Its root may be unknown, but for a declared domain of a column without NULL.
void resolve_line(Attribute const& generalized, Column const& source, Vector<Place> const& places, JoinColumn& column) {
  auto const distinct = static_cast<std::size_t>(source.distinct());
  column.axis.push_back(0);
  for (std::size_t code = 1; code < distinct; ++code)
    column.axis.push_back(rank_of(places, cut_below(generalized, code)));
  column.axis.push_back(distinct == 1 ? 1 : rank_of(places, generalized.end));
  bool const nulls = std::find(source.codes.begin(), source.codes.end(), kNull) != source.codes.end();
  if (distinct == 1)
    column.whole = {0, 1};
  else if (generalized.first != kBelowAll && !nulls)
    column.whole = {column.axis[1], column.axis.back()};
}

// The ranks of a node; with leaves that nobody named an inner node's own number is such a one.
Extent node_ranks(JoinAttribute const& attribute, Node node) {
  auto const& taxonomy = *attribute.taxonomy;
  if (!attribute.open || node == kNoNode) return ranks_of(taxonomy, node);
  return {node == kRoot ? 0 : node + 1, taxonomy.end(node) + 1};
}

void resolve(Problem const& problem, JoinAttribute const& attribute, JoinAttribute::Holder const& holder,
             Vector<Place> const& places, JoinColumn& column) {
  if (holder.table == 0) column.generalized = problem.generalizes(holder.column);
  auto const& source = problem.at(holder.table).columns[holder.column];
  auto const distinct = static_cast<std::size_t>(source.distinct());
  if (column.generalized != kNoColumn && attribute.overlap && !holder.intervals.empty()) {
    column.whole = {0, static_cast<Rank>(places.size())};
    for (auto const& interval : holder.intervals) column.nodes.push_back(interval_ranks(places, interval));
    return;
  }
  if (column.generalized != kNoColumn && attribute.open) {
    column.whole = node_ranks(attribute, kRoot);
    for (Node node = 0; node < attribute.taxonomy->size(); ++node) column.nodes.push_back(node_ranks(attribute, node));
    return;
  }
  if (column.generalized != kNoColumn) {
    column.whole = {
        0, attribute.taxonomy != nullptr ? ranks_of(*attribute.taxonomy, kRoot).end : static_cast<Rank>(places.size())};
    if (attribute.taxonomy == nullptr) resolve_line(problem.attributes[column.generalized], source, places, column);
    return;
  }
  for (std::size_t code = 0; code < distinct; ++code)
    if (attribute.taxonomy != nullptr) {
      column.extents.push_back(node_ranks(attribute, code == kNull ? kNoNode : holder.nodes[code]));
    } else if (attribute.overlap) {
      column.extents.push_back(interval_ranks(places, code == kNull ? Interval{1, 0, true} : holder.intervals[code]));
    } else {
      Code const value = holder.values[code];
      column.extents.push_back({value, value + 1});
    }
}

}  // namespace

Extent ranks_of(Taxonomy const& taxonomy, Node node) {
  if (node == kNoNode) return {0, 1};
  if (node == kRoot) return {0, taxonomy.leaves(kRoot) + 1};
  return {taxonomy.leaf_rank(node) + 1, taxonomy.leaf_rank(node) + taxonomy.leaves(node) + 1};
}

bool Exclusion::forbids(Extent a_value, Extent b_value) const {
  Vector<std::size_t> touching;
  for (std::size_t i = 0; i < us.size(); ++i)
    if (intersect(us[i], a_value) && intersect(vs[i], b_value)) touching.push_back(i);
  if (touching.empty()) return false;
  std::sort(touching.begin(), touching.end(), [&](auto i, auto j) { return vs[i].begin < vs[j].begin; });
  // Between neighbouring bounds of the us, the same pairs apply: one probe for each such stretch.
  Vector<Rank> probes{a_value.begin};
  for (auto i : touching)
    for (Rank bound : {us[i].begin, us[i].end})
      if (bound > a_value.begin && bound < a_value.end) probes.push_back(bound);
  for (Rank probe : probes) {
    Rank covered = b_value.begin;
    for (auto i : touching)
      if (us[i].begin <= probe && probe < us[i].end && vs[i].begin <= covered) covered = std::max(covered, vs[i].end);
    if (covered < b_value.end) return false;
  }
  return true;
}

JoinModel::JoinModel(Problem const& problem) : columns_(problem.tables()), ties_(problem.tables()) {
  add_columns(problem);
  add_exclusions(problem);
  tie_all();
}

void JoinModel::add_columns(Problem const& problem) {
  for (std::size_t a = 0; a < problem.join.size(); ++a) {
    auto const& attribute = problem.join[a];
    auto const places = attribute.overlap ? places_of(problem, attribute) : Vector<Place>();
    for (auto const& holder : attribute.holders) {
      JoinColumn column;
      column.attribute = a;
      column.column = holder.column;
      resolve(problem, attribute, holder, places, column);
      columns_[holder.table].push_back(std::move(column));
    }
  }
}

void JoinModel::add_exclusions(Problem const& problem) {
  auto ranks = [&](std::size_t attribute, Node value) {
    auto const& of = problem.join[attribute];
    return of.taxonomy != nullptr ? node_ranks(of, value) : Extent{value, value + 1};
  };
  for (auto const& stated : problem.inconsistent) {
    bool const swapped = stated.a > stated.b;
    std::size_t const a = swapped ? stated.b : stated.a, b = swapped ? stated.a : stated.b;
    auto found = std::find_if(exclusions_.begin(), exclusions_.end(), [&](auto& e) { return e.a == a && e.b == b; });
    if (found == exclusions_.end()) found = exclusions_.insert(found, {a, b, {}, {}});
    found->us.push_back(ranks(a, swapped ? stated.v : stated.u));
    found->vs.push_back(ranks(b, swapped ? stated.u : stated.v));
  }
}

void JoinModel::tie_all() {
  std::size_t const tables = columns_.size();
  for (std::size_t i = 0; i < tables; ++i) {
    ties_[i].resize(columns_[i].size() * tables);
    for (std::size_t c = 0; c < columns_[i].size(); ++c)
      for (std::size_t j = 0; j < tables; ++j) {
        if (i == j) continue;
        for (std::size_t o = 0; o < columns_[j].size(); ++o) {
          auto& ties = ties_[i][c * tables + j];
          std::size_t const mine = columns_[i][c].attribute, other = columns_[j][o].attribute;
          if (mine == other) ties.push_back({o});
          for (auto const& exclusion : exclusions_)
            if ((exclusion.a == mine && exclusion.b == other) || (exclusion.b == mine && exclusion.a == other))
              ties.push_back({o, &exclusion, exclusion.a != mine});
        }
      }
  }
}

bool JoinModel::linked(std::size_t i, std::size_t j) const {
  for (std::size_t c = 0; c < columns_[i].size(); ++c)
    if (concerns(i, c, j)) return true;
  return false;
}

bool JoinModel::compatible(std::size_t i, std::size_t c, Extent value, std::size_t j,
                           std::span<Extent const> others) const {
  for (auto const& tie : tie(i, c, j)) {
    Extent const other = others[tie.other];
    if (tie.exclusion == nullptr) {
      if (!intersect(value, other)) return false;
      continue;
    }
    if (tie.swapped ? tie.exclusion->forbids(other, value) : tie.exclusion->forbids(value, other)) return false;
  }
  return true;
}

Extent JoinModel::place(JoinColumn const& column, Extent own, Node node) const {
  if (!column.nodes.empty()) return node == kNoNode ? Extent{0, 1} : column.nodes[static_cast<std::size_t>(node)];
  if (column.axis.empty()) return own;
  if (own.begin == 0)  // NULL alone, or the root
    return own.end == 1 ? Extent{0, 1} : column.whole;
  return {column.axis[static_cast<std::size_t>(own.begin)], column.axis[static_cast<std::size_t>(own.end)]};
}

}  // namespace anon_seq
