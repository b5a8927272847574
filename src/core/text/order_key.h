// Keys for things that stand in an order, and between which others may come: texts of bytes that compare as the things
// do. There is always room: where it is narrow, keys grow by a byte.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace anon_seq {

// A key after `low` and before `high`; "" is before all as `low`, after all as `high`. REQUIRES: low < high, and both
// are keys that this made, or "".
std::string key_between(std::string_view low, std::string_view high);

// `count` ascending keys between two, spread evenly: take(i, key) for each i, in any order.
void spread_keys(std::string_view low, std::string_view high, std::size_t count,
                 std::function<void(std::size_t, std::string)> const& take);

}  // namespace anon_seq
