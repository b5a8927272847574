// Join attributes and inconsistencies of SequentialProblem: what the attacker can compare.
#include <algorithm>

#include "core/numbers/cut_point.h"
#include "core/numbers/decimal.h"
//
#include "catalog/inconsistencies.h"
#include "sequential/line_interval.h"
#include "sequential/problem.h"

namespace anon_seq::sequential {

PublishedColumn const* SequentialProblem::published(ColumnRef ref) const {
  if (ref.table > 0) return &releases_[ref.table - 1].columns[ref.column];
  for (auto const& ours : policy_.columns)
    if (source_.column(ours.column) == ref.column) return &ours;
  return nullptr;
}

// NULL is no node. What we generalize knows its own.
void SequentialProblem::add_nodes(Taxonomy const& tree, JoinAttribute::Holder& holder) const {
  if (holder.table == 0 && problem_.generalizes(holder.column) != kNoColumn) return;
  auto const where = holder.table == 0 ? "the source" : "release " + quoted(releases_[holder.table - 1].reference());
  holder.nodes = nodes_of(problem_.at(holder.table).columns[holder.column], tree, where);
}

// Nodes of a column that shows labels at any level; NULL is no node.
Vector<Node> SequentialProblem::nodes_of(Column const& column, Taxonomy const& tree, std::string const& where) const {
  Vector<Node> nodes(static_cast<std::size_t>(column.distinct()), kNoNode);
  std::int64_t unknown = 0;
  for (Code code = 1; code < column.distinct(); ++code)
    unknown += (nodes[static_cast<std::size_t>(code)] = tree.find(column.values[code])) == kNoNode;
  if (unknown > 0)
    throw Error(
        Fault::kData,
        "column " + quoted(column.name) + " of " + where + " has values that are not in the taxonomy it is compared by",
        std::to_string(unknown) + (unknown == 1 ? " distinct value." : " distinct values."),
        "Map it to another attribute when registering, or waive it: options => '{\"not_common\": [" +
            json_string(column.name) + "]}'.");
  return nodes;
}

void SequentialProblem::add_join_attributes() {
  std::vector<std::string> names;  // in our order, then in that of the releases
  auto add = [&](std::string const& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (auto const& ours : policy_.columns) add(ours.attribute);
  for (auto const& release : releases_)
    for (auto const& theirs : release.columns) add(theirs.attribute);
  for (auto const& name : names) add_join_attribute(name);
}

// The columns that show an attribute, and how they are compared: doc/semantics.md, "What matches".
struct SequentialProblem::Comparison {
  std::vector<std::pair<ColumnRef, PublishedColumn const*>> columns;
  std::string taxonomy;  // labels; empty: none, or on a line
  bool on_line = false;
};

SequentialProblem::Comparison SequentialProblem::compare(std::string const& name) {
  Comparison how;
  for (auto const& ours : policy_.columns)
    if (ours.attribute == name) how.columns.push_back({{0, source_.column(ours.column)}, &ours});
  for (std::size_t r = 0; r < releases_.size(); ++r)
    for (std::size_t c = 0; c < releases_[r].columns.size(); ++c)
      if (releases_[r].columns[c].attribute == name) how.columns.push_back({{r + 1, c}, &releases_[r].columns[c]});
  if (!demands_.overlap) std::erase_if(how.columns, [](auto const& of) { return is_range_type(of.second->type); });
  std::vector<std::string> taxonomies;
  for (auto const& [ref, column] : how.columns) {
    how.on_line = how.on_line || is_range_type(column->type);
    auto const& taxonomy = column->taxonomy;
    if (!taxonomy.empty() && std::find(taxonomies.begin(), taxonomies.end(), taxonomy) == taxonomies.end())
      taxonomies.push_back(taxonomy);
  }
  bool const all_ranges = std::all_of(taxonomies.begin(), taxonomies.end(),
                                      [&](auto const& taxonomy) { return pool_.is_of_ranges(taxonomy); });
  how.on_line = how.on_line || (taxonomies.size() > 1 && all_ranges);
  if (how.on_line && !all_ranges) throw_not_comparable(name);
  if (how.on_line && !demands_.overlap) how.columns.clear();
  if (taxonomies.size() > 1 && !how.on_line) throw_two_taxonomies(name, taxonomies[0], taxonomies[1]);
  if (!taxonomies.empty() && !how.on_line) how.taxonomy = taxonomies.front();
  return how;
}

void SequentialProblem::add_join_attribute(std::string const& name) {
  if (std::find(demands_.not_common.begin(), demands_.not_common.end(), name) != demands_.not_common.end()) return;
  auto const how = compare(name);
  if (how.columns.empty()) return;
  JoinAttribute join;
  join.name = name;
  join.overlap = how.on_line;
  if (!how.taxonomy.empty()) {
    join.taxonomy = &pool_.tree(how.taxonomy);
    join.open = pool_.is_open(how.taxonomy);
  }
  std::vector<PublishedColumn const*> shown;
  for (auto const& [ref, column] : how.columns) {
    join.holders.push_back({ref.table, ref.column, {}, {}, {}});
    shown.push_back(column);
  }
  if (join.overlap)
    put_on_line(join, shown);
  else if (join.taxonomy != nullptr)
    for (auto& holder : join.holders) add_nodes(*join.taxonomy, holder);
  else
    share_codes(join);
  problem_.join.push_back(std::move(join));
}

// Places say nothing across lines.
Line SequentialProblem::line_of_holder(JoinAttribute::Holder const& holder, PublishedColumn const& column) const {
  if (!column.taxonomy.empty()) return Line::kNumbers;  // that of a range taxonomy
  return holder.table == 0 ? line_of(problem_.at(0).columns[holder.column].kind)
                           : earlier_[holder.table - 1].lines[holder.column];
}

void SequentialProblem::require_line(JoinAttribute const& join, JoinAttribute::Holder const& holder,
                                     PublishedColumn const& shown) {
  auto const line = line_of_holder(holder, shown);
  if (line_.empty() || line_.back().first != join.name) line_.emplace_back(join.name, line);
  if (line == Line::kNone || line != line_.back().second) throw_not_comparable(join.name);
}

// What each holder shows, first by points, then by their places, since only all holders together have an order.
void SequentialProblem::put_on_line(JoinAttribute& join, std::vector<PublishedColumn const*> const& shown) {
  PlaceOrder order;
  Attribute* ours = nullptr;  // what we generalize as a continuous column knows its values, but where cuts will lie
  for (std::size_t h = 0; h < shown.size(); ++h) {
    auto& holder = join.holders[h];
    require_line(join, holder, *shown[h]);
    std::size_t const generalized = holder.table == 0 ? problem_.generalizes(holder.column) : kNoColumn;
    if (generalized != kNoColumn && shown[h]->taxonomy.empty())
      add_cuts(*(ours = &problem_.attributes[generalized]), order);
    else
      holder.intervals = intervals_of(holder, *shown[h], generalized != kNoColumn, order);
  }
  order.settle();
  for (auto& holder : join.holders)
    for (auto& interval : holder.intervals) settle(interval, order);
  if (ours == nullptr) return;
  for (auto& cut : ours->cuts) cut = order.settled(cut);
  ours->first = order.settled(ours->first);
  ours->end = order.settled(ours->end);
}

// Where a column's cuts will lie, and its domain. That of whole numbers is shown with all below the next one.
void SequentialProblem::add_cuts(Attribute& attribute, PlaceOrder& order) const {
  auto const& column = source_.table.columns[attribute.column];
  attribute.cuts.assign(static_cast<std::size_t>(column.distinct()), kBelowAll);
  auto const place = [&](std::string const& text) {
    return order.add(column.kind, text, cut_position(column.kind, text));
  };
  for (Code code = 1; code < column.distinct(); ++code) {
    auto const room = code > 1 ? room_between(column, code) : std::nullopt;
    attribute.cuts[static_cast<std::size_t>(code)] = room ? place(*room) : place_of(column, code, order);
  }
  auto const declared = demands_.domains.find(column.name);
  if (declared == demands_.domains.end()) return;
  auto const& [lower, upper] = declared->second;
  attribute.first = place(lower);
  attribute.end =
      column.kind == ValueKind::kInteger ? place(decimal_text(*decimal_floor(upper, 0) + 1, 0)) : after(place(upper));
}

// What each code of a column stands for on its line; of one that is generalized by a range taxonomy, each node.
Vector<Interval> SequentialProblem::intervals_of(JoinAttribute::Holder const& holder, PublishedColumn const& shown,
                                                 bool generalized, PlaceOrder& order) {
  auto const& column = problem_.at(holder.table).columns[holder.column];
  Vector<Interval> intervals;
  if (generalized) {
    auto const& tree = pool_.tree(shown.taxonomy);
    for (Node node = 0; node < tree.size(); ++node)
      intervals.push_back(label_interval(tree.label(node), tree.label(kRoot), order));
    return intervals;
  }
  RangeBounds const* const bounds = holder.table == 0 ? nullptr : &earlier_[holder.table - 1].bounds[holder.column];
  intervals.push_back(kNullPlaces);
  for (Code code = 1; code < column.distinct(); ++code) {
    auto const text = column.values[code];
    if (!shown.taxonomy.empty())
      intervals.push_back(label_interval(text, pool_.tree(shown.taxonomy).label(kRoot), order));
    else if (bounds != nullptr && !bounds->of.empty())
      intervals.push_back(shown_range(text, *bounds, bounds->of[static_cast<std::size_t>(code)], order));
    else
      intervals.push_back(at_point(place_of(column, code, order)));
  }
  return intervals;
}

// Columns without taxonomy match by equal text, numbers by one spelling: one dictionary for all holders.
void SequentialProblem::share_codes(JoinAttribute& join) {
  Dictionary shared;
  shared.add_hidden("");
  // Numbers, truth values and each kind of dates are equal among themselves only.
  auto family = [](ValueKind kind) {
    if (line_of(kind) != Line::kNone) return static_cast<int>(line_of(kind));
    return kind == ValueKind::kBoolean ? -1 : 0;
  };
  for (auto& holder : join.holders) {
    auto const& column = problem_.at(holder.table).columns[holder.column];
    auto const& first = problem_.at(join.holders[0].table).columns[join.holders[0].column];
    if (family(column.kind) != family(first.kind)) throw_not_comparable(join.name);
    holder.values.push_back(kNull);
    for (Code code = 1; code < column.distinct(); ++code)
      holder.values.push_back(line_of(column.kind) == Line::kNumbers
                                  ? shared.intern(normal_decimal(column.values[code]))
                                  : shared.intern(column.values[code]));
  }
}

void SequentialProblem::add_inconsistencies(SpiSession& session) {
  auto find = [&](std::string const& name) {
    std::size_t i = 0;
    while (i < problem_.join.size() && problem_.join[i].name != name) ++i;
    return i;
  };
  for (auto const& stated : declared_inconsistencies(session)) {
    std::size_t const a = find(stated.attribute_a), b = find(stated.attribute_b);
    if (a == problem_.join.size() || b == problem_.join.size() || a == b) continue;
    auto value_of = [&](JoinAttribute const& join, std::string const& label) -> Node {
      if (join.taxonomy != nullptr) return join.taxonomy->find(label);
      for (auto const& holder : join.holders) {
        auto const& column = problem_.at(holder.table).columns[holder.column];
        if (Code const code = column.values.find(label); code != kNoCode && !holder.values.empty())
          return holder.values[static_cast<std::size_t>(code)];
      }
      return kNoNode;
    };
    if (problem_.join[a].overlap || problem_.join[b].overlap) continue;
    Node const u = value_of(problem_.join[a], stated.value_a), v = value_of(problem_.join[b], stated.value_b);
    if (u != kNoNode && v != kNoNode) problem_.inconsistent.push_back({a, b, u, v});
  }
}

}  // namespace anon_seq::sequential
