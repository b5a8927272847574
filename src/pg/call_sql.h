// Statements of ours on their way through SPI: an ERROR that one meets does not show it.
//
// SPI adds the text of the statement to an ERROR, as a line of the context, or as the query that a position is of. For
// the caller that is noise: pages of SQL that nobody asked for, below a message that is plain. What else the context
// has stays, such as the caller's own functions; reading.h takes out more. An internal error keeps all, for who
// looks for the fault.
#pragma once

#include "pg/settings.h"

namespace anon_seq::pg {

// Takes the statement out of the context of an ERROR, unless that is an internal error.
void hide_statement(ErrorData& error, char const* sql);

// call_contained() for a body that has SPI plan or run the statement.
template <class Body>
void call_sql(char const* sql, Body body) {
  try {
    call_contained(body);
  } catch (PgError const& error) {
    hide_statement(*error.data, sql);
    throw;
  }
}

}  // namespace anon_seq::pg
