#include "incremental/region_places.h"

#include "core/text/order_key.h"

namespace anon_seq::incremental {

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
    if (!next.empty() && next <= last)
      throw Error(Fault::kDamaged, "the ledger of policy " + quoted(state.policy->name) + " has regions out of order");
    spread_keys(last, next, end - begin, [&](std::size_t i, std::string key) { place(begin + i) = std::move(key); });
    last = next;
    begin = end + 1;
  }
  return places;
}

}  // namespace anon_seq::incremental
