#include "core/sequential/cells.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace anon_seq {
namespace {

KeyColumn key_of(CodedTable const& table, std::size_t column) {
  return {table.columns[column].codes, table.columns[column].distinct()};
}

}  // namespace

Cells::Cells(Problem const& problem, JoinModel const& model, std::vector<AttributeCut> const& cuts, MatcherPool& pool,
             Layout layout, std::vector<Vector<std::int32_t>> tokens, Checkpoint& checkpoint)
    : layout_(std::move(layout)),
      checkpoint_(checkpoint),
      block_at_(2 + layout_.attributes.size()),
      token_at_(block_at_ + layout_.matchers.size()),
      stride_(token_at_ + layout_.tokens) {
  collapse(problem, model, cuts, pool, std::move(tokens));
}

// Equal rows become a cell; cells of a group lie side by side; then they are weighed and placed in their blocks.
void Cells::collapse(Problem const& problem, JoinModel const& model, std::vector<AttributeCut> const& cuts,
                     MatcherPool& pool, std::vector<Vector<std::int32_t>> tokens) {
  RowGroups cells = group_rows(problem.table->rows(), keys_of(problem, model, pool, tokens), checkpoint_);
  Vector<std::uint32_t> const place = lay_out_groups(problem, cells);
  Vector<std::uint32_t> const row_of_cell = write_values(problem, cuts, tokens, cells, place);
  add_weights(*problem.table, cells, place);
  cells = {};  // a number per row: given back before blocks are placed
  place_blocks(problem, model, pool, row_of_cell);
}

// What tells two cells apart: attributes, columns of X, other columns that a matcher asks for, tokens.
std::vector<KeyColumn> Cells::keys_of(Problem const& problem, JoinModel const& model, MatcherPool& pool,
                                      std::vector<Vector<std::int32_t>> const& tokens) const {
  std::vector<KeyColumn> keys;
  for (std::size_t a : layout_.attributes) keys.push_back(key_of(*problem.table, problem.attributes[a].column));
  for (std::size_t c : layout_.x_columns) keys.push_back(key_of(*problem.table, c));
  for (std::size_t c = 0; c < model.columns(0).size(); ++c) {
    auto const& column = model.columns(0)[c];
    bool const needed =
        std::any_of(layout_.matchers.begin(), layout_.matchers.end(), [&](auto m) { return pool[m].concerns(c); });
    bool const known =
        std::find(layout_.x_columns.begin(), layout_.x_columns.end(), column.column) != layout_.x_columns.end();
    if (needed && !known && column.generalized == kNoColumn) keys.push_back(key_of(*problem.table, column.column));
  }
  for (auto const& token : tokens)
    keys.push_back({token, token.empty() ? 1 : *std::max_element(token.begin(), token.end()) + 1});
  return keys;
}

// The first groups: while every attribute shows its root, rows with equal values of X's other columns are one x1.
// Returns cell of the grouping -> its place among ours.
Vector<std::uint32_t> Cells::lay_out_groups(Problem const& problem, RowGroups const& cells) {
  CodedTable const& table = *problem.table;
  Vector<std::uint32_t> place(cells.count());
  if (layout_.x_columns.empty()) {
    std::iota(place.begin(), place.end(), 0U);
    begins_.push_back(0);
    ends_.push_back(static_cast<std::uint32_t>(cells.count()));
  } else {
    std::vector<KeyColumn> fixed;
    for (std::size_t c : layout_.x_columns) fixed.push_back(key_of(table, c));
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
  return place;
}

// Ranks and tokens, from the first row of each cell. Returns our cell -> that row.
Vector<std::uint32_t> Cells::write_values(Problem const& problem, std::vector<AttributeCut> const& cuts,
                                          std::vector<Vector<std::int32_t>> const& tokens, RowGroups const& cells,
                                          Vector<std::uint32_t> const& place) {
  Vector<std::uint32_t> row_of_cell(cells.count());
  words_.assign(cells.count() * stride_, 0);
  for (std::size_t c = 0; c < cells.count(); ++c) {
    checkpoint_.tick();
    std::size_t const row = cells.first_row[c];
    row_of_cell[place[c]] = static_cast<std::uint32_t>(row);
    auto* at = &words_[place[c] * stride_];
    for (std::size_t a = 0; a < layout_.attributes.size(); ++a)
      at[2 + a] = static_cast<std::uint32_t>(cuts[layout_.attributes[a]].rank_of(
          problem.table->columns[problem.attributes[layout_.attributes[a]].column].codes[row]));
    for (std::size_t t = 0; t < tokens.size(); ++t) at[token_at_ + t] = static_cast<std::uint32_t>(tokens[t][row]);
  }
  return row_of_cell;
}

void Cells::add_weights(CodedTable const& table, RowGroups const& cells, Vector<std::uint32_t> const& place) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    checkpoint_.tick();
    std::size_t const cell = place[static_cast<std::size_t>(cells.of_row[row])];
    auto const sum = static_cast<std::uint64_t>(weight(cell) + table.weight(row));
    words_[cell * stride_] = static_cast<std::uint32_t>(sum);
    words_[cell * stride_ + 1] = static_cast<std::uint32_t>(sum >> 32);
  }
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

void Cells::split_group(std::size_t a, GroupId g, CutValue const& value, AttributeCut const& cut,
                        std::vector<GroupId>& changed) {
  auto const children = static_cast<std::size_t>(value.children);
  deal(begins_[g], ends_[g], children,
       [&](std::size_t cell) { return static_cast<std::size_t>(cut.child_of(rank(cell, a))); });
  bool first = true;
  std::uint32_t at = begins_[g];
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
