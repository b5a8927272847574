// What one rule needs to know of earlier releases: their partitions, and the combinations that match a block.
//
// A release is collapsed to partitions of equal join values, X values and Y token, with their sizes. each()
// runs over the combinations of one partition per release that match a block of T1 and each other. With
// Dangling::kOuter an empty partner stands in for a release of which nothing fits all the others; it has no part of
// y, so that the combination counts for no y of anonymity. Two combinations are of one x iff their `x` agree, and carry
// the same part of y iff their `slot` agree (a slot belongs to one x).
#pragma once

#include <algorithm>

#include "core/sequential/matcher.h"
#include "core/sequential/y_tokens.h"

namespace anon_seq {

struct Combination {
  std::int32_t x = 0, slot = 0;
  std::int32_t y = 0;       // linkability: the tokens folded, the releases' part
  std::int64_t weight = 1;  // linkability: records; anonymity: distinct y parts that the slot stands for
};

class Partners {
 public:
  // Reads the signatures of the matcher's rows.
  Partners(Problem const& problem, Rule const& rule, Matcher& matcher, YTokens& tokens, Checkpoint& checkpoint);

  Matcher& matcher() const { return matcher_; }
  std::int32_t x_count() const;  // every x and slot given out so far is below these
  std::int32_t slot_count() const;

  // Calls visit(Combination const&) for each; `y` is what T1's part of y folded to.
  template <class Visit>
  void each(BlockId block, std::int32_t y, Visit visit) {
    if (sides_.size() == 1) {
      each_of_one(block, y, visit);
    } else {
      chosen_.assign(sides_.size(), kNoSignature);
      open_.assign(sides_.size(), 0);
      descend(block, 0, Combination{0, 0, y, 1}, visit);
    }
  }

 private:
  static constexpr Signature kNoSignature = -1;
  struct Entry {
    std::int32_t x, slot, token;
    std::int64_t weight;
  };
  struct Side {
    Vector<std::size_t> starts;  // signature -> entries
    Vector<Entry> entries;
    std::int32_t xs = 0, slots = 0;
    // The empty partner's: new numbers where the release has columns in X, or is in Y.
    std::int32_t empty_x = 0, empty_slot = 0;
    std::int64_t empty_weight = 1;
    bool in_y = false, folds = false;
  };

  void read(Problem const& problem, Rule const& rule, std::size_t t, YTokens& tokens, Checkpoint& checkpoint);
  std::span<Entry const> entries(Side const& side, Signature s) const {
    auto const begin = side.starts[static_cast<std::size_t>(s)], end = side.starts[static_cast<std::size_t>(s) + 1];
    return {side.entries.data() + begin, end - begin};
  }
  // Whether s, of table t, matches all chosen ones of the tables below `end`.
  bool accepts(std::size_t t, Signature s, std::size_t end) const;
  bool links_ahead(std::size_t t) const;  // whether table t is linked to one that is chosen later
  bool is_maximal(BlockId block) const;   // whether nothing fits in where an empty partner stands
  // The shortest list that holds every signature of table t which matches the block and all chosen ones.
  std::span<Signature const> shortest(BlockId block, std::size_t t) const;

  template <class Visit>
  void each_of_one(BlockId block, std::int32_t y, Visit& visit) {
    Side const& side = sides_[0];
    auto const list = matcher_.list(block, 0);
    for (Signature s : list)
      for (Entry const& entry : entries(side, s)) {
        checkpoint_.tick();
        visit(Combination{entry.x, entry.slot, side.folds ? tokens_.fold(y, entry.token) : y, entry.weight});
      }
    if (list.empty() && outer_)
      visit(Combination{side.empty_x, side.empty_slot, side.folds ? tokens_.fold_missing(y) : y, side.empty_weight});
  }

  // Recursion over releases, not over data.
  template <class Visit>
  void descend(BlockId block, std::size_t t, Combination const& so_far, Visit& visit) {
    if (t == sides_.size()) {
      if (is_maximal(block)) visit(so_far);
      return;
    }
    Side const& side = sides_[t];
    bool found = false;
    auto const list = matcher_.list(block, t), narrower = shortest(block, t);
    for (Signature s : narrower) {
      checkpoint_.tick();
      if (narrower.data() != list.data() && !std::binary_search(list.begin(), list.end(), s)) continue;
      if (!accepts(t, s, t)) continue;
      found = true;
      chosen_[t] = s;
      for (Entry const& entry : entries(side, s))
        descend(block, t + 1,
                Combination{x_ids_[t].intern(so_far.x, entry.x), slot_ids_[t].intern(so_far.slot, entry.slot),
                            side.folds ? tokens_.fold(so_far.y, entry.token) : so_far.y,
                            checked_mul(so_far.weight, entry.weight)},
                visit);
      chosen_[t] = kNoSignature;
    }
    if (!outer_ || (found && !links_ahead(t))) return;
    open_[t] = found;
    descend(block, t + 1,
            Combination{x_ids_[t].intern(so_far.x, side.empty_x), slot_ids_[t].intern(so_far.slot, side.empty_slot),
                        side.folds ? tokens_.fold_missing(so_far.y) : so_far.y, so_far.weight * side.empty_weight},
            visit);
    open_[t] = 0;
  }

  Matcher& matcher_;
  YTokens& tokens_;
  Checkpoint& checkpoint_;
  bool outer_;
  std::vector<Side> sides_;
  std::vector<Interner> x_ids_, slot_ids_;  // several releases: pairs of the number so far and the release's
  Vector<Signature> chosen_;
  Vector<std::uint8_t> open_;  // left empty, though something fits what was chosen before
};

}  // namespace anon_seq
