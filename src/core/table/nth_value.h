// Selection: the value that comes nth in order.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/checkpoint.h"
#include "core/base/memory.h"

namespace anon_seq {

// REQUIRES: nth < values.size(), all values in [low, high], which is no wider than 2^31 - 1. Cost: linear.
std::int32_t nth_value(std::span<std::int32_t const> values, std::size_t nth, std::int32_t low, std::int32_t high,
                       Checkpoint& checkpoint);

}  // namespace anon_seq
