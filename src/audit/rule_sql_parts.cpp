#include "audit/rule_sql_parts.h"

#include <algorithm>
#include <set>

#include "pg/line_type.h"
#include "pg/reading.h"

namespace anon_seq::audit {
namespace {

std::string joined(std::vector<std::string> const& parts, char const* between) {
  std::string text;
  for (auto const& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

void add_once(std::vector<std::size_t>& columns, std::size_t column) {
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
}

}  // namespace

SqlParts::SqlParts(JoinQuestion const& question)
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

bool SqlParts::x_decides_match(std::size_t table) const {
  return std::all_of(q_.plan.columns.begin(), q_.plan.columns.end(), [&](auto const& column) {
    auto const& x = x_[table];
    return column.table != table || column.is_constant() || std::find(x.begin(), x.end(), column.column) != x.end();
  });
}

std::string SqlParts::keys(std::vector<std::size_t> const& columns, std::string const& before) const {
  std::string text;
  for (auto const column : columns) text += before + key(column);
  return text;
}

std::string SqlParts::match_key(std::size_t table, std::size_t column) const {
  return q_.tables[table].columns[column].match.empty() ? key(column) : "m" + std::to_string(column);
}

std::string SqlParts::says_something(std::size_t table, std::size_t column) const {
  auto const& about = q_.tables[table].columns[column];
  std::string text = "true";
  if (is_range_type(about.type)) text = "NOT (lower_inf(" + key(column) + ") AND upper_inf(" + key(column) + "))";
  if (about.nothing.empty()) return text;
  return text + " AND " + key(column) + "::text COLLATE \"C\" <> " + sql_literal(about.nothing);
}

// An empty partner (j = 0) has no y; NULL is one only where it is asked for, what says nothing never.
std::string SqlParts::is_value(std::size_t table) const {
  bool const nulls = !is_anonymity() && q_.rule.nulls;
  std::string text = may_be_empty(table) ? "j > 0" : "true";
  for (auto const column : y_[table]) {
    auto const something = says_something(table, column);
    text += nulls ? " AND coalesce(" + something + ", true)"
                  : " AND " + key(column) + " IS NOT NULL" + (something == "true" ? "" : " AND " + something);
  }
  return text;
}

std::string SqlParts::json_of(std::size_t table, std::vector<std::size_t> const& columns,
                              std::string const& alias) const {
  std::string text = "'{}'::jsonb";
  for (auto const column : columns)
    text += " || jsonb_build_object(" + sql_literal(q_.tables[table].columns[column].name) + "::text, " + alias + "." +
            key(column) + ")";
  return "(" + text + ")";
}

// --- tables as codes ---

std::string SqlParts::head() const {
  return "WITH map AS MATERIALIZED (SELECT * FROM unnest($1::int[], $2::text[], $3::int[], $4::int[], $5::int[], $6::int[])"
         " AS map (col, key, c, f, l, g))";
}

std::vector<std::string> SqlParts::codes(std::size_t table) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < q_.plan.columns.size(); ++i) {
    auto const& column = q_.plan.columns[i];
    if (column.table != table) continue;
    auto const n = std::to_string(i);
    if (column.by_text) names.push_back("t" + n);
    if (column.by_component) names.push_back("c" + n);
    if (column.by_span) names.insert(names.end(), {"f" + n, "l" + n});
    if (column.by_group) names.push_back("g" + n);
  }
  return names;
}

// Rows that agree in all columns that matter, and their person if persons are counted.
std::string SqlParts::base(std::size_t table) const {
  auto const& of = q_.tables[table];
  std::set<std::size_t> needed(x_[table].begin(), x_[table].end());
  needed.insert(y_[table].begin(), y_[table].end());
  std::vector<std::string> list, by;
  std::set<std::string> selected;
  auto select = [&](std::string const& name, std::string const& as) {
    if (!selected.insert(as).second) return;
    list.push_back("q." + quote_name(name) + " AS " + as);
    by.push_back("q." + quote_name(name));
  };
  for (auto const column : needed) select(of.columns[column].name, key(column));
  for (auto const& column : q_.plan.columns)
    if (column.table == table && !column.is_constant()) {
      auto const& about = of.columns[column.column];
      select(about.match.empty() ? about.name : about.match, match_key(table, column.column));
    }
  std::string from = from_table(of), weight = weight_of(of), person = "NULL";
  if (counts_[table] == Counts::kPersons) {
    person = "q." + quote_name(of.person_column);
    if (of.persons == Persons::kArray) {
      from += " LEFT JOIN LATERAL unnest(" + person + ") WITH ORDINALITY AS e (p, o) ON true";
      weight = "CASE WHEN e.o > 1 THEN 0 ELSE " + weight + " END";
      // Keys are grouped by their own type's equality, within an array of one: who was forgotten, NULL, is somebody
      // still; all of them together count as one, which errs on the safe side.
      person = "(CASE WHEN e.o IS NOT NULL THEN ARRAY[e.p] END)";
    }
    by.push_back(person);
  }
  list.push_back(person + " AS p");
  list.push_back("sum(" + weight + ")::bigint AS n");
  return "SELECT " + joined(list, ", ") + " FROM " + from +
         (by.empty() ? " HAVING count(*) > 0" : " GROUP BY " + joined(by, ", "));
}

std::string SqlParts::code_expressions(std::size_t table, std::string& joins) const {
  std::string list;
  for (std::size_t i = 0; i < q_.plan.columns.size(); ++i) {
    auto const& column = q_.plan.columns[i];
    if (column.table != table || column.is_constant()) continue;
    auto const n = std::to_string(i), k = "b." + match_key(table, column.column);
    if (column.by_text) list += ", coalesce(to_jsonb(" + k + "), 'null'::jsonb) AS t" + n;
    if (!column.by_component && !column.by_span && !column.by_group) continue;
    joins +=
        " LEFT JOIN map AS m" + n + " ON m" + n + ".col = " + n + " AND m" + n + ".key = " + k + "::text COLLATE \"C\"";
    LabelCode null{static_cast<std::int32_t>(i), std::nullopt, -1, -1, -1, 0};
    for (auto const& label : q_.plan.labels)
      if (label.column == null.column && !label.key) null = label;
    auto code = [&](char const* what, std::int32_t of_null) {
      list += ", CASE WHEN " + k + " IS NULL THEN " + std::to_string(of_null) + " ELSE coalesce(m" + n + "." + what +
              ", 0) END AS " + what + n;
    };
    if (column.by_component) code("c", null.component);
    if (column.by_span) code("f", null.first), code("l", null.last);
    if (column.by_group) code("g", null.group);
  }
  return list;
}

std::string SqlParts::coded(std::size_t table, bool short_cut) const {
  auto const n = number(table);
  std::string joins;
  std::string const list = code_expressions(table, joins);
  auto const names = joined(codes(table), ", ");
  std::string sql = ", b" + n + " AS MATERIALIZED (" + base(table) + "), c" + n + " AS MATERIALIZED (SELECT b.*" +
                    list + " FROM b" + n + " AS b" + joins + ")";
  sql += ", jx" + n + " AS MATERIALIZED (SELECT " +
         (names.empty()
              ? "1::bigint AS j, sum(n)::bigint AS n FROM c" + n + " HAVING count(*) > 0)"
              : names + ", row_number() OVER () AS j, sum(n)::bigint AS n FROM c" + n + " GROUP BY " + names + ")");
  std::set<std::size_t> used(x_[table].begin(), x_[table].end());
  used.insert(y_[table].begin(), y_[table].end());
  std::vector<std::size_t> const columns(used.begin(), used.end());
  std::string rows = "SELECT c.p" + keys(columns, ", c.") + ", c.n, x.j FROM c" + n + " AS c JOIN jx" + n + " AS x " +
                     (names.empty() ? "ON true" : "USING (" + names + ")");
  if (may_be_empty(table))  // the empty partner: all NULL, of the same types
    rows += " UNION ALL SELECT c.p" + keys(columns, ", c.") + ", 1, 0 FROM (SELECT) AS one LEFT JOIN c" + n +
            " AS c ON false";
  std::string extra;
  if (!short_cut) {
    auto rank = [&](std::vector<std::size_t> const& by) {  // the empty partner is no row that shows NULL
      return "dense_rank() OVER (ORDER BY " +
             (may_be_empty(table) ? "j = 0" + keys(by, ", ") : keys(by, ", ").substr(2)) + ")";
    };
    extra = ", " + (x_[table].empty() ? "1" : rank(x_[table])) + " AS x, ";
    extra += is_any_of()         ? listed_numbers(table)
             : !has_y(table)     ? "1"
             : y_[table].empty() ? "CASE WHEN " + is_value(table) + " THEN 1 END"
                                 : "CASE WHEN " + is_value(table) + " THEN " + rank(y_[table]) + " END";
    extra += " AS y";
  }
  return sql + ", u" + n + " AS MATERIALIZED (SELECT *" + extra + " FROM (" + rows + ") AS r)";
}

std::string SqlParts::match_condition(std::size_t s, std::size_t t) const {
  auto const a = "a" + number(s) + ".", b = "a" + number(t) + ".";
  std::vector<std::string> all;
  for (std::size_t i = 0; i < q_.plan.columns.size(); ++i)
    for (std::size_t j = 0; j < q_.plan.columns.size(); ++j) {
      auto const &left = q_.plan.columns[i], &right = q_.plan.columns[j];
      if (left.table != s || right.table != t || left.attribute != right.attribute) continue;
      auto const m = std::to_string(i), n = std::to_string(j);
      if (left.by_text) all.push_back(a + "t" + m + " = " + b + "t" + n);
      if (left.by_component) all.push_back(a + "c" + m + " = " + b + "c" + n);
      if (left.by_span)
        all.push_back(a + "f" + m + " <= " + b + "l" + n + " AND " + b + "f" + n + " <= " + a + "l" + m);
    }
  for (auto const& e : q_.plan.exclusions) {
    if (q_.plan.columns[e.a].table != s || q_.plan.columns[e.b].table != t) continue;
    std::string list;
    for (auto const& [g, h] : e.groups)
      list += (list.empty() ? "" : ",") + std::to_string((static_cast<std::int64_t>(g) << 32) + h);
    all.push_back("((" + a + "g" + std::to_string(e.a) + "::bigint << 32) + " + b + "g" + std::to_string(e.b) +
                  ") <> ALL ('{" + list + "}'::bigint[])");
  }
  return joined(all, " AND ");
}

std::string SqlParts::matches() const {
  std::string list, from, full = "SELECT a1.j";
  for (std::size_t t = 0; t < tables(); ++t) {
    auto const n = number(t), as = "jx" + n + " AS a" + n;
    list += (t == 0 ? "" : ", ") + std::string("a") + n + ".j AS j" + n;
    if (t > 0) full += ", 0";
    std::vector<std::string> conditions;
    for (std::size_t s = 0; s < t; ++s)
      if (auto condition = match_condition(s, t); !condition.empty()) conditions.push_back(std::move(condition));
    from += t == 0 ? as : " JOIN " + as + " ON " + (conditions.empty() ? "true" : joined(conditions, " AND "));
  }
  std::string const sql = ", m0 AS MATERIALIZED (SELECT " + list + " FROM " + from + ")";
  if (q_.outer && tables() > 2) return sql + maximal_matches();
  if (!q_.outer) return sql + ", m AS MATERIALIZED (SELECT * FROM m0)";
  return sql + ", m AS MATERIALIZED (SELECT * FROM m0 UNION ALL " + full +
         " FROM jx1 AS a1 WHERE NOT EXISTS (SELECT FROM m0 WHERE m0.j1 = a1.j))";
}

bool SqlParts::is_linked(std::size_t table) const {
  for (std::size_t s = 1; s < tables(); ++s)
    if (s != table && !match_condition(std::min(s, table), std::max(s, table)).empty()) return true;
  return false;
}

// Whether a row a<table> fits all that are in a combination f, whose codes are a1, a2, ...
std::string SqlParts::fits_others(std::size_t table) const {
  std::vector<std::string> all;
  for (std::size_t s = 0; s < tables(); ++s) {
    if (s == table) continue;
    auto const condition = match_condition(std::min(s, table), std::max(s, table));
    if (condition.empty()) continue;
    all.push_back(s == 0 ? condition : "(coalesce(f.j" + number(s) + ", 0) = 0 OR (" + condition + "))");
  }
  return all.empty() ? "true" : joined(all, " AND ");
}

// Combinations f of the first `count` tables with the codes of their rows, a<but> aside.
std::string SqlParts::with_codes(std::string const& f, std::size_t count, std::size_t but) const {
  std::string text = f + " AS f JOIN jx1 AS a1 ON a1.j = f.j1";
  for (std::size_t s = 1; s < count; ++s)
    if (s != but)
      text += " LEFT JOIN jx" + number(s) + " AS a" + number(s) + " ON a" + number(s) + ".j = f.j" + number(s);
  return text;
}

// m where rows of the first table may have empty partners: table by table a row or none; where tables other than the
// first are linked, what was left out too early is sorted out at the end.
std::string SqlParts::maximal_matches() const {
  std::string sql = ", f1 AS (SELECT j AS j1 FROM jx1)", maximal = "true";
  for (std::size_t t = 1; t < tables(); ++t) {
    auto const n = number(t), before = "f" + number(t - 1);
    std::vector<std::string> fits;
    for (std::size_t s = 0; s < t; ++s) {
      auto const condition = match_condition(s, t);
      if (!condition.empty()) fits.push_back(s == 0 ? condition : "(f.j" + number(s) + " = 0 OR (" + condition + "))");
    }
    auto const condition = fits.empty() ? "true" : joined(fits, " AND ");
    sql += ", f" + n + " AS MATERIALIZED (SELECT f.*, a" + n + ".j AS j" + n + " FROM " + with_codes(before, t, t) +
           " JOIN jx" + n + " AS a" + n + " ON " + condition + " UNION ALL SELECT f.*, 0 FROM ";
    if (is_linked(t)) {
      sql += before + " AS f)";
      maximal +=
          " AND (f.j" + n + " > 0 OR NOT EXISTS (SELECT FROM jx" + n + " AS a" + n + " WHERE " + fits_others(t) + "))";
    } else {
      sql += with_codes(before, t, t) + " WHERE NOT EXISTS (SELECT FROM jx" + n + " AS a" + n + " WHERE " + condition +
             "))";
    }
  }
  return sql + ", m AS MATERIALIZED (SELECT f.* FROM " + with_codes("f" + number(tables() - 1), tables(), 0) +
         " WHERE " + maximal + ")";
}

// --- what is in y ---

// Whether a row has any of the listed values. REQUIRES: y lies in this table alone, or one value is listed.
std::string SqlParts::listed_in(std::size_t table) const {
  std::vector<std::string> any;
  for (auto const& value : q_.listed) any.push_back(value[table]);
  return "(" + joined(any, " OR ") + ")";
}

std::string SqlParts::listed_numbers(std::size_t table) const {
  if (!has_y(table)) return "NULL::int[]";
  std::string list;
  for (std::size_t i = 0; i < q_.listed.size(); ++i)
    list +=
        (i == 0 ? "" : ", ") + std::string("CASE WHEN ") + q_.listed[i][table] + " THEN " + std::to_string(i) + " END";
  return "array_remove(ARRAY[" + list + "]::int[], NULL)";
}

// --- the short cut ---

std::string SqlParts::groups(std::size_t table) const {
  auto const n = number(table), x = keys(x_[table], ", "), y = keys(y_[table], ", ");
  std::string sql = ", g" + n + " AS MATERIALIZED (";
  if (is_singly())
    return sql + "SELECT * FROM (SELECT j" + x + y + ", sum(n) AS h, sum(sum(n)) OVER (PARTITION BY j" + x +
           ") AS n FROM u" + n + " GROUP BY j" + x + y + ") AS s WHERE " + is_value(table) + ")";
  std::string count = "coalesce(sum(n) FILTER (WHERE " + (is_any_of() ? listed_in(table) : is_value(table)) + "), 0)";
  if (is_anonymity() && counts_[table] != Counts::kRows) {
    bool const persons = counts_[table] == Counts::kPersons;
    // With persons the rows of u are distinct in x, y and p: no other column was needed.
    count = persons ? "count(p) FILTER (WHERE " + is_value(table) + ")"
                    : "count(DISTINCT (" + y.substr(2) + ")) FILTER (WHERE " + is_value(table) + ")";
  }
  return sql + "SELECT j" + x + ", " + count + " AS h, sum(n) AS n FROM u" + n + " GROUP BY j" + x + ")";
}

std::string SqlParts::worst_groups(std::size_t table) const {
  auto const n = number(table);
  std::string const measure = is_anonymity() ? "h" : "div(h * " + digits_ + ", n)";
  std::string const y = is_singly() ? json_of(table, y_[table], "g") : "NULL::jsonb";
  return ", low" + n + " AS (SELECT j, " + (is_anonymity() ? "min(" : "max(") + measure + ") AS q FROM g" + n +
         " WHERE j IN (SELECT j" + n + " FROM m) GROUP BY j), e" + n +
         " AS (SELECT DISTINCT ON (j) j, h, n, w FROM (SELECT g.j, g.h, g.n, low.q, jsonb_build_object('x', " +
         json_of(table, x_[table], "g") + ", 'y', " + y + ") AS w FROM g" + n + " AS g JOIN low" + n +
         " AS low USING (j)) AS g WHERE " + measure + " = q ORDER BY j, w::text COLLATE \"C\")";
}

std::string SqlParts::any_group(std::size_t table) const {
  auto const n = number(table);
  return ", e" + n + " AS (SELECT DISTINCT ON (j) j, w FROM (SELECT d.j, jsonb_build_object('x', " +
         json_of(table, x_[table], "d") + ") AS w FROM (SELECT DISTINCT j" + keys(x_[table], ", ") + " FROM u" + n +
         ") AS d) AS d ORDER BY j, w::text COLLATE \"C\")";
}

// --- the general way ---

std::string SqlParts::reduced_matches() const {
  std::string list, names, weight = "1", from = "m";
  for (std::size_t t = 0; t < tables(); ++t) {
    auto const n = number(t);
    if (is_relevant(t)) {
      list += (list.empty() ? "m.j" : ", m.j") + n;
      continue;
    }
    from += " LEFT JOIN jx" + n + " ON jx" + n + ".j = m.j" + n;
    weight += " * coalesce(jx" + n + ".n, 1)::" + count_type_;
  }
  if (is_anonymity()) return ", mm AS MATERIALIZED (SELECT DISTINCT " + list + " FROM m)";
  return ", mm AS MATERIALIZED (SELECT " + list + ", sum(" + weight + ")::" + count_type_ + " AS w FROM " + from +
         " GROUP BY " + list + ")";
}

std::string SqlParts::rows_of(std::size_t table) const {
  auto const n = number(table);
  std::string const u = " FROM u" + n;
  std::string rows, all;
  if (!is_anonymity()) {
    rows = "SELECT x, j, y, sum(n)::" + count_type_ + " AS n" + u + " GROUP BY x, j, y";
    all = "j, y, n";
  } else if (!has_y(table) || counts_[table] == Counts::kValues) {
    rows = "SELECT DISTINCT x, j, y AS t, (y IS NOT NULL)::int::" + count_type_ + " AS w" + u;
    all = "j, t, w";
  } else if (counts_[table] == Counts::kRows) {
    rows = "SELECT x, j, dense_rank() OVER (ORDER BY j, y) AS t, (CASE WHEN y IS NULL THEN 0 ELSE sum(n) END)::" +
           count_type_ + " AS w" + u + " GROUP BY x, j, y";
    all = "j, t, w";
  } else {  // the persons of an x with one set of j are one token
    rows =
        "SELECT x, unnest(s) AS j, t, w FROM (SELECT x, s, dense_rank() OVER (ORDER BY s, y, known) AS t,"
        " (CASE WHEN known AND y IS NOT NULL THEN count(*) ELSE 0 END)::" +
        count_type_ + " AS w FROM (SELECT x, y, p IS NOT NULL AS known, array_agg(DISTINCT j ORDER BY j) AS s" + u +
        " GROUP BY x, y, p, j = 0, p IS NOT NULL) AS s GROUP BY x, y, s, known) AS s";
    all = "j, t, w";
  }
  if (x_[table].empty()) return ", v" + n + " AS MATERIALIZED (" + rows + ")";
  return ", r" + n + " AS MATERIALIZED (" + rows + "), rep" + n +
         " AS (SELECT min(x) AS x FROM (SELECT x, string_agg(concat_ws(',', " + all + "), ';' ORDER BY " + all +
         ") AS kind FROM r" + n + " GROUP BY x) AS k GROUP BY kind), v" + n + " AS MATERIALIZED (SELECT r.* FROM r" +
         n + " AS r JOIN rep" + n + " USING (x))";
}

std::string SqlParts::example(std::size_t table, std::string const& part) const {
  auto const n = number(table);
  return "(SELECT " + json_of(table, part == "x" ? x_[table] : y_[table], "u") + " FROM u" + n + " AS u WHERE u." +
         part + " = o." + part + n + " LIMIT 1)";
}

// --- what comes out ---

// Two different fractions with denominators up to N differ by 1/N^2 at least: that many digits tell them apart.
std::string SqlParts::order_by(std::string const& num, std::string const& den) const {
  return is_anonymity() ? num : "div((" + num + ") * " + digits_ + ", " + den + ") DESC";
}

std::string SqlParts::evidence(std::size_t table, std::string const& json, bool wanted) const {
  if (!wanted) return "";
  auto name = q_.tables[table].name;
  for (std::size_t t = 0; t < table; ++t)
    if (q_.tables[t].name == q_.tables[table].name) name = q_.tables[table].name + " #" + number(table);
  return " || jsonb_build_object(" + sql_literal(name) + "::text, " + json + ")";
}

std::string SqlParts::match_count() const {
  std::string product = "1::numeric", from = "m0";
  for (std::size_t t = 0; t < tables(); ++t) {
    product += " * jx" + number(t) + ".n";
    from += " JOIN jx" + number(t) + " ON jx" + number(t) + ".j = m0.j" + number(t);
  }
  return "(SELECT coalesce(sum(" + product + "), 0)::text FROM " + from + ")";
}

std::string SqlParts::dangling() const {
  std::string list;
  for (std::size_t t = 0; t < tables(); ++t)
    list += (t == 0 ? "" : ", ") + std::string("(SELECT coalesce(sum(n), 0)::text FROM jx") + number(t) +
            " AS a WHERE NOT EXISTS (SELECT FROM m0 WHERE m0.j" + number(t) + " = a.j))";
  return list;
}

std::string SqlParts::worst_json() const {
  std::string const numbers = is_anonymity() ? "'anonymity', w.num" : "'matching', w.num, 'of', w.den";
  return "CASE WHEN w.num IS NOT NULL THEN (jsonb_build_object('x', w.x, " + numbers + ")" +
         (is_singly() ? " || jsonb_build_object('y', w.y)" : "") + ")::text END";
}

std::string SqlParts::holds() const {
  auto const& limit = q_.rule.threshold;
  if (limit.empty()) return "true";
  if (is_anonymity()) return "coalesce(w.num >= " + sql_literal(limit) + "::numeric, true)";
  auto const slash = limit.find('/');
  std::string const den = slash == std::string::npos ? "1" : limit.substr(slash + 1);
  return "coalesce(w.num * " + sql_literal(den) + "::numeric <= " + sql_literal(limit.substr(0, slash)) +
         "::numeric * w.den, true)";
}

}  // namespace anon_seq::audit
