#include "sequential/unknown_values.h"

#include <algorithm>

#include "core/text/some_of.h"
//
#include "release/left_out.h"

namespace anon_seq::sequential {
namespace {

// Marks the rows of a column whose value its taxonomy does not know; tells of them if there are any.
void mark_unknown(SpiSession& session, Oid relation, Checkpoint& checkpoint, PublishedColumn const& ours,
                  Column const& column, CodedTable const& table, TaxonomyPool& pool, Vector<char>& out, LeftOut& left) {
  Vector<char> unknown(static_cast<std::size_t>(column.distinct()), 0);
  std::int64_t values = 0, rows = 0;
  for (Code code = 1; code < column.distinct(); ++code) {
    checkpoint.tick();
    if (pool.knows(ours.taxonomy, column.values[code])) continue;
    unknown[static_cast<std::size_t>(code)] = 1;
    ++values;
  }
  if (values == 0) return;
  for (std::size_t row = 0; row < out.size(); ++row) {
    if (unknown[static_cast<std::size_t>(column.codes[row])] == 0) continue;
    out[row] = 1;
    rows += table.weight(row);
  }
  Misfits const misfits(ours.column, ours.taxonomy, values,
                        pool.is_open(ours.taxonomy) ? "not of the form" : "no part");
  left.columns.push_back(quoted(ours.column));
  left.notices.push_back({std::to_string(rows) + (rows == 1 ? " row is" : " rows are") + " left out, as " +
                              std::to_string(values) + (values == 1 ? " value" : " values") + " of column " +
                              quoted(ours.column) + (values == 1 ? " is " : " are ") + misfits.what + " of taxonomy " +
                              quoted(ours.taxonomy),
                          misfits.about(session, qualified_name(relation)).hint()});
}

}  // namespace

LeftOut leave_unknown_out(SpiSession& session, Policy const& policy, PolicySource const& from, SourceTable& source,
                          Checkpoint& checkpoint) {
  LeftOut left;
  TaxonomyPool pool(session, checkpoint);
  Vector<char> out(source.table.rows(), 0);
  for (auto const& ours : policy.columns)
    if (ours.is_quasi() && !ours.taxonomy.empty())
      mark_unknown(session, from.relation, checkpoint, ours, source.table.columns[source.column(ours.column)],
                   source.table, pool, out, left);
  for (std::size_t row = 0; row < out.size(); ++row) left.rows += out[row] != 0 ? source.table.weight(row) : 0;
  if (left.rows == 0) return left;
  if (std::find(out.begin(), out.end(), 0) == out.end())
    throw Error(Fault::kData, "every row of the source has a value that is no part of its taxonomy", "",
                left.notices.front().hint);
  leave_out(source, out, checkpoint);
  if (left.notices.size() > 1)
    left.notices = {{std::to_string(left.rows) + " rows are left out, as they have values of columns " +
                         some_of(left.columns) + " that are unknown to their taxonomies",
                     left.notices.front().hint}};
  return left;
}

}  // namespace anon_seq::sequential
