// Breach probabilities: how likely a person has ever had a value, for somebody who knows who is in which group.
//
// GG = Wong, Fu, Liu, Wang, Xu: Global Privacy Guarantee in Serial Data Publishing. A world gives each group's bag to
// its members in some way; p(o,s) is the share of the worlds in which person o has value s in at least one release.
// Transient values may change freely, so groups are independent of each other (Lemma 2). A permanent value is the same
// wherever its person is: see permanent.h.
#pragma once

#include "core/attack/chance.h"
#include "core/attack/published_groups.h"
#include "core/base/checkpoint.h"
#include "core/table/dictionary.h"

namespace anon_seq {

struct Breach {
  Wide p = 0;                 // units of chance.h
  Wide localized = 0;         // the largest chance that a single release gives
  std::int32_t releases = 0;  // in which he is in a group with the value
  bool exact = true;
  bool operator==(Breach const&) const = default;
};

struct PersonBreach {
  std::int32_t person = 0, value = 0, breach = 0;  // which of the distinct ones
};

// Breaches of persons. There are few distinct ones: groups have few sizes.
class Breaches {
 public:
  std::int32_t number_of(Breach const& breach);
  void add(std::size_t person, std::int32_t value, std::int32_t breach) {
    all_.push_back({static_cast<std::int32_t>(person), value, breach});
  }

  // Largest p first; those with one p by person, then in the order in which they were added. Cost: linear.
  void put_worst_first(std::size_t persons, Checkpoint& checkpoint);

  std::span<PersonBreach const> all() const { return all_; }
  Breach const& of(PersonBreach const& found) const { return distinct_[static_cast<std::size_t>(found.breach)]; }

 private:
  Vector<Breach> distinct_;
  Dictionary known_;  // bytes of distinct_
  Vector<PersonBreach> all_;
};

// Adds every pair of a person and a value that is asked for (value -> not 0) with p > 0, by person, then by value.
// Cost: the sum over persons of the values of their groups.
void add_transient_breaches(PublishedGroups const& groups, GroupBags const& bags, std::span<char const> asked,
                            Breaches& breaches, Checkpoint& checkpoint);

// The largest chance of a value in one release, and in how many releases a person is in a group with it.
// REQUIRES: memberships as PublishedGroups has them.
Breach localized_breach(PublishedGroups const& groups, GroupBags const& bags, std::span<Membership const> memberships,
                        std::int32_t value);

}  // namespace anon_seq
