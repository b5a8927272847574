// What a script may say about how a statement ended, and how it is shown to a person when it is not so.
#pragma once

#include <string>
#include <string_view>

#include "connection.h"

namespace anon_client {

std::string in_ms(Milliseconds time);
std::string shown(Outcome const& outcome);

// True for the kinds that want the statement to have failed.
bool is_about_an_error(std::string_view kind);

// Throws Failure unless `outcome` is as the words after `expect NAME` say.
void check(Outcome const& outcome, std::string_view kind, std::string_view wanted, std::string const& name);

}  // namespace anon_client
