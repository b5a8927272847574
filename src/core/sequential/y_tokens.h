// The Y side of a rule as small integers: which rows share a y, and which y are sensitive.
//
// Each table's part of Y becomes a token per row; what T1 generalizes is added as it is published at the moment.
// Without listed values: equal values, equal tokens; token 0 has a part that is no value. Linkability folds the tokens
// of several tables in table order. With listed values a token numbers the list of those that the row may have, so
// that rows that differ only in harmless values collapse; folding two is their intersection, and 0 is the empty list.
#pragma once

#include <map>

#include "core/base/checkpoint.h"
#include "core/sequential/sequential.h"
#include "core/table/row_groups.h"

namespace anon_seq {

class YTokens {
 public:
  YTokens(Problem const& problem, Rule const& rule, Checkpoint& checkpoint);

  // Row -> token of one table, all >= 0; empty if its part of Y is nothing, only its records, or generalized.
  // REQUIRES: called at most once per table, before the first fold.
  Vector<std::int32_t> read(std::size_t table);

  // T1: the token of a row and one more column of y, which is published as the ranks `shown` of its attribute's.
  // `part` is its place in Rule::y. Begin with neutral() where read() gave no tokens.
  std::int32_t neutral() const { return listed_ ? all_ : 1; }
  std::int32_t add_shown(std::int32_t token, std::size_t part, Extent shown, bool says_nothing);

  // The y so far and one more table's token. The first table folds start().
  std::int32_t start() const { return listed_ ? all_ : spans_ ? -1 : 0; }
  std::int32_t fold(std::int32_t y, std::int32_t token);
  std::int32_t fold_missing(std::int32_t y);  // a table of Y without a partner: no y at all

  // Linkability: the sets that y is in. Valid until the next call.
  std::span<std::int32_t const> sets(std::int32_t y);
  Ratio threshold(std::int32_t set) const {
    return rule_.sensitive.empty() ? rule_.max : rule_.sensitive[static_cast<std::size_t>(set)].max;
  }

 private:
  using List = Vector<std::int32_t>;  // of listed values, ascending
  struct Listed {
    ListedY const* value;
    std::int32_t set;
  };
  std::vector<std::size_t> part(std::size_t table) const;  // indices into rule.y, of columns that are not generalized
  bool is_value(std::size_t part, Code code) const;
  std::int32_t number_of(List list);
  std::int32_t listing(std::vector<std::size_t> const& parts, std::vector<Code> const& values);
  std::int32_t intersection(std::int32_t a, std::int32_t b);
  std::int32_t add(std::int32_t y, std::int32_t token, bool in_no_set);

  Problem const& problem_;
  Rule const& rule_;
  Checkpoint& checkpoint_;
  bool listed_ = false, spans_ = false;
  // Listed.
  std::vector<Listed> values_;
  std::map<std::pair<std::size_t, Code>, List> listed_by_code_;  // part, code -> values
  std::map<List, std::int32_t> numbers_;
  std::vector<List> lists_, sets_;  // number -> list, and the sets of its values
  std::int32_t all_ = 0;
  std::map<std::pair<std::size_t, std::pair<std::int32_t, std::int32_t>>, std::int32_t> shown_lists_;
  // Not listed.
  std::vector<Interner> shown_;  // per entry of rule.y
  // Both: pairs that were folded, and what became of them.
  Interner folds_;
  List folded_;
  Vector<std::uint8_t> in_no_set_;  // spans, not listed: per fold
  List answer_;
};

}  // namespace anon_seq
