// How sets of values on a line are shown: in the form of PostgreSQL's ranges and multiranges, as json.
//
// Pieces of a line lie between cuts, which are numbered 1, 2, ...: piece 1 lies below the first, piece i + 1 above
// cut i, and piece 0 is the unknown value. A cut is just below a bound or just above it.
#pragma once

#include <string>

#include "core/attack/value_sets.h"

namespace anon_seq {

class LinePrinter {
 public:
  // `least` is the lower bound that means, with no other: all but the unknown value. REQUIRES: `sets` outlives it.
  LinePrinter(ValueSets const& sets, std::string least) : sets_(sets), least_(std::move(least)) {}

  void set_cut(std::size_t number, std::string_view value, bool above);
  // Closed intervals show as [21-48].
  void use_hyphens() { hyphens_ = true; }
  // A set that was published shows as it was; of several texts the shortest, then the first.
  void publish(SetId set, std::string_view text);

  // A string, null for the unknown value alone, [] for no value at all.
  std::string json(SetId set) const;

 private:
  struct Cut {
    Code value = kNoCode;  // of texts_
    bool above = false;
  };
  std::string interval(PieceRun run) const;

  ValueSets const& sets_;
  std::string least_;
  Dictionary texts_;
  Vector<Cut> cuts_;
  Vector<Code> shown_;  // by set
  bool hyphens_ = false;
};

}  // namespace anon_seq
