// A sensible first taxonomy for a column, as JSON that a person edits and create_taxonomy takes.
//
// Few distinct texts: flat, below ANY. Codes that share beginnings: prefixes, at lengths where their parts end, or
// where the number of groups drops. Numbers: round half-open intervals, the finest about a twentieth of the span
// between the 5th and the 95th percentile, over a domain rounded outward so that no bound is a value of the source, but
// 0 where nothing is negative. Dates: calendar units, also of texts in ISO form. Nothing here is secret from whoever
// may read the column, but the bounds of numbers are made so that they can be published.
#pragma once

#include <cstdint>
#include <string>

#include "core/table/table.h"

namespace anon_seq {

inline constexpr Code kMaxSuggestedLeaves = 200;

struct Suggestion {
  std::string json;
  std::string note, hint;  // what a person should know of the column; empty: nothing
  std::string cast;        // the SQL type that all its texts may be read as; empty: none
};

// `counts[code]` is how often a value occurs. Throws kData if the column has no values, kParameter if
// nothing sensible can be said: too many values without a common structure, or nearly all distinct.
Suggestion suggest_taxonomy(Column const& column, Vector<std::int64_t> const& counts);

// A value is listed among the most frequent only if so many rows have it: whoever reads a taxonomy learns its values.
inline constexpr std::int64_t kFewestOfListed = 10;

struct FrequentValues {
  std::string json;   // a flat tree of them, and of the label for all others
  std::string other;  // that label: OTHER, unless a value is called so
  std::int64_t listed = 0;
};

// The `most` most frequent texts, of equally frequent ones the first. Throws kType for what lies on a line, kParameter
// if no value is frequent.
FrequentValues frequent_values(Column const& column, Vector<std::int64_t> const& counts, std::int64_t most);

}  // namespace anon_seq
