// Rows that are made into classes together, under the same shares of bounded values: each cohort is a root of its own.
//
// Not who could be beside what, but who may be: cohorts are runs of purses, from the loosest to the tightest, and a
// cohort has of each bound the least share of its purses. Two ways, both of which a reader of the code can replay
// (doc/semantics.md; grouping.h has the one rule):
//  - by size: a cohort with fewer than `least` times M rows, M = max(k, its largest m), joins the next tighter one, the
//    last one the one before. Nothing of this version is read. One that its classes cannot hold is nobody's to merge:
//    the version is refused.
//  - by cut: all rows are one node, which must fit under its tightest shares; a node is cut in two where both sides can
//    hold all bounded values of the node, whatever they have: where that makes most classes of the least size.
// A node of n rows can hold counts c if they are dealt into classes of M rows with at most floor(M/m) of a block in
// each (regional.h), or, where classes are nodes of taxonomies, if n >= m c for each bound.
#pragma once

#include "core/lossy/quasi_rows.h"
#include "core/serial/purses.h"

namespace anon_seq {

struct Cohorts {
  std::size_t bounds = 0;
  Vector<std::uint32_t> rows;       // place -> row
  Vector<Part> parts;               // cohort -> places, loosest first
  Vector<std::int64_t> classes_of;  // cohort * bounds + bound -> m
  Vector<Part> tested;              // nodes whose sensitive counts were read

  std::span<std::int64_t const> sizes(std::size_t cohort) const {
    return {classes_of.data() + cohort * bounds, bounds};
  }
};

struct CohortDemands {
  bool by_cut = true;
  std::int64_t least = 50;  // by size
  std::int64_t k = 1;
  bool dealt = true;  // else classes are nodes of taxonomies
};

// REQUIRES: purses have the bounds of `sensitive`, in its order; both are of the rows that are not withheld, for who
// has what among the others is not to be read (version.h). Throws kData if a cohort cannot hold what it has: no row is
// left out for that, and no cohort merged. Cost: linear, and nodes times purses times bounds.
Cohorts make_cohorts(Purses const& purses, Sensitive const& sensitive, CohortDemands const& demands,
                     Checkpoint& checkpoint);

}  // namespace anon_seq
