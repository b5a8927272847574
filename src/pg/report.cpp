#include "pg/report.h"

namespace anon_seq::pg {
namespace {

constexpr std::size_t kMostLines = 200;
std::vector<std::string> told;
std::string told_about;

void report(int level, std::string const& text, std::string const& hint) {
  if (told.size() < kMostLines)
    told.push_back(std::string(level == WARNING ? "WARNING: " : "NOTICE: ") + text + (hint.empty() ? "" : " " + hint));
  char const* const message = text.c_str();
  char const* const advice = hint.c_str();
  bool const has_hint = !hint.empty();
  call_pg([&]() noexcept { ereport(level, (errmsg_internal("%s", message), has_hint ? errhint("%s", advice) : 0)); });
}

}  // namespace

std::vector<std::string> const& said(std::string const& about) {
  static std::vector<std::string> const kNothing;
  return about == told_about ? told : kNothing;
}

void remember_said(std::string about) {
  told.clear();
  told_about = std::move(about);
}

void notice(std::string const& text, std::string const& hint) { report(NOTICE, text, hint); }

void warning(std::string const& text, std::string const& hint) { report(WARNING, text, hint); }

}  // namespace anon_seq::pg
