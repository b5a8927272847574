#include "pg/report.h"

namespace anon_seq::pg {
namespace {

void report(int level, std::string const& text, std::string const& hint) {
  char const* const message = text.c_str();
  char const* const advice = hint.c_str();
  bool const has_hint = !hint.empty();
  call_pg([&]() noexcept { ereport(level, (errmsg_internal("%s", message), has_hint ? errhint("%s", advice) : 0)); });
}

}  // namespace

void notice(std::string const& text, std::string const& hint) { report(NOTICE, text, hint); }

void warning(std::string const& text, std::string const& hint) { report(WARNING, text, hint); }

}  // namespace anon_seq::pg
