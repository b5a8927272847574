// Quasi-identifiers as the cuts of a lossy join see them, and the rows in the order of their parts.
//
// On an axis a row has a rank: a number's, date's or text's code, NULL's 0 the lowest; with a taxonomy that of its
// leaf, from 1 on in preorder, and 0 for NULL. Rows are moved so that every part is a slice of places; ranks stand
// place by place in as few bytes as they fit in, so that a pass over a part is sequential. A projection shows no
// region, so nothing here knows what a cut would be called: the partition of an incremental policy does (partition.h).
#pragma once

#include <algorithm>
#include <span>

#include "core/base/checkpoint.h"
#include "core/lossy/sensitive.h"
#include "core/taxonomy/taxonomy.h"

namespace anon_seq {

struct QuasiAxis {
  std::span<Code const> codes;          // row -> code
  Code distinct = 1;                    // codes are below that
  Taxonomy const* taxonomy = nullptr;   // none: a line, in the order of codes
  std::span<Node const> leaves;         // taxonomy: code -> leaf; the entry of NULL is not looked at
  std::span<double const> positions{};  // a line: code -> place, for widths; empty: the codes themselves

  std::int32_t ranks() const { return taxonomy == nullptr ? distinct : taxonomy->leaves(kRoot) + 1; }
  std::int32_t rank_of(Code code) const {
    if (taxonomy == nullptr || code == kNull) return code;
    return taxonomy->leaf_rank(leaves[static_cast<std::size_t>(code)]) + 1;
  }
};

// Places [begin, end).
struct Part {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

template <class Rank>
class QuasiRows {
 public:
  QuasiRows(std::span<QuasiAxis const> axes, Sensitive const& sensitive, Checkpoint& checkpoint)
      : axes_(axes.size()), ranks_(axes.size() * sensitive.rows()), values_(sensitive.joint_values()) {
    row_.resize(sensitive.rows());
    for (std::size_t row = 0; row < row_.size(); ++row) row_[row] = static_cast<std::uint32_t>(row);
    for (std::size_t a = 0; a < axes_; ++a) {
      Vector<Rank> rank_of(static_cast<std::size_t>(axes[a].distinct));
      for (Code code = 0; code < axes[a].distinct; ++code)
        rank_of[static_cast<std::size_t>(code)] = static_cast<Rank>(axes[a].rank_of(code));
      for (std::size_t row = 0; row < row_.size(); ++row) {
        checkpoint.tick();
        ranks_[row * axes_ + a] = rank_of[static_cast<std::size_t>(axes[a].codes[row])];
      }
    }
  }

  std::size_t axes() const { return axes_; }
  std::size_t size() const { return row_.size(); }
  std::int32_t rank(std::size_t place, std::size_t axis) const {
    return static_cast<std::int32_t>(ranks_[place * axes_ + axis]);
  }
  std::uint32_t row(std::size_t place) const { return row_[place]; }
  std::span<JointValue const> values(Part part) const { return {values_.data() + part.begin, part.size()}; }
  Rank const* ranks_at(std::size_t place) const { return ranks_.data() + place * axes_; }  // one per axis
  JointValue value(std::size_t place) const { return values_[place]; }
  Vector<std::uint32_t>& rows() { return row_; }
  Vector<JointValue>& values() { return values_; }

  // Per axis, the least and the greatest rank of a part that is not empty.
  void extents(Part part, Vector<Rank>& low, Vector<Rank>& high) const {
    Rank const* at = ranks_.data() + part.begin * axes_;
    low.assign(at, at + axes_);
    high = low;
    for (std::size_t place = part.begin; place < part.end; ++place, at += axes_)
      for (std::size_t a = 0; a < axes_; ++a) {
        low[a] = std::min(low[a], at[a]);
        high[a] = std::max(high[a], at[a]);
      }
  }

  // Moves the places of a part so that class_of(place) ascends; sizes: how many there are of each class.
  template <class ClassOf>
  void arrange(Part part, std::span<std::size_t const> sizes, ClassOf class_of, Checkpoint& checkpoint) {
    next_.clear();
    ends_.clear();
    for (std::size_t c = 0, begin = part.begin; c < sizes.size(); ++c) {
      next_.push_back(begin);
      ends_.push_back(begin += sizes[c]);
    }
    for (std::size_t c = 0; c < sizes.size(); ++c)
      while (next_[c] < ends_[c]) {
        checkpoint.tick();
        std::size_t const own = class_of(next_[c]);
        if (own == c)
          ++next_[c];
        else
          swap(next_[c], next_[own]++);
      }
  }

  void swap(std::size_t a, std::size_t b) {
    std::swap_ranges(ranks_.data() + a * axes_, ranks_.data() + (a + 1) * axes_, ranks_.data() + b * axes_);
    std::swap(row_[a], row_[b]);
    std::swap(values_[a], values_[b]);
  }

 private:
  std::size_t axes_;
  Vector<Rank> ranks_;         // place * axes + axis
  Vector<JointValue> values_;  // place -> joint value
  Vector<std::uint32_t> row_;  // place -> row
  Vector<std::size_t> next_, ends_;
};

// The fewest bytes that hold every rank: calls work(Rank{}).
template <class Work>
auto with_rank_type(std::span<QuasiAxis const> axes, Work work) {
  std::int32_t most = 0;
  for (auto const& axis : axes) most = std::max(most, axis.ranks());
  if (most <= 1 << 8) return work(std::uint8_t{});
  if (most <= 1 << 16) return work(std::uint16_t{});
  return work(std::int32_t{});
}

}  // namespace anon_seq
