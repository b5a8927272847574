// read_line() of published_column.h: the server compares the bounds, we count them.
//
// A cut lies just below or just above a bound: (v, 0) or (v, 1). Cuts are numbered 1, 2, ...; piece 1 lies below
// the first, piece i + 1 above cut i, and piece 0 is the unknown value.
#include <algorithm>
#include <map>
#include <memory>

#include "core/attack/line_printer.h"
#include "core/text/interval_text.h"
//
#include "audit/published_column.h"
#include "pg/array_text.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::audit {
namespace {

constexpr char kLeastNarrow[] = "-2147483648", kLeastWide[] = "-9223372036854775808";

// The range type that holds what all columns of an attribute say.
struct Line {
  std::string range, element;
  std::string least;  // the lower bound that means, with no upper one: all but the unknown value
};

bool is_wide(ColumnForm const& form) { return form.type == "bigint" || form.type.starts_with("int8"); }

Line line_of(std::string const& attribute, std::vector<PublishedValues> const& columns) {
  auto const kind = [](PublishedValues const& column) {  // numbers are on one line, and so are texts of intervals
    Family const family = column.form.family;
    return family == Family::kText || family == Family::kNumeric ? Family::kWhole : family;
  };
  PublishedValues const* first = nullptr;
  bool numeric = false, wide = false;
  for (auto const& column : columns) {
    if (column.values == nullptr) continue;
    if (first == nullptr) first = &column;
    numeric = numeric || column.form.family == Family::kNumeric || column.form.family == Family::kText;
    wide = wide || is_wide(column.form);
    if (kind(column) != kind(*first))
      throw Error(Fault::kType,
                  "attribute " + quoted(attribute) + " has type " + first->form.type + " in relation " +
                      first->relation + " and type " + column.form.type + " in relation " + column.relation,
                  "Their values lie on different lines.", "Cast one of them in a view.");
  }
  if (numeric) return {"numrange", "numeric", "-infinity"};
  switch (first->form.family) {
    case Family::kDate: return {"daterange", "date", "-infinity"};
    case Family::kTimestamp: return {"tsrange", "timestamp", "-infinity"};
    case Family::kTimestampTz: return {"tstzrange", "timestamptz", "-infinity"};
    default: return {"int8range", "bigint", wide ? kLeastWide : kLeastNarrow};
  }
}

// Distinct texts of one source type; the values of all types are numbered through.
struct Texts {
  bool interval = false;  // of other tools: respelled
  ColumnForm form;
  Dictionary texts;
  std::int32_t first = 0;  // number of the first
};

// The values t of one source type, and their parts x, out of arrays $n, $n+1 of their numbers and texts.
std::string values_of(Texts const& source, int parameter) {
  auto const values = sql_text("unnest(${numbers}::int[], ${texts}::text[]) AS u (i, t)",
                               {{"numbers", std::to_string(parameter)}, {"texts", std::to_string(parameter + 1)}});
  if (source.form.shape == Shape::kPoint) return values;
  std::string const value = "u.t::" + source.form.type;
  return values + "\n  CROSS JOIN LATERAL " +
         (source.form.shape == Shape::kRange ? "(SELECT " + value + ")" : "unnest(" + value + ")") + " AS m (x)";
}

// A value as a range of the line.
std::string range_of(Texts const& source, Line const& line) {
  if (source.interval) return "u.t::numrange";
  if (source.form.shape == Shape::kPoint && line.range == "int8range")  // the greatest integer has no next one
    return sql_text("int8range(u.t::{type}::{element}, nullif(u.t::{type}::{element}, 9223372036854775807) + 1)",
                    {{"type", source.form.type}, {"element", line.element}});
  if (source.form.shape == Shape::kPoint)
    return sql_text("{range}(u.t::{element}, u.t::{element}, '[]')",
                    {{"range", line.range}, {"element", line.element}});
  if (source.form.family != Family::kWhole) return "x";
  return sql_text("CASE WHEN isempty(x) THEN 'empty' ELSE {range}(lower(x)::{element}, upper(x)::{element}) END",
                  {{"range", line.range}, {"element", line.element}});
}

// Whether a value without bounds is not the unknown one, as other tools may say it by a least lower bound.
std::string is_known(Texts const& source) {
  if (source.interval || source.form.shape == Shape::kPoint) return "false";
  std::string const least = source.form.family != Family::kWhole ? "-infinity"
                            : is_wide(source.form)               ? kLeastWide
                                                                 : kLeastNarrow;
  return sql_text("coalesce(lower_inc(x) AND lower(x) = '{least}', false)", {{"least", least}});
}

// SELECT i, r, known of one source type: its values as ranges of the line.
std::string ranges_of(Texts const& source, Line const& line, int parameter) {
  return sql_text(
      R"(
  SELECT u.i, {range}, {known}
  FROM {values})",
      {{"range", range_of(source, line)}, {"known", is_known(source)}, {"values", values_of(source, parameter)}});
}

// The parts of the values, their first and last pieces, and the cuts by their numbers.
std::string cuts_query(std::string const& ranges, Line const& line) {
  return sql_text(R"(
WITH v (i, r, known) AS MATERIALIZED ({ranges}
),
b AS MATERIALIZED (
  SELECT i, known,
         CASE WHEN NOT known THEN lower(r) END AS l, CASE WHEN lower_inc(r) THEN 0 ELSE 1 END AS le,
         upper(r) AS u, CASE WHEN upper_inc(r) THEN 1 ELSE 0 END AS ue
  FROM v
  WHERE NOT isempty(r)
),
c AS MATERIALIZED (
  SELECT v, e, row_number() OVER (ORDER BY v, e) AS k
  FROM (
    SELECT l AS v, le AS e FROM b WHERE l IS NOT NULL
    UNION
    SELECT u, ue FROM b WHERE u IS NOT NULL
  ) AS d
)
SELECT b.i,
       CASE WHEN b.l IS NOT NULL THEN f.k + 1 WHEN b.known OR b.u IS NOT NULL THEN 1 ELSE 0 END,
       CASE WHEN b.u IS NULL THEN (SELECT count(*) FROM c) + 1 ELSE s.k END,
       NULL
FROM b
LEFT JOIN c AS f ON f.v = b.l AND f.e = b.le
LEFT JOIN c AS s ON s.v = b.u AND s.e = b.ue
UNION ALL
SELECT NULL, e, k, {shown}
FROM c)",
                  {{"ranges", ranges}, {"shown", line.range == "numrange" ? "trim_scale(v)::text" : "v::text"}});
}

// A part of the value with this number.
struct Part {
  std::int32_t number;
  PieceRun run;
};

// Asks the server for the parts of all values, in the order of their numbers, and tells the printer the cuts.
Vector<Part> read_parts(SpiSession& session, std::string const& attribute, Line const& line,
                        std::map<std::string, Texts> const& sources, LinePrinter& printer) {
  std::string query;
  std::vector<SqlValue> parameters;
  for (auto const& [type, source] : sources) {
    std::vector<std::int32_t> numbers;
    std::vector<std::string_view> texts;
    for (Code code = 0; code < source.texts.size(); ++code) {
      numbers.push_back(source.first + code);
      texts.push_back(source.texts[code]);
    }
    if (!query.empty()) query += "\n  UNION ALL";
    query += ranges_of(source, line, static_cast<int>(parameters.size()) + 1);
    parameters.push_back(SqlValue::datum(INT4ARRAYOID, integer_array(numbers)));
    parameters.push_back(SqlValue::datum(TEXTARRAYOID, text_array(texts)));
  }
  auto const planning = Settings::for_counting();
  auto const rows = read_rows(session, cuts_query(query, line), parameters, "attribute " + quoted(attribute));
  Vector<Part> parts;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    if (auto const number = rows.integer_or_null(row, 1))
      parts.push_back({static_cast<std::int32_t>(*number), {rows.int32(row, 2), rows.int32(row, 3)}});
    else
      printer.set_cut(static_cast<std::size_t>(rows.integer(row, 3)), rows.get(row, 4), rows.get(row, 2) == "1");
  }
  std::sort(parts.begin(), parts.end(), [](Part const& a, Part const& b) { return a.number < b.number; });
  return parts;
}

// The text of a value as the server is given it.
std::string asked(PublishedValues const& column, Code code) {
  auto const text = column.values->values[code];
  if (column.form.family != Family::kText) return std::string(text);
  auto respelled = interval_or_point(text);
  if (!respelled)
    throw Error(Fault::kData, "column " + quoted(column.column) + " of relation " + column.relation +
                                  " has values that are no intervals");
  return *respelled;
}

}  // namespace

AttributeSets read_line(SpiSession& session, std::string const& attribute, std::vector<PublishedValues> const& columns,
                        ValueSets& sets) {
  Line const line = line_of(attribute, columns);
  std::map<std::string, Texts> sources;
  auto printer = std::make_shared<LinePrinter>(sets, line.least);
  for (auto const& column : columns) {
    if (column.values == nullptr) continue;
    auto& source = sources[column.form.type];
    source.form = column.form;
    source.interval = column.form.family == Family::kText;
    for (Code code = 1; code < column.values->distinct(); ++code) {
      source.texts.intern(asked(column, code));
      auto const text = column.values->values[code];
      if (source.interval && text.starts_with("[") && text.find_first_of(",;") == std::string_view::npos)
        printer->use_hyphens();
    }
  }
  std::int32_t values = 0;
  for (auto& [type, source] : sources) {
    source.first = values;
    values += source.texts.size();
  }
  auto const parts = read_parts(session, attribute, line, sources, *printer);
  Vector<SetId> set_of(static_cast<std::size_t>(values), kNothing);
  Vector<PieceRun> runs;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    runs.push_back(parts[i].run);
    if (i + 1 < parts.size() && parts[i + 1].number == parts[i].number) continue;
    set_of[static_cast<std::size_t>(parts[i].number)] = sets.add(runs);
    runs.clear();
  }

  AttributeSets found;
  for (auto const& column : columns) {
    auto& of = found.of.emplace_back();
    if (column.values == nullptr) continue;
    auto const& source = sources[column.form.type];
    of.push_back(sets.add({kUnknownPiece, kUnknownPiece}));
    for (Code code = 1; code < column.values->distinct(); ++code) {
      of.push_back(set_of[static_cast<std::size_t>(source.first + source.texts.find(asked(column, code)))]);
      printer->publish(of.back(), column.values->values[code]);
    }
  }
  found.as_json = [printer](SetId set) { return printer->json(set); };
  return found;
}

}  // namespace anon_seq::audit
