// What one rule needs to know of earlier releases: their partitions, and the combinations that match a block.
//
// A release is collapsed to partitions of equal join values, X values and Y token, with their sizes. each()
// runs over the combinations of one partition per release that match a block of T1 and each other; an empty
// partner stands in where Dangling::kOuter finds none. Two combinations are of one x iff their `x` agree, and
// carry the same part of y iff their `slot` agree (a slot belongs to one x).
#pragma once

#include <algorithm>

#include "core/matcher.h"
#include "core/y_tokens.h"

namespace anon_seq {

struct Combination {
  std::int32_t x = 0, slot = 0;
  std::int32_t y = 0;       // linkability: the tokens folded, the releases' part
  std::int64_t weight = 1;  // linkability: records; anonymity: distinct y parts that the slot stands for
  bool has_part = false;    // some partner is there that holds a part of Y
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
      descend(block, 0, Combination{0, 0, y, 1, false}, visit);
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
    bool in_y = false, folds = false;
  };

  void read(Problem const& problem, Rule const& rule, std::size_t t, YTokens& tokens, Checkpoint& checkpoint);
  std::span<Entry const> entries(Side const& side, Signature s) const {
    auto const begin = side.starts[static_cast<std::size_t>(s)], end = side.starts[static_cast<std::size_t>(s) + 1];
    return {side.entries.data() + begin, end - begin};
  }
  bool accepts(std::size_t t, Signature s) const;  // whether s matches all chosen ones
  // The shortest list that holds every signature of table t which matches the block and all chosen ones.
  std::span<Signature const> shortest(BlockId block, std::size_t t) const;

  template <class Visit>
  void each_of_one(BlockId block, std::int32_t y, Visit& visit) {
    Side const& side = sides_[0];
    auto const list = matcher_.list(block, 0);
    for (Signature s : list)
      for (Entry const& entry : entries(side, s)) {
        checkpoint_.tick();
        visit(Combination{entry.x, entry.slot, side.folds ? tokens_.fold(y, entry.token) : y, entry.weight, side.in_y});
      }
    if (list.empty() && outer_)
      visit(Combination{side.empty_x, side.empty_slot, side.folds ? tokens_.fold_missing(y) : y, 1, false});
  }

  // Recursion over releases, not over data.
  template <class Visit>
  void descend(BlockId block, std::size_t t, Combination const& so_far, Visit& visit) {
    if (t == sides_.size()) return visit(so_far);
    Side const& side = sides_[t];
    bool found = false;
    auto const list = matcher_.list(block, t), narrower = shortest(block, t);
    for (Signature s : narrower) {
      checkpoint_.tick();
      if (narrower.data() != list.data() && !std::binary_search(list.begin(), list.end(), s)) continue;
      if (!accepts(t, s)) continue;
      found = true;
      chosen_[t] = s;
      for (Entry const& entry : entries(side, s))
        descend(block, t + 1,
                Combination{x_ids_[t].intern(so_far.x, entry.x), slot_ids_[t].intern(so_far.slot, entry.slot),
                            side.folds ? tokens_.fold(so_far.y, entry.token) : so_far.y,
                            checked_mul(so_far.weight, entry.weight), so_far.has_part || side.in_y},
                visit);
      chosen_[t] = kNoSignature;
    }
    if (found || !outer_) return;
    descend(block, t + 1,
            Combination{x_ids_[t].intern(so_far.x, side.empty_x), slot_ids_[t].intern(so_far.slot, side.empty_slot),
                        side.folds ? tokens_.fold_missing(so_far.y) : so_far.y, so_far.weight, so_far.has_part},
            visit);
  }

  Matcher& matcher_;
  YTokens& tokens_;
  Checkpoint& checkpoint_;
  bool outer_;
  std::vector<Side> sides_;
  std::vector<Interner> x_ids_, slot_ids_;  // several releases: pairs of the number so far and the release's
  Vector<Signature> chosen_;
};

}  // namespace anon_seq
