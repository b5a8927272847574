// What the algorithms of a lossy join make: a class for every row, and the proof that a reader of the code learns no
// more.
//
// **The one rule** (doc/semantics.md, the reader who knows the code): every node whose sensitive counts a decision read
// is a union of classes of this same release. Then all arrangements of the sensitive values inside the classes make the
// algorithm do the same, and the chance that a person has a value is its share of the person's class, exactly. The
// algorithms keep the nodes they tested, and seal() asserts the rule.
#pragma once

#include "core/lossy/draws.h"
#include "core/lossy/quasi_rows.h"
#include "core/lossy/tally.h"
#include "core/table/classes.h"

namespace anon_seq {

struct Grouping {
  Vector<std::uint32_t> rows;  // place -> row
  Vector<ClassId> classes;     // place -> class, in the order in which they were made
  ClassId count = 0;
  Vector<Part> tested;  // nodes whose sensitive counts were read
};

// Throws kInternal unless every tested node is a union of classes. Cost: linear.
void check_one_rule(Grouping const& grouping);

// Throws kInternal unless every class has k rows and each bound at most its share in it: counted again, from the rows.
void check_classes(Sensitive const& sensitive, Grouping const& grouping, std::int64_t k, Checkpoint& checkpoint);

// Numbers the classes afresh at random: old id -> new id.
Vector<ClassId> renumber(Grouping& grouping, Draws& draws, Checkpoint& checkpoint);

// row -> class, without regions. rows: of the table, if some of them are in no class.
Classes bare_classes(Grouping const& grouping, std::size_t rows = 0);

}  // namespace anon_seq
