// What a published value says of the true one: a set of values, for audits that put releases together.
//
// The values of an attribute fall into pieces that no published value tells apart any further, numbered in
// their order: of a line what lies between two published bounds, of a taxonomy the leaves; the unknown value
// (NULL) is a piece of its own, the first. A published value is then a few runs of pieces, mostly one, and
// equal sets have one number.
#pragma once

#include <span>

#include "core/table/dictionary.h"

namespace anon_seq {

// Pieces first .. last.
struct PieceRun {
  std::int32_t first = 0, last = 0;
  bool operator==(PieceRun const&) const = default;
};

using SetId = std::int32_t;
inline constexpr SetId kNothing = 0;   // no value at all: published values that contradict each other
inline constexpr SetId kAnything = 1;  // every piece there may be: the attribute was not published
inline constexpr std::int32_t kUnknownPiece = 0;

// The sets of one attribute.
class ValueSets {
 public:
  ValueSets();

  // The union of runs, in any order. REQUIRES: 0 <= first <= last.
  SetId add(std::span<PieceRun const> runs);
  SetId add(PieceRun run) { return add(std::span(&run, 1)); }
  SetId meet(SetId a, SetId b);  // the intersection
  bool holds(SetId outer, SetId inner) const;

  // Disjoint, ascending, and no two of them adjacent.
  std::span<PieceRun const> operator[](SetId id) const {
    auto const begin = starts_[static_cast<std::size_t>(id)];
    return {runs_.data() + begin, starts_[static_cast<std::size_t>(id) + 1] - begin};
  }
  SetId size() const { return static_cast<SetId>(starts_.size()) - 1; }

 private:
  SetId intern(std::span<PieceRun const> normal);

  Dictionary seen_;  // by the bytes of the runs; its codes are the ids
  Vector<PieceRun> runs_, work_;
  Vector<std::uint64_t> starts_ = Vector<std::uint64_t>(1, 0);
};

}  // namespace anon_seq
