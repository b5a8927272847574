// How far a rule is from being broken: A_Y(X), or the worst l_y(x), in the words of KDD'06 (section 3): the fewest
// distinct y of an x; the share of an x's rows that have the sensitive y. k_y is the bound that its rule sets.
#pragma once

#include "core/sequential/sequential.h"

namespace anon_seq {

// Persons are in a class that nobody of the population fits: more than any share.
inline constexpr std::int64_t kNobodyFits = std::numeric_limits<std::int64_t>::max();

// Anonymity: num = A_Y(X), den = 1. Linkability: num / den = l_y(x) of the sensitive set `set`. den == 0:
// nothing was measured, the join is empty, and the rule holds.
struct Level {
  std::int64_t num = 0, den = 0;
  std::int32_t set = -1;
  bool measured() const { return den != 0; }
};

// Compares the levels of one rule.
class Judge {
 public:
  explicit Judge(Rule const& rule) : rule_(&rule) {
    for (auto const& set : rule.sensitive) uniform_ = uniform_ && set.max == rule.sensitive.front().max;
  }

  bool anonymity() const { return rule_->kind == Rule::Kind::kAnonymity; }
  bool violates(Level level) const {
    if (!level.measured()) return false;
    if (anonymity()) return level.num < rule_->min;
    if (rule_->side == Rule::Side::kAtMost) return !at_most(level.num, level.den, threshold(level.set));
    auto const share = wide_mul(level.num, rule_->max.den), bound = wide_mul(rule_->max.num, level.den);
    return from_below() ? share < bound : share >= bound;
  }
  // Linkability: by l_y while all thresholds are equal, by l_y / k_y otherwise.
  bool worse(Level a, Level b) const {
    if (!a.measured() || !b.measured()) return a.measured();
    if (anonymity()) return a.num < b.num;
    if (from_below()) return wide_mul(a.num, b.den) < wide_mul(b.num, a.den);
    if (uniform_ || a.set == b.set) return wide_mul(a.num, b.den) > wide_mul(b.num, a.den);
    Ratio const ka = threshold(a.set), kb = threshold(b.set);
    return fraction_less(wide_mul(b.num, kb.den), wide_mul(b.den, kb.num), wide_mul(a.num, ka.den),
                         wide_mul(a.den, ka.num));
  }
  void worsen(Level& level, Level by) const {
    if (worse(by, level)) level = by;
  }
  // What the score calls privacy: grows as the level gets worse.
  double risk(Level level) const {
    if (!level.measured()) return 0;
    if (anonymity()) return -static_cast<double>(level.num);
    double const l = static_cast<double>(level.num) / static_cast<double>(level.den);
    if (from_below()) return -l;
    Ratio const k = threshold(level.set);
    return uniform_ ? l : l * static_cast<double>(k.den) / static_cast<double>(k.num);
  }
  // Above 1 iff (but for rounding) the rule is broken: the yardstick of the search below a broken root.
  double excess(Level level) const {
    if (!level.measured()) return 0;
    if (anonymity())
      return level.num == 0 ? std::numeric_limits<double>::infinity()
                            : static_cast<double>(rule_->min) / static_cast<double>(level.num);
    Ratio const k = threshold(level.set);
    if (from_below())
      return level.num == 0 ? std::numeric_limits<double>::infinity()
                            : static_cast<double>(level.den) / static_cast<double>(level.num) *
                                  static_cast<double>(k.num) / static_cast<double>(k.den);
    return static_cast<double>(level.num) / static_cast<double>(level.den) * static_cast<double>(k.den) /
           static_cast<double>(k.num);
  }

 private:
  bool from_below() const { return rule_->side == Rule::Side::kAtLeast; }
  Ratio threshold(std::int32_t set) const {
    return rule_->sensitive.empty() || set < 0 ? rule_->max : rule_->sensitive[static_cast<std::size_t>(set)].max;
  }
  Rule const* rule_;
  bool uniform_ = true;
};

}  // namespace anon_seq
