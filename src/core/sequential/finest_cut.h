// The finest cut: what k alone allows, if at most so many persons are left out.
//
// Several descents, from the most general state, from where the method itself arrives under k, and from the best
// full-domain recoding. Of those that lose no more than the best full-domain recoding at the same limit, the one is
// kept in which the fewest columns show one value for everybody, and of these the one that loses least.
//
// Widths of numbers are shares of what is left without the outermost persons, as many as may be left out: else whoever
// is far off would make everybody's width look like nothing, though he is out. What is found so is kept only if it is
// better, by what the measures of the release will tell, than what is found where nobody may be out, or with shares
// of the whole range.
//
// It reads quasi columns and persons alone. Who is out, and how far any cut may go, is a
// function of them, of k and of the limit, whatever the other columns hold; all other rules can only stop a descent
// towards it earlier.
#pragma once

#include "core/sequential/full_domain.h"

namespace anon_seq {

struct FinestCut {
  bool found = false;  // else not even the most general state keeps k and the limit
  std::vector<AttributeCut> cuts;
  std::int64_t loss = 0;                   // as the search counted it
  std::int64_t published = 0;              // as the release tells it: published_loss()
  std::int64_t full_domain_published = 0;  // of full_domain; if none was met, of the cuts, which lose no more
  std::size_t lost = 0;                    // columns that show one value for everybody, and have several
  KTable::LeftOut left_out;
  std::int64_t persons = 0;  // of the source
  FullDomain full_domain;
  std::size_t descent = 0;  // which one was kept
};

// Reads table, person and attributes of the problem. Weights: none given: all attributes count alike.
FinestCut find_finest_cut(Problem const& problem, KDemands demands, Checkpoint& checkpoint);

// The steps from the most general state to a finest cut, always the one that saves most; those that save nothing may be
// missing. Reads what find_finest_cut() reads.
std::vector<SplitStep> order_towards(Problem const& problem, FinestCut const& finest, KDemands const& demands,
                                     Checkpoint& checkpoint);

// Makes a cut the finest one that the problem's attributes may take.
void limit_to(Problem& problem, std::vector<AttributeCut> const& cuts);

}  // namespace anon_seq
