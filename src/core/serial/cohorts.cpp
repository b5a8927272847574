#include "core/serial/cohorts.h"

#include <algorithm>
#include <numeric>

namespace anon_seq {
namespace {

// Purses [begin, end) of the order from the loosest to the tightest.
struct Run {
  std::size_t begin = 0, end = 0;
};

class CohortMaker {
 public:
  CohortMaker(Purses const& purses, Sensitive const& sensitive, CohortDemands const& demands, Checkpoint& checkpoint)
      : purses_(purses), sensitive_(sensitive), demands_(demands), checkpoint_(checkpoint) {
    if (purses.bounds != sensitive.bounds().size())
      throw Error(Fault::kInternal, "purses are of other bounds than the values");
    if (purses.withheld > 0 || purses.of_row.size() != sensitive.rows())
      throw Error(Fault::kInternal, "purses are of other rows than the values");
    made_.bounds = purses.bounds;
    take_order();
    place_rows();
  }

  Cohorts make() {
    auto const runs = demands_.by_cut ? cut() : join_small();
    std::int64_t refused = 0, persons = 0;
    for (auto const& run : runs) {
      auto const part = places(run);
      auto const sizes = sizes_of(run);
      made_.parts.push_back(part);
      made_.classes_of.insert(made_.classes_of.end(), sizes.begin(), sizes.end());
      if (fits(count(part), sizes, part.size())) continue;
      ++refused;
      persons += static_cast<std::int64_t>(part.size());
    }
    if (refused > 0) throw refusal(runs.size(), refused, persons);
    return std::move(made_);
  }

 private:
  struct Counts {
    Vector<std::int64_t> bounds, blocks;
  };

  std::int64_t largest(std::span<std::int64_t const> sizes) const {
    return std::accumulate(sizes.begin(), sizes.end(), demands_.k,
                           [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
  }

  void take_order() {
    order_.resize(purses_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      checkpoint_.tick();
      auto const mine = purses_.sizes(a), other = purses_.sizes(b);
      if (auto const x = largest(mine), y = largest(other); x != y) return x < y;
      return std::ranges::lexicographical_compare(mine, other);
    });
  }

  void place_rows() {
    Vector<std::size_t> next(purses_.size());
    begins_.assign(1, 0);
    for (auto const purse : order_) {
      next[purse] = begins_.back();
      begins_.push_back(begins_.back() + static_cast<std::size_t>(purses_.rows[purse]));
    }
    made_.rows.resize(begins_.back());
    for (std::size_t row = 0; row < purses_.of_row.size(); ++row) {
      checkpoint_.tick();
      made_.rows[next[static_cast<std::size_t>(purses_.of_row[row])]++] = static_cast<std::uint32_t>(row);
    }
  }

  Part places(Run run) const { return {begins_[run.begin], begins_[run.end]}; }

  Vector<std::int64_t> sizes_of(Run run) const {
    Vector<std::int64_t> sizes(purses_.bounds, 1);
    for (std::size_t i = run.begin; i < run.end; ++i) join(sizes, purses_.sizes(order_[i]));
    return sizes;
  }
  static void join(Vector<std::int64_t>& sizes, std::span<std::int64_t const> more) {
    for (std::size_t b = 0; b < sizes.size(); ++b) sizes[b] = std::max(sizes[b], more[b]);
  }

  Counts count(Part part) {
    made_.tested.push_back(part);
    Counts counts{Vector<std::int64_t>(sensitive_.bounds().size()), Vector<std::int64_t>(sensitive_.blocks().size())};
    for (std::size_t place = part.begin; place < part.end; ++place) {
      checkpoint_.tick();
      auto const value = sensitive_.joint_of(made_.rows[place]);
      for (auto const bound : sensitive_.bounds_of(value))
        if (bound != kNoBound) ++counts.bounds[static_cast<std::size_t>(bound)];
      if (auto const block = sensitive_.block_of(value); block >= 0) ++counts.blocks[static_cast<std::size_t>(block)];
    }
    return counts;
  }

  bool fits(Counts const& counts, std::span<std::int64_t const> sizes, std::size_t rows) const {
    auto const n = static_cast<std::int64_t>(rows);
    if (n < demands_.k) return false;
    return (demands_.dealt && can_be_dealt(counts, sizes, n)) || (!must_be_dealt() && is_one_class(counts, sizes, n));
  }
  // Where every bound is a block; else regions can be classes as they are (regional.h).
  bool must_be_dealt() const { return demands_.dealt && sensitive_.bounds().size() == sensitive_.blocks().size(); }

  bool is_one_class(Counts const& counts, std::span<std::int64_t const> sizes, std::int64_t n) const {
    for (std::size_t b = 0; b < sizes.size(); ++b)
      if (counts.bounds[b] > n / sizes[b]) return false;
    return true;
  }

  bool can_be_dealt(Counts const& counts, std::span<std::int64_t const> sizes, std::int64_t n) const {
    std::int64_t const m = largest(sizes), groups = n / m;
    if (groups == 0) return false;
    Vector<std::int64_t> of_block(counts.blocks.size(), 1);
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      auto& most = of_block[static_cast<std::size_t>(sensitive_.bounds()[b].block)];
      most = std::max(most, sizes[b]);
    }
    for (std::size_t block = 0; block < of_block.size(); ++block)
      if (counts.blocks[block] > checked_mul(groups, m / of_block[block])) return false;
    return true;
  }

  std::vector<Run> join_small() const {
    std::vector<Run> runs;
    Run open;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      open.end = i + 1;
      if (is_small(open)) continue;
      runs.push_back(open);
      open.begin = i + 1;
    }
    if (open.begin == order_.size()) return runs;
    open.end = order_.size();
    for (; !runs.empty() && is_small(open); runs.pop_back()) open.begin = runs.back().begin;
    runs.push_back(open);
    return runs;
  }
  bool is_small(Run run) const {
    std::int64_t needed;
    if (__builtin_mul_overflow(largest(sizes_of(run)), demands_.least, &needed)) return true;
    return static_cast<std::int64_t>(places(run).size()) < needed;
  }

  std::vector<Run> cut() {
    std::vector<Run> runs, todo{{0, order_.size()}};
    while (!todo.empty()) {
      Run const run = todo.back();
      todo.pop_back();
      if (auto const at = run.end - run.begin > 1 ? boundary(run) : run.end; at < run.end) {
        todo.push_back({at, run.end});
        todo.push_back({run.begin, at});
      } else if (run.begin < run.end) {
        runs.push_back(run);
      }
    }
    return runs;
  }

  // Where the tighter side begins; the end of the run where no cut is allowed, or makes more classes.
  std::size_t boundary(Run run) {
    auto const counts = count(places(run));
    auto const tight = tightest_from(run);
    auto const classes = [&](Part part, std::int64_t m) {
      return static_cast<double>(part.size()) / static_cast<double>(m);
    };
    double most = classes(places(run), largest(tight.front())) * (1 + 1e-9);
    std::size_t best = run.end;
    Vector<std::int64_t> loose(purses_.bounds, 1);
    for (std::size_t at = run.begin + 1; at < run.end; ++at) {
      checkpoint_.tick();
      join(loose, purses_.sizes(order_[at - 1]));
      auto const& rest = tight[at - run.begin];
      Part const left = places({run.begin, at}), right = places({at, run.end});
      double const made = classes(left, largest(loose)) + classes(right, largest(rest));
      if (made <= most || !fits(counts, loose, left.size()) || !fits(counts, rest, right.size())) continue;
      most = made;
      best = at;
    }
    return best;
  }

  // For each place in the run, the sizes of what begins there.
  std::vector<Vector<std::int64_t>> tightest_from(Run run) const {
    std::vector<Vector<std::int64_t>> sizes(run.end - run.begin, Vector<std::int64_t>(purses_.bounds, 1));
    for (std::size_t i = run.end; i-- > run.begin;) {
      auto& mine = sizes[i - run.begin];
      if (i + 1 < run.end) mine = sizes[i + 1 - run.begin];
      join(mine, purses_.sizes(order_[i]));
    }
    return sizes;
  }

  Error refusal(std::size_t cohorts, std::int64_t refused, std::int64_t persons) const {
    auto const of =
        std::to_string(refused) + " of " + std::to_string(cohorts) + (cohorts == 1 ? " cohort" : " cohorts");
    return Error(
        Fault::kData, "a listed value is too frequent for what is left of the persons' budgets",
        "It is in " + of + ", with " + std::to_string(persons) + " of " + std::to_string(made_.rows.size()) +
            " persons, more often than their classes may hold. The whole version is refused, and nothing is"
            " charged: to leave somebody out because of his value would tell it.",
        "More persons or rarer values would do. To publish the same content under other parameters tells who"
        " knows of it what did not fit, and is a failed row of audits; options.withhold_below, set before, leaves"
        " out who has little left, whatever his value.");
  }

  Purses const& purses_;
  Sensitive const& sensitive_;
  CohortDemands const& demands_;
  Checkpoint& checkpoint_;
  std::vector<std::size_t> order_;  // purses, loosest first
  Vector<std::size_t> begins_;      // place in the order -> place of its first row
  Cohorts made_;
};

}  // namespace

Cohorts make_cohorts(Purses const& purses, Sensitive const& sensitive, CohortDemands const& demands,
                     Checkpoint& checkpoint) {
  return CohortMaker(purses, sensitive, demands, checkpoint).make();
}

}  // namespace anon_seq
