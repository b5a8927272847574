#include "core/sequential/local_cuts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anon_seq {
namespace {

// Ranges of ranks that are counted place by place; wider ones, of fewer cells, are sorted.
constexpr std::size_t kDense = 4;

// What rows of one part cost of the bits that a box has.
double bits(std::int64_t rows) { return rows > 1 ? static_cast<double>(rows) * std::log2(rows) : 0; }

double score_of(std::int64_t saved, double bits_taken) {
  return bits_taken > 0 ? static_cast<double>(saved) / bits_taken : std::numeric_limits<double>::infinity();
}

bool better(LocalCut const& one, LocalCut const& other) {
  if (one.score != other.score) return one.score > other.score;
  return one.attribute != other.attribute ? one.attribute < other.attribute : one.m < other.m;
}

}  // namespace

LocalCuts::LocalCuts(Problem const& problem, std::vector<AttributeCut> const& roots, Vector<std::int64_t> weights,
                     Checkpoint& checkpoint)
    : roots_(roots), weights_(std::move(weights)), checkpoint_(checkpoint), held_(roots.size()) {
  for (std::size_t a = 0; a < roots.size(); ++a) {
    taxonomies_.push_back(problem.attributes[a].taxonomy);
    has_null_.push_back(roots[a].weight({0, 1}) > 0);
    whole_.push_back(problem.attributes[a].whole);
    auto& allowed = allowed_.emplace_back();
    auto& leaf_at = leaf_at_.emplace_back();
    if (auto const* const taxonomy = taxonomies_[a]; taxonomy != nullptr) {
      leaf_at.push_back(kNoNode);
      for (Node node = 0; node < taxonomy->size(); ++node)
        if (taxonomy->is_leaf(node)) leaf_at.push_back(node);
      continue;
    }
    allowed.assign(static_cast<std::size_t>(roots[a].ranks()), 0);
    for (Rank rank = 2; rank < roots[a].ranks(); ++rank)
      allowed[static_cast<std::size_t>(rank)] =
          roots[a].may_cut({0, roots[a].ranks()}, rank) ? rank : allowed[static_cast<std::size_t>(rank) - 1];
  }
}

std::int64_t LocalCuts::cost(std::size_t a, Side side) const {
  return std::llround(static_cast<double>(weights_[a]) * roots_[a].share({.ranks = side.ranks, .node = side.node}));
}

std::int64_t LocalCuts::loss(LocalBoxes const& boxes) const {
  std::int64_t loss = 0;
  for (BoxId box = 0; box < boxes.count(); ++box)
    for (std::size_t a = 0; a < boxes.width() && !boxes.is_divided(box); ++a)
      loss += boxes.rows(box) * cost(a, boxes.side(box, a));
  return loss;
}

// A look at the side alone: a leaf and a place are not cut, and a range only in two.
bool LocalCuts::may_be_cut(Side side, std::size_t a, std::int64_t rows, std::int64_t least) const {
  if (taxonomies_[a] != nullptr)
    return side.node != kNoNode && !taxonomies_[a]->is_leaf(side.node) &&
           (whole_[a].empty() || whole_[a][static_cast<std::size_t>(side.node)] == 0);
  return side.ranks.end - side.ranks.begin > 1 && (rows / 2 >= least || (side.ranks.begin == 0 && has_null(a)));
}

// How many rows have each rank, of the attributes that may be cut.
void LocalCuts::count(LocalBoxes const& boxes, BoxId box, std::int64_t least) {
  Cells const& cells = boxes.cells();
  std::uint32_t const begin = boxes.begin(box), end = boxes.end(box);
  for (std::size_t a = 0; a < boxes.width(); ++a) {
    auto& held = held_[a];
    held.clear();
    if (!may_be_cut(boxes.side(box, a), a, boxes.rows(box), least)) continue;
    Extent const ranks = boxes.side(box, a).ranks;
    auto const range = static_cast<std::size_t>(ranks.end - ranks.begin);
    if (range <= kDense * (end - begin)) {
      counts_.assign(range, 0);
      for (std::uint32_t cell = begin; cell < end; ++cell) {
        checkpoint_.tick();
        counts_[static_cast<std::size_t>(cells.rank(cell, a) - ranks.begin)] += cells.weight(cell);
      }
      for (std::size_t i = 0; i < range; ++i)
        if (counts_[i] > 0) held.push_back({ranks.begin + static_cast<Rank>(i), counts_[i]});
      continue;
    }
    for (std::uint32_t cell = begin; cell < end; ++cell) held.push_back({cells.rank(cell, a), cells.weight(cell)});
    std::sort(held.begin(), held.end(), [&](Held x, Held y) {
      checkpoint_.tick();
      return x.rank < y.rank;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < held.size(); ++i)
      if (kept > 0 && held[kept - 1].rank == held[i].rank)
        held[kept - 1].rows += held[i].rows;
      else
        held[kept++] = held[i];
    held.resize(kept);
  }
}

Vector<Side> LocalCuts::parts(Side side, LocalCut const& cut) const {
  Vector<Side> parts;
  if (side.ranks.begin == 0 && has_null(cut.attribute)) parts.push_back({{0, 1}, kNoNode});
  if (auto const* const taxonomy = taxonomies_[cut.attribute]; taxonomy != nullptr) {
    for (Node c = side.node + 1; c < taxonomy->end(side.node); c = taxonomy->end(c))
      parts.push_back({ranks_of(*taxonomy, c), c});
  } else if (cut.m != kNull) {
    parts.push_back({{std::max(side.ranks.begin, 1), cut.m}, kNoNode});
    parts.push_back({{cut.m, side.ranks.end}, kNoNode});
  }
  return parts;
}

void LocalCuts::offer_children(Side side, std::size_t a, std::int64_t least) {
  std::int64_t const shown = cost(a, side);
  LocalCut cut{a, kNull, 0, 0, 0};
  std::int64_t rows = 0, all = 0;
  double kept = 0;
  std::size_t i = 0;
  auto const& held = held_[a];
  while (i < held.size()) {
    Side part{{0, 1}, kNoNode};
    if (held[i].rank > 0) {
      Node child = leaf_at_[a][static_cast<std::size_t>(held[i].rank)];
      while (taxonomies_[a]->parent(child) != side.node) child = taxonomies_[a]->parent(child);
      part = {ranks_of(*taxonomies_[a], child), child};
    }
    for (rows = 0; i < held.size() && held[i].rank < part.ranks.end; ++i) rows += held[i].rows;
    if (rows < least) return;
    cut.fewest = cut.fewest == 0 ? rows : std::min(cut.fewest, rows);
    cut.saved += rows * (shown - cost(a, part));
    all += rows;
    kept += bits(rows);
  }
  cut.score = score_of(cut.saved, bits(all) - kept);
  found_.push_back(cut);
}

// A NULL that rows have is set apart by the first cut, which then has parts on both sides of the line; or by itself.
void LocalCuts::offer_places(Side side, std::size_t a, std::int64_t rows, std::int64_t least, std::size_t places) {
  auto const& held = held_[a];
  std::int64_t const shown = cost(a, side), nulls = held.front().rank == 0 ? held.front().rows : 0;
  if (nulls > 0 && nulls < least) return;
  if (nulls == rows) return found_.push_back({a, kNull, rows * shown, rows, score_of(rows * shown, 0)});
  line_.clear();
  std::int64_t left = 0;
  std::int64_t const of_line = rows - nulls;
  for (std::size_t i = nulls > 0 ? 1 : 0; i + 1 < held.size(); ++i) {
    checkpoint_.tick();
    left += held[i].rows;
    std::int64_t const right = of_line - left;
    if (left < least) continue;
    if (right < least) break;
    Code const m = allowed_[a][static_cast<std::size_t>(held[i + 1].rank)];
    if (m <= held[i].rank || !roots_[a].may_cut(side.ranks, m)) continue;
    LocalCut cut{a, m, nulls * shown, std::min(left, right), 0};
    if (nulls > 0) cut.fewest = std::min(cut.fewest, nulls);
    cut.saved += left * (shown - cost(a, {{std::max(side.ranks.begin, 1), m}, kNoNode}));
    cut.saved += right * (shown - cost(a, {{m, side.ranks.end}, kNoNode}));
    cut.score = score_of(cut.saved, bits(rows) - bits(nulls) - bits(left) - bits(right));
    line_.push_back(cut);
  }
  std::size_t const kept = std::min(places, line_.size());
  std::partial_sort(line_.begin(), line_.begin() + static_cast<std::ptrdiff_t>(kept), line_.end(), better);
  found_.insert(found_.end(), line_.begin(), line_.begin() + static_cast<std::ptrdiff_t>(kept));
}

std::span<LocalCut const> LocalCuts::of(LocalBoxes const& boxes, BoxId box, std::int64_t least, std::size_t places) {
  found_.clear();
  count(boxes, box, least);
  for (std::size_t a = 0; a < boxes.width(); ++a) {
    Side const side = boxes.side(box, a);
    if (held_[a].empty()) continue;
    if (taxonomies_[a] != nullptr)
      offer_children(side, a, least);
    else
      offer_places(side, a, boxes.rows(box), least, places);
  }
  std::sort(found_.begin(), found_.end(), better);
  return {found_.data(), found_.size()};
}

}  // namespace anon_seq
