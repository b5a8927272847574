// Relations whose rows stand in groups, as sources of a breach audit.
#pragma once

#include "audit/group_history.h"

namespace anon_seq::audit {

// What rows of one group have in common, as SQL: the text of these columns, which are SQL; NULL only of a single one.
std::string group_text(std::vector<std::string> const& columns);

// The text of a value or key, the same for numbers that are equal; `type` is that of the column, as SQL.
std::string plain_text(std::string const& column, std::string const& type);

// One for each relation: rows that show the same in all of `group` are in one group; rows without a person count there.
// Throws kNoColumn for a column that is missing, kParameter for a relation named twice.
std::vector<GroupSource> relation_groups(SpiSession& session, std::vector<Oid> const& relations,
                                         std::vector<std::string> const& group, std::string const& person,
                                         std::string const& sensitive);

}  // namespace anon_seq::audit
