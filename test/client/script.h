// The script's text as commands. main.cpp describes the language; here a line becomes verb, connection and the rest.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace anon_client {

struct Command {
  int line;                   // where it begins, from 1
  std::string verb;           // first word
  std::string name;           // second word, for verbs about a connection
  std::string rest;           // what follows, continued lines with their line feeds
  std::vector<Command> body;  // of a repeat
};

// The whole script; throws Failure where a line makes no sense.
std::vector<Command> parse(std::istream& in);

// Cuts the first word off `text`, and the blanks around it.
std::string take_word(std::string_view& text);

// The number that `text` is; throws Failure if it is none.
long number(std::string_view text);

}  // namespace anon_client
