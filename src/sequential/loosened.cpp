#include "sequential/loosened.h"

#include <algorithm>

#include "pg/json_object.h"

namespace anon_seq::sequential {
namespace {

// A share as a threshold of two digits, a tenth above it: the next version's rows are others, and what a release has
// promised cannot be relaxed any more.
Ratio with_room(Level level) {
  auto const wide = wide_mul(level.num, 110);
  auto const den = static_cast<Wide>(level.den);
  auto const hundredths = std::max<std::int64_t>(static_cast<std::int64_t>((wide + den - 1) / den), 1);
  if (hundredths >= 100) return {1, 1};
  return hundredths % 10 == 0 ? Ratio{hundredths / 10, 10} : Ratio{hundredths, 100};
}

bool is_laxer(Ratio a, Ratio b) { return !at_most(a.num, a.den, b); }

// A least share as one of two digits, a tenth below it.
bool loosen_least(Ratio& least, Level level) {
  auto const hundredths = static_cast<std::int64_t>(wide_mul(level.num, 90) / static_cast<Wide>(level.den));
  if (hundredths < 1) return false;
  least = hundredths % 10 == 0 ? Ratio{hundredths / 10, 10} : Ratio{std::min<std::int64_t>(hundredths, 100), 100};
  return true;
}

// Lets one bound of a rule about people hold. No share of those who fit is above 1.
bool loosen_presence(RuleSpec& rule, bool least, Level level) {
  if (least) return loosen_least(*rule.least, level);
  if (level.num > level.den || (rule.below && level.num == level.den)) return false;
  if (auto const max = with_room(level); is_laxer(max, *rule.max)) rule.max = max;
  return true;
}

bool loosen(RuleSpec& rule, Level level) {
  if (rule.anonymity) {
    rule.min = std::min(rule.min, std::max<std::int64_t>(level.num - level.num / 10, 1));
    return level.num > 0;
  }
  if (!rule.max) return false;  // each value has a bound of its own
  if (auto const max = with_room(level); is_laxer(max, *rule.max)) rule.max = max;
  return true;
}

}  // namespace

Loosened::Loosened(SequentialPolicy const& demands) : demands_(demands), given_(demands) {
  for (auto const& rule : demands.rules) texts_.push_back(rule.text());
}

bool Loosened::allow(BoundRule const& bound, Rule const& rule, Level level) {
  if (!Judge(rule).violates(level)) return true;
  auto const text = bound.spec.text();
  bool written = false, done = false;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    auto const parts = parts_of(given_.rules[i]);
    if (std::none_of(parts.begin(), parts.end(), [&](auto const& part) { return part.text() == text; })) continue;
    written = true;
    auto& loosened = demands_.rules[i];
    done = !bound.spec.population.empty() && !bound.spec.anonymity
               ? loosen_presence(loosened, bound.spec.least.has_value(), level)
               : loosen(loosened, level);
  }
  if (written) return done;
  if (bound.spec.anonymity || !demands_.max_link) return false;  // k: there are fewer persons
  if (auto const max = with_room(level); is_laxer(max, *demands_.max_link)) demands_.max_link = max;
  return true;
}

RuleSpec const* Loosened::find(BoundRule const& bound) const {
  auto const found = std::find(texts_.begin(), texts_.end(), bound.spec.text());
  return found == texts_.end() ? nullptr : &demands_.rules[static_cast<std::size_t>(found - texts_.begin())];
}

std::string Loosened::changes(std::size_t known_rules) const {
  JsonObject json;
  if (demands_.max_link && *demands_.max_link != *given_.max_link) json.add("max_link", ratio_text(*demands_.max_link));
  bool differ = demands_.rules.size() != known_rules;
  for (std::size_t i = 0; i < texts_.size(); ++i) differ |= demands_.rules[i].text() != texts_[i];
  if (differ) json.add("rules", json_array(demands_.rules, [](RuleSpec const& rule) { return rule.text(); }));
  return json.members();
}

}  // namespace anon_seq::sequential
