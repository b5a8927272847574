// What a person is told though it stops nothing.
#pragma once

#include <string>
#include <vector>

#include "pg/guard.h"

namespace anon_seq::pg {

void notice(std::string const& text, std::string const& hint = {});
void warning(std::string const& text, std::string const& hint = {});

// What was told since forget_said(), by this session: lines, some at most. Errors undo none of it.
std::vector<std::string> const& said();
void forget_said();

}  // namespace anon_seq::pg
