// A release before it is written: counted cells in the total order of their released values.
//
// A cell is what a reader can tell apart: a class, and the values that are published as they are. Texts are
// those of the published types' output functions under the pinned settings.
#pragma once

#include <functional>

#include "core/table/classes.h"
#include "core/table/table.h"
//
#include "catalog/release.h"
#include "release/source_table.h"

namespace anon_seq::release {

// A relation of each version of a policy, before it is made.
struct RelationShape {
  std::string suffix = {};
  std::vector<std::size_t> columns = {};  // c<i> of the cells, from 1
  bool counted = false;                   // see ReleaseRelation
  RelationForm form = RelationForm::kCopied;
  std::string more = {};     // a last column that is none of the policy's; empty: none
  std::string row_for = {};  // what each row stands for, in words; empty: a row of the source

  bool is_joined() const { return form == RelationForm::kJoined; }
  bool is_shared() const { return form == RelationForm::kShared; }
};

// What the catalog knows of a version's cells.
struct CellCounts {
  std::int64_t published = 0, withheld = 0, smallest_class = 0;
  std::int64_t classes = 0;
};

struct ReleaseCells : CellCounts {
  static constexpr Code kNullText = kNull;  // texts[kNull] stands for NULL

  std::size_t width = 0;          // published columns
  std::vector<Dictionary> texts;  // per column: code -> text; code 0 is NULL
  Vector<Code> values;            // cell * width + column -> code
  Vector<std::int64_t> counts;    // rows of each cell
  Vector<std::int32_t> cell_of;   // row of the source -> cell, -1 withheld

  std::size_t size() const { return counts.size(); }
};

// What a class shows in a quasi column; nullopt is NULL.
using ShownText = std::function<std::optional<std::string> const&(std::size_t of_class, std::size_t column)>;

// Published columns that are not quasi columns come from the source, those too if `shown` is empty. Cells ascend by
// class, then by what comes from the source, sensitive columns last: what is shown without them, in the order of cells,
// does not follow them.
ReleaseCells make_cells(SourceTable const& source, Policy const& policy, Classes const& classes, ShownText const& shown,
                        Checkpoint& checkpoint);

// Writes cells and, where the source has a person key, persons into the ledger.
void write_cells(SpiSession& session, Policy const& policy, SourceTable const& source, ReleaseCells const& cells,
                 Checkpoint& checkpoint);

}  // namespace anon_seq::release
