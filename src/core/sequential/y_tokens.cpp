#include "core/sequential/y_tokens.h"

#include <algorithm>
#include <numeric>

#include "core/sequential/rule_plan.h"

namespace anon_seq {

YTokens::YTokens(Problem const& problem, Rule const& rule, Checkpoint& checkpoint)
    : problem_(problem), rule_(rule), checkpoint_(checkpoint), listed_(!rule.sensitive.empty()), shown_(rule.y.size()) {
  std::size_t tables = 0;
  for (std::size_t i = 0; i < problem.tables(); ++i) tables += in_y(rule, i);
  spans_ = rule.kind == Rule::Kind::kLinkability && tables > 1;
  if (!listed_) return;
  for (std::size_t set = 0; set < rule.sensitive.size(); ++set)
    for (auto const& value : rule.sensitive[set].values) values_.push_back({&value, static_cast<std::int32_t>(set)});
  for (std::size_t v = 0; v < values_.size(); ++v)
    for (std::size_t i = 0; i < rule.y.size(); ++i)
      for (Code code : values_[v].value->parts[i].codes)
        listed_by_code_[{i, code}].push_back(static_cast<std::int32_t>(v));
  number_of({});
  List all(values_.size());
  std::iota(all.begin(), all.end(), 0);
  all_ = number_of(std::move(all));
}

std::vector<std::size_t> YTokens::part(std::size_t table) const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < rule_.y.size(); ++i)
    if (rule_.y[i].table == table && (table > 0 || problem_.generalizes(rule_.y[i].column) == kNoColumn))
      indices.push_back(i);
  return indices;
}

bool YTokens::is_value(std::size_t part, Code code) const {
  if (code == kNull) return rule_.nulls;
  if (rule_.nothing.empty()) return true;
  auto const& nothing = rule_.nothing[part];
  return std::find(nothing.begin(), nothing.end(), code) == nothing.end();
}

std::int32_t YTokens::number_of(List list) {
  auto const [at, added] = numbers_.try_emplace(std::move(list), static_cast<std::int32_t>(lists_.size()));
  if (!added) return at->second;
  List sets;
  for (auto value : at->first) sets.push_back(values_[static_cast<std::size_t>(value)].set);
  sets.erase(std::unique(sets.begin(), sets.end()), sets.end());  // they ascend with the values
  lists_.push_back(at->first);
  sets_.push_back(std::move(sets));
  return at->second;
}

// The listed values that have these codes in these parts.
std::int32_t YTokens::listing(std::vector<std::size_t> const& parts, std::vector<Code> const& values) {
  List list;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto const found = listed_by_code_.find({parts[i], values[i]});
    if (found == listed_by_code_.end()) return number_of({});
    if (i == 0) {
      list = found->second;
      continue;
    }
    List both;
    std::set_intersection(list.begin(), list.end(), found->second.begin(), found->second.end(),
                          std::back_inserter(both));
    list.swap(both);
  }
  return number_of(std::move(list));
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
  std::int32_t next = 1;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    checkpoint_.tick();
    std::vector<Code> values;
    for (auto const* column : columns) values.push_back(column->codes[groups.first_row[g]]);
    if (listed_) {
      token[g] = listing(indices, values);
      continue;
    }
    bool known = !persons || values.back() != kNull;
    for (std::size_t i = 0; i < indices.size(); ++i) known = known && is_value(indices[i], values[i]);
    token[g] = known ? next++ : 0;
  }
  for (auto& group : groups.of_row) group = token[static_cast<std::size_t>(group)];
  return std::move(groups.of_row);
}

std::int32_t YTokens::add_shown(std::int32_t token, std::size_t part, Extent shown, bool says_nothing) {
  bool const null = shown == Extent{0, 1};
  if (listed_) {
    auto const [at, added] = shown_lists_.try_emplace({part, {shown.begin, shown.end}}, 0);
    if (added) {
      List list;
      for (std::size_t v = 0; v < values_.size(); ++v) {
        auto const& listed = values_[v].value->parts[part];
        if (null ? listed.null : listed.ranks.begin <= shown.begin && shown.end <= listed.ranks.end)
          list.push_back(static_cast<std::int32_t>(v));
      }
      at->second = number_of(std::move(list));
    }
    return intersection(token, at->second);
  }
  if (token == 0 || says_nothing || (null && !rule_.nulls)) return 0;
  return shown_[part].intern(shown_[part].intern(shown.begin, shown.end), token) + 1;
}

std::int32_t YTokens::intersection(std::int32_t a, std::int32_t b) {
  if (a == all_ || b == 0) return b;
  if (b == all_ || a == 0 || a == b) return a;
  auto const at = static_cast<std::size_t>(folds_.intern(a, b));
  if (at < folded_.size()) return folded_[at];
  List const &left = lists_[static_cast<std::size_t>(a)], &right = lists_[static_cast<std::size_t>(b)];
  List common;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(common));
  folded_.push_back(number_of(std::move(common)));
  return folded_.back();
}

std::int32_t YTokens::add(std::int32_t y, std::int32_t token, bool in_no_set) {
  std::int32_t const fold = folds_.intern(y, token);
  if (static_cast<std::size_t>(fold) == in_no_set_.size())
    in_no_set_.push_back(in_no_set || (y >= 0 && in_no_set_[static_cast<std::size_t>(y)] != 0));
  return fold;
}

std::int32_t YTokens::fold(std::int32_t y, std::int32_t token) {
  if (listed_) return intersection(y, token);
  return spans_ ? add(y, token, token == 0) : y + token;
}

std::int32_t YTokens::fold_missing(std::int32_t y) {
  if (listed_) return 0;
  return spans_ ? add(y, -1, true) : y;
}

std::span<std::int32_t const> YTokens::sets(std::int32_t y) {
  if (listed_) {
    auto const& sets = sets_[static_cast<std::size_t>(y)];
    return {sets.data(), sets.size()};
  }
  answer_.clear();
  if (spans_ ? in_no_set_[static_cast<std::size_t>(y)] == 0 : y > 0) answer_.push_back(spans_ ? y : y - 1);
  return {answer_.data(), answer_.size()};
}

}  // namespace anon_seq
