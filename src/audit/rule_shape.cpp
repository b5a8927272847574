#include "audit/rule_shape.h"

#include <algorithm>

#include "pg/line_type.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

void add_once(RuleShape::Columns& columns, std::size_t column) {
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
}

}  // namespace

std::string number(std::size_t table) { return std::to_string(table + 1); }

std::string key(std::size_t column) { return "k" + std::to_string(column); }

std::string keys(RuleShape::Columns const& columns, std::string const& before) {
  std::string text;
  for (auto const column : columns) text += before + key(column);
  return text;
}

RuleShape::RuleShape(JoinQuestion const& question)
    : q_(question), x_(tables()), y_(tables()), counts_(tables(), Counts::kValues) {
  for (auto const& term : q_.rule.x) add_once(x_[term.table], term.column);
  for (auto const& term : q_.rule.y) {
    if (term.what == AuditTerm::kColumn)
      add_once(y_[term.table], term.column);
    else if (term.what == AuditTerm::kPersons && q_.tables[term.table].persons != Persons::kRows)
      counts_[term.table] = Counts::kPersons;
    else if (counts_[term.table] != Counts::kPersons)
      counts_[term.table] = Counts::kRows;
  }
  std::size_t length = 0;
  for (auto const& total : q_.plan.totals) length += total.size();
  digits_ = "1e" + std::to_string(2 * length) + "::numeric";
  count_type_ = length <= 18 ? "bigint" : "numeric";
}

bool RuleShape::x_decides_match(std::size_t table) const {
  return std::all_of(q_.plan.columns.begin(), q_.plan.columns.end(), [&](auto const& column) {
    auto const& x = x_[table];
    return column.table != table || column.is_constant() || std::find(x.begin(), x.end(), column.column) != x.end();
  });
}

std::string RuleShape::match_key(std::size_t table, std::size_t column) const {
  return q_.tables[table].columns[column].match.empty() ? key(column) : "m" + std::to_string(column);
}

std::string RuleShape::says_something(std::size_t table, std::size_t column) const {
  auto const& about = q_.tables[table].columns[column];
  auto const k = key(column);
  std::string const bounded =
      is_range_type(about.type) ? sql_text("NOT (lower_inf({k}) AND upper_inf({k}))", {{"k", k}}) : "true";
  if (about.nothing.empty()) return bounded;
  return sql_text(R"({bounded} AND {k}::text COLLATE "C" <> {nothing})",
                  {{"bounded", bounded}, {"k", k}, {"nothing", sql_literal(about.nothing)}});
}

// An empty partner (j = 0) has no y; NULL is one only where it is asked for, what says nothing never.
std::string RuleShape::is_value(std::size_t table) const {
  bool const nulls = !is_anonymity() && q_.rule.nulls;
  std::string text = may_be_empty(table) ? "j > 0" : "true";
  for (auto const column : y_[table]) {
    auto const something = says_something(table, column);
    text += nulls ? " AND coalesce(" + something + ", true)"
                  : " AND " + key(column) + " IS NOT NULL" + (something == "true" ? "" : " AND " + something);
  }
  return text;
}

std::string RuleShape::is_listed(std::size_t table) const {
  std::vector<std::string> any;
  for (auto const& value : q_.listed) any.push_back(value[table]);
  return "(" + joined(any, " OR ") + ")";
}

std::string RuleShape::listed_numbers(std::size_t table) const {
  if (!has_y(table)) return "NULL::int[]";
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < q_.listed.size(); ++i)
    parts.push_back(sql_text("CASE WHEN {has} THEN {i} END", {{"has", q_.listed[i][table]}, {"i", std::to_string(i)}}));
  return "array_remove(ARRAY[" + joined(parts, ", ") + "]::int[], NULL)";
}

std::string RuleShape::json_expression(std::size_t table, Columns const& columns, std::string const& alias) const {
  std::string text = "'{}'::jsonb";
  for (auto const column : columns)
    text +=
        sql_text(" || jsonb_build_object({name}::text, {row}.{k})",
                 {{"name", sql_literal(q_.tables[table].columns[column].name)}, {"row", alias}, {"k", key(column)}});
  return "(" + text + ")";
}

// Two different fractions with denominators up to N differ by 1/N^2 at least: that many digits tell them apart.
std::string RuleShape::order_by(std::string const& num, std::string const& den) const {
  return is_anonymity() ? num : "div((" + num + ") * " + digits_ + ", " + den + ") DESC";
}

std::string RuleShape::evidence(std::size_t table, std::string const& json, bool wanted) const {
  if (!wanted) return "";
  auto name = q_.tables[table].name;
  for (std::size_t t = 0; t < table; ++t)
    if (q_.tables[t].name == q_.tables[table].name) name = q_.tables[table].name + " #" + number(table);
  return " || jsonb_build_object(" + sql_literal(name) + "::text, " + json + ")";
}

}  // namespace anon_seq::audit
