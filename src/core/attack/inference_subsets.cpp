// subsets_to_examine() of inference.h.
#include <algorithm>

#include "core/attack/inference.h"

namespace anon_seq {
namespace {

using Subset = std::vector<std::int32_t>;

Subset first(std::size_t n) {
  Subset prefix;
  for (std::size_t i = 0; i < n; ++i) prefix.push_back(static_cast<std::int32_t>(i));
  return prefix;
}

std::vector<Subset> every(std::size_t n) {
  std::vector<Subset> all;
  for (std::uint32_t bits = 1; bits < 1u << n; ++bits) {
    Subset subset;
    for (std::size_t i = 0; i < n; ++i)
      if ((bits >> i & 1) != 0) subset.push_back(static_cast<std::int32_t>(i));
    all.push_back(std::move(subset));
  }
  return all;
}

std::vector<Subset> prefixes(std::size_t n) {
  std::vector<Subset> all;
  for (std::size_t m = 1; m <= n; ++m) all.push_back(first(m));
  return all;
}

std::vector<Subset> sample(std::size_t n) {
  auto all = prefixes(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) all.push_back({static_cast<std::int32_t>(i)});
    for (std::size_t j = i + 1; j < n; ++j)
      if (i != 0 || j != 1) all.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
  }
  return all;
}

}  // namespace

std::vector<Subset> subsets_to_examine(std::size_t n, InferenceDemands const& demands, bool only_grows, bool& sampled) {
  bool const prefixes_decide = demands.reading == Reading::kCover && only_grows;
  std::vector<Subset> subsets;
  sampled = false;
  switch (demands.subsets) {
    case Subsets::kAll:
      if (n > kMostReleasesForAll)
        throw Error(Fault::kLimit, "all subsets of " + std::to_string(n) + " releases are too many",
                    "At most " + std::to_string(kMostReleasesForAll) + " releases have all their subsets looked at.",
                    "Name fewer releases, or leave the choice of subsets open.");
      subsets = every(n);
      break;
    case Subsets::kPrefixes:
      subsets = prefixes(n);
      sampled = n > 1 && !prefixes_decide;
      break;
    case Subsets::kFull:
      subsets = {first(n)};
      sampled = n > 1;
      break;
    case Subsets::kAuto:
      sampled = !prefixes_decide && n > kAllSubsetsUpTo;
      subsets = prefixes_decide ? prefixes(n) : sampled ? sample(n) : every(n);
      break;
  }
  std::sort(subsets.begin(), subsets.end());  // a subset comes after what it extends
  return subsets;
}

}  // namespace anon_seq
