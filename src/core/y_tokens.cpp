#include "core/y_tokens.h"

#include <algorithm>

#include "core/rule_plan.h"

namespace anon_seq {

YTokens::YTokens(Problem const& problem, Rule const& rule, Checkpoint& checkpoint)
    : problem_(problem), rule_(rule), checkpoint_(checkpoint) {
  for (std::size_t i = 0; i < problem.tables(); ++i)
    if (in_y(rule, i)) tables_.push_back(i);
  spans_ = rule.kind == Rule::Kind::kLinkability && tables_.size() > 1;
}

std::vector<std::size_t> YTokens::part(std::size_t table) const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < rule_.y.size(); ++i)
    if (rule_.y[i].table == table) indices.push_back(i);
  return indices;
}

// REQUIRES: all of Y is in one table.
YTokens::Sets YTokens::sets_listing(std::vector<Code> const& values) const {
  Sets found;
  for (std::size_t set = 0; set < rule_.sensitive.size(); ++set) {
    auto const& tuples = rule_.sensitive[set].tuples;
    for (std::size_t at = 0; at + values.size() <= tuples.size(); at += values.size())
      if (std::equal(values.begin(), values.end(), tuples.begin() + static_cast<std::ptrdiff_t>(at))) {
        found.push_back(static_cast<std::int32_t>(set));
        break;
      }
  }
  return found;
}

Vector<std::int32_t> YTokens::read(std::size_t table) {
  auto const& source = problem_.at(table);
  auto const indices = part(table);
  bool const persons = table == 0 && problem_.person != kNoColumn && rule_.kind == Rule::Kind::kAnonymity &&
                       std::find(rule_.y_keys.begin(), rule_.y_keys.end(), 0U) != rule_.y_keys.end();
  std::vector<KeyColumn> keys;
  std::vector<Column const*> columns;
  for (std::size_t i : indices) columns.push_back(&source.columns[rule_.y[i].column]);
  if (persons) columns.push_back(&source.columns[problem_.person]);
  if (columns.empty()) return {};
  for (auto const* column : columns) keys.push_back({column->codes, column->distinct()});
  RowGroups groups = group_rows(source.rows(), keys, checkpoint_);

  Vector<std::int32_t> token(groups.count());
  std::map<Sets, std::int32_t> token_of_sets{{{}, 0}};
  std::int32_t next = 1;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    checkpoint_.tick();
    std::vector<Code> values;
    for (auto const* column : columns) values.push_back(column->codes[groups.first_row[g]]);
    bool const null = std::find(values.begin(), values.end(), kNull) != values.end();
    if (spans_ && !rule_.sensitive.empty()) {
      token[g] = parts_[table][values] = next++;
    } else if (!rule_.sensitive.empty()) {
      Sets sets = sets_listing(values);
      auto const [at, added] = token_of_sets.try_emplace(sets, next);
      if (added) {
        sets_of_token_.push_back(std::move(sets));
        ++next;
      }
      token[g] = at->second;
    } else {
      token[g] = null ? 0 : next++;
    }
  }
  for (auto& group : groups.of_row) group = token[static_cast<std::size_t>(group)];
  return std::move(groups.of_row);
}

std::int32_t YTokens::add(std::int32_t y, std::int32_t token, bool in_no_set) {
  std::int32_t const fold = folds_.intern(y, token);
  if (static_cast<std::size_t>(fold) == in_no_set_.size())
    in_no_set_.push_back(in_no_set || (y >= 0 && in_no_set_[static_cast<std::size_t>(y)] != 0));
  return fold;
}

std::int32_t YTokens::fold(std::int32_t y, std::int32_t token) {
  return spans_ ? add(y, token, token == 0) : y + token;
}

std::int32_t YTokens::fold_missing(std::int32_t y) { return spans_ ? add(y, -1, true) : y; }

void YTokens::fold_lists() {
  lists_folded_ = true;
  for (std::size_t set = 0; set < rule_.sensitive.size(); ++set) {
    auto const& tuples = rule_.sensitive[set].tuples;
    for (std::size_t at = 0; at + rule_.y.size() <= tuples.size(); at += rule_.y.size()) {
      std::int32_t y = start();
      bool occurs = true;
      for (std::size_t table : tables_) {
        std::vector<Code> values;
        for (std::size_t i : part(table)) values.push_back(tuples[at + i]);
        auto const found = parts_[table].find(values);
        occurs = occurs && found != parts_[table].end();
        if (!occurs) break;
        y = fold(y, found->second);
      }
      if (!occurs) continue;
      auto& sets = sets_of_fold_[y];
      if (sets.empty() || sets.back() != static_cast<std::int32_t>(set)) sets.push_back(static_cast<std::int32_t>(set));
    }
  }
}

std::span<std::int32_t const> YTokens::sets(std::int32_t y) {
  if (spans_ && !lists_folded_) fold_lists();
  answer_.clear();
  if (rule_.sensitive.empty()) {
    if (spans_ ? in_no_set_[static_cast<std::size_t>(y)] == 0 : y > 0) answer_.push_back(spans_ ? y : y - 1);
  } else if (spans_) {
    auto const found = sets_of_fold_.find(y);
    if (found != sets_of_fold_.end()) return {found->second.data(), found->second.size()};
  } else {
    auto const& sets = sets_of_token_[static_cast<std::size_t>(y)];
    return {sets.data(), sets.size()};
  }
  return {answer_.data(), answer_.size()};
}

}  // namespace anon_seq
