#include "audit/text_intervals.h"

#include <map>

#include "audit/match.h"
#include "core/text/interval_text.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

struct TextColumn {
  AuditTable const* table;
  AuditColumn* column;
};

// The columns of one attribute.
struct Shown {
  std::vector<TextColumn> texts;
  std::size_t columns = 0;
  bool labels = false, ranges = false;
};

bool is_text(AuditColumn const& column) {
  return column.type == "text" || column.type == "name" || column.type == "character" || column.type == "bpchar" ||
         column.type.starts_with("character");
}

struct Texts {
  std::size_t intervals = 0, numbers = 0, others = 0;
};

// The distinct texts of a column; or those of a few rows.
Texts count_texts(SpiSession& session, TextColumn const& of, bool few) {
  auto const sql = sql_text("SELECT {distinct}q.{column}::text FROM {table} WHERE q.{column} IS NOT NULL{limit}",
                            {{"distinct", few ? "" : "DISTINCT "},
                             {"column", quote_name(of.column->name)},
                             {"table", from_table(*of.table)},
                             {"limit", few ? " LIMIT 50" : ""}});
  auto const rows = read_rows(session, sql, {}, relation_text(*of.table));
  Texts found;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto const text = rows.get(row, 1);
    bool const read = text == "ANY" || interval_or_point(text).has_value();
    ++(!read ? found.others : text.find_first_of("[](*A") == std::string::npos ? found.numbers : found.intervals);
  }
  return found;
}

std::map<std::string, Shown> shown_of(std::vector<AuditTable>& tables) {
  std::map<std::string, Shown> attributes;
  for (auto& table : tables)
    for (auto& column : table.columns) {
      if (column.attribute.empty()) continue;
      auto& attribute = attributes[column.attribute];
      ++attribute.columns;
      attribute.labels |= !column.taxonomy.empty();
      attribute.ranges |= column.interval || is_range_type(column.type);
      if (is_text(column)) attribute.texts.push_back({&table, &column});
    }
  return attributes;
}

void require_intervals(SpiSession& session, TextColumn const& of) {
  auto const found = count_texts(session, of, false);
  if (found.others == 0) return;
  throw Error(
      Fault::kData,
      "column " + quoted(of.column->name) + " of " + relation_text(*of.table) + " has values that are no intervals",
      std::to_string(found.others) + (found.others == 1 ? " distinct value." : " distinct values."),
      "Intervals are written as [20,30), [20, 30[, [20-30] or *, and numbers as themselves.");
}

bool are_intervals(SpiSession& session, Shown const& attribute) {
  bool some = attribute.ranges;
  for (auto const& of : attribute.texts)
    if (!of.column->interval && count_texts(session, of, true).others > 0) return false;
  for (auto const& of : attribute.texts) {
    if (of.column->interval) continue;
    auto const found = count_texts(session, of, false);
    if (found.others > 0) return false;
    some |= found.intervals > 0;
  }
  return some;
}

}  // namespace

void find_text_intervals(SpiSession& session, std::vector<AuditTable>& tables) {
  for (auto const& [name, attribute] : shown_of(tables)) {
    for (auto const& of : attribute.texts)
      if (of.column->interval) require_intervals(session, of);
    if (attribute.columns < 2 || attribute.labels || attribute.texts.empty() || !are_intervals(session, attribute))
      continue;
    for (auto const& of : attribute.texts) of.column->interval = true;
  }
}

std::string interval_expression(std::string const& column, std::string const& root) {
  // [20-30] and [20;30] as [20,30]
  auto const text = sql_text(
      R"(regexp_replace(translate(btrim({column}::text), ';', ','), '^([][(]) *(-?[0-9.]+) *- *(-?[0-9.]+) *([][)])$', '\1\2,\3\4'))",
      {{"column", column}});
  auto const bound = [&](char const* which) {
    return sql_text("nullif(btrim(split_part(translate({text}, '[]()', ''), ',', {which})), '')::numeric",
                    {{"text", "i.t"}, {"which", which}});
  };
  return sql_text(R"(
  (SELECT CASE WHEN i.t IN ('*', 'ANY'{root}) THEN '(,)'::numrange
               WHEN i.t LIKE '%,%' THEN
                 numrange({lower}, {upper},
                          CASE left(i.t, 1) WHEN '[' THEN '[' ELSE '(' END || CASE right(i.t, 1) WHEN ']' THEN ']' ELSE ')' END)
               WHEN i.t IS NOT NULL THEN numrange(i.t::numeric, i.t::numeric, '[]') END
   FROM (SELECT {text}) AS i (t)))",
                  {{"text", text},
                   {"root", root.empty() ? "" : ", " + sql_literal(root)},
                   {"lower", bound("1")},
                   {"upper", bound("2")}});
}

}  // namespace anon_seq::audit
