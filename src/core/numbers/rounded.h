// Measures as text: what is computed in floating point is shown to six digits after the point.
#pragma once

#include <string>

namespace anon_seq {

// Without zeros at the end, and without a sign before zero: "0.333333", "2", "Infinity". REQUIRES: not NaN, within
// 1e20.
std::string rounded_text(double value);

}  // namespace anon_seq
