#include "script.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "failure.h"

namespace anon_client {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::array<std::string_view, 9> kAboutAConnection = {"connect", "close", "run",    "start", "wait",
                                                               "cancel",  "time",  "expect", "until"};
constexpr std::array<std::string_view, 4> kAlone = {"sleep", "limit", "repeat", "end"};

bool contains(auto const& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view trimmed(std::string_view text) {
  auto const begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

Command command_of(std::string_view text, int line) {
  Command command{line, take_word(text), {}, {}, {}};
  if (contains(kAboutAConnection, command.verb)) {
    command.name = take_word(text);
    if (command.name.empty()) throw Failure(command.verb + " needs the name of a connection", line);
  } else if (!contains(kAlone, command.verb)) {
    throw Failure("unknown command " + command.verb, line);
  }
  command.rest = text;
  return command;
}

// The next line, together with those that a backslash at its end draws in; counts them all in `line`.
bool next_line(std::istream& in, std::string& text, int& line) {
  text.clear();
  std::string part;
  bool more = false;
  while (std::getline(in, part)) {
    ++line;
    more = part.ends_with('\\');
    if (more) part.back() = '\n';
    text += part;
    if (!more) return true;
  }
  return more;
}

}  // namespace

std::string take_word(std::string_view& text) {
  text = trimmed(text);
  auto const end = std::min(text.find_first_of(kBlanks), text.size());
  std::string word(text.substr(0, end));
  text = trimmed(text.substr(end));
  return word;
}

long number(std::string_view text) {
  long value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    throw Failure("not a number: \"" + std::string(text) + '"');
  }
  return value;
}

std::vector<Command> parse(std::istream& in) {
  std::vector<std::vector<Command>> blocks(1);  // the innermost open one last
  std::vector<Command> open;                    // the repeats they belong to
  std::string text;
  for (int line = 1, lines = 0; next_line(in, text, lines); line = lines + 1) {
    std::string_view const content = trimmed(text);
    if (content.empty() || content.front() == '#') continue;
    Command command = command_of(content, line);
    if (command.verb == "repeat") {
      open.push_back(std::move(command));
      blocks.emplace_back();
    } else if (command.verb == "end") {
      if (open.empty()) throw Failure("end without repeat", line);
      open.back().body = std::move(blocks.back());
      blocks.pop_back();
      blocks.back().push_back(std::move(open.back()));
      open.pop_back();
    } else {
      blocks.back().push_back(std::move(command));
    }
  }
  if (!open.empty()) throw Failure("repeat without end", open.back().line);
  return std::move(blocks.front());
}

}  // namespace anon_client
