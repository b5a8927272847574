// Who is in leaves that nobody comes to or goes from need not be in memory: refine() gives the others what it would
// give them with all.
#include <gtest/gtest.h>

#include "incremental_fixture.h"
#include "runs.h"

namespace anon_seq::testing {
namespace {

// People in two lines and a taxonomy, version after version.
class Part {
 public:
  explicit Part(std::uint64_t seed)
      : random_(seed), tree_(tree_of({{"a", "*"}, {"b", "*"}, {"a1", "a"}, {"a2", "a"}, {"b1", "b"}, {"b2", "b"}})) {
    for (int i = 0; i < 2; ++i) {
      positions_[i].assign(kSize, 0);
      for (std::size_t code = 1; code < kSize; ++code) positions_[i][code] = static_cast<double>(code);
      axes_.push_back({});
      axes_.back().size = static_cast<std::int32_t>(kSize);
      axes_.back().positions = {positions_[i].data(), kSize};
    }
    axes_.push_back({});
    axes_.back().taxonomy = &tree_;
    axes_.back().by_children = draw(2) == 0;
    demands_.k = 2 + draw(3);
    demands_.by_entropy = draw(2) == 0;
    demands_.box = draw(4) == 0;
    demands_.erase_at_once = draw(4) == 0;
    demands_.arrivals_known = !demands_.erase_at_once && draw(4) == 0;
    for (int i = 60 + draw(60); i > 0; --i) come();
  }

  void check() {
    publish(1);
    for (std::int32_t version = 2; version < 6; ++version) {
      change();
      auto whole = partition_, part = partition_;
      Objects some = touched();
      auto all = objects_;
      auto const rows = rows_;
      auto axes = axes_;
      for (auto& axis : axes) axis.unknown_elsewhere = true;
      axes.back().unknown_elsewhere = unknown_left_out_;
      auto const of_all = refine(whole, axes_, demands_, all, version, checkpoint_);
      auto const of_some = refine(part, axes, demands_, some, version, checkpoint_);
      ASSERT_LT(rows.size(), objects_.rows() + 1);
      for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(of_some.region[i], of_all.region[rows[i]]) << "row " << i;
      ASSERT_EQ(part.regions.size(), whole.regions.size());
      for (std::size_t id = 0; id < whole.regions.size(); ++id) {
        auto const &a = part.regions[id], &b = whole.regions[id];
        ASSERT_EQ(std::tuple(a.parent, a.first_child, a.children, a.at, a.attribute, a.side, a.open, a.departed),
                  std::tuple(b.parent, b.first_child, b.children, b.at, b.attribute, b.side, b.open, b.departed));
        ASSERT_TRUE(std::ranges::equal(part.nodes_of(a), whole.nodes_of(b)));
      }
      ASSERT_EQ(std::tuple(of_some.waiting, of_some.deferred, of_some.left, of_some.withheld, of_some.smallest_arrival,
                           of_some.smallest_departure),
                std::tuple(of_all.waiting, of_all.deferred, of_all.left, of_all.withheld, of_all.smallest_arrival,
                           of_all.smallest_departure));
      left_out_ += objects_.rows() - rows.size();
      publish(version);
    }
  }
  std::size_t left_out() const { return left_out_; }

 private:
  static constexpr std::size_t kSize = 12;
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  void come() {
    for (int i = 0; i < 2; ++i) objects_.points.push_back(draw(20) == 0 ? 0 : 1 + draw(static_cast<int>(kSize) - 1));
    static constexpr char const* kLeaves[] = {"a1", "a2", "b1", "b2"};
    objects_.points.push_back(draw(15) == 0 ? kUnknown : tree_.find(kLeaves[draw(4)]));
    objects_.region.push_back(kNoRegion);
    objects_.since.push_back(1);
    objects_.gone.push_back(0);
    objects_.successor.push_back(-1);
  }

  void change() {
    for (std::size_t row = 0; row < objects_.rows(); ++row)
      if (objects_.gone[row] == 0 && objects_.region[row] != kNoRegion && draw(30) == 0) objects_.gone[row] = 1;
    for (int i = draw(6); i > 0; --i) come();
  }

  // Rows of leaves that somebody comes to or goes from.
  Objects touched() {
    std::vector<Taxonomy const*> const taxonomies{nullptr, nullptr, &tree_};
    std::vector<RegionId> leaf;
    std::vector<char> changes(partition_.regions.size(), 0);
    for (std::size_t row = 0; row < objects_.rows(); ++row) {
      bool const newcomer = objects_.region[row] == kNoRegion;
      leaf.push_back(newcomer ? leaf_of(partition_, taxonomies, std::span(objects_.points).subspan(3 * row, 3))
                              : objects_.region[row]);
      if (newcomer || objects_.gone[row] != 0) changes[static_cast<std::size_t>(leaf.back())] = 1;
    }
    Objects some;
    rows_.clear();
    unknown_left_out_ = false;
    for (std::size_t row = 0; row < objects_.rows(); ++row) {
      auto const point = std::span(objects_.points).subspan(3 * row, 3);
      if (changes[static_cast<std::size_t>(leaf[row])] == 0) {
        unknown_left_out_ |= point[2] == kUnknown;
        continue;
      }
      rows_.push_back(row);
      some.points.insert(some.points.end(), point.begin(), point.end());
      some.region.push_back(objects_.region[row]);
      some.since.push_back(objects_.since[row]);
      some.gone.push_back(objects_.gone[row]);
      some.successor.push_back(-1);
    }
    return some;
  }

  // Those who have left are not among the objects of the next version.
  void publish(std::int32_t version) {
    auto points = objects_.points;
    auto const refined = refine(partition_, axes_, demands_, objects_, version, checkpoint_);
    Objects next;
    for (std::size_t row = 0; row < objects_.rows(); ++row) {
      if (objects_.gone[row] != 0 && refined.region[row] == kNoRegion) continue;
      next.points.insert(next.points.end(), &points[3 * row], &points[3 * row] + 3);
      next.region.push_back(refined.region[row]);
      next.since.push_back(objects_.since[row]);
      next.gone.push_back(objects_.gone[row]);
      next.successor.push_back(-1);
    }
    objects_ = std::move(next);
  }

  std::mt19937_64 random_;
  Taxonomy tree_;
  Vector<double> positions_[2];
  std::vector<Axis> axes_;
  IncrementalDemands demands_;
  Partition partition_ = whole_space();
  Objects objects_;
  std::vector<std::size_t> rows_;  // that touched() took
  bool unknown_left_out_ = false;  // somebody without a value in the taxonomy is not among them
  std::size_t left_out_ = 0;
  NoCheckpoint checkpoint_;
};

TEST(IncrementalPart, LeavesThatNobodyComesToOrGoesFromNeedNotBeThere) {
  auto const [first, instances] = runs(1, 400);
  std::uint64_t const count = static_cast<std::uint64_t>(instances);
  std::size_t left_out = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Part part(seed);
    part.check();
    if (HasFatalFailure()) return;
    left_out += part.left_out();
  }
  EXPECT_GT(left_out, count);  // else nothing was tried
}

}  // namespace
}  // namespace anon_seq::testing
