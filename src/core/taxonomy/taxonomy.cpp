#include "core/taxonomy/taxonomy.h"

#include <algorithm>

namespace anon_seq {
namespace {

// Children of every raw node side by side, in the order of their raw numbers.
struct ChildLists {
  Vector<Node> starts, children;

  explicit ChildLists(Vector<Node> const& parents) : starts(parents.size() + 1, 0), children(parents.size()) {
    for (Node parent : parents)
      if (parent != kNoNode) ++starts[static_cast<std::size_t>(parent) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    Vector<Node> next(starts);
    for (std::size_t raw = 0; raw < parents.size(); ++raw)
      if (parents[raw] != kNoNode)
        children[static_cast<std::size_t>(next[static_cast<std::size_t>(parents[raw])]++)] = static_cast<Node>(raw);
  }
};

Node only_root(Vector<Node> const& parents) {
  if (std::count(parents.begin(), parents.end(), kNoNode) != 1)
    throw Error(Fault::kData, "a taxonomy needs exactly one root");
  return static_cast<Node>(std::find(parents.begin(), parents.end(), kNoNode) - parents.begin());
}

}  // namespace

Taxonomy::Taxonomy(Dictionary const& labels, Vector<Node> const& parents) {
  ChildLists const lists(parents);
  struct Visit {
    Node raw, node, next;  // next: index into lists.children
  };
  Vector<Visit> path;
  auto enter = [&](Node raw, Node parent) {
    if (path.size() > kMaxTaxonomyDepth)
      throw Error(Fault::kLimit, "taxonomy is too deep",
                  "A path may have " + std::to_string(kMaxTaxonomyDepth) + " edges from the root to a leaf.");
    Node const node = labels_.intern(labels[raw]);
    parents_.push_back(parent);
    ends_.push_back(node + 1);
    depths_.push_back(static_cast<std::uint8_t>(path.size()));
    path.push_back({raw, node, lists.starts[at(raw)]});
  };
  parents_.reserve(parents.size());
  ends_.reserve(parents.size());
  depths_.reserve(parents.size());
  enter(only_root(parents), kNoNode);
  while (!path.empty()) {
    Visit& top = path.back();
    if (top.next < lists.starts[at(top.raw) + 1]) {
      enter(lists.children[at(top.next++)], top.node);
    } else {
      ends_[at(top.node)] = size();
      path.pop_back();
    }
  }
  if (parents_.size() != parents.size()) throw Error(Fault::kData, "a taxonomy node is not reached from the root");

  leaves_before_.reserve(parents_.size() + 1);
  std::int32_t leaves = 0;
  for (Node n = 0; n < size(); ++n) {
    leaves_before_.push_back(leaves);
    leaves += is_leaf(n);
  }
  leaves_before_.push_back(leaves);
}

}  // namespace anon_seq
