// What a rule takes of each of its tables, and what that is called in the statement of rule_sql.h.
//
// Column c of a table is k<c> there; table t is the t-th from 1: b1, c1, jx1, u1, a1 ... are of the first.
#pragma once

#include "audit/match.h"

namespace anon_seq::audit {

// What is measured and how, worked out by audit_join.cpp.
struct JoinQuestion {
  std::vector<AuditTable> const& tables;
  MatchPlan const& plan;
  AuditRule const& rule;
  bool outer, general;
  // Linkability: per listed value and table, a condition over k<column>; "" where y has nothing there.
  std::vector<std::vector<std::string>> listed;
};

// REQUIRES: the question outlives it.
class RuleShape {
 public:
  enum class Counts { kValues, kRows, kPersons };  // what of a table's Y is told apart
  using Columns = std::vector<std::size_t>;

  explicit RuleShape(JoinQuestion const& question);

  JoinQuestion const& question() const { return q_; }
  std::size_t tables() const { return q_.tables.size(); }
  AuditTable const& table(std::size_t table) const { return q_.tables[table]; }

  bool is_anonymity() const { return q_.rule.kind == AuditRule::kAnonymity; }
  bool is_singly() const { return !is_anonymity() && q_.listed.empty(); }   // every y for itself
  bool is_any_of() const { return !is_anonymity() && !q_.listed.empty(); }  // the listed y together

  Columns const& x(std::size_t table) const { return x_[table]; }
  Columns const& y(std::size_t table) const { return y_[table]; }
  Counts counts(std::size_t table) const { return counts_[table]; }
  bool has_y(std::size_t table) const { return !y_[table].empty() || counts_[table] != Counts::kValues; }
  bool is_row_token(std::size_t table) const { return counts_[table] == Counts::kRows; }
  bool is_relevant(std::size_t table) const { return has_y(table) || !x_[table].empty(); }
  bool may_be_empty(std::size_t table) const { return q_.outer && table > 0; }  // an empty partner, its j is 0
  // Whether the codes of a table are a function of its columns in X.
  bool x_decides_match(std::size_t table) const;

  std::string const& count_type() const { return count_type_; }  // holds every count of rows of the join
  std::string const& digits() const { return digits_; }          // see order_by()

  // SQL over a table's k<column>.
  std::string match_key(std::size_t table, std::size_t column) const;  // the column by which it is compared
  std::string is_value(std::size_t table) const;                       // whether a row's y is one, all of it
  // Whether a row has any of the listed values. REQUIRES: y lies in this table alone, or one value is listed.
  std::string is_listed(std::size_t table) const;
  std::string listed_numbers(std::size_t table) const;  // the listed values whose part in this table a row has
  // {"age": 34}: columns of a row of `alias` by their own names.
  std::string json_expression(std::size_t table, Columns const& columns, std::string const& alias) const;

  // Columns of what comes out: the worst first, and its evidence, another table's part after that of those before.
  std::string order_by(std::string const& num, std::string const& den) const;
  std::string evidence(std::size_t table, std::string const& json, bool wanted) const;

 private:
  std::string says_something(std::size_t table, std::size_t column) const;

  JoinQuestion const& q_;
  std::vector<Columns> x_, y_;  // by table
  std::vector<Counts> counts_;
  std::string digits_, count_type_;
};

std::string number(std::size_t table);  // "1" for the first
std::string key(std::size_t column);    // "k0"
// ", k1, k4" if `before` is ", ".
std::string keys(RuleShape::Columns const& columns, std::string const& before = ", ");

}  // namespace anon_seq::audit
