// Types whose values lie on a line, by their SQL names: numbers, dates, timestamps, and ranges of them.
//
// What is compared by its place must lie on one line: a date and a number are places too, and mean nothing together.
#pragma once

#include <string>
#include <string_view>

#include "core/table/table.h"

namespace anon_seq::pg {

enum class Line { kNone, kNumbers, kDates, kTimestamps, kTimestampsTz };

Line line_of(ValueKind kind);

// Of a type as format_type prints it, with or without a modifier; of a range the line of its elements.
Line line_of(std::string_view type);

// Whether it is one of the server's range types.
bool is_range_type(std::string_view type);

// The range type that shows a value of such a type; of a range itself.
std::string range_of(std::string_view type);

// Of a range type: the type of its elements as SQL, a lower bound that says no more than "known", and what kind of
// values it is made of.
std::string element_of(std::string_view range);
std::string least_of(std::string_view range);
ValueKind kind_of(std::string_view range);

// Throws kType: an attribute is on two lines, or on a line here and not there.
[[noreturn]] void throw_not_comparable(std::string const& attribute);

// Throws kParameter: an attribute is shown in labels of two taxonomies.
[[noreturn]] void throw_two_taxonomies(std::string const& attribute, std::string const& one, std::string const& other);

}  // namespace anon_seq::pg
