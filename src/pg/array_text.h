// Arrays: literals, element by element, as array_out writes them; and datums.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pg/guard.h"

namespace anon_seq::pg {

// Appends an element to a literal that begins with '{' and is to end with '}'.
void append_element(std::string& array, std::string_view text);
void append_null_element(std::string& array);
void append_element(std::string& array, std::int64_t number);

// text[] and int4[] datums in the current memory context.
Datum text_array(std::vector<std::string_view> const& texts);
Datum integer_array(std::vector<std::int32_t> const& numbers);

}  // namespace anon_seq::pg
