#include "core/sequential/detail_limits.h"

#include <algorithm>
#include <cmath>

#include "core/numbers/calendar.h"
#include "core/numbers/cut_point.h"

namespace anon_seq {
namespace {

constexpr double kSlack = 1e-9;  // of a width: 0.3 - 0.1 is 0.2

double unit_of(Column const& column) { return column.kind > ValueKind::kDate ? static_cast<double>(kMicrosOfDay) : 1; }

// The places where a line may be cut, and its two ends.
class Line {
 public:
  Line(Attribute const& attribute, Column const& column, std::span<std::int64_t const> holders,
       DetailLimits const& limits)
      : column_(column), floor_(attribute.floor) {
    bool const barred = !attribute.barred.empty();
    nodes_.push_back(1);
    for (Code code = 2; code < column.distinct(); ++code)
      if (!barred || attribute.barred[at(code)] == 0) nodes_.push_back(code);
    nodes_.push_back(column.distinct());
    for (Code code : nodes_) bounds_.push_back(attribute.bounds[at(code)]);
    held_.assign(nodes_.size(), 0);
    std::int64_t sum = 0;
    std::size_t node = 0;
    for (Code code = 1; code < column.distinct(); ++code) {
      while (node < nodes_.size() && nodes_[node] <= code) held_[node++] = sum;
      if (!holders.empty()) sum += holders[at(code)];
    }
    while (node < nodes_.size()) held_[node++] = sum;
    ceiling_ = limits.coarsest ? *limits.coarsest * unit_of(column) : std::numeric_limits<double>::infinity();
  }

  std::int64_t persons() const { return held_.back(); }

  // The ranges of a cut whose every range has `least` persons, fewest of them; empty: there is none.
  Vector<Code> cut(std::int64_t least) const {
    std::size_t const n = nodes_.size();
    constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
    Vector<std::int32_t> ranges(n, kNone);
    Vector<std::size_t> before(n, 0), window;  // window: ascending places, of ascending numbers of ranges
    ranges[0] = 0;
    std::size_t next = 0, first = 0;
    for (std::size_t j = 1; j < n; ++j) {
      for (; next < j && held_[j] - held_[next] >= least && is_wide(next, j); ++next) {
        while (window.size() > first && ranges[window.back()] > ranges[next]) window.pop_back();
        window.push_back(next);
      }
      while (first < window.size() && !is_narrow(window[first], j)) ++first;
      if (first == window.size() || ranges[window[first]] == kNone) continue;
      ranges[j] = ranges[window[first]] + 1;
      before[j] = window[first];
    }
    Vector<Code> cut;
    if (ranges[n - 1] == kNone) return cut;
    for (std::size_t j = n - 1; j != 0; j = before[j]) cut.push_back(nodes_[j]);
    std::reverse(cut.begin(), cut.end());
    return cut;
  }

 private:
  static std::size_t at(Code code) { return static_cast<std::size_t>(code); }
  double span(std::size_t i, std::size_t j) const {
    return column_.positions[at(nodes_[j] - 1)] - column_.positions[at(nodes_[i])];
  }
  bool is_wide(std::size_t i, std::size_t j) const {
    bool const whole = i == 0 && j + 1 == nodes_.size();  // says nothing
    return whole || bounds_[j] - bounds_[i] >= floor_;
  }
  bool is_narrow(std::size_t i, std::size_t j) const { return span(i, j) < ceiling_ * (1 - kSlack); }

  Column const& column_;
  double floor_, ceiling_;
  Vector<Code> nodes_;
  Vector<double> bounds_;
  Vector<std::int64_t> held_;  // persons below a node
};

void set_bounds(Attribute& attribute, Column const& column) {
  auto const end = static_cast<std::size_t>(column.distinct());
  attribute.bounds.assign(end + 1, 0);
  double const least = std::isnan(attribute.lower) ? column.positions[1] : attribute.lower;
  attribute.bounds[0] = attribute.bounds[1] = least;
  bool const discrete = column.kind == ValueKind::kInteger || column.kind == ValueKind::kDate;  // [.., n] is [.., n+1)
  attribute.bounds[end] =
      (std::isnan(attribute.upper) ? column.positions[end - 1] : attribute.upper) + (discrete ? 1 : 0);
  for (Code code = 2; code < column.distinct(); ++code) {
    auto const at = static_cast<std::size_t>(code);
    bool const barred = !attribute.barred.empty() && attribute.barred[at] != 0;
    attribute.bounds[at] = barred ? column.positions[at] : cut_position(column.kind, cut_point(column, code));
  }
}

}  // namespace

void limit_depth(Attribute& attribute, DetailLimits const& limits) {
  auto const& tree = *attribute.taxonomy;
  attribute.start_depth = limits.coarsest ? static_cast<int>(*limits.coarsest) : 0;
  if (!limits.finest) return;
  attribute.whole.assign(static_cast<std::size_t>(tree.size()), 0);
  for (Node n = 0; n < tree.size(); ++n) attribute.whole[static_cast<std::size_t>(n)] = tree.depth(n) >= *limits.finest;
}

bool limit_width(Attribute& attribute, Column const& column, std::span<std::int64_t const> holders,
                 DetailLimits const& limits) {
  if (column.distinct() < 2 || (!limits.finest && !limits.coarsest)) return true;
  set_bounds(attribute, column);
  attribute.floor = limits.finest.value_or(0) * unit_of(column) * (1 - kSlack);
  if (!limits.coarsest) return true;
  Line const line(attribute, column, holders, limits);
  std::int64_t least = 0, too_many = line.persons() + 1;
  Vector<Code> best = line.cut(least);
  if (best.empty()) return false;
  while (too_many - least > 1) {
    auto const middle = least + (too_many - least) / 2;
    auto found = line.cut(middle);
    if (found.empty()) {
      too_many = middle;
    } else {
      least = middle;
      best = std::move(found);
    }
  }
  best.pop_back();  // the end
  attribute.start = std::move(best);
  return true;
}

}  // namespace anon_seq
