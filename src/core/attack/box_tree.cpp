#include "core/attack/box_tree.h"

#include <limits>

namespace anon_seq {
namespace {

constexpr std::uint32_t kLeaf = 8;

}  // namespace

BoxTree::BoxTree(Boxes const& boxes, std::span<BoxId const> listed, std::span<std::int64_t const> weights,
                 Checkpoint& checkpoint)
    : boxes_(boxes), width_(boxes.attributes()), listed_(listed), weights_(weights) {
  ends_.reserve(listed.size() * width_);
  for (BoxId const box : listed) {
    bool plain = true;
    for (std::size_t a = 0; a < width_; ++a) {
      auto const runs = boxes.sets_of(a)[boxes[box][a]];
      ends_.push_back({runs.front().first, runs.back().last});
      plain = plain && runs.size() == 1;
    }
    plain_.push_back(plain);
    order_.push_back(static_cast<std::uint32_t>(order_.size()));
    checkpoint.tick();
  }
  if (listed.empty()) return;
  Vector<std::uint32_t> open;  // nodes whose right child is not made yet
  nodes_.push_back({0, static_cast<std::uint32_t>(listed.size()), 0, true, 0});
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    checkpoint.tick();
    grow(node, open);
  }
}

// Measures a node and makes the next one in preorder.
void BoxTree::grow(std::uint32_t node, Vector<std::uint32_t>& open) {
  measure(nodes_[node]);
  auto const [begin, end, right, plain, weight] = nodes_[node];
  if (end - begin > kLeaf) {
    auto const centre = [&](std::uint32_t i, std::size_t a) {
      auto const& e = ends_[i * width_ + a];
      return static_cast<std::int64_t>(e.first) + e.last;
    };
    std::size_t widest = 0;
    double most = -1;
    for (std::size_t a = 0; a < width_; ++a) {
      std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -1;
      for (std::uint32_t i = begin; i < end; ++i) {
        low = std::min(low, centre(order_[i], a));
        high = std::max(high, centre(order_[i], a));
      }
      auto const whole = hull(0)[a];
      double const spread = static_cast<double>(high - low) / (static_cast<double>(whole.last) - whole.first + 1);
      if (spread > most) most = spread, widest = a;
    }
    std::uint32_t const middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t x, std::uint32_t y) {
                       return std::pair(centre(x, widest), x) < std::pair(centre(y, widest), y);
                     });
    open.push_back(node);
    nodes_.push_back({begin, middle, 0, true, 0});
  } else if (!open.empty()) {
    std::uint32_t const parent = open.back();
    open.pop_back();
    nodes_[parent].right = static_cast<std::uint32_t>(nodes_.size());
    std::uint32_t const middle = nodes_[parent + 1].end;
    nodes_.push_back({middle, nodes_[parent].end, 0, true, 0});
  }
}

void BoxTree::measure(Node& node) {
  std::size_t const at = bounds_.size();
  for (std::size_t a = 0; a < 2 * width_; ++a)
    bounds_.push_back(a < width_ ? Bound{std::numeric_limits<std::int32_t>::max(), 0}
                                 : Bound{0, std::numeric_limits<std::int32_t>::max()});
  for (std::uint32_t i = node.begin; i < node.end; ++i) {
    std::uint32_t const number = order_[i];
    for (std::size_t a = 0; a < width_; ++a) {
      Bound const e = ends_[number * width_ + a];
      Bound &outer = bounds_[at + a], &inner = bounds_[at + width_ + a];
      outer = {std::min(outer.first, e.first), std::max(outer.last, e.last)};
      inner = {std::max(inner.first, e.first), std::min(inner.last, e.last)};
    }
    node.plain = node.plain && plain_[number];
    node.weight += weights_[number];
  }
}

void BoxTree::ends_of(BoxId box, Vector<Bound>& ends) const {
  ends.clear();
  for (std::size_t a = 0; a < width_; ++a) {
    auto const runs = boxes_.sets_of(a)[boxes_[box][a]];
    ends.push_back({runs.front().first, runs.back().last});
  }
}

std::int64_t BoxTree::weight_holding(BoxId box, std::int64_t enough) const {
  if (nodes_.empty()) return 0;
  ends_of(box, asked_);
  auto const within = [&](Bound const* outer) {
    for (std::size_t a = 0; a < width_; ++a)
      if (outer[a].first > asked_[a].first || outer[a].last < asked_[a].last) return false;
    return true;
  };
  std::int64_t weight = 0;
  todo_.assign(1, 0);
  while (!todo_.empty() && weight < enough) {
    std::uint32_t const at = todo_.back();
    todo_.pop_back();
    auto const& node = nodes_[at];
    if (!within(hull(at))) continue;
    if (node.plain && within(core(at))) {
      weight += node.weight;
    } else if (node.right != 0) {
      todo_.push_back(node.right);
      todo_.push_back(at + 1);
    } else {
      for (std::uint32_t i = node.begin; i < node.end; ++i)
        if (std::uint32_t const number = order_[i]; within(ends_.data() + number * width_))
          if (plain_[number] || boxes_.holds(listed_[number], box)) weight += weights_[number];
    }
  }
  return std::min(weight, enough);
}

bool BoxTree::meets(BoxId a, BoxId b) const {
  for (std::size_t i = 0; i < width_; ++i) {
    auto const left = boxes_.sets_of(i)[boxes_[a][i]], right = boxes_.sets_of(i)[boxes_[b][i]];
    bool found = false;
    for (std::size_t x = 0, y = 0; !found && x < left.size() && y < right.size();) {
      found = left[x].first <= right[y].last && right[y].first <= left[x].last;
      ++(left[x].last < right[y].last ? x : y);
    }
    if (!found) return false;
  }
  return true;
}

void BoxTree::meeting(BoxId box, Vector<std::uint32_t>& numbers) const {
  if (nodes_.empty()) return;
  ends_of(box, asked_);
  auto const touches = [&](Bound const* other) {
    for (std::size_t a = 0; a < width_; ++a)
      if (other[a].first > asked_[a].last || other[a].last < asked_[a].first) return false;
    return true;
  };
  todo_.assign(1, 0);
  while (!todo_.empty()) {
    std::uint32_t const at = todo_.back();
    todo_.pop_back();
    if (!touches(hull(at))) continue;
    if (nodes_[at].right != 0) {
      todo_.push_back(nodes_[at].right);
      todo_.push_back(at + 1);
      continue;
    }
    for (std::uint32_t i = nodes_[at].begin; i < nodes_[at].end; ++i)
      if (std::uint32_t const number = order_[i]; touches(ends_.data() + number * width_))
        if (meets(listed_[number], box)) numbers.push_back(number);
  }
}

}  // namespace anon_seq
