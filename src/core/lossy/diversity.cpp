#include "core/lossy/diversity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace anon_seq {
namespace {

struct Cell {
  Code value;
  std::int64_t count;
};

// The whole table, as each class is compared with it.
class Whole {
 public:
  Whole(ValueCells const& cells, Checkpoint& checkpoint) {
    for (std::size_t i = 0; i < cells.values.size(); ++i) {
      checkpoint.tick();
      auto const value = static_cast<std::size_t>(cells.values[i]);
      if (value >= counts_.size()) counts_.resize(value + 1);
      if (__builtin_add_overflow(rows_, cells.counts[i], &rows_))
        throw Error(Fault::kLimit, "the counts do not fit in 64 bits");
      counts_[value] += cells.counts[i];
    }
    below_.push_back(0);
    areas_.push_back(0);
    double sum = 0;
    for (auto const count : counts_) {
      checkpoint.tick();
      sum += static_cast<double>(count);
      below_.push_back(sum / static_cast<double>(rows_));
      areas_.push_back(areas_.back() + below_.back());
    }
  }

  std::int64_t values() const { return static_cast<std::int64_t>(counts_.size()); }
  double share(Code value) const {
    return static_cast<double>(counts_[static_cast<std::size_t>(value)]) / static_cast<double>(rows_);
  }

  // Sum over the values v in [begin, end) of |share of values up to v - share|. Cost: logarithmic.
  double area(std::size_t begin, std::size_t end, double share) const {
    auto const crossing =
        static_cast<std::size_t>(std::lower_bound(below_.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                                  below_.begin() + static_cast<std::ptrdiff_t>(end) + 1, share) -
                                 below_.begin() - 1);
    return share * static_cast<double>(crossing - begin) - (areas_[crossing] - areas_[begin]) +
           (areas_[end] - areas_[crossing]) - share * static_cast<double>(end - crossing);
  }

 private:
  Vector<std::int64_t> counts_;
  std::int64_t rows_ = 0;
  Vector<double> below_, areas_;  // [v]: the share of the values before v, and the sum of such shares
};

// Between two values of the class its own share does not change.
double distance_on_a_line(Whole const& whole, std::span<Cell const> by_value, std::int64_t size) {
  auto const last = static_cast<std::size_t>(whole.values() - 1);
  if (last == 0) return 0;
  double sum = 0;
  std::int64_t held = 0;
  std::size_t from = 0;
  for (auto const& cell : by_value) {
    auto const place = static_cast<std::size_t>(cell.value);
    sum += whole.area(from, place, static_cast<double>(held) / static_cast<double>(size));
    held += cell.count;
    from = place;
  }
  sum += whole.area(from, last, 1);
  return sum / static_cast<double>(last);
}

// The least whole c with r1 < c (rl + rl+1 + ...), r the counts in descending order.
std::int64_t recursive_c(std::span<Cell> cells, std::int64_t l) {
  std::sort(cells.begin(), cells.end(), [](Cell const& a, Cell const& b) { return a.count > b.count; });
  std::int64_t tail = 0;
  for (auto i = static_cast<std::size_t>(l - 1); i < cells.size(); ++i) tail += cells[i].count;
  return cells.front().count / tail + 1;
}

void take(Diversity& found, Whole const& whole, std::span<Cell const> cells, bool on_a_line) {
  std::int64_t size = 0;
  for (auto const& cell : cells) size += cell.count;
  double entropy = 0, more = 0;
  for (auto const& cell : cells) {
    double const p = whole.share(cell.value), q = static_cast<double>(cell.count) / static_cast<double>(size);
    double const gain = q / p - 1;
    entropy -= q * std::log(q);
    more += std::max(q - p, 0.0);
    found.alpha = std::max(found.alpha, q);
    found.beta = std::max(found.beta, gain);
    found.delta = std::max(found.delta, std::abs(std::log(q / p)));
    if (gain > -std::log(p)) found.enhanced_beta = std::numeric_limits<double>::infinity();
  }
  auto const distinct = static_cast<std::int64_t>(cells.size());
  found.smallest = found.classes == 0 ? size : std::min(found.smallest, size);
  found.fewest = found.classes == 0 ? distinct : std::min(found.fewest, distinct);
  found.entropy_l = found.classes == 0 ? std::exp(entropy) : std::min(found.entropy_l, std::exp(entropy));
  found.t = std::max(found.t, on_a_line ? distance_on_a_line(whole, cells, size) : more);
  ++found.classes;
}

}  // namespace

Diversity diversity_of(ValueCells const& cells, bool on_a_line, Checkpoint& checkpoint) {
  Diversity found;
  if (cells.classes() == 0) return found;
  Whole const whole(cells, checkpoint);
  found.values = whole.values();
  Vector<Cell> of_class;
  auto const each_class = [&](auto look) {
    for (std::size_t id = 0; id < cells.classes(); ++id) {
      of_class.clear();
      for (auto i = cells.begins[id]; i < cells.begins[id + 1]; ++i) {
        checkpoint.tick();
        of_class.push_back({cells.values[i], cells.counts[i]});
      }
      look(std::span(of_class));
    }
  };
  each_class([&](std::span<Cell> of) {
    std::sort(of.begin(), of.end(), [](Cell const& a, Cell const& b) { return a.value < b.value; });
    take(found, whole, of, on_a_line);
  });
  found.enhanced_beta = std::max(found.enhanced_beta, found.beta);
  if (found.fewest > 1)
    each_class([&](std::span<Cell> of) {
      found.recursive_c = std::max(found.recursive_c.value_or(0), recursive_c(of, found.fewest));
    });
  return found;
}

}  // namespace anon_seq
