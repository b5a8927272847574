// T1 as one set of rules sees it: identical rows collapsed to weighted cells, cells in groups of equal x1.
//
// Holds the attributes and columns that its rules' X, J and Y name, and reads no other column of T1.
// Cells of a group lie side by side, so that a specialization scans and splits them in place, as Tree1 of
// KDD'06 does with its Link[v]. A cell is a run of 32-bit words: weight (two), the rank of each attribute, its
// block in each matcher, its Y token for each rule that has one.
#pragma once

#include "core/sequential/attribute_cut.h"
#include "core/sequential/rule_meter.h"

namespace anon_seq {

using GroupId = std::uint32_t;

class Cells {
 public:
  struct Layout {
    std::vector<std::size_t> attributes;  // of the problem: first those in X, then others that matching needs
    std::size_t in_x = 0;                 // how many of them are in X
    std::vector<std::size_t> x_columns;   // T1 columns of X that are not generalized
    std::vector<std::size_t> matchers;    // of the pool
    std::size_t tokens = 0;
  };

  // `tokens`: per token word, T1 row -> token.
  Cells(Problem const& problem, JoinModel const& model, std::vector<AttributeCut> const& cuts, MatcherPool& pool,
        Layout layout, std::vector<Vector<std::int32_t>> tokens, Checkpoint& checkpoint);

  Layout const& layout() const { return layout_; }
  std::size_t size() const { return words_.size() / stride_; }
  GroupId groups() const { return static_cast<GroupId>(begins_.size()); }
  std::uint32_t begin(GroupId g) const { return begins_[g]; }
  std::uint32_t end(GroupId g) const { return ends_[g]; }
  // The group's value of attribute a < layout().in_x.
  ValueId value(std::size_t a, GroupId g) const { return values_[a][g]; }

  std::int64_t weight(std::size_t cell) const {
    auto const* at = &words_[cell * stride_];
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(at[1]) << 32 | at[0]);
  }
  Rank rank(std::size_t cell, std::size_t a) const { return static_cast<Rank>(words_[cell * stride_ + 2 + a]); }
  BlockId block(std::size_t cell, std::size_t m) const {
    return static_cast<BlockId>(words_[cell * stride_ + block_at_ + m]);
  }
  std::int32_t token(std::size_t cell, std::size_t t) const {
    return static_cast<std::int32_t>(words_[cell * stride_ + token_at_ + t]);
  }

  // Splits the groups with `value` of attribute a < in_x by its children. The group keeps its number with its
  // first child that has records, the others get the next numbers; both go to `changed`. Blocks do not move.
  void split(std::size_t a, ValueId value, AttributeCut const& cut, std::vector<GroupId>& changed);
  // Puts the cells from `begin` to `end` in the order of their parts: child(cell) of 0 .. parts - 1. Returns where each
  // part ends, until the next call.
  template <class Child>
  std::span<std::uint32_t const> deal(std::uint32_t begin, std::uint32_t end, std::size_t parts, Child child);
  // Moves a cell to another block.
  void set_block(std::size_t cell, std::size_t m, BlockId block) {
    words_[cell * stride_ + block_at_ + m] = static_cast<std::uint32_t>(block);
  }

 private:
  void collapse(Problem const& problem, JoinModel const& model, std::vector<AttributeCut> const& cuts,
                MatcherPool& pool, std::vector<Vector<std::int32_t>> tokens);
  std::vector<KeyColumn> keys_of(Problem const& problem, JoinModel const& model, MatcherPool& pool,
                                 std::vector<Vector<std::int32_t>> const& tokens) const;
  Vector<std::uint32_t> lay_out_groups(Problem const& problem, RowGroups const& cells);
  Vector<std::uint32_t> write_values(Problem const& problem, std::vector<AttributeCut> const& cuts,
                                     std::vector<Vector<std::int32_t>> const& tokens, RowGroups const& cells,
                                     Vector<std::uint32_t> const& place);
  void add_weights(CodedTable const& table, RowGroups const& cells, Vector<std::uint32_t> const& place);
  void place_blocks(Problem const& problem, JoinModel const& model, MatcherPool& pool,
                    Vector<std::uint32_t> const& row_of_cell);
  void split_group(std::size_t a, GroupId g, CutValue const& value, AttributeCut const& cut,
                   std::vector<GroupId>& changed);
  void swap_cells(std::size_t i, std::size_t j);

  Layout layout_;
  Checkpoint& checkpoint_;
  std::size_t block_at_, token_at_, stride_;
  Vector<std::uint32_t> words_;
  Vector<std::uint32_t> begins_, ends_;  // group -> its cells
  std::vector<Vector<ValueId>> values_;  // attribute in X -> group -> value
  Vector<std::uint32_t> bucket_next_, bucket_end_;
};

// American flag sort: every swap puts one cell into its child's place.
template <class Child>
std::span<std::uint32_t const> Cells::deal(std::uint32_t begin, std::uint32_t end, std::size_t parts, Child child) {
  bucket_end_.assign(parts, 0);
  bucket_next_.resize(parts);
  for (std::uint32_t cell = begin; cell < end; ++cell) ++bucket_end_[child(cell)];
  std::uint32_t at = begin;
  for (std::size_t i = 0; i < parts; ++i) {
    bucket_next_[i] = at;
    at = bucket_end_[i] += at;
  }
  for (std::size_t i = 0; i < parts; ++i)
    while (bucket_next_[i] < bucket_end_[i]) {
      checkpoint_.tick();
      std::size_t const to = child(bucket_next_[i]);
      if (to == i)
        ++bucket_next_[i];
      else
        swap_cells(bucket_next_[i], bucket_next_[to]++);
    }
  return {bucket_end_.data(), bucket_end_.size()};
}

}  // namespace anon_seq
