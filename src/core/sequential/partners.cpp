#include "core/sequential/partners.h"

#include <algorithm>

#include "core/sequential/rule_plan.h"

namespace anon_seq {

Partners::Partners(Problem const& problem, Rule const& rule, Matcher& matcher, YTokens& tokens, Checkpoint& checkpoint)
    : matcher_(matcher), tokens_(tokens), checkpoint_(checkpoint), outer_(problem.dangling == Dangling::kOuter) {
  sides_.resize(matcher.tables().size());
  x_ids_.resize(sides_.size());
  slot_ids_.resize(sides_.size());
  for (std::size_t t = 0; t < sides_.size(); ++t) read(problem, rule, t, tokens, checkpoint);
}

void Partners::read(Problem const& problem, Rule const& rule, std::size_t t, YTokens& tokens, Checkpoint& checkpoint) {
  std::size_t const index = matcher_.tables()[t];
  auto const& table = problem.at(index);
  bool const anonymity = rule.kind == Rule::Kind::kAnonymity;
  bool const records_in_y = std::find(rule.y_keys.begin(), rule.y_keys.end(), index) != rule.y_keys.end();
  Side& side = sides_[t];
  side.in_y = in_y(rule, index);

  Vector<std::int32_t> token = tokens.read(index);
  std::int32_t const token_bound = token.empty() ? 1 : *std::max_element(token.begin(), token.end()) + 1;
  side.folds = !anonymity && !token.empty();
  if (anonymity && records_in_y)  // the records themselves are distinct: of their values only NULLs matter
    for (auto& each : token) each = each != 0;

  std::vector<KeyColumn> keys;
  for (auto const& ref : rule.x)
    if (ref.table == index) keys.push_back({table.columns[ref.column].codes, table.columns[ref.column].distinct()});
  RowGroups const xs = group_rows(table.rows(), keys, checkpoint);
  side.xs = static_cast<std::int32_t>(xs.count());
  bool const in_x = !keys.empty();
  keys.assign({{matcher_.signature_of(t), static_cast<std::int32_t>(matcher_.signatures(t))}, {xs.of_row, side.xs}});
  if (!token.empty()) keys.push_back({token, token_bound});
  RowGroups const groups = group_rows(table.rows(), keys, checkpoint);

  side.starts.assign(matcher_.signatures(t) + 1, 0);
  for (auto row : groups.first_row) ++side.starts[static_cast<std::size_t>(matcher_.signature_of(t)[row]) + 1];
  for (std::size_t s = 1; s < side.starts.size(); ++s) side.starts[s] += side.starts[s - 1];
  Vector<std::size_t> place(groups.count()), next(side.starts);
  side.entries.resize(groups.count());
  Interner slots;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    auto const row = groups.first_row[g];
    place[g] = next[static_cast<std::size_t>(matcher_.signature_of(t)[row])]++;
    std::int32_t const x = xs.of_row[row], y = token.empty() ? 0 : token[row];
    std::int32_t const slot = anonymity && records_in_y ? static_cast<std::int32_t>(g) : slots.intern(x, y);
    side.entries[place[g]] = {x, slot, y, 0};
  }
  side.slots = anonymity && records_in_y ? static_cast<std::int32_t>(groups.count()) : slots.size();
  side.empty_x = in_x ? side.xs : 0;
  side.empty_slot = !in_x && !side.in_y ? 0 : side.slots;
  side.empty_weight = anonymity && side.in_y ? 0 : 1;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    checkpoint.tick();
    auto& weight = side.entries[place[static_cast<std::size_t>(groups.of_row[row])]].weight;
    weight = checked_add(weight, table.weight(row));
  }
  if (!anonymity) return;
  for (auto& entry : side.entries) {
    bool const null = !token.empty() && entry.token == 0;
    entry.weight = null ? 0 : records_in_y ? entry.weight : 1;
  }
}

bool Partners::accepts(std::size_t t, Signature s, std::size_t end) const {
  for (std::size_t u = 0; u < end; ++u) {
    if (u == t || chosen_[u] == kNoSignature || !matcher_.linked(std::min(t, u), std::max(t, u))) continue;
    auto const partners = u < t ? matcher_.partners(u, chosen_[u], t) : matcher_.partners(t, s, u);
    if (!std::binary_search(partners.begin(), partners.end(), u < t ? s : chosen_[u])) return false;
  }
  return true;
}

bool Partners::links_ahead(std::size_t t) const {
  for (std::size_t u = t + 1; u < sides_.size(); ++u)
    if (matcher_.linked(t, u)) return true;
  return false;
}

bool Partners::is_maximal(BlockId block) const {
  for (std::size_t t = 0; t < sides_.size(); ++t) {
    if (open_[t] == 0) continue;
    auto const list = matcher_.list(block, t);
    if (std::any_of(list.begin(), list.end(), [&](Signature s) { return accepts(t, s, sides_.size()); })) return false;
  }
  return true;
}

std::span<Signature const> Partners::shortest(BlockId block, std::size_t t) const {
  auto shortest = matcher_.list(block, t);
  for (std::size_t u = 0; u < t; ++u) {
    if (chosen_[u] == kNoSignature || !matcher_.linked(u, t)) continue;
    auto const partners = matcher_.partners(u, chosen_[u], t);
    if (partners.size() < shortest.size()) shortest = partners;
  }
  return shortest;
}

std::int32_t Partners::x_count() const { return sides_.size() == 1 ? sides_[0].xs + 1 : x_ids_.back().size(); }
std::int32_t Partners::slot_count() const { return sides_.size() == 1 ? sides_[0].slots + 1 : slot_ids_.back().size(); }

}  // namespace anon_seq
