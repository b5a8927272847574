// shown_regions(): what leaves show, as text, and in which order.
#include <algorithm>

#include "core/line_bounds.h"
//
#include "release/incremental_method.h"

namespace anon_seq::pg {
namespace {

// An element as array_out writes it.
void append_element(std::string& array, std::string_view text) {
  bool const is_null = text.size() == 4 && pg_strncasecmp(text.data(), "NULL", 4) == 0;
  bool const plain = !text.empty() && !is_null && text.find_first_of("{}\"\\, \t\n\r\v\f") == std::string_view::npos;
  if (plain) {
    array += text;
    return;
  }
  array += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') array += '\\';
    array += c;
  }
  array += '"';
}

std::string nodes_text(Taxonomy const& tree, Vector<Node> const& nodes) {
  std::string array = "{";
  for (Node node : nodes) {
    if (array.size() > 1) array += ',';
    if (node == kUnknown)
      array += "NULL";
    else
      append_element(array, tree.label(node));
  }
  return array + "}";
}

class Texts {
 public:
  explicit Texts(IncrementalState const& state) : state_(state), bounds_(state.axis_count()) {
    for (std::size_t a = 0; a < state.axis_count(); ++a) {
      if (state.trees[a] != nullptr) continue;
      auto const& column = state.column(a);
      for (Code code : state.store->bounds(a, column)) bounds_[a][code] = column.values[code];
      add_domain(a, column);
    }
  }

  std::optional<std::string> of(std::size_t a, Shown const& shown) {
    if (state_.trees[a] != nullptr) return nodes_text(*state_.trees[a], shown.nodes);
    if (shown.below == 1) return std::nullopt;
    std::string lower = shown.known ? least(a) : shown.from == 0 ? "" : quoted(a, bound(a, shown.from));
    std::string const upper = shown.below == Shown::kUnbounded ? "" : quoted(a, bound(a, shown.below));
    return (lower.empty() ? "(" : "[") + lower + "," + upper + ")";
  }

  std::string const& bound(std::size_t a, Code t) {
    auto& text = bounds_[a][t];
    if (text.empty()) text = bound_text(state_.column(a), t);
    return text;
  }

 private:
  void add_domain(std::size_t a, Column const& column) {
    auto const domain = state_.demands.domains.find(column.name);
    if (domain == state_.demands.domains.end()) return;
    bounds_[a].emplace(state_.axes[a].domain_from, domain->second.lower);
    bounds_[a].emplace(state_.axes[a].domain_below, domain->second.upper);
  }

  std::string const& type(std::size_t a) const { return state_.policy->columns[a].type; }

  // A lower bound that says: any value, but not unknown.
  std::string least(std::size_t a) const {
    if (type(a) == "int4range") return "-2147483648";
    if (type(a) == "int8range") return "-9223372036854775808";
    return type(a) == "numrange" ? "-Infinity" : "-infinity";
  }

  std::string quoted(std::size_t a, std::string const& text) const {
    return type(a).starts_with("ts") && text != "infinity" ? '"' + text + '"' : text;
  }

  IncrementalState const& state_;
  std::vector<std::map<Code, std::string>> bounds_;  // per line
};

bool comes_before(std::vector<Shown> const& a, std::vector<Shown> const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    auto const key = [](Shown const& s) { return std::tuple(s.below != 1, s.from, s.known, s.below); };
    if (key(a[i]) != key(b[i])) return key(a[i]) < key(b[i]);
    if (a[i].nodes != b[i].nodes) return a[i].nodes < b[i].nodes;
  }
  return false;
}

}  // namespace

ShownRegions shown_regions(IncrementalState const& state, Checkpoint& checkpoint) {
  ShownRegions shown;
  shown.place.assign(state.partition.regions.size(), -1);
  std::vector<RegionId> ids;
  for (RegionId region : state.refined.region) {
    if (region == kNoRegion) continue;
    auto& place = shown.place[static_cast<std::size_t>(region)];
    if (place == -1) ids.push_back(region);
    place = 0;
  }
  std::vector<std::vector<Shown>> values;
  for (RegionId id : ids) {
    checkpoint.tick();
    values.push_back(shown_of(state.partition, state.trees, id));
  }
  std::vector<std::size_t> order(ids.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    checkpoint.tick();
    return comes_before(values[i], values[j]);
  });
  Texts texts(state);
  for (std::size_t i : order) {
    shown.place[static_cast<std::size_t>(ids[i])] = static_cast<std::int32_t>(shown.regions.size());
    shown.regions.push_back(ids[i]);
    for (std::size_t a = 0; a < state.axis_count(); ++a) shown.texts.push_back(texts.of(a, values[i][a]));
  }
  for (std::size_t id = state.known_regions; id < state.partition.regions.size(); ++id)
    if (auto const& region = state.partition.regions[id]; region.side == Side::kBelow || region.side == Side::kFrom) {
      auto const attribute = static_cast<std::size_t>(region.attribute);
      shown.bounds.emplace(std::pair(attribute, region.at), texts.bound(attribute, region.at));
    }
  return shown;
}

}  // namespace anon_seq::pg
