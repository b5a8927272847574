#include "release/incremental_method.h"

#include <algorithm>

namespace anon_seq::pg {
namespace {

std::string member(char const* name, double value) {
  char text[64];
  pg_snprintf(text, sizeof text, "\"%s\": %.10g", name, value);
  return text;
}

// How much of the data's reach a region covers in one attribute: 0 says it exactly, 1 nothing.
double penalty(IncrementalState const& state, std::size_t a, Shown const& shown) {
  if (auto const* tree = state.trees[a]; tree != nullptr) {
    double leaves = 0;
    for (Node node : shown.nodes) leaves += node == kUnknown ? 1 : tree->leaves(node);
    double const all = tree->leaves(kRoot);
    return leaves <= 1 ? 0 : std::min(1.0, leaves / all);
  }
  auto const& positions = state.column(a).positions;
  double const least = positions[1], greatest = positions.back();
  if (shown.below == 1 || greatest <= least) return 0;
  auto const at = [&](std::int32_t code) { return positions[static_cast<std::size_t>(code)]; };
  auto const last = static_cast<std::int32_t>(positions.size());
  double const from = shown.from <= 1 ? least : at(std::min(shown.from, last - 1));
  double const below = shown.below >= last ? greatest : at(shown.below);
  return std::clamp((below - from) / (greatest - least), 0.0, 1.0);
}

}  // namespace

void solve(IncrementalState& state, Checkpoint& checkpoint) {
  auto& objects = state.objects;
  if (state.demands.independent) {
    state.partition = whole_space();
    std::fill(objects.region.begin(), objects.region.end(), kNoRegion);
  }
  state.refined = refine(state.partition, state.axes, state.demands.demands, objects, state.policy->version, checkpoint);
}

ReleaseCells cells_of(IncrementalState const& state, ShownRegions const& shown, Checkpoint& checkpoint) {
  Classes classes(state.source.table.rows(), 0);
  for (std::size_t i = 0; i < shown.regions.size(); ++i) classes.add_class();
  for (std::size_t row = 0; row < classes.rows(); ++row)
    if (RegionId const region = state.refined.region[row]; region != kNoRegion)
      classes.assign(row, shown.place[static_cast<std::size_t>(region)]);
  return make_cells(state.source, *state.policy, classes, shown.texts, checkpoint);
}

std::string measures_json(IncrementalState const& state, ShownRegions const& shown, ReleaseCells const&) {
  std::vector<double> sizes(shown.regions.size(), 0);
  for (RegionId region : state.refined.region)
    if (region != kNoRegion) ++sizes[static_cast<std::size_t>(shown.place[static_cast<std::size_t>(region)])];
  double published = 0, discernibility = 0, lost = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    published += sizes[i];
    discernibility += sizes[i] * sizes[i];
    auto const values = shown_of(state.partition, state.trees, shown.regions[i]);
    double penalties = 0;
    for (std::size_t a = 0; a < values.size(); ++a) penalties += penalty(state, a, values[a]);
    lost += sizes[i] * penalties / static_cast<double>(values.size());
  }
  double const k = static_cast<double>(state.demands.demands.k), waiting = static_cast<double>(state.refined.waiting);
  double const classes = std::max<double>(1, static_cast<double>(sizes.size()));
  return "{" + member("discernibility", discernibility) + ", " + member("c_avg", published / classes / k) + ", " +
         member("ncp", published > 0 ? lost / published : 0) + ", " +
         member("suppression", waiting / std::max(1.0, static_cast<double>(state.live))) + "}";
}

std::vector<std::string> notices(IncrementalState const& state) {
  std::vector<std::string> texts;
  auto const& refined = state.refined;
  if (auto const n = state.changed.size(); n > 0 && !state.policy->sensitive.empty())
    texts.push_back(std::to_string(n) + (n == 1 ? " person has" : " persons have") +
                    " other sensitive or plain values than in the version before; what such a history tells is not bounded");
  if (state.demands.demands.arrivals_known || state.policy->version == 1) return texts;
  std::string told;
  if (refined.smallest_arrival > 0 && refined.smallest_arrival < state.demands.demands.k)
    told = std::to_string(refined.smallest_arrival) + " came to";
  if (refined.smallest_departure > 0 && refined.smallest_departure < state.demands.demands.k)
    told += (told.empty() ? "" : " and ") + std::to_string(refined.smallest_departure) + " went from";
  if (!told.empty())
    texts.push_back("to who knows when people come and go, as few as " + told + " one region in this version");
  return texts;
}

}  // namespace anon_seq::pg
