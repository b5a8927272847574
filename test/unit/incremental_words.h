// What tests of single histories say of them: who is there, and what is shown of him.
#pragma once

#include "incremental_fixture.h"

namespace anon_seq::testing {

using Bounds = std::pair<std::int32_t, std::int32_t>;
inline constexpr std::int32_t kNoBound = Shown::kUnbounded;

inline Attribute numbers(std::int32_t size) { return {size, {}}; }
inline Attribute tree(bool by_children) {
  return {0, {{"a", "r"}, {"a1", "a"}, {"a2", "a"}, {"b", "r"}, {"b1", "b"}, {"b2", "b"}, {"c", "r"}}, by_children};
}

// Inserts a person each. Returns the first object.
inline std::size_t add(History& history, std::vector<Values> const& people) {
  std::size_t const first = history.objects.size();
  for (auto const& values : people) history.insert(static_cast<int>(history.objects.size()), values);
  return first;
}

// What a line, or a taxonomy, shows of an object.
inline Bounds line(History const& history, std::size_t object, std::size_t attribute = 0) {
  Shown const shown = history.shown_now(object)[attribute];
  return {shown.from, shown.below};
}

inline std::string nodes(History const& history, std::size_t object, std::size_t attribute = 0) {
  std::string text;
  auto const shown = history.shown_now(object);
  for (Node const n : shown[attribute].nodes)
    text += n == kUnknown ? "NULL " : std::string(history.all_taxonomies()[attribute]->label(n)) + " ";
  return text;
}

}  // namespace anon_seq::testing
