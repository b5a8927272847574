#include "core/lossy/send_back.h"

namespace anon_seq {
namespace {

class SendingBack {
 public:
  SendingBack(Sensitive const& sensitive, Branches const& branches, std::int64_t k, Checkpoint& checkpoint)
      : sensitive_(sensitive), branches_(branches), k_(k), checkpoint_(checkpoint) {
    number_bounds();
    for (std::size_t c = 0; c < branches.children(); ++c) nodes_.push_back(node_of(c));
    parent_.counts.resize(branches.values);
    parent_.bounds.resize(bounds_.size());
    sent_.whole.assign(nodes_.size(), 0);
    sent_.taken.assign(branches.counts.size(), 0);
  }

  SentBack run() {
    for (std::size_t c = 0; c < nodes_.size(); ++c)
      if (nodes_[c].size > 0 && need(nodes_[c]) > nodes_[c].size) return_whole(c);
    while (parent_.size > 0 && need(parent_) > parent_.size) {
      checkpoint_.tick();
      if (!return_one()) return_whole(smallest());
    }
    sent_.stay = parent_.size;
    for (std::size_t c = 0; c < nodes_.size(); ++c) sent_.leaving += nodes_[c].size > 0;
    return std::move(sent_);
  }

 private:
  struct Node {
    std::int64_t size = 0;
    Vector<std::int64_t> counts, bounds;  // by local value, by local bound
  };

  // Bounds that occur here get local numbers: most parents are small.
  void number_bounds() {
    for (auto const joint : branches_.joint)
      for (auto const bound : sensitive_.bounds_of(joint))
        if (bound != kNoBound) bounds_.push_back(bound);
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    for (auto const joint : branches_.joint)
      for (auto const bound : sensitive_.bounds_of(joint)) {
        auto const at = std::lower_bound(bounds_.begin(), bounds_.end(), bound);
        local_.push_back(bound == kNoBound ? kNoBound : static_cast<std::int32_t>(at - bounds_.begin()));
      }
  }

  std::span<std::int32_t const> bounds_of(std::size_t value) const {
    return std::span(local_).subspan(value * sensitive_.columns(), sensitive_.columns());
  }

  void add(Node& node, std::size_t value, std::int64_t count) const {
    node.size += count;
    node.counts[value] += count;
    for (auto const bound : bounds_of(value))
      if (bound != kNoBound) node.bounds[static_cast<std::size_t>(bound)] += count;
  }

  Node node_of(std::size_t child) const {
    Node node{0, Vector<std::int64_t>(branches_.values), Vector<std::int64_t>(bounds_.size())};
    for (std::size_t v = 0; v < branches_.values; ++v) add(node, v, branches_.counts[child * branches_.values + v]);
    return node;
  }

  Ratio alpha(std::size_t bound) const { return sensitive_.bounds()[static_cast<std::size_t>(bounds_[bound])].alpha; }

  // The fewest rows that can hold what a node holds.
  std::int64_t need(Node const& node) const {
    std::int64_t rows = k_;
    for (std::size_t b = 0; b < bounds_.size(); ++b) rows = std::max(rows, rows_for(node.bounds[b], alpha(b)));
    return rows;
  }

  void return_whole(std::size_t child) {
    for (std::size_t v = 0; v < branches_.values; ++v) {
      add(parent_, v, nodes_[child].counts[v]);
      add(nodes_[child], v, -nodes_[child].counts[v]);
      sent_.taken[child * branches_.values + v] = 0;
    }
    sent_.whole[child] = 1;
  }

  std::size_t smallest() const {
    std::size_t best = nodes_.size();
    for (std::size_t c = 0; c < nodes_.size(); ++c)
      if (nodes_[c].size > 0 && (best == nodes_.size() || nodes_[c].size < nodes_[best].size)) best = c;
    if (best == nodes_.size()) throw Error(Fault::kInternal, "a parent is not ok with all of its rows");
    return best;
  }

  bool return_one() {
    Vector<std::size_t> order;
    Vector<std::int64_t> slack(nodes_.size());
    for (std::size_t c = 0; c < nodes_.size(); ++c)
      if (nodes_[c].size > 0) {
        slack[c] = nodes_[c].size - need(nodes_[c]);
        order.push_back(c);
      }
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return slack[a] > slack[b]; });
    for (auto const child : order)
      if (return_one_of(child, slack[child])) return true;
    return false;
  }

  bool return_one_of(std::size_t child, std::int64_t slack) {
    Node& node = nodes_[child];
    std::size_t best = branches_.values;
    for (std::size_t v = 0; v < branches_.values; ++v) {
      if (node.counts[v] == 0 || (best < branches_.values && parent_.counts[v] >= parent_.counts[best])) continue;
      if (!helps(v)) continue;
      if (slack == 0) {
        add(node, v, -1);
        bool const ok = need(node) <= node.size;
        add(node, v, 1);
        if (!ok) continue;
      }
      best = v;
    }
    if (best == branches_.values) return false;
    add(node, best, -1);
    add(parent_, best, 1);
    ++sent_.taken[child * branches_.values + best];
    return true;
  }

  // Whether a row of the value holds no bound that is broken in the parent.
  bool helps(std::size_t value) const {
    for (auto const bound : bounds_of(value)) {
      if (bound == kNoBound) continue;
      auto const b = static_cast<std::size_t>(bound);
      if (!at_most(parent_.bounds[b], parent_.size, alpha(b))) return false;
    }
    return true;
  }

  Sensitive const& sensitive_;
  Branches const& branches_;
  std::int64_t k_;
  Checkpoint& checkpoint_;
  Vector<std::int32_t> bounds_, local_;  // local bound -> bound; local value * columns -> local bounds
  std::vector<Node> nodes_;
  Node parent_;
  SentBack sent_;
};

}  // namespace

SentBack send_back(Sensitive const& sensitive, Branches const& branches, std::int64_t k, Checkpoint& checkpoint) {
  return SendingBack(sensitive, branches, k, checkpoint).run();
}

}  // namespace anon_seq
