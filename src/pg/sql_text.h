// SQL as one reads it: a raw string with named places, filled once.
//
//   session.execute(sql_text(R"(
//     SELECT {columns}
//     FROM {cells} AS c
//     WHERE c.version = $1)", {{"columns", columns}, {"cells", ledger_table(ledger, "cell")}}), {version});
//
// A place is {name}: a lower-case letter, then lower-case letters, digits and _. Every other brace is SQL's own: '{}'
// and
// '{"a": 1}' and '{1,2}' stand as they are, and what a place is filled with is not looked at again. A place quotes
// nothing: it takes SQL, names by quote_name(), literals by sql_literal(); values travel as parameters.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace anon_seq::pg {

struct SqlPlace {
  std::string_view name, text;
};

// The text with every place filled, in one pass. Throws kInternal for a place that is not given, and for one given that
// the text does not have.
std::string sql_text(std::string_view text, std::initializer_list<SqlPlace> places);

// The parts with `between` between them: a list of columns, a condition, common table expressions.
std::string joined(std::vector<std::string> const& parts, std::string_view between);

}  // namespace anon_seq::pg
