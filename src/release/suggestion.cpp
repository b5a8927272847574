#include "release/suggestion.h"

#include "pg/acting_as.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "pg/value_type.h"

namespace anon_seq::release {
namespace {

// Throws kType if a column cannot be read; by itself, GROUP BY would complain about json in its own words.
void require_readable(Oid relation, std::string const& column) {
  Oid type = InvalidOid, collation = InvalidOid;
  std::int32_t typmod = -1;
  char const* const name = column.c_str();
  call_pg([&]() noexcept { get_atttypetypmodcoll(relation, get_attnum(relation, name), &type, &typmod, &collation); });
  value_type_of(type, column);
  require_plain_equality(type, collation, column);
}

struct CountedColumn {
  Column column;
  Vector<std::int64_t> counts;  // code -> rows; of NULL none
};

CountedColumn read_column(SpiSession& session, Oid source, std::string const& attribute, Checkpoint& checkpoint) {
  lock_source(session, source, {&attribute, 1});  // says if it is missing
  require_readable(source, attribute);
  ActingAs const owner(reader_of(session, source));
  RowReader reader(session,
                   sql_text("SELECT s.{column}, pg_catalog.count(*) AS anon_seq_n FROM {source} AS s"
                            " WHERE s.{column} IS NOT NULL GROUP BY 1",
                            {{"column", quote_name(attribute)}, {"source", qualified_name(source)}}),
                   "relation " + qualified_name(source), "anon_seq_n");
  CodedTable table = reader.finish(checkpoint);
  CountedColumn read{std::move(table.columns[0]), {}};
  read.counts.assign(static_cast<std::size_t>(read.column.distinct()), 0);
  for (std::size_t row = 0; row < read.column.codes.size(); ++row)
    read.counts[static_cast<std::size_t>(read.column.codes[row])] += table.weight(row);
  return read;
}

// A view of the source, in the first schema of who makes it, that shows one column as an expression.
std::string view_with(SpiSession& session, Oid source, std::string const& attribute, std::string const& expression) {
  std::vector<std::string> columns;
  for (auto const& name : column_names(session, source))
    columns.push_back(name == attribute ? expression + " AS " + quote_name(name) : quote_name(name));
  auto const relation = split_name(qualified_name(source)).second;
  return "CREATE VIEW " + quote_name(relation + " view") + " AS SELECT " + joined(columns, ", ") + " FROM " +
         qualified_name(source) + ";";
}

}  // namespace

Suggestion suggest(SpiSession& session, Oid source, std::string const& attribute, Checkpoint& checkpoint) {
  auto const read = read_column(session, source, attribute, checkpoint);
  auto suggestion = suggest_taxonomy(read.column, read.counts);
  if (!suggestion.cast.empty())
    suggestion.hint += " " + view_with(session, source, attribute, quote_name(attribute) + "::" + suggestion.cast);
  return suggestion;
}

Suggestion suggest_frequent(SpiSession& session, Oid source, std::string const& attribute, std::int64_t most,
                            Checkpoint& checkpoint) {
  auto const read = read_column(session, source, attribute, checkpoint);
  auto const frequent = frequent_values(read.column, read.counts, most);
  auto const expression = sql_text(
      "CASE WHEN {column} IS NULL OR {column}::text IN (SELECT value FROM anon_seq.taxonomy_tree({taxonomy})"
      " WHERE parent IS NOT NULL) THEN {column}::text ELSE {other} END",
      {{"column", quote_name(attribute)},
       {"taxonomy", sql_literal(attribute)},
       {"other", sql_literal(frequent.other)}});
  return {frequent.json,
          std::to_string(frequent.listed) + (frequent.listed == 1 ? " value" : " values") + " of column " +
              quoted(attribute) + " have " + std::to_string(kFewestOfListed) + " rows or more each and are listed; " +
              quoted(frequent.other) + " stands for all others",
          "Once it is made as taxonomy " + quoted(attribute) +
              ", publish from a view that has that for them: " + view_with(session, source, attribute, expression),
          {}};
}

}  // namespace anon_seq::release
