// The Y side of a rule as small integers: which rows share a y, and which y are sensitive.
//
// Each table's part of Y becomes a token per row. Anonymity: equal values, equal tokens; token 0 has a NULL
// and does not add. Linkability with Y in one table: token 0 is no sensitive value, the others stand for the
// sets they are in, so that rows that differ only in harmless values collapse. Linkability with Y in several
// tables: a token per value, folded in table order; the fold knows its sets.
#pragma once

#include <map>

#include "core/checkpoint.h"
#include "core/row_groups.h"
#include "core/sequential.h"

namespace anon_seq {

class YTokens {
 public:
  YTokens(Problem const& problem, Rule const& rule, Checkpoint& checkpoint);

  // Row -> token of one table, all >= 0; empty if its part of Y is nothing or only its records.
  // REQUIRES: called at most once per table, before the first sets().
  Vector<std::int32_t> read(std::size_t table);

  // The y so far and one more table's token. The first table folds start().
  std::int32_t start() const { return spans_ ? -1 : 0; }
  std::int32_t fold(std::int32_t y, std::int32_t token);
  std::int32_t fold_missing(std::int32_t y);  // a table of Y without a partner: in no set

  // Linkability: the sets that y is in. Valid until the next call.
  std::span<std::int32_t const> sets(std::int32_t y);
  Ratio threshold(std::int32_t set) const {
    return rule_.sensitive.empty() ? rule_.max : rule_.sensitive[static_cast<std::size_t>(set)].max;
  }

 private:
  using Sets = Vector<std::int32_t>;
  std::vector<std::size_t> part(std::size_t table) const;  // indices into rule.y
  Sets sets_listing(std::vector<Code> const& values) const;
  std::int32_t add(std::int32_t y, std::int32_t token, bool in_no_set);
  void fold_lists();

  Problem const& problem_;
  Rule const& rule_;
  Checkpoint& checkpoint_;
  bool spans_ = false;
  std::vector<std::size_t> tables_;                                         // of Y, ascending
  std::map<std::size_t, std::map<std::vector<Code>, std::int32_t>> parts_;  // spans: table -> values -> token
  std::vector<Sets> sets_of_token_{{}};                                     // one table, listed
  Interner folds_;
  Vector<std::uint8_t> in_no_set_;  // per fold
  std::map<std::int32_t, Sets> sets_of_fold_;
  bool lists_folded_ = false;
  Sets answer_;
};

}  // namespace anon_seq
