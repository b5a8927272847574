// Relations beside the ledger's cells, in one look at each: what was written in one order is still stored in it.
//
// Values are compared as they are stored, so equal rows are equal whatever their types take for equal. Rows that stand
// in another order than the cells prove nothing, and have to be compared as bags.
#pragma once

#include <optional>
#include <vector>

#include "catalog/release.h"
#include "pg/datum_cursor.h"

namespace anon_seq::release {

// Who counts something else on the same look. Only what was seen when done() is called are the rows of the relations.
class RowVisitor {
 public:
  virtual ~RowVisitor() = default;
  // `relation`: of the release; `rows` has its columns, and n of a counted one.
  virtual void visit(std::size_t relation, DatumCursor const& rows, std::size_t row) = 0;
  virtual void done() = 0;
};

// How many rows each relation shows, but for joins of others, if all of them hold what the cells say, in their order:
// rows one by one; counted ones class by class, in any order within. Nothing if they do not, or it is not to be seen
// so.
std::optional<std::vector<std::int64_t>> rows_in_step(SpiSession& session, Release const& release,
                                                      RowVisitor* visitor = nullptr);

}  // namespace anon_seq::release
