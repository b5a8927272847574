#include "pg/sql_text.h"

#include <algorithm>
#include <cstdint>

#include "core/base/error.h"

namespace anon_seq::pg {
namespace {

constexpr std::string_view kNameStart = "abcdefghijklmnopqrstuvwxyz", kName = "abcdefghijklmnopqrstuvwxyz0123456789_";

// Length of the name of the place that opens at a brace; 0 if that is SQL's own.
std::size_t name_length(std::string_view after_brace) {
  if (after_brace.empty() || kNameStart.find(after_brace.front()) == std::string_view::npos) return 0;
  auto const end = after_brace.find_first_not_of(kName);
  return end != std::string_view::npos && after_brace[end] == '}' ? end : 0;
}

[[noreturn]] void throw_place(char const* what, std::string_view name) {
  throw Error(Fault::kInternal, what + quoted(name));
}

}  // namespace

std::string sql_text(std::string_view text, std::initializer_list<SqlPlace> places) {
  std::string filled;
  std::uint64_t used = 0;  // by place; a statement has fewer than 64
  for (auto brace = text.find('{'); brace != std::string_view::npos; brace = text.find('{')) {
    filled += text.substr(0, brace);
    text.remove_prefix(brace + 1);
    auto const length = name_length(text);
    if (length == 0) {
      filled += '{';
      continue;
    }
    auto const name = text.substr(0, length);
    auto const* const place =
        std::find_if(places.begin(), places.end(), [&](auto const& given) { return given.name == name; });
    if (place == places.end()) throw_place("an SQL text has a place that nobody fills: ", name);
    used |= std::uint64_t{1} << (place - places.begin());
    filled += place->text;
    text.remove_prefix(length + 1);
  }
  for (auto const* place = places.begin(); place != places.end(); ++place)
    if ((used >> (place - places.begin()) & 1) == 0) throw_place("an SQL text has no place called ", place->name);
  return filled += text;
}

std::string joined(std::vector<std::string> const& parts, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) (text += i == 0 ? std::string_view() : between) += parts[i];
  return text;
}

}  // namespace anon_seq::pg
