// Intervals as other tools write them: "[20, 30[", "[20,30)", "]20, 30]", "*".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace anon_seq {

// PostgreSQL's form of a numeric interval: "[20,30)"; "(,)" for "*". Nothing if the text is none.
std::optional<std::string> interval_text(std::string_view text);

}  // namespace anon_seq
