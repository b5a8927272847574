// Which records of earlier releases match which records of T1, at the level of blocks.
//
// A block is a combination of T1's current values in the join columns that concern a set of releases; per
// release it lists the signatures (distinct combinations of published join values) that match it. Matching
// is a conjunction over columns and only shrinks as T1 is specialized (Observation 1 of the paper), so the
// list of a refined block is filtered out of its parent's by the refined column alone. Whether the releases
// match each other does not depend on T1: those pairs are found once.
#pragma once

#include <memory>
#include <unordered_map>

#include "core/sequential/join_model.h"
#include "core/table/row_groups.h"

namespace anon_seq {

using BlockId = std::int32_t;
using Signature = std::int32_t;

class Matcher {
 public:
  Matcher(Problem const& problem, JoinModel const& model, std::vector<std::size_t> tables, Checkpoint& checkpoint);

  std::vector<std::size_t> const& tables() const { return tables_; }
  // Of table tables()[t]: row -> signature.
  Vector<Signature> const& signature_of(std::size_t t) const { return sides_[t].groups.of_row; }
  std::size_t signatures(std::size_t t) const { return sides_[t].groups.count(); }
  void drop_rows();  // forgets signature_of(), once every user has read it

  bool concerns(std::size_t column) const { return concerns_[column] != 0; }  // a join column of T1

  // The block of all of T1: every column unrestricted, the generalized ones at their root.
  BlockId root() const { return 0; }
  // The blocks of `block` whose T1 join column `column` takes the values `children`, whose ids are first_id,
  // first_id + 1, ...: remembered until forget() or retire(). Cost: the lists of block and result.
  std::span<BlockId const> refined(BlockId block, std::size_t column, std::span<Extent const> children,
                                   std::int32_t first_id);
  // The same as new blocks, the first of which is returned, the others next to it: remembered by nobody.
  BlockId refined_anew(BlockId block, std::size_t column, std::span<Extent const> children, std::int32_t first_id = -1);
  // Blocks from `first` on are gone. REQUIRES: they came of refined_anew(), and no cell is in them.
  void drop_from(BlockId first) { blocks_.resize(static_cast<std::size_t>(first)); }
  // The split of value `id` of `column` has changed: what was refined by it is dropped.
  void forget(std::size_t column, std::int32_t id);
  // Value `id` of `column` is gone from T1.
  void retire(std::size_t column, std::int32_t id);

  // Signatures of table tables()[t] that match the block, ascending.
  std::span<Signature const> list(BlockId block, std::size_t t) const {
    auto const& list = *blocks_[static_cast<std::size_t>(block)].lists[t];
    return {list.data(), list.size()};
  }
  bool linked(std::size_t t, std::size_t u) const { return !pairs_[t * tables_.size() + u].starts.empty(); }
  // Signatures of table u that match signature s of table t, ascending. REQUIRES: linked(t, u), t < u.
  std::span<Signature const> partners(std::size_t t, Signature s, std::size_t u) const;
  std::size_t blocks() const { return blocks_.size(); }

 private:
  using List = std::shared_ptr<Vector<Signature> const>;
  struct Side {
    RowGroups groups;
    std::size_t columns = 0;
    Vector<Extent> values;  // signature * columns + column
    std::span<Extent const> of(Signature s) const {
      return {values.data() + static_cast<std::size_t>(s) * columns, columns};
    }
  };
  struct Block {
    std::vector<List> lists;   // per table
    Vector<std::int32_t> ids;  // per T1 join column: value id, -1 unrestricted
  };
  struct Pairs {
    Vector<std::size_t> starts;
    Vector<Signature> to;
  };

  void read(Problem const& problem, std::size_t t);
  void pair(std::size_t t, std::size_t u);
  List filter(std::size_t column, Extent value, std::size_t t, Vector<Signature> const& from) const;
  void refine_table(std::size_t column, std::span<Extent const> children, std::size_t t, List const& from,
                    std::span<Block> out);

  JoinModel const& model_;
  Checkpoint& checkpoint_;
  std::vector<std::size_t> tables_;
  std::vector<Side> sides_;
  std::vector<Pairs> pairs_;
  std::vector<Block> blocks_;
  Vector<std::uint8_t> concerns_;
  std::unordered_map<std::uint64_t, Vector<BlockId>> refinements_;  // looked up only, never iterated for results
};

}  // namespace anon_seq
