// Pieces of the statement of rule_sql.h: each is SQL text, mostly a common table expression.
#pragma once

#include "audit/rule_sql.h"

namespace anon_seq::audit {

class SqlParts {
 public:
  explicit SqlParts(JoinQuestion const& question);

  std::size_t tables() const { return q_.tables.size(); }
  static std::string number(std::size_t table) { return std::to_string(table + 1); }
  bool is_anonymity() const { return q_.rule.kind == AuditRule::kAnonymity; }
  bool is_singly() const { return !is_anonymity() && q_.listed.empty(); }

  std::string const& count_type() const { return count_type_; }  // holds every count of rows of the join

  std::vector<std::size_t> const& x(std::size_t table) const { return x_[table]; }
  bool has_y(std::size_t table) const { return !y_[table].empty() || counts_[table] != Counts::kValues; }
  bool is_row_token(std::size_t table) const { return counts_[table] == Counts::kRows; }
  bool is_relevant(std::size_t table) const { return has_y(table) || !x_[table].empty(); }
  // Whether the codes of a table are a function of its columns in X.
  bool x_decides_match(std::size_t table) const;

  std::string head() const;                                    // WITH the codes of labels
  std::string coded(std::size_t table, bool short_cut) const;  // b, c, jx, u
  std::string matches() const;                                 // m0: full tuples; m: with empty partners, if outer

  std::string groups(std::size_t table) const;        // short cut: g, one row per x (and y), h and n
  std::string worst_groups(std::size_t table) const;  // e: the worst of g per j, w its evidence
  std::string any_group(std::size_t table) const;     // e of a table without Y: some x per j

  std::string reduced_matches() const;           // general way: mm, tables that are neither in X nor in Y summed up
  std::string rows_of(std::size_t table) const;  // v, one row per x, j and token
  std::string example(std::size_t table,
                      std::string const& part) const;  // the columns behind o.x<t> or o.y<t>, o being the worst

  std::string order_by(std::string const& num, std::string const& den) const;  // the worst first
  std::string evidence(std::size_t table, std::string const& json, bool wanted) const;
  std::string match_count() const;
  std::string dangling() const;
  std::string worst_json() const;
  std::string holds() const;

 private:
  enum class Counts { kValues, kRows, kPersons };

  std::string key(std::size_t column) const { return "k" + std::to_string(column); }
  std::string keys(std::vector<std::size_t> const& columns, std::string const& before) const;
  std::string match_key(std::size_t table, std::size_t column) const;  // the column by which it is compared
  std::string is_value(std::size_t table) const;                       // whether a row's y is one, all of it
  std::string says_something(std::size_t table, std::size_t column) const;
  bool is_linked(std::size_t table) const;  // to another table than the first
  std::string json_of(std::size_t table, std::vector<std::size_t> const& columns, std::string const& alias) const;
  std::string nulls(std::size_t count) const;
  std::vector<std::string> codes(std::size_t table) const;
  std::string base(std::size_t table) const;
  std::string code_expressions(std::size_t table, std::string& joins) const;
  std::string match_condition(std::size_t s, std::size_t t) const;
  std::string fits_others(std::size_t table) const;
  std::string with_codes(std::string const& f, std::size_t count, std::size_t but) const;
  std::string maximal_matches() const;
  std::string listed_in(std::size_t table) const;
  std::string listed_numbers(std::size_t table) const;
  std::string group_columns(std::size_t table) const;
  std::string empty_partner(std::size_t table) const;
  bool may_be_empty(std::size_t table) const { return q_.outer && table > 0; }
  bool is_any_of() const { return !is_anonymity() && !q_.listed.empty(); }

  JoinQuestion const& q_;
  std::vector<std::vector<std::size_t>> x_, y_;  // columns per table
  std::vector<Counts> counts_;
  std::string digits_, count_type_;
};

}  // namespace anon_seq::audit
