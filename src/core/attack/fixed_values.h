// Whose permanent value follows from the bags: who can have one value only has it, and so do those of a group who alone
// can have a value, if they are as many as it has rows. They are taken out of their groups, whereupon others can be
// told; and so on, until nobody can be, or it has taken some twenty times as long as to look at everybody once.
#pragma once

#include "core/attack/joined.h"
#include "core/attack/kinds.h"

namespace anon_seq {

inline constexpr std::int32_t kOpen = -1;  // several values are left

// A value that all bags of a kind have: its largest share in one of them, and the logarithm of the product of its
// shares.
struct CommonValue {
  std::int32_t value;
  double share, weight;
};

class FixedValues {
 public:
  // Borrows its arguments. Cost: linear in memberships times the values of a group.
  FixedValues(PublishedGroups const& groups, GroupBags const& bags, Kinds const& kinds, Checkpoint& checkpoint);
  FixedValues(FixedValues const&) = delete;

  // kOpen, or the value that people of a kind have. REQUIRES: not broken.
  std::int32_t value_of(std::size_t kind) const { return value_of_[kind]; }

  // Whether no world has the bags of the people whom those of a kind meet, those whom these meet, and so on.
  bool is_broken(std::size_t kind) { return broken_[set_of(kind)] != 0; }
  void set_broken(std::size_t kind) { broken_[set_of(kind)] = 1; }

  // What all bags of a kind have in common, ascending by value: of rows of those whose value is open, or of all rows.
  void common_left(std::size_t kind, Vector<CommonValue>& common) const;
  void common_values(std::size_t kind, Vector<CommonValue>& common) const;

  // Calls what(value, rows) for the values of a group, rows of those whose value is open, ascending by value.
  template <class Do>
  void each_left(std::int32_t group, Do what) const {
    auto const begin = bags_.begins[static_cast<std::size_t>(group)];
    auto const bag = bags_.of(group);
    for (std::size_t i = 0; i < bag.size(); ++i)
      if (left_[begin + i] > 0) what(bag[i].value, left_[begin + i]);
  }

 private:
  std::size_t set_of(std::size_t kind) { return met_.set_of(kinds_.groups_of(kind).front().group); }
  struct Changed {
    Vector<std::int32_t> with_fixed, without_a_value;  // groups
  };
  Vector<std::int32_t> groups_of(Changed& changed, Lists const& kinds_in);
  std::size_t look_at(std::int32_t group, std::span<std::int32_t const> kinds, Changed& changed);
  void fix(std::size_t kind, std::int32_t value, Changed& changed);
  void find_common(std::size_t kind, Vector<std::int64_t> const& rows, Vector<std::int64_t> const& sizes,
                   Vector<CommonValue>& common) const;

  PublishedGroups const& groups_;
  GroupBags const& bags_;
  Kinds const& kinds_;
  Checkpoint& checkpoint_;
  Joined met_;           // groups that share people
  Vector<char> broken_;  // set of groups -> no world has its bags
  // Rows of those whose value is open, and of all: by value of a group, as in bags.values, and by group.
  Vector<std::int64_t> left_, left_of_, rows_;
  Vector<std::int32_t> value_of_;
};

}  // namespace anon_seq
