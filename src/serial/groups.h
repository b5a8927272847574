// What a version tells of everybody in it, counted on its relations: who is in which class, and how many of the class
// have a listed value.
//
// Of each person and listed value that his class has an account, of this version alone. Class sizes and counts come
// from what was published; which persons a class has from the ledger.
#pragma once

#include "catalog/release.h"
#include "lossy_join/class_recount.h"
#include "serial/budget.h"
#include "serial/person_codes.h"

namespace anon_seq::serial {

struct GroupCharges {
  Vector<Account> accounts;  // unordered
  std::int64_t classes = 0, smallest = 0;
  std::int64_t persons = 0;
  // By bound, what is kept of who was in the class with the greatest share: for whom nobody knows the class any more.
  std::map<std::int32_t, Ratio> worst;
};

// Names are added to `budget`; those that are `known` are not looked at. Of a retired version its ledger's counts.
// written: what another check has seen of NSS and its only SS, in order; nullptr: they are read.
GroupCharges charges_of(SpiSession& session, Release const& release, SerialPolicy const& demands, Budget& budget,
                        PersonCodes& persons, std::vector<BoundName> const& known, Checkpoint& checkpoint,
                        lossy_join::WrittenClasses const* written = nullptr);

}  // namespace anon_seq::serial
