// Intervals as other tools write them: "[20, 30[", "[20,30)", "]20, 30]", "[20-30]", "*".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace anon_seq {

// PostgreSQL's form of a numeric interval: "[20,30)"; "(,)" for "*". Nothing if the text is none.
std::optional<std::string> interval_text(std::string_view text);

// The same, and a plain number as the interval of that one point: "[48,48]" for "48".
std::optional<std::string> interval_or_point(std::string_view text);

}  // namespace anon_seq
