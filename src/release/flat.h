// The companion of a stable name, <target><suffix>_flat, for tools that know neither ranges nor arrays: a view with a
// row for each distinct row of the release and, in n, how many there are of it.
//
//   a range of whole numbers or dates   <column>_from, <column>_to: the first and the last value in it
//   another range                       <column>_from, <column>_below: the first value in it, the first beyond it
//   labels of a taxonomy                <column>: a text, with " or " between several
//   any other column                    <column>
//
// A missing bound, and a range that is not known, are NULL. It stands on the stable name, so that it is made once;
// where versions are stored once, on the cells that this stands on: a sum over n costs what they do.
#pragma once

#include "release/method.h"

namespace anon_seq::release {

// Whether a relation of a policy's releases has one: unless it is counted itself or joins others, or the
// policy wants none.
bool has_flat(Policy const& policy, RelationShape const& relation);

std::string flat_name(std::string const& name);  // not quoted

// Throws kName: a column of it would have the name of another, or one that is too long.
void check_flat(Policy const& policy, RelationShape const& relation);

// Makes it on top of a stable name, qualified and quoted, which is there; nothing, and a NOTICE if that is another
// relation, or a view of other columns, if something of its name is there.
void make_flat(SpiSession& session, Policy const& policy, RelationShape const& relation, std::string const& view);

// Its query over a stable name, or over cells c1, c2, .., n.
std::string select_flat(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers,
                        std::string const& view);
std::string select_flat_of_cells(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers,
                                 std::string const& cells);

// The one that stands on a stable name of the same owner, or on the same cells; qualified; "" if there is none.
// now: as this command has left them, else as the active snapshot shows them.
std::string flat_on(SpiSession& session, std::string const& view, bool now = false);

// Whether a relation of a companion's name has a companion's columns; else it is the owner's own.
bool has_columns_of_flat(SpiSession& session, std::vector<PublishedColumn> const& columns,
                         std::vector<std::size_t> const& numbers, std::string const& flat);

}  // namespace anon_seq::release
