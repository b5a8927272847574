// T1 as a search of k alone sees it: distinct combinations of quasi values, and how many persons have each.
//
// Reads quasi columns and persons, nothing else: who is left out and the finest cut are found here, before any other
// column is looked at.
#pragma once

#include "core/sequential/attribute_cut.h"
#include "core/table/row_groups.h"

namespace anon_seq {

// A cut of each attribute: rank -> which piece covers it. Pieces count up along the ranks.
using Pieces = std::vector<Vector<std::int32_t>>;

class KTable {
 public:
  // REQUIRES: the problem outlives it.
  KTable(Problem const& problem, std::vector<AttributeCut> const& root, Checkpoint& checkpoint);

  std::size_t cells() const { return persons_.size(); }
  std::size_t width() const { return ranks_.size(); }
  Vector<Rank> const& ranks(std::size_t a) const { return ranks_[a]; }  // per cell
  // Persons of each cell. Who is in several cells is counted in each: then sums are too large, and left_out() is what
  // counts.
  Vector<std::int64_t> const& persons() const { return persons_; }
  bool several() const { return several_; }  // somebody has several rows
  std::int64_t total() const { return total_; }

  // Who must not be shown on a cut, so that each class keeps k persons: a person whose rows are not all in such classes
  // is out with all of them, which may make other classes too small; the least set. row -> not 0. It grows as a cut
  // gets finer.
  struct LeftOut {
    Vector<char> rows;
    std::int64_t persons = 0;
  };
  LeftOut left_out(Pieces const& cut, std::int64_t k) const;

 private:
  std::int64_t drop_small(Vector<std::int32_t> const& group_of, std::size_t groups, std::int64_t k,
                          Vector<char>& out) const;

  Problem const& problem_;
  Checkpoint& checkpoint_;
  std::vector<Vector<Rank>> ranks_;
  std::vector<Rank> bounds_;
  Vector<std::int32_t> cell_of_;
  Vector<std::int64_t> persons_;
  bool several_ = false;
  std::int64_t total_ = 0;
};

}  // namespace anon_seq
