#include "core/sequential/blanked.h"

#include <algorithm>
#include <utility>

#include "core/sequential/specialize.h"

namespace anon_seq {
namespace {

constexpr Code kBlank = 1;  // the only value of a column of theirs

bool contains(std::vector<std::size_t> const& list, std::size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void blank(Column& column) {
  Column shown;
  shown.name = std::move(column.name);
  shown.values.add_hidden("");
  shown.values.add_hidden("");
  shown.codes.assign(column.codes.size(), kBlank);
  column = std::move(shown);
}

// What the holder of a generalized column shows: NULL, or everything.
void show_root(JoinAttribute const& attribute, JoinAttribute::Holder& holder) {
  holder.nodes.clear();
  holder.intervals.clear();
  if (attribute.overlap)
    holder.intervals = {{kAboveAll, kBelowAll, true}, {kBelowAll, kAboveAll, true}};
  else
    holder.nodes = {kNoNode, kRoot};
}

// The columns of y that were generalized say nothing, and meet a listed value only if that is the root.
void say_nothing(Problem const& problem, Rule& rule) {
  rule.nothing.resize(rule.y.size());
  for (std::size_t i = 0; i < rule.y.size(); ++i) {
    std::size_t const a = rule.y[i].table == 0 ? problem.generalizes(rule.y[i].column) : kNoColumn;
    if (a == kNoColumn) continue;
    rule.nothing[i] = {kBlank};
    auto const* const tree = problem.attributes[a].taxonomy;
    for (auto& set : rule.sensitive)
      for (auto& listed : set.values) {
        auto& part = listed.parts[i];
        bool const root = tree != nullptr && part.ranks == Extent{0, tree->leaves(kRoot) + 1};
        part = {root ? Vector<Code>{kBlank} : Vector<Code>(), {0, 0}, false};
      }
  }
}

}  // namespace

bool tied_by(Problem const& problem, Rule const& rule, std::size_t table, std::vector<std::size_t> const& columns,
             bool outside_x) {
  auto const is_of = [&](JoinAttribute const& attribute) {
    return std::any_of(attribute.holders.begin(), attribute.holders.end(),
                       [&](auto const& holder) { return holder.table == table && contains(columns, holder.column); });
  };
  auto const is_met = [&](JoinAttribute const& attribute) {
    return std::any_of(attribute.holders.begin(), attribute.holders.end(), [&](auto const& holder) {
      if (holder.table == table || !rule.joins(holder.table)) return false;
      auto const& x = rule.x;
      return !outside_x || std::find(x.begin(), x.end(), ColumnRef{holder.table, holder.column}) == x.end();
    });
  };
  if (!rule.joins(table)) return false;
  auto const& join = problem.join;
  return std::any_of(join.begin(), join.end(), [&](auto const& a) { return is_of(a) && is_met(a); }) ||
         std::any_of(problem.inconsistent.begin(), problem.inconsistent.end(), [&](auto const& stated) {
           return (is_of(join[stated.a]) && is_met(join[stated.b])) ||
                  (is_of(join[stated.b]) && is_met(join[stated.a]));
         });
}

bool matches_alike(Problem const& problem, Rule const& rule) {
  std::vector<std::size_t> others;
  for (std::size_t c = 0; c < problem.table->columns.size(); ++c)
    if (problem.generalizes(c) == kNoColumn) others.push_back(c);
  return std::all_of(rule.y.begin(), rule.y.end(), [](auto const& ref) { return ref.table == 0; }) &&
         std::all_of(rule.y_keys.begin(), rule.y_keys.end(), [](auto table) { return table == 0; }) &&
         !tied_by(problem, rule, 0, others, false);
}

std::vector<Level> measure_blanked(Problem const& problem, CodedTable rows, Checkpoint& checkpoint) {
  Problem blanked = problem;
  for (auto const& attribute : problem.attributes) blank(rows.columns[attribute.column]);
  blanked.table = &rows;
  blanked.attributes.clear();
  blanked.objective = Objective::kDistortion;
  blanked.label = kNoColumn;
  blanked.informs.clear();
  for (auto& attribute : blanked.join)
    for (auto& holder : attribute.holders)
      if (holder.table == 0 && problem.generalizes(holder.column) != kNoColumn) show_root(attribute, holder);
  for (auto& rule : blanked.rules) say_nothing(problem, rule);
  blanked.check();
  return measure_rules(blanked, {}, false, checkpoint);
}

void add_blanked(Loss& loss, CodedTable const& rows, std::span<LossAxis const> axes, std::int64_t published,
                 std::int64_t classes, std::int64_t k) {
  auto const more = static_cast<double>(rows.total_weight()), others = static_cast<double>(published);
  double const all = more + others;
  auto const joined = [&](double mean, double of_theirs) { return (mean * others + of_theirs * more) / all; };
  loss.discernibility += more * more;
  if (k > 0) loss.c_avg = all / static_cast<double>(classes + 1) / static_cast<double>(k);
  loss.ncp = joined(loss.ncp, 1);
  for (auto& axis : loss.axes) axis.ncp = joined(axis.ncp, 1);
  double levels = 0, lines = 0;  // climbed, by all of them; columns
  for (auto const& axis : axes) {
    if (axis.taxonomy == nullptr) {
      ++lines;
      continue;
    }
    auto const& codes = rows.columns[axis.column].codes;
    for (std::size_t row = 0; row < codes.size(); ++row)
      levels += static_cast<double>(rows.weight(row)) *
                (codes[row] == kNull ? 1 : axis.taxonomy->depth(axis.leaves[static_cast<std::size_t>(codes[row])]));
  }
  if (loss.distortion_categorical) loss.distortion_categorical = joined(*loss.distortion_categorical, levels / more);
  if (loss.distortion_continuous) loss.distortion_continuous = joined(*loss.distortion_continuous, lines);
  loss.blanked = more / all;
}

}  // namespace anon_seq
