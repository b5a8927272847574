// An attacker on small histories, by enumeration: knows which object shows which region in which version, and the
// values of his victim. Shares no code with what he attacks.
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

namespace anon_seq::testing {

using Mask = std::uint32_t;  // of versions

struct Sight {
  std::vector<int> person;                // object -> who it is, below 256
  std::vector<Mask> shown;                // object -> versions that have it
  std::vector<std::vector<Mask>> covers;  // object, victim -> versions in which its region holds the victim's point
  int versions = 0;
};

struct Breach {
  Mask versions = 0;
  std::size_t victim = 0;
  std::size_t candidates = 0;
};

// Objects that may be the victim: those seen in the subset, wherever they are seen, where the victim would be; if he
// knows when people came and went, seen in the very versions in which the victim is.
inline std::size_t candidates(Sight const& sight, Mask subset, std::size_t victim, bool arrivals_known) {
  std::bitset<256> persons;
  for (std::size_t o = 0; o < sight.shown.size(); ++o) {
    Mask const seen = sight.shown[o] & subset;
    if (seen == 0 || (seen & ~sight.covers[o][victim]) != 0) continue;
    if (!arrivals_known || seen == (sight.shown[victim] & subset))
      persons.set(static_cast<std::size_t>(sight.person[o]));
  }
  return persons.count();
}

// The same for who recognises everybody wherever he is shown, by a value that nobody else has: a candidate is one
// whose every row in the subset is where the victim would be.
inline std::size_t recognised_candidates(Sight const& sight, Mask subset, std::size_t victim, bool arrivals_known) {
  std::vector<Mask> seen(256), missed(256);
  for (std::size_t o = 0; o < sight.shown.size(); ++o) {
    auto const person = static_cast<std::size_t>(sight.person[o]);
    seen[person] |= sight.shown[o] & subset;
    missed[person] |= sight.shown[o] & subset & ~sight.covers[o][victim];
  }
  Mask const presence = seen[static_cast<std::size_t>(sight.person[victim])];
  std::size_t found = 0;
  for (std::size_t person = 0; person < seen.size(); ++person)
    found += seen[person] != 0 && missed[person] == 0 && (!arrivals_known || seen[person] == presence);
  return found;
}

// Every subset of versions and every victim in one of them, but those spared, that leaves fewer than k persons.
template <class Count>
std::vector<Breach> breaches(Sight const& sight, std::size_t k, bool arrivals_known, Count count,
                             std::vector<char> const& spared = {}) {
  std::vector<Breach> found;
  for (Mask subset = 1; subset < Mask{1} << sight.versions; ++subset)
    for (std::size_t victim = 0; victim < sight.shown.size(); ++victim) {
      if ((sight.shown[victim] & subset) == 0 || (!spared.empty() && spared[victim] != 0)) continue;
      std::size_t const n = count(sight, subset, victim, arrivals_known);
      if (n < k) found.push_back({subset, victim, n});
    }
  return found;
}

inline std::vector<Breach> breaches(Sight const& sight, std::size_t k, bool arrivals_known) {
  return breaches(sight, k, arrivals_known, candidates);
}

}  // namespace anon_seq::testing
