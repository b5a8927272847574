#include "pg/no_column.h"

#include "core/text/nearest.h"
//
#include "pg/reading.h"

namespace anon_seq::pg {

NoColumn::NoColumn(SpiSession& session, Oid relation, std::string const& column)
    : Error(Fault::kNoColumn,
            "column " + quoted(column) + " of relation " + qualified_name(relation) + " does not exist", "",
            perhaps(column, column_names(session, relation))),
      column_(column) {}

}  // namespace anon_seq::pg
