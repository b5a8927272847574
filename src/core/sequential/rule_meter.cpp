#include "core/sequential/rule_meter.h"

#include <algorithm>

namespace anon_seq {

std::size_t MatcherPool::find(std::vector<std::size_t> const& tables) {
  for (std::size_t i = 0; i < matchers_.size(); ++i)
    if (matchers_[i]->tables() == tables) return i;
  matchers_.push_back(std::make_unique<Matcher>(problem_, model_, tables, checkpoint_));
  return matchers_.size() - 1;
}

void RuleMeter::Counters::add(std::int32_t at, std::int64_t by) {
  auto const i = static_cast<std::size_t>(at);
  if (i >= counts.size()) {
    counts.resize(std::max(i + 1, counts.size() * 2), 0);
    met.resize(counts.size(), 0);
  }
  if (met[i] == 0) {
    met[i] = 1;
    touched.push_back(at);
  }
  counts[i] = checked_add(counts[i], by);
}

void RuleMeter::Counters::clear() {
  for (auto at : touched) {
    counts[static_cast<std::size_t>(at)] = 0;
    met[static_cast<std::size_t>(at)] = 0;
  }
  touched.clear();
}

RuleMeter::RuleMeter(Problem const& problem, JoinModel const& model, Rule const& rule, MatcherPool& pool,
                     Checkpoint& checkpoint, bool general)
    : rule_(rule),
      checkpoint_(checkpoint),
      plan_(plan_rule(problem, model, rule, general)),
      judge_(rule),
      tokens_(problem, rule, checkpoint) {
  key_in_t1_ = plan_.y_persons && problem.person == kNoColumn;
  t1_tokens_ = tokens_.read(0);
  if (key_in_t1_)  // the rows themselves are distinct: of their values only NULLs matter
    for (auto& token : t1_tokens_) token = token != 0;
  has_row_tokens_ = !t1_tokens_.empty();
  has_tokens_ = has_row_tokens_ || !plan_.y_shown.empty();
  if (!judge_.anonymity() && has_row_tokens_ && plan_.y_shown.empty())
    for (auto& token : t1_tokens_) token = tokens_.fold(tokens_.start(), token);
  for (auto const& tables : plan_.factors) {
    factors_.push_back(pool.find(tables));
    partners_.push_back(std::make_unique<Partners>(problem, rule, pool[factors_.back()], tokens_, checkpoint));
  }
  factor_levels_.resize(factors_.size());
  if (!plan_.core.empty()) {
    core_ = pool.find(plan_.core);
    partners_.push_back(std::make_unique<Partners>(problem, rule, pool[core_], tokens_, checkpoint));
  }
  if (!decided_at_worst(problem, rule)) return;
  plan_.monotone = false;  // a part that was too small for all y of a node may do for those of a smaller node
  at_worst_.emplace(rule, judge_, tokens_, core_ == kNone ? nullptr : partners_.back().get(), checkpoint);
}

std::int32_t RuleMeter::token_of(std::int32_t row_token, std::span<Extent const> shown,
                                 std::span<std::uint8_t const> root) {
  for (std::size_t i = 0; i < shown.size(); ++i)
    row_token = tokens_.add_shown(row_token, plan_.y_shown[i].part, shown[i], root[i] != 0);
  if (key_in_t1_) return row_token != 0;
  return judge_.anonymity() ? row_token : tokens_.fold(tokens_.start(), row_token);
}

Level RuleMeter::measure(std::span<Item> items, std::span<BlockId const> factor_blocks) {
  if (!judge_.anonymity()) {
    if (!factors_.empty()) return factor(0, factor_blocks[0]);
    return core_ == kNone ? linkability_of_t1(items) : linkability_of_core(items);
  }
  Level level = core_ == kNone ? anonymity_of_t1(items) : anonymity_of_core(items);
  for (std::size_t i = 0; i < factors_.size() && level.measured(); ++i) {
    Level const by = factor(i, factor_blocks[i]);
    level = by.measured() ? Level{checked_mul(level.num, by.num), 1, -1} : Level{};
  }
  return level;
}

Level RuleMeter::anonymity_of_t1(std::span<Item const> items) {
  if (!in_y(rule_, 0)) return {1, 1, -1};
  std::int64_t distinct = 0;
  ++run_;
  for (Item const& item : items) {
    checkpoint_.tick();
    if (key_in_t1_)
      distinct = checked_add(distinct, has_tokens_ && item.token == 0 ? 0 : item.weight);
    else if (item.token != 0 && !stamped(item.token))
      ++distinct;
  }
  return {distinct, 1, -1};
}

bool RuleMeter::stamped(std::int32_t slot) {
  auto const at = static_cast<std::size_t>(slot);
  if (at >= stamps_.size()) stamps_.resize(std::max(at + 1, stamps_.size() * 2), 0);
  if (stamps_[at] == run_) return true;
  stamps_[at] = run_;
  return false;
}

void RuleMeter::count_run(BlockId block, std::int64_t weight) {
  partners_.back()->each(block, 0, [&](Combination const& found) {
    totals_.add(found.x, stamped(found.slot) ? 0 : checked_mul(weight, found.weight));
  });
}

Level RuleMeter::worst_count() const {
  Level worst;
  for (auto x : totals_.touched) judge_.worsen(worst, {totals_.counts[static_cast<std::size_t>(x)], 1, -1});
  return worst;
}

Level RuleMeter::anonymity_of_core(std::span<Item> items) {
  totals_.clear();
  if (key_in_t1_) {  // each block's records are a run of their own
    blocks_.clear();
    for (Item const& item : items) blocks_.add(item.block, has_tokens_ && item.token == 0 ? 0 : item.weight);
    for (BlockId block : blocks_.touched) {
      ++run_;
      count_run(block, blocks_.counts[static_cast<std::size_t>(block)]);
    }
    return worst_count();
  }
  std::sort(items.begin(), items.end(), [&](Item const& a, Item const& b) {
    checkpoint_.tick();
    return a.token != b.token ? a.token < b.token : a.block < b.block;
  });
  ++run_;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && items[i].token != items[i - 1].token) ++run_;
    if (i > 0 && items[i].token == items[i - 1].token && items[i].block == items[i - 1].block) continue;
    count_run(items[i].block, has_tokens_ && items[i].token == 0 ? 0 : 1);
  }
  return worst_count();
}

void RuleMeter::add_shares(std::int32_t x, std::int32_t y, std::int64_t weight) {
  for (std::int32_t set : tokens_.sets(y)) {
    std::int32_t const share = share_ids_.intern(x, set);
    if (static_cast<std::size_t>(share) == share_x_.size()) {
      share_x_.push_back(x);
      share_set_.push_back(set);
    }
    shares_.add(share, weight);
  }
}

Level RuleMeter::worst_share() {
  Level worst;
  for (auto x : totals_.touched)  // an x without sensitive values still shows that the rule was measured
    if (totals_.counts[static_cast<std::size_t>(x)] > 0) {
      worst = {0, totals_.counts[static_cast<std::size_t>(x)], rule_.sensitive.empty() ? -1 : 0};
      break;
    }
  for (auto share : shares_.touched) {
    auto const i = static_cast<std::size_t>(share);
    judge_.worsen(worst, {shares_.counts[i], totals_.counts[static_cast<std::size_t>(share_x_[i])], share_set_[i]});
  }
  return worst;
}

Level RuleMeter::linkability_of_t1(std::span<Item const> items) {
  totals_.clear();
  shares_.clear();
  for (Item const& item : items) {
    checkpoint_.tick();
    totals_.add(0, item.weight);
    if (item.token != 0 || !has_tokens_) add_shares(0, item.token, item.weight);
  }
  return worst_share();
}

Level RuleMeter::linkability_of_core(std::span<Item> items) {
  totals_.clear();
  shares_.clear();
  std::sort(items.begin(), items.end(), [&](Item const& a, Item const& b) {
    checkpoint_.tick();
    return a.block != b.block ? a.block < b.block : a.token < b.token;
  });
  for (std::size_t i = 0; i < items.size();) {
    Item run = items[i];
    for (++i; i < items.size() && items[i].block == run.block && items[i].token == run.token; ++i)
      run.weight = checked_add(run.weight, items[i].weight);
    partners_.back()->each(run.block, has_tokens_ ? run.token : tokens_.start(), [&](Combination const& found) {
      std::int64_t const count = checked_mul(run.weight, found.weight);
      totals_.add(found.x, count);
      add_shares(found.x, found.y, count);
    });
  }
  return worst_share();
}

Level RuleMeter::factor(std::size_t i, BlockId block) {
  auto& levels = factor_levels_[i];
  auto const at = static_cast<std::size_t>(block);
  if (at >= levels.size()) levels.resize(std::max(at + 1, levels.size() * 2), {0, -1, -1});  // den -1: not yet
  if (levels[at].den == -1) {
    totals_.clear();
    shares_.clear();
    ++run_;
    partners_[i]->each(block, tokens_.start(), [&](Combination const& found) {
      if (!judge_.anonymity()) {
        totals_.add(found.x, found.weight);
        add_shares(found.x, found.y, found.weight);
      } else {
        totals_.add(found.x, stamped(found.slot) ? 0 : found.weight);
      }
    });
    levels[at] = judge_.anonymity() ? worst_count() : worst_share();
  }
  return levels[at];
}

}  // namespace anon_seq
