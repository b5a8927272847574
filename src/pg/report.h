// What a person is told though it stops nothing.
#pragma once

#include <string>
#include <vector>

#include "pg/guard.h"

namespace anon_seq::pg {

void notice(std::string const& text, std::string const& hint = {});
void warning(std::string const& text, std::string const& hint = {});

// What was told since remember_said(), by this session: lines, some at most, and what they are about. Errors undo none
// of it.
std::vector<std::string> const& said(std::string const& about);
void remember_said(std::string about);

}  // namespace anon_seq::pg
