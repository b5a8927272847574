// What (alpha,k)-anonymity bounds, and the sensitive values of a table as its algorithms see them.
//
// Wong, Li, Fu, Wang: (alpha,k)-anonymity, KDD 2006; Wong et al.: ... by Lossy Join, 2007. A class of n rows is ok iff
// n >= k and, for each bound s, count(s) <= alpha_s * n, in exact fractions. A *bound* is a set of values whose chance
// together is bounded: a value that is bounded singly, or all listed values of all columns whose lists are meant as
// `any` (one merged value: a row with any of them counts once). NULL is a value.
//
// Several sensitive columns have one class id and are dealt as *joint values*, the combinations that occur. Rows that
// are dealt in turns hold a bound evenly if its joint values stand side by side, so bounds that meet in a joint value
// are merged to a *block* under the least of their alphas: a block that keeps it keeps each bound in it. In one column
// every block is a bound. Joint values are numbered in the order in which they are dealt: block by block, then what is
// not bounded, each by its codes; so the order of rows plays no part.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/checkpoint.h"
#include "core/numbers/ratio.h"
#include "core/table/table.h"

namespace anon_seq {

enum class Listing {
  kEvery,  // no list: every value singly
  kAny,    // the listed values together
  kEach    // each listed value singly
};

struct SensitiveColumn {
  std::string name;             // for messages
  std::span<Code const> codes;  // row -> code, kNull among them
  Code distinct = 1;            // codes are below that
  Listing listing = Listing::kEvery;
  Vector<Code> listed;  // a listed node of a taxonomy is the leaves below it
  Ratio alpha{1, 1};
  std::vector<std::pair<Code, Ratio>> own;  // alphas of single values; not of kAny
  // kEvery, the only bounded column: the rows with values in [v, v + near] count together, whatever v.
  std::optional<double> near;
  std::span<double const> positions;  // code -> place on the line, if the column has one
};

using JointValue = std::int32_t;
inline constexpr std::int32_t kNoBound = -1;

struct Bound {
  Ratio alpha;
  std::size_t column = 0;   // the first of those that it merges
  Code code = kNoCode;      // kNoCode: listed values together
  std::int64_t count = 0;   // rows that hold it
  std::int32_t block = -1;  // it belongs to
};

struct Block {
  Ratio alpha;                // the least of its bounds
  std::int64_t count = 0;     // rows in it
  std::int32_t bounds = 0;    // how many
  std::int32_t first = 0;     // of its bounds
  JointValue begin = 0, end;  // its joint values
};

class Sensitive {
 public:
  // Borrows the columns' codes for the constructor only. Throws kParameter or kUnsupported for a statement that makes
  // no sense. Cost: linear, 4 bytes a row.
  Sensitive(std::size_t rows, std::span<SensitiveColumn const> columns, Checkpoint& checkpoint);

  // The same joint values in another arrangement over the rows: all else stays. REQUIRES: it is one.
  Sensitive rearranged(std::span<JointValue const> values) const {
    Sensitive other = *this;
    std::copy(values.begin(), values.end(), other.joint_of_.begin());
    return other;
  }

  // Some rows alone, in this order, under other alphas, one per bound: joint values, bounds and blocks keep their
  // numbers, whether these rows hold them or not. REQUIRES: no near column.
  Sensitive narrowed(std::span<std::uint32_t const> rows, std::span<Ratio const> alphas) const;

  std::size_t rows() const { return joint_of_.size(); }
  JointValue joint_of(std::size_t row) const { return joint_of_[row]; }
  Vector<JointValue> const& joint_values() const { return joint_of_; }
  std::size_t columns() const { return columns_; }
  JointValue joints() const { return static_cast<JointValue>(counts_.size()); }
  std::int64_t count(JointValue joint) const { return counts_[static_cast<std::size_t>(joint)]; }
  Code code(JointValue joint, std::size_t column) const {
    return codes_[static_cast<std::size_t>(joint) * columns_ + column];
  }

  // Only bounds that some row holds.
  Vector<Bound> const& bounds() const { return bounds_; }
  Vector<Block> const& blocks() const { return blocks_; }
  std::int32_t block_of(JointValue joint) const { return block_of_[static_cast<std::size_t>(joint)]; }
  // The bounds that a row with this joint value adds to: one entry per column, some of them kNoBound.
  std::span<std::int32_t const> bounds_of(JointValue joint) const {
    return {bounds_of_.data() + static_cast<std::size_t>(joint) * columns_, columns_};
  }

  // Of a near column: joint value -> the first one that its window does not reach. Else empty.
  Vector<JointValue> const& reach() const { return reach_; }
  Ratio near_alpha() const { return near_alpha_; }

  // Whether a bound is broken by such a class. A near column is no bound: see Tally.
  bool is_broken(std::int32_t bound, std::int64_t count, std::int64_t size) const {
    return !at_most(count, size, bounds_[static_cast<std::size_t>(bound)].alpha);
  }

 private:
  Sensitive() = default;
  struct Raw;
  void find_bounds(std::span<SensitiveColumn const> columns, Raw& raw);
  void merge_blocks(Raw& raw);
  void take_order(Raw& raw, Checkpoint& checkpoint);
  void find_windows(SensitiveColumn const& column);

  std::size_t columns_ = 0;
  Vector<JointValue> joint_of_, reach_;
  Vector<std::int64_t> counts_;
  Vector<Code> codes_;  // joint * columns_ + column
  Vector<std::int32_t> bounds_of_, block_of_;
  Vector<Bound> bounds_;
  Vector<Block> blocks_;
  Ratio near_alpha_;
};

// ceil(count / ratio): the fewest rows among which `count` is at most that share. REQUIRES: ratio > 0.
inline std::int64_t rows_for(std::int64_t count, Ratio ratio) {
  std::int64_t product;
  if (!__builtin_mul_overflow(count, ratio.den, &product))  // nearly always: a division in 128 bits is slow
    return product / ratio.num + (product % ratio.num != 0);
  Wide const rows = (wide_mul(count, ratio.den) + static_cast<Wide>(ratio.num) - 1) / static_cast<Wide>(ratio.num);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return rows > static_cast<Wide>(kMost) ? kMost : static_cast<std::int64_t>(rows);
}

// floor(ratio * size): how many of so many rows are at most that share. REQUIRES: ratio <= 1.
inline std::int64_t most_of(std::int64_t size, Ratio ratio) {
  return static_cast<std::int64_t>(wide_mul(size, ratio.num) / static_cast<Wide>(ratio.den));
}

}  // namespace anon_seq
