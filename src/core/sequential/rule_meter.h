// The exact level of one rule for one value x1 of X within T1.
//
// The caller hands over the T1 records of an x1 as items: weight, Y token, and their block in the core's
// matcher. a(x) and the distinct (x, y) are counted per partition, with stamps instead of sets: for each
// distinct T1 part of y in turn, a slot of the releases that is met again is not counted again. Nothing is
// materialized; cost is the number of matching pairs of partitions.
#pragma once

#include <memory>
#include <optional>

#include "core/sequential/level.h"
#include "core/sequential/partners.h"
#include "core/sequential/rule_plan.h"
#include "core/sequential/simulatable.h"

namespace anon_seq {

struct Item {
  std::int64_t weight;
  std::int32_t token;
  BlockId block;
};

// Matchers by the releases they look at, shared by all rules of a problem.
class MatcherPool {
 public:
  MatcherPool(Problem const& problem, JoinModel const& model, Checkpoint& checkpoint)
      : problem_(problem), model_(model), checkpoint_(checkpoint) {}
  std::size_t find(std::vector<std::size_t> const& tables);  // index of the matcher, made if need be
  Matcher& operator[](std::size_t i) { return *matchers_[i]; }
  std::size_t size() const { return matchers_.size(); }

 private:
  Problem const& problem_;
  JoinModel const& model_;
  Checkpoint& checkpoint_;
  std::vector<std::unique_ptr<Matcher>> matchers_;
};

class RuleMeter {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  RuleMeter(Problem const& problem, JoinModel const& model, Rule const& rule, MatcherPool& pool, Checkpoint& checkpoint,
            bool general = false);

  RulePlan const& plan() const { return plan_; }
  Judge const& judge() const { return judge_; }
  std::size_t core() const { return core_; }  // index into the pool, or kNone
  std::vector<std::size_t> const& factors() const { return factors_; }
  // T1 row -> Y token; empty where no token is needed. The caller takes them once.
  Vector<std::int32_t> take_tokens() { return std::move(t1_tokens_); }
  bool has_row_tokens() const { return has_row_tokens_; }
  // The token of an item, where y holds columns that T1 generalizes: plan().y_shown, as published, in that order.
  // `row_token` is that of its rows, or tokens().neutral(). `root`: which of them are the most general value.
  std::int32_t token_of(std::int32_t row_token, std::span<Extent const> shown, std::span<std::uint8_t const> root);
  YTokens const& tokens() const { return tokens_; }
  // Whether A is the plain number of records of x1, the case that the caller may count on its own.
  bool counts_records() const {
    return judge_.anonymity() && key_in_t1_ && !has_tokens_ && core_ == kNone && factors_.empty();
  }

  // The worst level over all x that x1 is part of. `factor_blocks`: x1's block in each of factors().
  // May reorder `items`. REQUIRES: items is not empty.
  Level measure(std::span<Item> items, std::span<BlockId const> factor_blocks);
  // Blocks of factors()[i] from `first` on are gone: their numbers will mean others.
  void forget_blocks(std::size_t i, BlockId first) {
    auto& levels = factor_levels_[i];
    levels.resize(std::min(levels.size(), static_cast<std::size_t>(first)));
  }
  // A rule that is decided at worst is measured by it instead, for a node of which x1 is a part; else nullptr.
  WorstShare* at_worst() { return at_worst_ ? &*at_worst_ : nullptr; }

 private:
  Level anonymity_of_t1(std::span<Item const> items);
  Level anonymity_of_core(std::span<Item> items);
  Level linkability_of_t1(std::span<Item const> items);
  Level linkability_of_core(std::span<Item> items);
  Level factor(std::size_t i, BlockId block);

  // Counters by dense number that forget in time proportional to what was touched.
  struct Counters {
    Vector<std::int64_t> counts;
    Vector<std::uint8_t> met;
    Vector<std::int32_t> touched;
    void add(std::int32_t at, std::int64_t by);
    void clear();
  };
  bool stamped(std::int32_t slot);  // stamps; whether it was stamped already in this run
  void count_run(BlockId block, std::int64_t weight);
  void add_shares(std::int32_t x, std::int32_t y, std::int64_t weight);
  Level worst_share();
  Level worst_count() const;

  Rule const& rule_;
  Checkpoint& checkpoint_;
  RulePlan plan_;
  Judge judge_;
  YTokens tokens_;
  std::size_t core_ = kNone;
  std::vector<std::size_t> factors_;
  std::vector<std::unique_ptr<Partners>> partners_;  // of each factor, then of the core
  std::vector<Vector<Level>> factor_levels_;         // per factor: block -> level, once measured
  std::optional<WorstShare> at_worst_;
  Vector<std::int32_t> t1_tokens_;
  bool has_row_tokens_ = false;
  bool has_tokens_ = false;  // of rows, or by what is shown
  bool key_in_t1_ = false;   // persons are in Y and each row is another person

  Counters totals_, shares_, blocks_;
  Interner share_ids_;  // (x, set) -> number in shares_, where there are several sets
  Vector<std::int32_t> share_x_, share_set_;
  Vector<std::uint64_t> stamps_;
  std::uint64_t run_ = 0;
};

}  // namespace anon_seq
