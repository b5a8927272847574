// What a person is told though it stops nothing.
#pragma once

#include <string>

#include "pg/guard.h"

namespace anon_seq::pg {

void notice(std::string const& text, std::string const& hint = {});
void warning(std::string const& text, std::string const& hint = {});

}  // namespace anon_seq::pg
