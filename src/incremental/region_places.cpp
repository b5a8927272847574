#include "incremental/region_places.h"

#include "core/text/order_key.h"

namespace anon_seq::incremental {
namespace {

// Nothing else changes the order of what regions show: trees only grow, and values keep theirs.
[[noreturn]] void throw_out_of_order(Policy const& policy) {
  for (auto const& column : policy.columns)
    if (column.is_quasi() && column.taxonomy.starts_with("type "))
      throw Error(Fault::kData,
                  "the labels of column " + quoted(column.column) + " may stand in another order than when policy " +
                      quoted(policy.name) + " published them",
                  "A type that was made anew, with its labels in another order, looks like that.",
                  "Give its labels the old order, or publish the column as text, by another policy.");
  throw Error(Fault::kDamaged, "the ledger of policy " + quoted(policy.name) + " has regions out of order");
}

}  // namespace

std::vector<std::string> region_places(IncrementalState const& state, RegionTexts& texts, Checkpoint& checkpoint) {
  auto const& regions = state.partition.regions;
  std::vector<std::string> places(regions.size());
  std::vector<RegionId> open;
  bool any_new = false;
  for (std::size_t id = 0; id < regions.size(); ++id) {
    if (!regions[id].open || regions[id].children > 0) continue;
    open.push_back(static_cast<RegionId>(id));
    if (id < state.known_regions) places[id] = state.store->place(static_cast<RegionId>(id));
    any_new |= places[id].empty();
  }
  if (!any_new) return places;
  auto const in_order = order_of_shown(open, state.axis_count(), texts, checkpoint);
  auto const place = [&](std::size_t i) -> std::string& { return places[static_cast<std::size_t>(open[in_order[i]])]; };
  std::string last;
  for (std::size_t begin = 0; begin < in_order.size();) {
    std::size_t end = begin;
    while (end < in_order.size() && place(end).empty()) ++end;
    std::string const next = end < in_order.size() ? place(end) : std::string();
    if (!next.empty() && next <= last) throw_out_of_order(*state.policy);
    spread_keys(last, next, end - begin, [&](std::size_t i, std::string key) { place(begin + i) = std::move(key); });
    last = next;
    begin = end + 1;
  }
  return places;
}

}  // namespace anon_seq::incremental
