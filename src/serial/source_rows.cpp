#include "serial/source_rows.h"

#include "pg/report.h"
#include "pg/sql_text.h"
#include "release/person_key.h"

namespace anon_seq::serial {

void require_one_row_each(SpiSession& session, Policy const& policy, SourceTable const& source) {
  if (source.one_row_each) return;
  std::vector<std::string> key;
  for (auto const& column : person_columns(session, *policy.person)) key.push_back(quote_name(column));
  throw Error(Fault::kData, "a person has several rows, and a serial release is of one row per person",
              "What he was linked to is counted once a version.",
              "Publish from a view with one row each: SELECT DISTINCT ON (" + joined(key, ", ") +
                  ") ... FROM ..., or GROUP BY " + joined(key, ", ") + ".");
}

void warn_of_absent(std::int64_t absent) {
  if (absent > 0)
    warning(std::to_string(absent) + (absent == 1 ? " listed value does" : " listed values do") +
            " not occur in the source");
}

}  // namespace anon_seq::serial
