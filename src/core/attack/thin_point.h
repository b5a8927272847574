// The point of a box that the fewest others cover.
//
// Klee's measure problem in its deciding form, hard in many dimensions; here by branch and bound: a region is
// cut along the face of some box that covers it in part, the part outside of that box is looked at first, and a
// region that as many boxes hold as the thinnest point found so far is passed by. Work is counted in tests of a
// box against a region, so that the same question always gets the same answer.
#pragma once

#include <optional>

#include "core/attack/boxes.h"

namespace anon_seq {

struct ThinPoint {
  std::int64_t cover = 0;  // of the thinnest point found, `enough` if that is more
  bool decided = true;     // false: there may be a thinner one
};

class ThinPointSearch {
 public:
  explicit ThinPointSearch(Boxes const& boxes) : boxes_(boxes) {}

  // Which point of `box` do the fewest of `others` cover, by weight? REQUIRES: box is no contradiction and every
  // one of the others meets it. Spends at most `budget` tests, and lowers it by what it spent.
  ThinPoint find(BoxId box, std::span<BoxId const> others, std::span<std::int64_t const> weights, std::int64_t enough,
                 std::int64_t& budget, Checkpoint& checkpoint);

 private:
  enum class Relation { kApart, kPart, kHolds };
  // Part of the box, one run of local pieces per attribute; `others` of it at [begin, end) of listed_.
  struct Region {
    std::size_t runs, begin, end;
    std::int64_t held;  // the weight of those that hold all of it
  };
  void make_local(BoxId box, std::span<BoxId const> others);
  void make_local_runs(std::span<PieceRun const> own, std::span<PieceRun const> other);
  Relation compare(std::uint32_t other, std::size_t& parts) const;
  std::optional<std::int64_t> narrow(Region& region, std::int64_t thick, std::uint32_t& pivot);
  void cut(Region const& region, std::uint32_t pivot);
  std::span<PieceRun const> local(std::uint32_t other, std::size_t attribute) const {
    auto const i = other * width_ + attribute;
    return {local_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }

  Boxes const& boxes_;
  std::size_t width_ = 0;
  Vector<PieceRun> local_;        // the others, cut to the box; its pieces numbered without gaps
  Vector<std::uint32_t> starts_;  // other * width_ + attribute -> into local_
  Vector<Region> todo_;
  Vector<PieceRun> runs_;         // of the regions to do
  Vector<std::uint32_t> listed_;  // of the regions to do
  Vector<PieceRun> now_;          // of the region at hand
  std::span<std::int64_t const> weights_;
  std::int64_t spent_ = 0;
};

}  // namespace anon_seq
