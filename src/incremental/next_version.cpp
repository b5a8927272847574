#include "incremental/next_version.h"

#include <algorithm>
#include <set>

#include "pg/json_object.h"

namespace anon_seq::incremental {
void solve(IncrementalState& state, Checkpoint& checkpoint) {
  auto& objects = state.objects;
  if (state.demands.independent) {
    state.partition = whole_space();
    std::fill(objects.region.begin(), objects.region.end(), kNoRegion);
    objects.before.clear();
    objects.moved.clear();
  }
  auto demands = state.demands.demands;
  demands.cut_all = state.last_k > demands.k;
  state.refined = refine(state.partition, state.axes, demands, objects, state.policy->version, checkpoint);
  give_back(objects.points);
}

ReleaseCells cells_of(IncrementalState const& state, ShownRegions const& shown, RegionTexts const& texts,
                      Checkpoint& checkpoint) {
  Classes classes(state.source.table.rows(), 0);
  for (std::size_t i = 0; i < shown.regions.size(); ++i) classes.add_class();
  for (std::size_t row = 0; row < classes.rows(); ++row)
    if (RegionId const region = state.refined.region[row]; region != kNoRegion)
      classes.assign(row, shown.place[static_cast<std::size_t>(region)]);
  std::size_t const width = state.axis_count();
  auto const text = [&](std::size_t i, std::size_t a) -> auto const& {
    return texts.text(a, shown.values[i * width + a]);
  };
  return make_cells(state.source, *state.policy, classes, text, checkpoint);
}

std::string measures_json(IncrementalState const& state, ShownRegions const& shown) {
  Vector<double> sizes(shown.regions.size(), 0);
  for (RegionId region : state.refined.region)
    if (region != kNoRegion) ++sizes[static_cast<std::size_t>(shown.place[static_cast<std::size_t>(region)])];
  double published = 0, discernibility = 0, lost = 0;
  for (double size : sizes) {
    published += size;
    discernibility += size * size;
  }
  for (double const of_column : shown.lost) lost += of_column / static_cast<double>(shown.lost.size());
  auto const number = [](std::int64_t count) { return static_cast<double>(count); };
  double const k = number(state.demands.demands.k), classes = std::max<double>(1, static_cast<double>(sizes.size()));
  double const out = number(state.refined.waiting + state.refined.withheld);
  return JsonObject()
      .number("discernibility", discernibility)
      .number("c_avg", published / classes / k)
      .number("ncp", published > 0 ? lost / published : 0)
      .number("suppression", out / std::max<double>(1, number(state.source.persons)))
      .json();
}

std::string measures_json(IncrementalState const& state, CellCounts const& counts) {
  auto const number = [](std::int64_t count) { return static_cast<double>(count); };
  return JsonObject()
      .number("c_avg", number(counts.published) / number(std::max<std::int64_t>(1, counts.classes)) /
                           number(state.demands.demands.k))
      .number("suppression", number(state.refined.waiting + state.refined.withheld) /
                                 number(std::max<std::int64_t>(1, state.source.persons)))
      .json();
}

std::vector<ColumnDetail> column_details(IncrementalState const& state, ShownRegions const& shown) {
  double published = 0;
  for (RegionId region : state.refined.region) published += region != kNoRegion;
  std::size_t const width = state.axis_count();
  std::vector<ColumnDetail> columns;
  for (std::size_t a = 0; a < width; ++a) {
    std::set<std::int32_t> numbers;
    for (std::size_t i = a; i < shown.values.size(); i += width) numbers.insert(shown.values[i]);
    columns.push_back({state.policy->columns[a].column, static_cast<std::int64_t>(numbers.size()),
                       published > 0 ? shown.lost[a] / published : 0, state.column(a).distinct() > 2});
  }
  return columns;
}

std::vector<std::string> notices(IncrementalState const& state, WasTold const& was_told) {
  std::vector<std::string> texts;
  auto const& refined = state.refined;
  if (auto const n = state.changed.size(); n > 0 && !state.policy->sensitive.empty())
    texts.push_back(
        std::to_string(n) + (n == 1 ? " person has" : " persons have") +
        " other sensitive or plain values than in the version before; what such a history tells is not bounded");
  if (state.demands.demands.arrivals_known || state.policy->version == 1) return texts;
  std::string told;
  auto const is_news = [&](char const* what, std::int64_t n) {
    return n > 0 && n < state.demands.demands.k && !was_told(what, n);
  };
  if (is_news("smallest_arrival", refined.smallest_arrival))
    told = std::to_string(refined.smallest_arrival) + " came to";
  if (is_news("smallest_departure", refined.smallest_departure))
    told += (told.empty() ? "" : " and ") + std::to_string(refined.smallest_departure) + " went from";
  if (!told.empty())
    texts.push_back("to who knows when people come and go, as few as " + told + " one region in this version");
  return texts;
}

}  // namespace anon_seq::incremental
