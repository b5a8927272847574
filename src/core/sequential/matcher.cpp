#include "core/sequential/matcher.h"

#include <algorithm>
#include <numeric>

namespace anon_seq {
namespace {

std::uint64_t refinement_key(BlockId block, std::size_t column) {
  return static_cast<std::uint64_t>(column) << 32 | static_cast<std::uint32_t>(block);
}

bool ascending_disjoint(std::span<Extent const> extents) {
  for (std::size_t i = 1; i < extents.size(); ++i)
    if (extents[i].begin < extents[i - 1].end) return false;
  return true;
}

}  // namespace

Matcher::Matcher(Problem const& problem, JoinModel const& model, std::vector<std::size_t> tables,
                 Checkpoint& checkpoint)
    : model_(model), checkpoint_(checkpoint), tables_(std::move(tables)) {
  sides_.resize(tables_.size());
  pairs_.resize(tables_.size() * tables_.size());
  for (std::size_t t = 0; t < tables_.size(); ++t) read(problem, t);
  for (std::size_t t = 0; t < tables_.size(); ++t)
    for (std::size_t u = t + 1; u < tables_.size(); ++u)
      if (model_.linked(tables_[t], tables_[u])) pair(t, u);

  auto const& columns = model_.columns(0);
  Block root;
  root.ids.assign(columns.size(), -1);
  for (auto const& side : sides_) {
    auto all = std::make_shared<Vector<Signature>>(side.groups.count());
    std::iota(all->begin(), all->end(), 0);
    root.lists.push_back(std::move(all));
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    concerns_.push_back(std::any_of(tables_.begin(), tables_.end(), [&](auto t) { return model_.concerns(0, c, t); }));
    if (columns[c].generalized == kNoColumn || !concerns(c)) continue;
    root.ids[c] = 0;
    for (std::size_t t = 0; t < tables_.size(); ++t) root.lists[t] = filter(c, columns[c].whole, t, *root.lists[t]);
  }
  blocks_.push_back(std::move(root));
}

void Matcher::read(Problem const& problem, std::size_t t) {
  auto const& table = problem.at(tables_[t]);
  auto const& columns = model_.columns(tables_[t]);
  Side& side = sides_[t];
  std::vector<KeyColumn> keys;
  for (auto const& column : columns) {
    auto const& source = table.columns[column.column];
    keys.push_back({source.codes, source.distinct()});
  }
  side.groups = group_rows(table.rows(), keys, checkpoint_);
  side.columns = columns.size();
  side.values.reserve(side.groups.count() * side.columns);
  for (std::uint32_t row : side.groups.first_row)
    for (auto const& column : columns)
      side.values.push_back(column.extents[static_cast<std::size_t>(table.columns[column.column].codes[row])]);
}

void Matcher::drop_rows() {
  for (auto& side : sides_) side.groups.of_row = {};
}

// The signatures of t in lexicographic order form a trie; each of its nodes filters its parent's list.
void Matcher::pair(std::size_t t, std::size_t u) {
  Side const& side = sides_[t];
  auto const count = static_cast<Signature>(side.groups.count());
  auto const others = sides_[u].groups.count();
  auto differs_at = [&](Signature a, Signature b) {
    std::size_t c = 0;
    while (c < side.columns && side.of(a)[c] == side.of(b)[c]) ++c;
    return c;
  };
  Vector<Signature> order(side.groups.count());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Signature a, Signature b) {
    checkpoint_.tick();
    return std::lexicographical_compare(
        side.of(a).begin(), side.of(a).end(), side.of(b).begin(), side.of(b).end(),
        [](Extent x, Extent y) { return x.begin != y.begin ? x.begin < y.begin : x.end < y.end; });
  });
  std::vector<Vector<Signature>> levels(side.columns + 1);
  levels[0].resize(others);
  std::iota(levels[0].begin(), levels[0].end(), 0);
  Vector<Vector<Signature>> found(static_cast<std::size_t>(count));
  std::size_t total = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto const value = side.of(order[i]);
    for (std::size_t c = i == 0 ? 0 : differs_at(order[i - 1], order[i]); c < side.columns; ++c) {
      levels[c + 1].clear();
      for (Signature s : levels[c]) {
        checkpoint_.tick();
        if (model_.compatible(tables_[t], c, value[c], tables_[u], sides_[u].of(s))) levels[c + 1].push_back(s);
      }
    }
    auto& list = found[static_cast<std::size_t>(order[i])];
    list.assign(levels.back().begin(), levels.back().end());
    total += list.size();
  }
  Pairs& pairs = pairs_[t * tables_.size() + u];
  pairs.starts.push_back(0);
  pairs.to.reserve(total);
  for (auto& list : found) {
    pairs.to.insert(pairs.to.end(), list.begin(), list.end());
    pairs.starts.push_back(pairs.to.size());
    give_back(list);
  }
}

std::span<Signature const> Matcher::partners(std::size_t t, Signature s, std::size_t u) const {
  Pairs const& pairs = pairs_[t * tables_.size() + u];
  auto const begin = pairs.starts[static_cast<std::size_t>(s)], end = pairs.starts[static_cast<std::size_t>(s) + 1];
  return {pairs.to.data() + begin, end - begin};
}

Matcher::List Matcher::filter(std::size_t column, Extent value, std::size_t t, Vector<Signature> const& from) const {
  auto kept = std::make_shared<Vector<Signature>>();
  for (Signature s : from) {
    checkpoint_.tick();
    if (model_.compatible(0, column, value, tables_[t], sides_[t].of(s))) kept->push_back(s);
  }
  return kept;
}

// One pass over the parent's list, if the children are disjoint and the table holds the attribute itself:
// each signature then meets a run of children. Else every child filters the list for itself.
void Matcher::refine_table(std::size_t column, std::span<Extent const> children, std::size_t t, List const& from,
                           std::span<Block> out) {
  auto const& columns = model_.columns(tables_[t]);
  auto const holder = std::find_if(columns.begin(), columns.end(), [&](auto const& held) {
    return held.attribute == model_.columns(0)[column].attribute;
  });
  if (holder == columns.end() || !ascending_disjoint(children)) {
    for (std::size_t i = 0; i < children.size(); ++i) out[i].lists.push_back(filter(column, children[i], t, *from));
    return;
  }
  auto const held = static_cast<std::size_t>(holder - columns.begin());
  std::vector<std::shared_ptr<Vector<Signature>>> lists(children.size());
  for (auto& list : lists) list = std::make_shared<Vector<Signature>>();
  for (Signature s : *from) {
    Extent const value = sides_[t].of(s)[held];
    auto first = std::partition_point(children.begin(), children.end(), [&](Extent e) { return e.end <= value.begin; });
    for (; first != children.end() && first->begin < value.end; ++first) {
      checkpoint_.tick();
      if (model_.compatible(0, column, *first, tables_[t], sides_[t].of(s)))
        lists[static_cast<std::size_t>(first - children.begin())]->push_back(s);
    }
  }
  for (std::size_t i = 0; i < children.size(); ++i) out[i].lists.push_back(std::move(lists[i]));
}

std::span<BlockId const> Matcher::refined(BlockId block, std::size_t column, std::span<Extent const> children,
                                          std::int32_t first_id) {
  auto [at, added] = refinements_.try_emplace(refinement_key(block, column));
  Vector<BlockId>& ids = at->second;
  if (added) {
    ids.resize(children.size());
    std::iota(ids.begin(), ids.end(), refined_anew(block, column, children, first_id));
  }
  return {ids.data(), ids.size()};
}

BlockId Matcher::refined_anew(BlockId block, std::size_t column, std::span<Extent const> children,
                              std::int32_t first_id) {
  std::vector<Block> fresh(children.size());
  Block const& parent = blocks_[static_cast<std::size_t>(block)];
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    fresh[i].ids = parent.ids;
    fresh[i].ids[column] = first_id < 0 ? first_id : first_id + static_cast<std::int32_t>(i);
  }
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (model_.concerns(0, column, tables_[t]))
      refine_table(column, children, t, parent.lists[t], fresh);
    else
      for (auto& child : fresh) child.lists.push_back(parent.lists[t]);
  auto const first = static_cast<BlockId>(blocks_.size());
  for (auto& child : fresh) blocks_.push_back(std::move(child));
  return first;
}

void Matcher::forget(std::size_t column, std::int32_t id) {
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].ids[column] == id) refinements_.erase(refinement_key(static_cast<BlockId>(b), column));
}

void Matcher::retire(std::size_t column, std::int32_t id) {
  for (auto& block : blocks_)
    if (block.ids[column] == id)
      for (auto& list : block.lists) list.reset();
}

}  // namespace anon_seq
