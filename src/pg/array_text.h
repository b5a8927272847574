// Array literals, element by element, as array_out writes them.
#pragma once

#include <string>
#include <string_view>

namespace anon_seq::pg {

// Appends an element to a literal that begins with '{' and is to end with '}'.
void append_element(std::string& array, std::string_view text);
void append_null_element(std::string& array);
void append_element(std::string& array, std::int64_t number);

}  // namespace anon_seq::pg
