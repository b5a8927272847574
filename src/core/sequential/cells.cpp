#include "core/sequential/cells.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace anon_seq {

Cells::Cells(Problem const& problem, JoinModel const& model, std::vector<AttributeCut> const& cuts, MatcherPool& pool,
             Layout layout, std::vector<Vector<std::int32_t>> tokens, Checkpoint& checkpoint)
    : layout_(std::move(layout)),
      checkpoint_(checkpoint),
      block_at_(2 + layout_.attributes.size()),
      token_at_(block_at_ + layout_.matchers.size()),
      stride_(token_at_ + layout_.tokens) {
  collapse(problem, model, cuts, pool, std::move(tokens));
}

void Cells::collapse(Problem const& problem, JoinModel const& model, std::vector<AttributeCut> const& cuts,
                     MatcherPool& pool, std::vector<Vector<std::int32_t>> tokens) {
  CodedTable const& table = *problem.table;
  std::vector<KeyColumn> keys, fixed;
  auto column_key = [&](std::size_t c) { return KeyColumn{table.columns[c].codes, table.columns[c].distinct()}; };
  for (std::size_t a : layout_.attributes) keys.push_back(column_key(problem.attributes[a].column));
  for (std::size_t c : layout_.x_columns) keys.push_back(column_key(c));
  fixed.assign(keys.begin() + static_cast<std::ptrdiff_t>(layout_.attributes.size()), keys.end());
  for (std::size_t c = 0; c < model.columns(0).size(); ++c) {
    auto const& column = model.columns(0)[c];
    bool const needed =
        std::any_of(layout_.matchers.begin(), layout_.matchers.end(), [&](auto m) { return pool[m].concerns(c); });
    bool const known =
        std::find(layout_.x_columns.begin(), layout_.x_columns.end(), column.column) != layout_.x_columns.end();
    if (needed && !known && column.generalized == kNoColumn) keys.push_back(column_key(column.column));
  }
  for (auto const& token : tokens)
    keys.push_back({token, token.empty() ? 1 : *std::max_element(token.begin(), token.end()) + 1});
  RowGroups cells = group_rows(table.rows(), keys, checkpoint_);

  Vector<std::uint32_t> place(cells.count()), row_of_cell(cells.count());
  if (fixed.empty()) {
    std::iota(place.begin(), place.end(), 0U);
    begins_.push_back(0);
    ends_.push_back(static_cast<std::uint32_t>(cells.count()));
  } else {  // cells in the order of their values of the columns that stay as they are
    RowGroups const apart = group_rows(table.rows(), fixed, checkpoint_);
    Vector<std::uint32_t> next(apart.count() + 1, 0);
    for (auto row : cells.first_row) ++next[static_cast<std::size_t>(apart.of_row[row]) + 1];
    for (std::size_t g = 0; g < apart.count(); ++g) {
      next[g + 1] += next[g];
      begins_.push_back(next[g]);
      ends_.push_back(next[g + 1]);
    }
    for (std::size_t c = 0; c < cells.count(); ++c)
      place[c] = next[static_cast<std::size_t>(apart.of_row[cells.first_row[c]])]++;
  }
  values_.assign(layout_.in_x, Vector<ValueId>(begins_.size(), 0));

  words_.assign(cells.count() * stride_, 0);
  for (std::size_t c = 0; c < cells.count(); ++c) {
    checkpoint_.tick();
    std::size_t const row = cells.first_row[c];
    row_of_cell[place[c]] = static_cast<std::uint32_t>(row);
    auto* at = &words_[place[c] * stride_];
    for (std::size_t a = 0; a < layout_.attributes.size(); ++a)
      at[2 + a] = static_cast<std::uint32_t>(cuts[layout_.attributes[a]].rank_of(
          table.columns[problem.attributes[layout_.attributes[a]].column].codes[row]));
    for (std::size_t t = 0; t < tokens.size(); ++t) at[token_at_ + t] = static_cast<std::uint32_t>(tokens[t][row]);
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    checkpoint_.tick();
    std::size_t const cell = place[static_cast<std::size_t>(cells.of_row[row])];
    auto const sum = static_cast<std::uint64_t>(weight(cell) + table.weight(row));
    words_[cell * stride_] = static_cast<std::uint32_t>(sum);
    words_[cell * stride_ + 1] = static_cast<std::uint32_t>(sum >> 32);
  }
  cells = {};
  place_blocks(problem, model, pool, row_of_cell);
}

// Columns that are not generalized refine the root block at once, column by column, by the values that occur.
void Cells::place_blocks(Problem const& problem, JoinModel const& model, MatcherPool& pool,
                         Vector<std::uint32_t> const& row_of_cell) {
  struct Wish {
    BlockId block;
    Extent value;
    Code code;
    std::uint32_t cell;
  };
  for (std::size_t m = 0; m < layout_.matchers.size(); ++m) {
    Matcher& matcher = pool[layout_.matchers[m]];
    for (std::size_t c = 0; c < model.columns(0).size(); ++c) {
      auto const& column = model.columns(0)[c];
      if (!matcher.concerns(c) || column.generalized != kNoColumn) continue;
      Vector<Wish> wishes(size());
      for (std::uint32_t cell = 0; cell < wishes.size(); ++cell) {
        Code const code = problem.table->columns[column.column].codes[row_of_cell[cell]];
        wishes[cell] = {block(cell, m), column.extents[static_cast<std::size_t>(code)], code, cell};
      }
      std::sort(wishes.begin(), wishes.end(), [&](Wish const& a, Wish const& b) {
        checkpoint_.tick();
        if (a.block != b.block) return a.block < b.block;
        return a.value.begin != b.value.begin ? a.value.begin < b.value.begin : a.code < b.code;
      });
      for (std::size_t i = 0; i < wishes.size();) {
        std::size_t end = i;
        Vector<Extent> children;
        for (; end < wishes.size() && wishes[end].block == wishes[i].block; ++end)
          if (end == i || wishes[end].code != wishes[end - 1].code) children.push_back(wishes[end].value);
        auto const blocks = matcher.refined(wishes[i].block, c, children, 0);
        std::size_t child = 0;
        for (std::size_t j = i; j < end; ++j) {
          if (j > i && wishes[j].code != wishes[j - 1].code) ++child;
          set_block(wishes[j].cell, m, blocks[child]);
        }
        i = end;
      }
    }
  }
}

void Cells::swap_cells(std::size_t i, std::size_t j) {
  auto* a = &words_[i * stride_];
  std::swap_ranges(a, a + stride_, &words_[j * stride_]);
}

// American flag sort: every swap puts one cell into its child's place.
void Cells::split_group(std::size_t a, GroupId g, CutValue const& value, AttributeCut const& cut,
                        std::vector<GroupId>& changed) {
  auto const children = static_cast<std::size_t>(value.children);
  bucket_end_.assign(children, 0);
  bucket_next_.resize(children);
  auto child = [&](std::size_t cell) { return static_cast<std::size_t>(cut.child_of(rank(cell, a))); };
  for (std::uint32_t cell = begins_[g]; cell < ends_[g]; ++cell) ++bucket_end_[child(cell)];
  std::uint32_t at = begins_[g];
  for (std::size_t i = 0; i < children; ++i) {
    bucket_next_[i] = at;
    at = bucket_end_[i] += at;
  }
  for (std::size_t i = 0; i < children; ++i)
    while (bucket_next_[i] < bucket_end_[i]) {
      checkpoint_.tick();
      std::size_t const to = child(bucket_next_[i]);
      if (to == i)
        ++bucket_next_[i];
      else
        swap_cells(bucket_next_[i], bucket_next_[to]++);
    }
  bool first = true;
  at = begins_[g];
  for (std::size_t i = 0; i < children; ++i) {
    std::uint32_t const begin = at;
    at = bucket_end_[i];
    if (begin == at) continue;
    GroupId to = g;
    if (!first) {
      to = groups();
      begins_.push_back(0);
      ends_.push_back(0);
      for (auto& values : values_) {
        ValueId const same = values[g];  // a copy: push_back may move what it refers to
        values.push_back(same);
      }
    }
    first = false;
    begins_[to] = begin;
    ends_[to] = at;
    values_[a][to] = value.first_child + static_cast<ValueId>(i);
    changed.push_back(to);
  }
}

void Cells::split(std::size_t a, ValueId id, AttributeCut const& cut, std::vector<GroupId>& changed) {
  CutValue const value = cut[id];
  GroupId const before = groups();
  for (GroupId g = 0; g < before; ++g)
    if (values_[a][g] == id) split_group(a, g, value, cut, changed);
}

}  // namespace anon_seq
