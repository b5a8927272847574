// Names in a message: a person reads five of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace anon_seq {

inline constexpr std::size_t kNamesTold = 5;

// "a, b, c, d, e and 12 more": at most five of the names, as they are written, and how many more there are.
inline std::string some_of(std::span<std::string const> names, std::string_view between = ", ") {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamesTold; ++i) (text += i == 0 ? "" : between) += names[i];
  if (names.size() > kNamesTold) text += " and " + std::to_string(names.size() - kNamesTold) + " more";
  return text;
}

}  // namespace anon_seq
