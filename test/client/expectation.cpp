#include "expectation.h"

#include <cstdio>

#include "failure.h"
#include "script.h"

namespace anon_client {

std::string in_ms(Milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", time.count());
  return text;
}

std::string shown(Outcome const& outcome) {
  return outcome.failed() ? "error " + outcome.sqlstate + ": " + outcome.message : "no error";
}

bool is_about_an_error(std::string_view kind) { return kind == "error" || kind == "message"; }

void check(Outcome const& outcome, std::string_view kind, std::string_view wanted, std::string const& name) {
  std::string got;
  bool holds = false;
  if (kind == "error") {
    got = shown(outcome);
    holds = outcome.sqlstate == wanted;
  } else if (kind == "message") {
    got = shown(outcome);
    holds = outcome.failed() && outcome.message.find(wanted) != std::string::npos;
  } else if (kind == "value") {
    got = outcome.value;
    holds = got == wanted;
  } else if (kind == "rows") {
    got = std::to_string(outcome.rows);
    holds = outcome.rows == number(wanted);
  } else if (kind == "within") {
    got = in_ms(outcome.took);
    holds = outcome.took <= Milliseconds(number(wanted));
  } else {
    throw Failure("expect busy, error, message, value, rows or within, not \"" + std::string(kind) + '"');
  }
  if (!holds)
    throw Failure("expected " + std::string(kind) + ' ' + std::string(wanted) + " on " + name + ", got " + got);
}

}  // namespace anon_client
