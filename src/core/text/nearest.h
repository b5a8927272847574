// Which of the names that are there somebody meant who wrote one that is not.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anon_seq {

// The one of `known` that is nearest to `name`, by insertions, deletions, replacements and swaps of neighbours, each of
// which counts one; letters in another case count nothing. Nothing if it takes more than one of them,
// or two of ten bytes or more, or any of less than three bytes; nor if `name` is one of them itself. The first of
// several that are as near. Costs the product of the two lengths for each name.
std::optional<std::string> nearest(std::string_view name, std::span<std::string const> known);

// "Perhaps you meant "age"." or nothing; for the hint of an error.
std::string perhaps(std::string_view name, std::span<std::string const> known);

}  // namespace anon_seq
