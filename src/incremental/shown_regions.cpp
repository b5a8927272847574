// shown_regions(): what leaves show, as text, and in which order.
#include <algorithm>
#include <charconv>
#include <numeric>

#include "core/numbers/decimal.h"
#include "core/numbers/line_bounds.h"
#include "core/numbers/line_place.h"
//
#include "incremental/next_version.h"
#include "pg/array_text.h"

namespace anon_seq::incremental {
namespace {

std::string nodes_text(Taxonomy const& tree, Vector<Node> const& nodes) {
  std::string array = "{";
  for (Node node : nodes) {
    if (node == kUnknown)
      append_null_element(array);
    else
      append_element(array, tree.label(node));
  }
  return array + "}";
}

// Of a region that shows one node; nullopt: unknown values.
std::optional<std::string> node_text(Taxonomy const& tree, Vector<Node> const& nodes) {
  if (nodes.size() != 1)
    throw Error(Fault::kDamaged, "a region shows several nodes where one has room",
                "The ledger's regions were altered, or the taxonomy since they were made.");
  if (nodes.front() == kUnknown) return std::nullopt;
  return std::string(tree.label(nodes.front()));
}

// How much of the data's reach a region covers in one attribute: 0 says it exactly, 1 nothing.
double covered(IncrementalState const& state, std::size_t a, Shown const& shown) {
  if (auto const* tree = state.trees[a]; tree != nullptr) {
    double leaves = 0;
    for (Node node : shown.nodes) leaves += node == kUnknown ? 0 : tree->leaves(node);
    double const all = tree->leaves(kRoot);
    return leaves <= 1 ? 0 : leaves / all;
  }
  auto const& positions = state.column(a).positions;
  if (positions.size() < 2) return 0;  // all values are unknown
  double const unit = line_unit(positions[1], positions.back());
  double const least = positions[1] * unit, greatest = positions.back() * unit;
  if (shown.unknown || greatest <= least) return 0;
  auto const at = [&](std::int32_t code) { return positions[static_cast<std::size_t>(code)] * unit; };
  auto const last = static_cast<std::int32_t>(positions.size());
  double const from = shown.from <= 1 ? least : at(std::min(shown.from, last - 1));
  double const below = shown.below >= last ? greatest : at(shown.below);
  return std::clamp((below - from) / (greatest - least), 0.0, 1.0);
}

// A bound above or below all values as a type sees it: where it is too large for the type, the end of the type.
template <class Float>
std::string within(std::string text, char const* most) {
  Float number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc::result_out_of_range || text.find_first_of("123456789") > text.find('.')) return text;
  return (text.front() == '-' ? "-" : "") + plain_decimal(most);
}

}  // namespace

bool RegionTexts::InOrder::operator()(Shown const& a, Shown const& b) const {
  auto const key = [](Shown const& s) { return std::tuple(!s.unknown, s.from, s.known, s.below); };
  return key(a) != key(b) ? key(a) < key(b) : a.nodes < b.nodes;
}

RegionTexts::RegionTexts(IncrementalState const& state)
    : state_(state),
      first_(state.partition.regions.size(), -1),
      bounds_(state.axis_count()),
      numbers_(state.axis_count()),
      entries_(state.axis_count()) {
  for (std::size_t a = 0; a < state.axis_count(); ++a) {
    if (state.trees[a] != nullptr) continue;
    auto const& column = state.column(a);
    for (Code code : state.store->bounds(a, column)) bounds_[a][code] = column.values[code];
    auto const domain = state.demands.domains.find(column.name);
    if (domain == state.demands.domains.end()) continue;
    bounds_[a].emplace(state.axes[a].domain_from, domain->second.lower);
    bounds_[a].emplace(state.axes[a].domain_below, domain->second.upper);
  }
}

std::span<std::int32_t const> RegionTexts::numbers_of(RegionId region) {
  auto& first = first_[static_cast<std::size_t>(region)];
  if (first < 0) {
    first = static_cast<std::int32_t>(shown_.size() / entries_.size());
    auto const shown = shown_of(state_.partition, state_.trees, region);
    make_room(shown_, shown.size());
    for (std::size_t a = 0; a < shown.size(); ++a) {
      auto const next = static_cast<std::int32_t>(entries_[a].size());
      auto const [at, added] = numbers_[a].try_emplace(shown[a], next);
      if (added) entries_[a].push_back({value(a, shown[a]), covered(state_, a, shown[a])});
      shown_.push_back(at->second);
    }
  }
  return std::span(shown_).subspan(static_cast<std::size_t>(first) * entries_.size(), entries_.size());
}

Vector<std::int32_t> RegionTexts::ranks(std::size_t attribute) const {
  Vector<std::int32_t> ranks(entries_[attribute].size());
  std::int32_t rank = 0;
  for (auto const& [shown, number] : numbers_[attribute]) ranks[static_cast<std::size_t>(number)] = rank++;
  return ranks;
}

std::string const& RegionTexts::bound(std::size_t a, Code t) {
  auto& text = bounds_[a][t];
  if (text.empty()) text = within_type(a, t, bound_text(state_.column(a), t));
  return text;
}

// Beyond the values of a column there may be less room than a round number needs.
std::string RegionTexts::within_type(std::size_t a, Code t, std::string text) const {
  auto const& column = state_.column(a);
  auto const type = state_.source.types[state_.source.column(column.name)];
  bool const between = t > 1 && t < column.distinct();
  if (type == FLOAT4OID && !between) return within<float>(std::move(text), "3.4028235e+38");
  if (type == FLOAT8OID && !between) return within<double>(std::move(text), "1.7976931348623157e+308");
  int const bits = type == INT2OID ? 16 : type == INT4OID ? 32 : type == INT8OID ? 64 : 0;
  if (bits == 0) return text;
  std::int64_t const most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  auto const number = decimal_floor(text, 0);
  if (number && *number >= -most - 1 && *number <= most) return text;
  return std::to_string(text.front() == '-' ? -most - 1 : most);
}

std::optional<std::string> RegionTexts::value(std::size_t a, Shown const& shown) {
  if (state_.trees[a] != nullptr && state_.policy->columns[a].type != "text")
    return nodes_text(*state_.trees[a], shown.nodes);
  if (state_.trees[a] != nullptr) return node_text(*state_.trees[a], shown.nodes);
  if (shown.unknown) return std::nullopt;
  std::string const lower = shown.known || shown.from == 0 ? "" : quoted(a, bound(a, shown.from));
  std::string const upper = shown.below == Shown::kUnbounded ? "" : quoted(a, bound(a, shown.below));
  return (lower.empty() ? "(" : "[") + lower + "," + upper + ")";
}

std::string RegionTexts::quoted(std::size_t a, std::string const& text) const {
  return state_.policy->columns[a].type.starts_with("ts") && text != "infinity" ? '"' + text + '"' : text;
}

namespace {

// Regions in the order of what they show: numbers of texts, `width` for each.
Vector<std::uint32_t> in_order(Vector<std::int32_t> const& values, std::size_t width, RegionTexts const& texts,
                               Checkpoint& checkpoint) {
  Vector<std::int32_t> ranks(values);
  for (std::size_t a = 0; a < width; ++a) {
    auto const rank = texts.ranks(a);
    for (std::size_t i = a; i < ranks.size(); i += width) ranks[i] = rank[static_cast<std::size_t>(ranks[i])];
  }
  Vector<std::uint32_t> order(values.size() / width);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    checkpoint.tick();
    auto const* const of = ranks.data();
    for (std::size_t a = 0; a < width; ++a)
      if (of[i * width + a] != of[j * width + a]) return of[i * width + a] < of[j * width + a];
    return i < j;
  });
  return order;
}

}  // namespace

Vector<std::uint32_t> order_of_shown(std::vector<RegionId> const& regions, std::size_t width, RegionTexts& texts,
                                     Checkpoint& checkpoint) {
  Vector<std::int32_t> values;
  values.reserve(regions.size() * width);
  for (RegionId const region : regions) {
    checkpoint.tick();
    auto const numbers = texts.numbers_of(region);
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
  return in_order(values, width, texts, checkpoint);
}

ShownRegions shown_regions(IncrementalState const& state, RegionTexts& texts, Checkpoint& checkpoint) {
  ShownRegions shown;
  Vector<std::int64_t> sizes(state.partition.regions.size(), 0);
  for (RegionId region : state.refined.region)
    if (region != kNoRegion) ++sizes[static_cast<std::size_t>(region)];
  std::size_t const width = state.axis_count();
  shown.lost.assign(width, 0);
  std::vector<RegionId> ids;
  Vector<std::int32_t> values;  // of ids
  for (std::size_t id = 0; id < sizes.size(); ++id) {
    if (sizes[id] == 0) continue;
    checkpoint.tick();
    ids.push_back(static_cast<RegionId>(id));
    auto const numbers = texts.numbers_of(ids.back());
    values.insert(values.end(), numbers.begin(), numbers.end());
    for (std::size_t a = 0; a < width; ++a)
      shown.lost[a] += static_cast<double>(sizes[id]) * texts.penalty(a, numbers[a]);
  }
  auto const order = in_order(values, width, texts, checkpoint);
  shown.place.assign(sizes.size(), -1);
  for (std::size_t i : order) {
    shown.place[static_cast<std::size_t>(ids[i])] = static_cast<std::int32_t>(shown.regions.size());
    shown.regions.push_back(ids[i]);
    for (std::size_t a = 0; a < width; ++a) shown.values.push_back(values[i * width + a]);
  }
  return shown;
}

}  // namespace anon_seq::incremental
