// Cuts of a random instance: where they begin, how they go on, and what floors and ceilings of detail say of them.
#include "core/numbers/cut_point.h"
#include "random_instance.h"

namespace anon_seq::testing {

std::vector<Vector<CutValue>> Instance::root() const {
  std::vector<Vector<CutValue>> cut;
  for (auto const& attribute : case_.problem.attributes) {
    CutValue value;
    value.ranks = {0, attribute.taxonomy != nullptr ? attribute.taxonomy->leaves(kRoot) + 1
                                                    : case_.column({0, attribute.column}).distinct()};
    value.node = attribute.taxonomy != nullptr ? kRoot : kNoNode;
    cut.push_back({value});
  }
  return cut;
}

std::vector<Vector<CutValue>> Instance::start() const {
  NoCheckpoint none;
  std::vector<Vector<CutValue>> cut;
  for (std::size_t a = 0; a < case_.problem.attributes.size(); ++a) {
    AttributeCut of(case_.problem, a, none);
    of.to_start();
    cut.emplace_back();
    for (ValueId v : of.current()) cut.back().push_back(of[v]);
  }
  return cut;
}

// Neither finer nor coarser than was asked for, of what somebody shows.
void Instance::check_limits(std::vector<Vector<CutValue>> const& cut) const {
  for (std::size_t a = 0; a < limits_.size(); ++a) {
    auto const& attribute = case_.problem.attributes[a];
    auto const& [finest, coarsest] = limits_[a];
    auto const& column = case_.column({0, attribute.column});
    auto const place = [&](Code code) { return column.positions[static_cast<std::size_t>(code)]; };
    for (auto const& value : cut[a]) {
      if (value.weight == 0 || (value.node == kNoNode && value.ranks.end <= 1)) continue;
      if (attribute.taxonomy != nullptr) {
        int const depth = attribute.taxonomy->depth(value.node);
        EXPECT_LE(depth, finest.value_or(depth));
        EXPECT_TRUE(depth >= coarsest.value_or(0) || attribute.taxonomy->is_leaf(value.node)) << depth;
        continue;
      }
      Code const begin = std::max(value.ranks.begin, 1), end = value.ranks.end;
      if (coarsest && end > begin) {
        EXPECT_LT(place(end - 1) - place(begin), *coarsest);
      }
      if (!finest || (begin == 1 && end == column.distinct())) continue;
      auto const bound = [&](Code code) { return cut_position(column.kind, cut_point(column, code)); };
      double const from = begin > 1 ? bound(begin) : std::isnan(attribute.lower) ? place(1) : attribute.lower;
      double const to = end < column.distinct()       ? bound(end)
                        : std::isnan(attribute.upper) ? place(end - 1)
                                                      : attribute.upper;
      EXPECT_GE(to - from, *finest);
    }
  }
}

// Every way to split a value once; children without records included. `floors`: of those that floors of detail allow.
std::vector<Vector<CutValue>> splits(Case const& c, std::size_t a, CutValue const& value, bool floors) {
  std::vector<Vector<CutValue>> found;
  Attribute const& attribute = c.problem.attributes[a];
  auto const& codes = c.column({0, attribute.column}).codes;
  bool const nulls = std::find(codes.begin(), codes.end(), kNull) != codes.end();
  CutValue null;
  null.ranks = {0, 1};
  if (attribute.taxonomy != nullptr) {
    Taxonomy const& taxonomy = *attribute.taxonomy;
    if (value.node == kNoNode || taxonomy.is_leaf(value.node)) return found;
    if (floors && !attribute.whole.empty() && attribute.whole[static_cast<std::size_t>(value.node)] != 0) return found;
    found.emplace_back();
    if (value.node == kRoot && nulls) found.back().push_back(null);
    for (Node n = value.node + 1; n < taxonomy.end(value.node); n = taxonomy.end(n)) {
      CutValue child;
      child.node = n;
      child.ranks = {taxonomy.leaf_rank(n) + 1, taxonomy.leaf_rank(n) + 1 + taxonomy.leaves(n)};
      found.back().push_back(child);
    }
    return found;
  }
  if (value.ranks.end <= 1) return found;
  CutValue low, high;
  int const begin = std::max(value.ranks.begin, 1);
  for (int m = begin + 1; m < value.ranks.end; ++m) {
    if (!attribute.barred.empty() && attribute.barred[static_cast<std::size_t>(m)] != 0) continue;
    auto const bound = [&](int code) { return attribute.bounds[static_cast<std::size_t>(code)]; };
    if (floors && attribute.floor > 0 &&
        (bound(m) - bound(begin) < attribute.floor || bound(value.ranks.end) - bound(m) < attribute.floor))
      continue;
    low.ranks = {begin, m};
    high.ranks = {m, value.ranks.end};
    found.push_back({low, high});
    if (value.ranks.begin == 0 && nulls) found.back().insert(found.back().begin(), null);
  }
  return found;
}

std::vector<Vector<CutValue>> replaced(std::vector<Vector<CutValue>> cut, std::size_t a, std::size_t at,
                                       Vector<CutValue> const& by) {
  cut[a].erase(cut[a].begin() + static_cast<std::ptrdiff_t>(at));
  cut[a].insert(cut[a].begin() + static_cast<std::ptrdiff_t>(at), by.begin(), by.end());
  return cut;
}

}  // namespace anon_seq::testing
