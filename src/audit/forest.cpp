#include "audit/forest.h"

#include "core/text/interval_text.h"

namespace anon_seq::audit {
namespace {

AnyTaxonomy load(SpiSession& session, std::string const& name) {
  InterruptCheckpoint checkpoint;
  return load_taxonomy(session, name, checkpoint);
}

}  // namespace

LabelForest::LabelForest(SpiSession& session, std::string const& taxonomy)
    : taxonomy_(load(session, taxonomy)), stored_(std::get_if<Taxonomy>(&taxonomy_)) {
  if (stored_ != nullptr) return;
  labels_.intern(root_label(std::get<OpenTaxonomy>(taxonomy_)));
  parents_.push_back(kNoNode);
}

// "*" stands for the root in releases of other tools.
Path LabelForest::path(std::string const& label) const {
  auto const& open = std::get<OpenTaxonomy>(taxonomy_);
  auto const climb_from = [&](std::string const& text) {
    return std::visit([&](auto const& rule) { return rule.path(text); }, open);
  };
  if (auto path = climb_from(label)) return *std::move(path);
  if (label == "*") return {root_label(open)};
  auto const interval = interval_text(label);
  return interval ? climb_from(*interval).value_or(Path()) : Path();
}

Node LabelForest::node(std::string const& label) const {
  if (stored_ == nullptr) return grown_->find(path(label).front());
  Node const found = stored_->find(label);
  return found == kNoNode && label == "*" ? kRoot : found;
}

bool LabelForest::add(std::string const& label) {
  if (stored_ != nullptr) return node(label) != kNoNode;
  auto const steps = path(label);
  Node above = kRoot;
  for (auto step = steps.rbegin() + !steps.empty(); step < steps.rend(); ++step) {
    Code const node = labels_.intern(*step);
    if (static_cast<std::size_t>(node) == parents_.size()) parents_.push_back(above);
    above = node;
  }
  return !steps.empty();
}

void LabelForest::finish() {
  if (stored_ == nullptr) grown_.emplace(labels_, parents_);
}

Span LabelForest::span(std::optional<std::string> const& label) const {
  Node const null = tree().size();
  if (!label) return {null, null};
  Node const n = node(*label);
  return {n, n == kRoot ? null : tree().end(n) - 1};
}

Span LabelForest::leaves(std::optional<std::string> const& label) const {
  std::int32_t const null = stored_ == nullptr ? tree().size() : tree().leaves(kRoot);
  if (!label) return {null, null};
  Node const n = node(*label);
  if (n == kRoot) return {0, null};
  if (stored_ == nullptr) return {n, tree().end(n) - 1};  // an inner node's own number is the leaf nobody named
  return {tree().leaf_rank(n), tree().leaf_rank(n) + tree().leaves(n) - 1};
}

}  // namespace anon_seq::audit
