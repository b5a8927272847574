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
class Recogniser {
 public:
  Recogniser(Sight const& sight, std::size_t victim) : seen_(256), missed_(256) {
    for (std::size_t o = 0; o < sight.shown.size(); ++o) {
      auto const person = static_cast<std::size_t>(sight.person[o]);
      seen_[person] |= sight.shown[o];
      missed_[person] |= sight.shown[o] & ~sight.covers[o][victim];
    }
    presence_ = seen_[static_cast<std::size_t>(sight.person[victim])];
  }

  Mask presence() const { return presence_; }  // of the victim
  std::size_t candidates(Mask subset, bool arrivals_known) const {
    std::size_t found = 0;
    for (std::size_t person = 0; person < seen_.size(); ++person)
      found += (seen_[person] & subset) != 0 && (missed_[person] & subset) == 0 &&
               (!arrivals_known || (seen_[person] & subset) == (presence_ & subset));
    return found;
  }

 private:
  std::vector<Mask> seen_, missed_;  // of persons
  Mask presence_ = 0;
};

// Every subset of versions and every victim in one of them that leaves fewer than k persons.
inline std::vector<Breach> breaches(Sight const& sight, std::size_t k, bool arrivals_known) {
  std::vector<Breach> found;
  for (Mask subset = 1; subset < Mask{1} << sight.versions; ++subset)
    for (std::size_t victim = 0; victim < sight.shown.size(); ++victim) {
      if ((sight.shown[victim] & subset) == 0) continue;
      std::size_t const n = candidates(sight, subset, victim, arrivals_known);
      if (n < k) found.push_back({subset, victim, n});
    }
  return found;
}

// The same for who recognises everybody; some victims are spared.
inline std::vector<Breach> recognised_breaches(Sight const& sight, std::size_t k, bool arrivals_known,
                                               std::vector<char> const& spared) {
  std::vector<Breach> found;
  for (std::size_t victim = 0; victim < sight.shown.size(); ++victim) {
    if (spared[victim] != 0 || sight.shown[victim] == 0) continue;
    Recogniser const recogniser(sight, victim);
    for (Mask subset = 1; subset < Mask{1} << sight.versions; ++subset) {
      if ((sight.shown[victim] & subset) == 0) continue;
      std::size_t const n = recogniser.candidates(subset, arrivals_known);
      if (n < k) found.push_back({subset, victim, n});
    }
  }
  return found;
}

}  // namespace anon_seq::testing
