// What texts look like that were meant as something else: numbers and dates, in a column of text.
//
// It is a guess that a person is told, so nine in ten of the distinct values are enough. Codes are no numbers: digits
// of one length, or with zeros before them. Dates in ISO form are told apart, if all are: date taxonomies read them.
#pragma once

#include "core/table/table.h"

namespace anon_seq {

enum class TextLook { kText, kNumbers, kDates, kIsoDates };

inline constexpr std::size_t kIsoDay = 10;  // bytes of 2024-03-15

TextLook look_of(Column const& column);

// The year of a date in ISO form.
double year_of(std::string_view date);

}  // namespace anon_seq
