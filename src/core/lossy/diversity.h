// What classes leave open about a sensitive value, by the measures of the field: from counts alone.
//
// l-diversity (Machanavajjhala et al., TKDD 2007), t-closeness (Li et al., ICDE 2007), beta-likeness (Cao, Karras, VLDB
// 2012), delta-disclosure (Brickell, Shmatikov, KDD 2008), (alpha,k)-anonymity (Wong et al., KDD 2006). p is the share
// of a value in the whole table, q its share in a class.
#pragma once

#include <optional>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"
#include "core/table/dictionary.h"

namespace anon_seq {

// How many rows of each class have which value. Entries [begins[c], begins[c + 1]) are class c's: at least one, each
// value once, its count positive. Values are 0, 1, ..., and each occurs.
struct ValueCells {
  Vector<std::size_t> begins;
  Vector<Code> values;
  Vector<std::int64_t> counts;

  std::size_t classes() const { return begins.empty() ? 0 : begins.size() - 1; }
};

struct Diversity {
  std::int64_t classes = 0, values = 0;
  std::int64_t smallest = 0;                // k: rows of the smallest class
  std::int64_t fewest = 0;                  // l: the fewest distinct values of a class
  std::optional<std::int64_t> recursive_c;  // the least whole c of recursive (c,l)-diversity; none where l is 1
  // None of these means anything without a class.
  double entropy_l = 0;      // exp of the least entropy
  double t = 0;              // the largest earth mover's distance of a class from the whole
  double alpha = 0;          // the largest q
  double beta = 0;           // the largest (q - p) / p
  double enhanced_beta = 0;  // the same, infinite if (q - p) / p is more than -ln p anywhere: no beta will do
  double delta = 0;          // the largest |ln(q / p)| of the values that a class has
};

// `on_a_line`: values stand in order, at equal distances, and the farthest are 1 apart; else any two are 1 apart.
// Throws kLimit if the counts do not fit in 64 bits. Cost: a sort of the cells of each class.
Diversity diversity_of(ValueCells const& cells, bool on_a_line, Checkpoint& checkpoint);

}  // namespace anon_seq
