// Join attributes and inconsistencies of SequentialProblem: what the attacker can compare.
#include <algorithm>

#include "core/cut_point.h"
//
#include "pg/catalog.h"
#include "release/sequential_problem.h"

namespace anon_seq::pg {

PublishedColumn const* SequentialProblem::published(ColumnRef ref) const {
  if (ref.table > 0) return &releases_[ref.table - 1].columns[ref.column];
  for (auto const& ours : policy_.columns)
    if (source_.column(ours.column) == ref.column) return &ours;
  return nullptr;
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

void SequentialProblem::add_join_attribute(std::string const& name) {
  if (std::find(demands_.not_common.begin(), demands_.not_common.end(), name) != demands_.not_common.end()) return;
  JoinAttribute join;
  join.name = name;
  std::string taxonomy;
  bool ranges = false;
  auto hold = [&](ColumnRef ref, PublishedColumn const& column) {
    join.holders.push_back({ref.table, ref.column, {}, {}, {}});
    if (taxonomy.empty()) taxonomy = column.taxonomy;
    ranges |= is_range_type(column.type);
  };
  for (auto const& ours : policy_.columns)
    if (ours.attribute == name) hold({0, source_.column(ours.column)}, ours);
  for (std::size_t r = 0; r < releases_.size(); ++r)
    for (std::size_t c = 0; c < releases_[r].columns.size(); ++c)
      if (releases_[r].columns[c].attribute == name) hold({r + 1, c}, releases_[r].columns[c]);
  if (ranges && taxonomy.empty() && !demands_.overlap) {
    if (join.holders.size() > 1)
      notices_.push_back(
          "continuous attribute \"" + name +
          "\" is held by several releases and is not matched; options => '{\"overlap\": true}' does, as an attacker would");
    return;
  }
  join.overlap = ranges && taxonomy.empty();
  if (!taxonomy.empty()) join.taxonomy = &pool_.tree(taxonomy);
  if (join.overlap) require_one_line(join);
  for (auto& holder : join.holders) fill_holder(join, holder);
  if (join.taxonomy == nullptr && !join.overlap) share_codes(join);
  problem_.join.push_back(std::move(join));
}

// Intervals are compared by places, which say nothing across types.
void SequentialProblem::require_one_line(JoinAttribute const& join) const {
  auto const line = [&](JoinAttribute::Holder const& holder) {
    return holder.table == 0 ? line_of(problem_.at(0).columns[holder.column].kind)
                             : earlier_[holder.table - 1].lines[holder.column];
  };
  for (auto const& holder : join.holders)
    if (line(holder) == Line::kNone || line(holder) != line(join.holders.front())) throw_not_comparable(join.name);
}

void SequentialProblem::fill_holder(JoinAttribute const& join, JoinAttribute::Holder& holder) {
  auto const& column = problem_.at(holder.table).columns[holder.column];
  std::string const where =
      holder.table == 0 ? "the source" : "release " + quoted(releases_[holder.table - 1].reference());
  std::size_t const generalized = holder.table == 0 ? problem_.generalizes(holder.column) : kNoColumn;
  if (generalized != kNoColumn) {  // the attribute knows its values; of a continuous one, where cuts will lie
    Attribute& attribute = problem_.attributes[generalized];
    if (join.overlap) attribute.cut_positions = cut_positions(column);
    return;
  }
  if (join.taxonomy != nullptr) {
    holder.nodes = nodes_of(column, *join.taxonomy, where);
  } else if (join.overlap) {
    auto const& ranges = holder.table == 0 ? Vector<Interval>() : earlier_[holder.table - 1].intervals[holder.column];
    holder.intervals = ranges;
    if (ranges.empty())  // exact values
      for (Code code = 0; code < column.distinct(); ++code) {
        double const at = column.positions[static_cast<std::size_t>(code)];
        holder.intervals.push_back(code == kNull ? Interval{1, 0, true} : Interval{at, at, false});
      }
  }
}

// Columns without taxonomy match by equal text: one dictionary for all holders.
void SequentialProblem::share_codes(JoinAttribute& join) {
  Dictionary shared;
  shared.add_hidden("");
  auto family = [](ValueKind kind) {
    bool const number = kind == ValueKind::kInteger || kind == ValueKind::kNumeric || kind == ValueKind::kFloat;
    return number ? 1 : kind == ValueKind::kBoolean ? 2 : 0;
  };
  for (auto& holder : join.holders) {
    auto const& column = problem_.at(holder.table).columns[holder.column];
    auto const& first = problem_.at(join.holders[0].table).columns[join.holders[0].column];
    if (family(column.kind) != family(first.kind))
      throw Error(Fault::kType,
                  "attribute " + quoted(join.name) + " is a number in one release and something else in another",
                  "Their values cannot be compared as an attacker would.",
                  "Register the column with another type, or waive it: options => '{\"not_common\": [" +
                      json_string(join.name) + "]}'.");
    holder.values.push_back(kNull);
    for (Code code = 1; code < column.distinct(); ++code) holder.values.push_back(shared.intern(column.values[code]));
  }
}

void SequentialProblem::add_inconsistencies(SpiSession& session) {
  struct Stated {
    std::string a, u, b, v;
  };
  std::vector<Stated> all;
  {
    CatalogWriter catalog(session);
    auto const rows = catalog.read(
        "SELECT DISTINCT i.attribute_a, i.value_a, i.attribute_b, i.value_b FROM anon_seq.inconsistency AS i"
        " WHERE anon_seq.heeds_declarations_of($1, i.declared_by) ORDER BY 1, 2, 3, 4",
        {catalog.caller_value()});
    for (std::uint64_t row = 0; row < rows.count(); ++row)
      all.push_back({rows.get(row, 1), rows.get(row, 2), rows.get(row, 3), rows.get(row, 4)});
  }
  auto find = [&](std::string const& name) {
    std::size_t i = 0;
    while (i < problem_.join.size() && problem_.join[i].name != name) ++i;
    return i;
  };
  for (auto const& stated : all) {
    std::size_t const a = find(stated.a), b = find(stated.b);
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
    Node const u = value_of(problem_.join[a], stated.u), v = value_of(problem_.join[b], stated.v);
    if (u != kNoNode && v != kNoNode) problem_.inconsistent.push_back({a, b, u, v});
  }
}

}  // namespace anon_seq::pg
