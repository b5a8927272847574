// Columns of which one decides another: each city has one county. Exactly, in the rows at hand; NULL is a value.
#pragma once

#include <span>
#include <vector>

#include "core/base/checkpoint.h"
#include "core/table/table.h"

namespace anon_seq {

struct Dependency {
  std::size_t from = 0, to = 0;  // each value of column `from` stands with one value of column `to`
  bool operator==(Dependency const&) const = default;
};

// Those among some columns that say something: `to` has two values or more, `from` at least as many, the rows at
// least twice as many as `from`; of two columns that decide each other only the first one's is named. Fewer than 50
// rows say nothing. Cost: columns times rows, and a pass over the rows for each that is found; other pairs end at their
// first contradiction.
std::vector<Dependency> functional_dependencies(CodedTable const& table, std::span<std::size_t const> columns,
                                                Checkpoint& checkpoint);

}  // namespace anon_seq
