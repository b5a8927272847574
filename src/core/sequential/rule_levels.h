// The levels of all rules of one X, now and after each candidate specialization.
//
// What happens to an x1 depends on the cells of its group alone, so levels are kept per group and per
// (group, attribute): after a specialization only the groups that it touched are measured anew. For rules
// that are proven monotone the worst over all groups can only get worse, and one running worst per
// candidate replaces the levels per group.
#pragma once

#include <algorithm>

#include "core/sequential/cells.h"

namespace anon_seq {

// Which specializations are still to be weighed, or are settled: attribute -> value -> whether.
using Wanted = std::vector<Vector<std::uint8_t>>;

// Of a list that grows as it is asked.
inline Level& level_at(Vector<Level>& levels, std::size_t i) {
  if (i >= levels.size()) levels.resize(std::max(i + 1, levels.size() + levels.size() / 2));
  return levels[i];
}

class RuleLevels {
 public:
  // `meters`: of rules with one X; none: of all attributes, for discernibility alone.
  RuleLevels(Problem const& problem, JoinModel const& model, std::vector<AttributeCut> const& cuts, MatcherPool& pool,
             std::vector<RuleMeter*> meters, bool discernibility, Checkpoint& checkpoint);

  std::size_t meters() const { return meters_.size(); }
  // Throws kInternal if a secret was counted where it may not be: see simulatable.h.
  void check_one_rule();
  // Measures the groups that changed, now and for each wanted split. Called first when all values have their
  // splits, and after each apply().
  void refresh(Wanted const& wanted);
  // Value `v` of attribute `a` has another split than at the last refresh.
  void weigh_again(std::size_t a, ValueId v);
  // Specializes value v of attribute a. Matchers and cuts are to be told afterwards.
  void apply(std::size_t a, ValueId v);
  // Takes the marks of values whose groups have changed since the last refresh: what their splits come to may be
  // another level now.
  void unsettle(Wanted& settled) const;
  // Cells that were measured, and groups that were looked through, so far. It depends on the steps and on the table
  // alone, not on the order of its rows.
  std::int64_t looked_at() const { return looked_at_; }

  Level now(std::size_t m) const { return states_[m].now; }
  Level after(std::size_t m, std::size_t a, ValueId v);
  // Discernibility: the sum over groups with v of |P|^2 less that of their children.
  double squares_saved(std::size_t a, ValueId v) const {
    return static_cast<double>(saved_[a][static_cast<std::size_t>(v)]);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct State {
    RuleMeter* meter;
    std::size_t core = kNone;          // word of its core's block
    std::vector<std::size_t> factors;  // words of its factors' blocks
    std::size_t token = kNone;         // word of its rows' token
    std::vector<std::size_t> shown;    // per plan().y_shown: place of the attribute in the layout
    bool running = false;              // monotone: the running worst is exact
    bool constant = false;             // case (iii): does not depend on T1, measured once
    bool measured = false;
    Level now;
    std::vector<Vector<Level>> alternatives;  // running: attribute -> value -> level after its split
    Vector<Level> levels;                     // else: group -> level
    std::vector<Vector<Level>> splits;        // else: attribute in X -> group -> level after its split
    // Else: attribute -> value -> level after its split, valid while `fresh`.
    std::vector<Vector<Level>> after;
    Vector<std::uint8_t> fresh;
    // Attribute in X -> the value with the worst group as it is, its level, and the worst of the others; as `after`.
    struct Worst {
      std::size_t value = 0;
      Level level, second;
    };
    std::vector<Worst> worst;
  };

  std::size_t position(std::size_t attribute) const;  // in the layout, or kNone
  bool touches(State const& state, std::size_t a) const;
  Level measure(State& state, GroupId g);
  void count_secrets(State& state, GroupId g);
  Level measure_split(State& state, GroupId g, std::size_t a, ValueId v);
  void measure_counts(State& state, GroupId g, Wanted const& wanted);
  void add_squares(GroupId g, std::size_t p, int sign);
  void add_all_squares(GroupId g, int sign);
  void fill_after(State& state, std::size_t a);
  void weigh_again(State& state, std::size_t a, std::size_t p, ValueId v);
  // The groups with a value of the attribute at a place in X; valid until the next call, or apply().
  std::vector<GroupId> const& groups_with(std::size_t p, ValueId v);
  // As things are, or once value v of attribute a is split.
  Item item_of(State const& state, std::uint32_t cell, std::size_t a = kNone, ValueId v = -1);
  BlockId moved(std::size_t word, std::uint32_t cell, std::size_t a, ValueId v);

  JoinModel const& model_;
  std::vector<AttributeCut> const& cuts_;
  MatcherPool& pool_;
  Checkpoint& checkpoint_;
  std::unique_ptr<Cells> cells_;
  std::vector<std::size_t> column_of_;  // attribute of the problem -> join column of T1, or kNone
  std::vector<State> states_;
  std::vector<RuleMeter*> meters_;
  std::vector<GroupId> changed_;
  std::int64_t looked_at_ = 0;
  bool discernibility_;
  std::vector<Vector<__int128>> saved_;  // attribute -> value
  struct {                               // what moved() looked up last
    std::size_t word = kNone, a = kNone;
    ValueId v = -1;
    BlockId block = -1;
    std::span<BlockId const> children;
  } last_move_;
  struct {  // what groups_with() looked up last
    std::size_t p = kNone;
    ValueId v = -1;
    std::vector<GroupId> groups;
  } with_;
  TestedNodes tested_;
  // Scratch.
  Vector<AlikeRows> alike_;
  Vector<Item> items_;
  Vector<Extent> shown_;
  Vector<std::uint8_t> roots_;
  Vector<std::uint32_t> order_, starts_;
  Vector<BlockId> factor_blocks_;
  Vector<std::int64_t> counts_;
  std::vector<std::size_t> offsets_;
};

}  // namespace anon_seq
