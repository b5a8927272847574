#include "core/taxonomy/taxonomy_builder.h"

namespace anon_seq {
namespace {

constexpr std::size_t kMaxLabel = 10000;  // bytes

std::size_t at_index(Node n) { return static_cast<std::size_t>(n); }

}  // namespace

void check_name(char const* what, std::string_view name) {
  constexpr std::size_t kMaxName = 63;
  if (name.empty()) throw Error(Fault::kParameter, std::string("a ") + what + " needs a name");
  if (name.size() > kMaxName)
    throw Error(Fault::kName, std::string("name of ") + what + " is too long",
                "It has " + std::to_string(name.size()) + " bytes, " + std::to_string(kMaxName) + " are allowed.");
}

void check_label(std::string_view taxonomy, std::string_view label, std::string const& which) {
  if (label.size() > kMaxLabel)
    throw Error(
        Fault::kLimit, "a label of taxonomy " + quoted(taxonomy) + " is too long",
        which + " has " + std::to_string(label.size()) + " bytes, " + std::to_string(kMaxLabel) + " are allowed.");
}

// The text is made only for faults that are listed: a place in json costs a walk through it.
template <class MakeText>
void TaxonomyBuilder::note(MakeText make_text) {
  constexpr std::size_t kMostBytes = 700;  // so that all lines fit into the detail of a message
  if (++faults_ > kListedFaults) return;
  if (!listed_.empty()) listed_ += '\n';
  listed_ += clipped(make_text(), kMostBytes);
}

std::string TaxonomyBuilder::shown(Node node) const {
  constexpr std::size_t kMostBytes = 100;
  return quoted(clipped(labels_[node], kMostBytes));
}

void TaxonomyBuilder::note_bad_label(char const* what, Place place) {
  note([&]() { return describe_(place) + " has " + what; });
}

bool TaxonomyBuilder::is_bad(std::string_view label, Place place) {
  if (label.empty()) note_bad_label("an empty label", place);
  if (label.size() > kMaxLabel) check_label(name_, label, "The label at " + describe_(place));
  return label.empty();
}

Node TaxonomyBuilder::node_of(std::string_view label, Place place) {
  Node const node = labels_.intern(label);
  if (at_index(node) == parents_.size()) {
    parents_.push_back(kNoNode);
    places_.push_back(place);
    is_leaf_row_.push_back(false);
    is_root_row_.push_back(false);
  }
  return node;
}

void TaxonomyBuilder::set_parent(Node child, Node parent, Place place) {
  Node& known = parents_[at_index(child)];
  if (known == parent) return;
  if (known == kNoNode && child != parent && !is_root_row_[at_index(child)]) {
    known = parent;
    places_[at_index(child)] = place;
  } else if (child == parent) {
    note([&]() { return shown(child) + " is its own parent" + at(place); });
  } else if (known == kNoNode) {
    note([&]() {
      return shown(child) + " is a root" + at(places_[at_index(child)]) + " and has the parent " + shown(parent) +
             at(place);
    });
  } else {
    note([&]() {
      return shown(child) + " has two parents: " + shown(known) + at(places_[at_index(child)]) + " and " +
             shown(parent) + at(place);
    });
  }
}

void TaxonomyBuilder::add_path(std::span<std::string_view const> labels, Place place) {
  for (auto label : labels)
    if (is_bad(label, place)) return;  // as a whole: half a path would be a second root
  Node below = kNoNode;
  for (auto label : labels) {
    Node const node = node_of(label, place);
    if (below == kNoNode) is_leaf_row_[at_index(node)] = true;
    if (below != kNoNode && below != node) set_parent(below, node, place);
    below = node;
  }
  if (below != kNoNode) add_root(labels.back(), place);
}

void TaxonomyBuilder::add_edge(std::string_view child, std::string_view parent, Place place) {
  if (is_bad(child, place) || is_bad(parent, place)) return;
  Node const above = node_of(parent, place);
  set_parent(node_of(child, place), above, place);
}

void TaxonomyBuilder::add_root(std::string_view label, Place place) {
  if (is_bad(label, place)) return;
  Node const node = node_of(label, place);
  if (parents_[at_index(node)] != kNoNode)
    note([&]() {
      return shown(node) + " has the parent " + shown(parents_[at_index(node)]) + at(places_[at_index(node)]) +
             " and is a root" + at(place);
    });
  else
    is_root_row_[at_index(node)] = true;
}

void TaxonomyBuilder::add_new(std::string_view label, std::string_view parent, Place place) {
  if (is_bad(label, place)) return;
  if (Node const known = labels_.find(label); known != kNoCode) {
    note([&]() { return shown(known) + " stands at two places" + at(places_[at_index(known)]) + at(place); });
    return;
  }
  if (parent.empty())
    add_root(label, place);
  else
    add_edge(label, parent, place);
}

void TaxonomyBuilder::note_roots() {
  Node first = kNoNode;
  for (Node n = 0; n < labels_.size(); ++n) {
    if (parents_[at_index(n)] != kNoNode) continue;
    if (first == kNoNode)
      first = n;
    else
      note([&]() {
        return "two roots: " + shown(first) + at(places_[at_index(first)]) + " and " + shown(n) +
               at(places_[at_index(n)]);
      });
  }
}

// Whoever climbs from a node without meeting a root or a node known to be fine is on, or below, a cycle.
void TaxonomyBuilder::note_cycles(Checkpoint& checkpoint) {
  enum : char { kNew, kOnPath, kDone };
  Vector<char> state(parents_.size(), kNew);
  Vector<Node> path;
  for (Node start = 0; start < labels_.size(); ++start) {
    checkpoint.tick();
    Node n = start;
    for (path.clear(); n != kNoNode && state[at_index(n)] == kNew; n = parents_[at_index(n)]) {
      state[at_index(n)] = kOnPath;
      path.push_back(n);
    }
    if (n != kNoNode && state[at_index(n)] == kOnPath)
      note([&]() { return "cycle: " + shown(n) + " is above itself" + at(places_[at_index(n)]); });
    for (Node seen : path) state[at_index(seen)] = kDone;
  }
}

Taxonomy TaxonomyBuilder::finish(Checkpoint& checkpoint) {
  if (labels_.size() == 0 && faults_ == 0)
    throw Error(Fault::kData, "taxonomy " + quoted(name_) + " has no values", "The input is empty.");
  Vector<bool> has_child(parents_.size(), false);
  for (Node parent : parents_)
    if (parent != kNoNode) has_child[at_index(parent)] = true;
  for (Node n = 0; n < labels_.size(); ++n)
    if (is_leaf_row_[at_index(n)] && has_child[at_index(n)])
      note([&]() {
        return shown(n) + " is a leaf in one row and stands above others elsewhere" + at(places_[at_index(n)]);
      });
  note_roots();
  note_cycles(checkpoint);
  if (faults_ > kListedFaults) listed_ += "\nand " + std::to_string(faults_ - kListedFaults) + " more";
  if (faults_ > 0)
    throw Error(Fault::kData, "input of taxonomy " + quoted(name_) + " is not a tree", listed_,
                "A taxonomy has one root, and every label stands at one place below it.");
  if (labels_.size() == 1)
    throw Error(Fault::kData, "taxonomy " + quoted(name_) + " has no values", "There is nothing below the root.");
  return Taxonomy(labels_, parents_);
}

}  // namespace anon_seq
