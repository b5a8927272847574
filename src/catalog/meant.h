// Which of several names of the catalog somebody meant.
#pragma once

#include "core/text/nearest.h"
//
#include "pg/spi.h"

namespace anon_seq::catalog {

// "Perhaps you meant "x". " for a hint, or nothing: of the names in the first column. Those must be names that the
// caller may see.
inline std::string meant_among(std::string_view name, Rows const& known) {
  std::vector<std::string> names;
  for (std::uint64_t row = 0; row < known.count(); ++row) names.push_back(known.get(row, 1));
  auto const meant = perhaps(name, names);
  return meant + (meant.empty() ? "" : " ");
}

}  // namespace anon_seq::catalog
