// The current cut of one attribute of T1, and what splitting one of its values would tell.
//
// A value is a range of the attribute's own ranks: 0 is NULL, then the leaves in preorder, or the codes in
// ascending order. The root covers everything, NULL included; its split sets NULL apart where it occurs. A
// categorical value splits into its taxonomy's children; a continuous one at a code m into [.., m) and
// [m, ..), m chosen on the fly. The root of a continuous attribute with NULLs splits into NULL and these two at
// once: a range that is known and not cut could not be told from the root, which may be unknown. Gains depend on
// this attribute's histogram (and the label) alone. A ceiling of detail has values cut that are too general, one by one
// as next_to_start() names them; a floor leaves splits out.
#pragma once

#include "core/base/checkpoint.h"
#include "core/sequential/join_model.h"

namespace anon_seq {

using ValueId = std::int32_t;  // of an attribute, never reused; the root is 0

struct CutValue {
  Extent ranks;
  Node node = kNoNode;       // with a taxonomy; kNoNode is NULL
  std::int64_t weight = 0;   // T1 records
  ValueId first_child = -1;  // children have consecutive ids; -1 as long as there is no split
  std::int32_t children = 0;
  double gain = 0;  // InfoGain of the split; for discernibility RuleLevels counts it
};

class AttributeCut {
 public:
  AttributeCut(Problem const& problem, std::size_t attribute, Checkpoint& checkpoint);

  CutValue const& operator[](ValueId id) const { return values_[static_cast<std::size_t>(id)]; }
  Vector<ValueId> const& current() const { return current_; }  // in ascending order of ranks
  bool continuous() const { return taxonomy_ == nullptr; }
  Rank rank_of(Code code) const {
    return code == kNull ? 0 : continuous() ? code : leaf_ranks_[static_cast<std::size_t>(code)];
  }
  // Whether the root is shown as what says nothing: not so where that is a declared domain, without NULL, or NULL
  // alone.
  bool root_says_nothing() const { return !continuous() || (ranks() > 1 && (!has_domain_ || mass_[0] > 0)); }
  Rank ranks() const { return static_cast<Rank>(mass_.size()); }

  // Finds the split of a current value: its taxonomy's, or the best one. False if there is none.
  bool split(ValueId id);
  // Continuous: every other split of a value that has one, best first; and the choice of one of them.
  Vector<Code> splits_by_gain(ValueId id) const;
  bool splits_numbers(ValueId id) const { return continuous() && (*this)[id].first_child >= 0; }
  void split_at(ValueId id, Code m);

  // Continuous: whether a range may be cut just below a rank inside it.
  bool may_cut(Extent ranks, Rank m) const {
    auto const at = static_cast<std::size_t>(m);
    return barred_[at] == 0 && (fixed_ || mass_[at] > 0) && leaves_wide(ranks, m);
  }
  // A current value that is too general, and where a continuous one is to be cut; -1: there is none.
  struct Forced {
    ValueId value = -1;
    Code m = kNull;
  };
  Forced next_to_start() const;
  // Cuts them all.
  void to_start();
  // Which part of the domain a range of ranks is, as NCP counts it: by width; nothing for NULL. Where a window is
  // given, of its width, and at most 1.
  double width_share(Extent ranks) const;
  double share(CutValue const& value) const;

  // The current value that covers a rank.
  ValueId value_at(Rank rank) const { return value_at_[static_cast<std::size_t>(rank)]; }
  // Ordinal of the child, in the split of the current value that covers it.
  std::int32_t child_of(Rank rank) const { return child_of_[static_cast<std::size_t>(rank)]; }

  // Replaces a current value by its children.
  void specialize(ValueId id);

  std::int64_t weight(Extent ranks) const;

 private:
  struct Gain {
    Code m;
    double gain;
  };
  void read_labels(Problem const& problem);
  double entropy_gain(Extent parent, std::span<Extent const> children) const;
  double entropy(std::span<std::int64_t const> counts, std::int64_t total) const;
  template <class Visit>
  void each_split(CutValue const& value, Visit visit) const;  // visit(m, gain) for each possible m, ascending
  double place(Rank rank) const;                              // where the cut below a code lies, for widths
  double window_share(Extent ranks) const;
  // Appends them as values, and notes for each rank of value `id` which of them covers it.
  void set_children(ValueId id, std::span<CutValue const> children, double gain);
  double gain_of(CutValue const& value, std::span<CutValue const> children) const;
  bool leaves_wide(Extent ranks, Rank m) const {
    if (floor_ <= 0) return true;
    auto const place = [&](Rank rank) { return bounds_[static_cast<std::size_t>(rank)]; };
    return place(m) - place(ranks.begin) >= floor_ && place(ranks.end) - place(m) >= floor_;
  }
  Extent numbers_of(CutValue const& value) const { return {std::max(value.ranks.begin, 1), value.ranks.end}; }
  bool sets_null_apart(CutValue const& value) const {
    return value.ranks.begin == 0 && value.ranks.end > 1 && mass_[0] > 0;
  }

  Taxonomy const* taxonomy_;
  Objective objective_;
  Checkpoint* checkpoint_;
  Vector<Rank> leaf_ranks_;            // taxonomy: code -> rank
  Vector<std::int64_t> mass_, below_;  // rank -> records; records below a rank, one entry more
  Vector<std::int64_t> label_mass_;    // rank * labels_ + label -> informing records
  std::size_t labels_ = 0;
  Vector<double> places_;  // continuous: code -> position
  Vector<char> barred_;    // continuous: code -> no cut below it
  double lower_ = 0, upper_ = 0;
  Extent window_{0, 0};
  bool has_domain_ = false, fixed_ = false;
  Vector<char> whole_;  // taxonomy: node -> is not cut; empty: all may be
  int start_depth_ = 0;
  Vector<Code> start_;
  double floor_ = 0;
  Vector<double> bounds_;  // rank -> place of the bound below it
  Vector<CutValue> values_;
  Vector<ValueId> current_;
  Vector<std::int32_t> child_of_;
  Vector<ValueId> value_at_;
};

}  // namespace anon_seq
