// The parameters of create_..._policy(), by the methods that have them.
#pragma once

#include <string>
#include <string_view>

namespace anon_seq::release {

// The functions that have a parameter of that name, in words; "" if there are none.
std::string functions_with(std::string_view parameter);

}  // namespace anon_seq::release
