// What a reader who knows the code learns from a version, whatever its method: its own algorithm on other arrangements
// of the sensitive values (core/attack/minimality.h), and who would be known better than the policy allows.
#pragma once

#include "core/attack/minimality.h"
#include "core/lossy/exposure.h"
//
#include "catalog/release.h"

namespace anon_seq::release {

struct MinimalityFinding {
  bool exact = false;  // all arrangements were tried
  std::int64_t tried = 0, accepted = 0;
  Ratio bound;
  std::optional<Exposure> exposure;  // nothing where too few arrangements gave the release
  char const* meaning = "";
};

// For members of the owner's role. Throws kParameter, kUnsupported, kData, kDamaged. Cost: `runs` runs of the
// algorithm, or one for each arrangement if there are not many.
MinimalityFinding audit_minimality(SpiSession& session, Release const& release, std::int64_t runs);

// For methods: tries arrangements of values inside classes, and what they tell. `rerun` says whether the algorithm
// makes the release of one. The same ones are drawn each time.
MinimalityFinding try_release(Classes const& classes, BoundedValues const& values, Ratio bound, std::int64_t runs,
                              GivesSameRelease const& rerun, Checkpoint& checkpoint);

// S. Vigna, splitmix64: what is estimated is estimated alike each time.
std::uint64_t next_number(std::uint64_t& state);

// A release whose algorithm does not make it again.
[[noreturn]] void throw_not_made_again(Release const& release);

// Throws kData unless a source has what the version was made of. `content`: its fingerprint.
void require_same_content(SpiSession& session, Release const& release, std::string const& content);

}  // namespace anon_seq::release
