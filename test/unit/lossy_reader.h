// The reader who knows the code: quasi values, parameters, the release and the algorithm, but neither the sensitive
// values nor the chance. Every arrangement of the table's tuples over its rows is as likely as any other; he weighs
// each with the chance that it gives this very release.
#pragma once

#include <numeric>

#include "core/lossy/regional.h"
#include "core/lossy/topdown.h"
#include "lossy_fixture.h"

namespace anon_seq::testing {

using Arrangement = std::vector<Tuple>;  // row -> tuple
using Bag = std::vector<Tuple>;          // sorted

// What is seen of a class: tuples as they stand, or each column by itself.
enum class Seen { kTuples, kColumns };

inline Bag bag_of(Arrangement const& held, std::vector<std::size_t> const& rows, Seen seen = Seen::kTuples) {
  Bag bag;
  for (auto const row : rows) bag.push_back(held[row]);
  if (seen == Seen::kColumns) {
    Bag columns(held.front().size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      for (auto const& tuple : bag) columns[c].push_back(tuple[c]);
      std::sort(columns[c].begin(), columns[c].end());
    }
    return columns;
  }
  std::sort(bag.begin(), bag.end());
  return bag;
}

// All arrangements, or none if there are more than `most`.
inline std::vector<Arrangement> arrangements_of(Arrangement held, std::size_t most) {
  std::sort(held.begin(), held.end());
  std::vector<Arrangement> all;
  do {
    if (all.size() == most) return {};
    all.push_back(held);
  } while (std::next_permutation(held.begin(), held.end()));
  return all;
}

struct Class {
  std::vector<std::size_t> rows;  // ascending
  std::vector<Node> nodes;        // what it shows besides; may be empty
  auto operator<=>(Class const&) const = default;
};
using Shape = std::vector<Class>;  // sorted: ids tell nothing

inline Shape shape_of(Grouping const& grouping, Vector<Node> const& nodes = {}) {
  Shape shape(static_cast<std::size_t>(grouping.count));
  for (std::size_t place = 0; place < grouping.rows.size(); ++place)
    shape[static_cast<std::size_t>(grouping.classes[place])].rows.push_back(grouping.rows[place]);
  std::size_t const axes = nodes.size() / std::max<std::size_t>(1, shape.size());
  for (std::size_t id = 0; id < shape.size(); ++id) {
    std::sort(shape[id].rows.begin(), shape[id].rows.end());
    shape[id].nodes.assign(nodes.begin() + static_cast<std::ptrdiff_t>(id * axes),
                           nodes.begin() + static_cast<std::ptrdiff_t>((id + 1) * axes));
  }
  std::sort(shape.begin(), shape.end());
  return shape;
}

using Release = std::pair<Shape, std::vector<Bag>>;

inline Release release_of(Shape const& shape, Arrangement const& held, Seen seen) {
  Release release{shape, {}};
  for (auto const& c : shape) release.second.push_back(bag_of(held, c.rows, seen));
  return release;
}

// Chances of arrangements, given one release.
struct Beliefs {
  std::vector<std::pair<Arrangement const*, double>> weights;

  double chance(std::size_t row, Thing const& thing) const {
    double all = 0, held = 0;
    for (auto const& [arrangement, weight] : weights) {
      all += weight;
      if (thing.held((*arrangement)[row])) held += weight;
    }
    return held / all;
  }
};

// Every outcome of chance once: each below(n) is one of n branches; classes keep the numbers that they were made with.
class AllDraws final : public Draws {
 public:
  AllDraws() : Draws([]() -> std::uint64_t { return 0; }) {}
  std::uint64_t below(std::uint64_t n) override {
    if (at_ == path_.size()) path_.push_back({0, n});
    chance_ /= static_cast<double>(n);
    return path_[at_++].first;
  }
  Vector<std::int32_t> permutation(std::size_t n, Checkpoint&) override {
    Vector<std::int32_t> ids(n);
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
  }
  double chance() const { return chance_; }  // of the branches taken
  bool next() {                              // false: all were met
    at_ = 0;
    chance_ = 1;
    while (!path_.empty() && ++path_.back().first == path_.back().second) path_.pop_back();
    return !path_.empty();
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> path_;
  std::size_t at_ = 0;
  double chance_ = 1;
};

// Releases and the beliefs that each leaves, for an algorithm make(sensitive, draws) -> shape.
template <class Make>
std::map<Release, Beliefs> all_releases(LossyTable const& table, std::vector<Arrangement> const& arrangements,
                                        Seen seen, Make make) {
  std::map<Release, Beliefs> releases;
  for (auto const& held : arrangements) {
    Sensitive const sensitive = table.sensitive(held);
    AllDraws draws;
    do {
      auto& weights = releases[release_of(make(sensitive, draws), held, seen)].weights;
      double const chance = draws.chance();
      if (!weights.empty() && weights.back().first == &held)
        weights.back().second += chance;
      else
        weights.push_back({&held, chance});
    } while (draws.next());
  }
  return releases;
}

// The greatest excess of a chance over its bound that any reader of these releases has; and whether every chance is
// the share of the class.
struct Verdict {
  double worst = 0;   // chance
  double excess = 0;  // over the bound
  bool exact = true;
};

inline void judge(LossyTable const& table, Release const& release, Beliefs const& beliefs, Verdict& verdict) {
  for (auto const& thing : things_of(table)) {
    double const bound = static_cast<double>(thing.alpha.num) / static_cast<double>(thing.alpha.den);
    for (auto const& c : release.first) {
      double share = 0;
      for (auto const row : c.rows) share += thing.held((*beliefs.weights.front().first)[row]);
      share /= static_cast<double>(c.rows.size());
      for (auto const row : c.rows) {
        double const chance = beliefs.chance(row, thing);
        // How many rows hold a thing of several columns is not seen where each column is by itself.
        if (!thing.of_several) verdict.exact &= std::abs(chance - share) < 1e-9;
        if (chance - bound <= verdict.excess) continue;
        verdict.excess = chance - bound;
        verdict.worst = chance;
      }
    }
  }
}

// The chance that dealing a region to so many groups gives the classes of a release that have its rows, if they hold
// this. The bags of the groups follow from the bag of the region; chance gives equal tuples to places uniformly. So of
// all c_v! orders of each tuple v, those give a class assignment that put k_bv of them into group b, in any order: the
// product of k_bv! over c_v!; classes are not numbered, so groups of equal bags may change places. Checked against all
// draws by `FormulaOfDealing`. met: adds the rows of these classes.
template <class JointOf>
double chance_of_region(std::set<std::size_t> const& rows, std::size_t groups, JointOf joint_of,
                        Arrangement const& held, Release const& release, Seen seen, std::size_t& met) {
  double chance = 1;
  std::vector<std::pair<JointValue, Tuple>> order;
  std::map<Tuple, int> all;
  for (auto const row : rows) {
    order.push_back({joint_of(row), held[row]});
    chance /= ++all[held[row]];
  }
  std::sort(order.begin(), order.end());
  std::map<Bag, int> dealt;
  for (std::size_t g = 0; g < groups; ++g) {
    Bag bag;
    for (std::size_t i = g; i < order.size(); i += groups) bag.push_back(order[i].second);
    std::sort(bag.begin(), bag.end());
    chance *= ++dealt[bag];
  }
  for (std::size_t c = 0; c < release.first.size(); ++c) {
    auto const& members = release.first[c].rows;
    if (!rows.contains(members.front())) continue;
    if (bag_of(held, members, seen) != release.second[c]) return 0;
    for (auto const row : members)
      if (!rows.contains(row)) return 0;
    Bag const bag = bag_of(held, members);
    if (dealt[bag]-- <= 0) return 0;
    std::map<Tuple, int> here;
    for (auto const& tuple : bag) chance *= ++here[tuple];
    met += members.size();
  }
  return chance;
}

// The chance that dealing gives these classes, if the rows hold this.
inline double chance_of_dealing(LossyTable const& table, Arrangement const& held, Release const& release, Seen seen) {
  Sensitive const sensitive = table.sensitive(held);
  Regions const regions = find_regions(table.axes, sensitive, table.k, table.checkpoint);
  double chance = 1;
  std::size_t met = 0;
  for (auto const& part : regions.parts) {
    std::set<std::size_t> const rows(regions.rows.begin() + static_cast<std::ptrdiff_t>(part.begin),
                                     regions.rows.begin() + static_cast<std::ptrdiff_t>(part.end));
    chance *= chance_of_region(
        rows, static_cast<std::size_t>(regions.classes_in(part)), [&](auto row) { return sensitive.joint_of(row); },
        held, release, seen, met);
    if (chance == 0) return 0;
  }
  return met == held.size() ? chance : 0;
}

}  // namespace anon_seq::testing
