#include "pg/call_sql.h"

#include <string>
#include <string_view>

namespace anon_seq::pg {

void hide_statement(ErrorData& error, char const* sql) {
  if (error.sqlerrcode == ERRCODE_INTERNAL_ERROR) return;
  if (*sql == '\0') return;  // fetching from a portal: SPI adds nothing there
  if (error.internalquery != nullptr && strcmp(error.internalquery, sql) == 0) {
    error.internalquery = nullptr;
    error.internalpos = 0;
  }
  std::string_view const statement = sql;
  if (error.context == nullptr) return;
  // The words around it follow lc_messages: the lines that it stands in go, whatever they say. Contexts are written
  // from the inside to the outside, so the first one is ours.
  std::string context = error.context;
  auto const at = context.find(statement);
  if (at == std::string::npos) return;
  // A statement may begin with the end of a line.
  auto const before = at == 0 ? std::string::npos : context.rfind('\n', at - 1),
             after = context.find('\n', at + statement.size());
  auto const begin = before == std::string::npos ? 0 : before + 1;
  context.erase(begin, after == std::string::npos ? std::string::npos : after + 1 - begin);
  while (!context.empty() && context.back() == '\n') context.pop_back();
  char const* const left = context.c_str();
  call_pg([&]() noexcept { error.context = *left == '\0' ? nullptr : MemoryContextStrdup(error_memory(), left); });
}

}  // namespace anon_seq::pg
