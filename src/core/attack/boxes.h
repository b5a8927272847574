// What is known of an object: a set of values for every quasi attribute.
//
// Equal boxes have one number, whatever made them: published in one release, or inferred from several. Only
// the whole box can be empty: if the sets of one attribute contradict each other, so does the box.
#pragma once

#include "core/attack/value_sets.h"
#include "core/table/row_groups.h"

namespace anon_seq {

using BoxId = std::int32_t;
inline constexpr BoxId kAbsent = 0;  // the object is not there

class Boxes {
 public:
  explicit Boxes(std::size_t attributes) : sets_of_(attributes) { sets_.resize(attributes, kNothing); }

  std::size_t attributes() const { return sets_of_.size(); }
  ValueSets& sets_of(std::size_t attribute) { return sets_of_[attribute]; }
  ValueSets const& sets_of(std::size_t attribute) const { return sets_of_[attribute]; }

  BoxId add(std::span<SetId const> sets);
  // The intersection; of a box and kAbsent that box. Cost: a hash look-up if the pair was asked for before.
  BoxId meet(BoxId a, BoxId b);
  bool holds(BoxId outer, BoxId inner) const;
  bool is_contradiction(BoxId box) const;

  // A set per attribute.
  std::span<SetId const> operator[](BoxId box) const {
    return {sets_.data() + static_cast<std::size_t>(box) * attributes(), attributes()};
  }
  BoxId size() const { return seen_.size() + 1; }  // kAbsent included

 private:
  std::vector<ValueSets> sets_of_;
  Dictionary seen_;  // by the bytes of the sets; code + 1 is the box
  Vector<SetId> sets_, work_;
  Interner pairs_;
  Vector<BoxId> meets_;  // by pair
};

}  // namespace anon_seq
