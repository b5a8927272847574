// Classes by regions of the quasi space, each dealt into as many groups as it can hold: form `regional`.
//
// m = max(k, ceil(1/alpha)) over the blocks that occur, a_b = floor(alpha_b * m). Root and regions: a part P of n rows
// needs g(P) = max over blocks of ceil(c_b(P) / a_b) groups, and is dealt into floor(n/m): rows sorted by joint value,
// at random within equal ones, row i to group i mod g. A cut of P is allowed iff every child has floor(n_i/m) >= g(P),
// which is c_b(P) <= floor(n_i/m) * a_b for every b: it reads counts of P and sizes of children.
//
// Why a group is ok: a block's rows stand side by side, so c <= g * a of them are at most a in each group; a group has
// floor(n/g) >= m rows; a_b <= alpha_b * m. Each block has its own alpha. Children hold no more of a block than P, so
// what is allowed can be dealt, whatever they hold.
// Why a reader of the code learns no more: all that is read is counts of regions and of what they were cut from, unions
// of classes; within a region chance chooses among equal joint values. So the chance of a row's value is its share of
// the class, exactly (grouping.h).
//
// Several columns can merge so many bounds to one block that the whole table cannot be dealt, though as one class it is
// ok. Regions are then classes as they are (`dealt` is false), and a cut is allowed iff every child has max(k, max over
// bounds of ceil(c_s(P) / alpha_s)) rows: also counts of P and sizes, and every child is ok whatever it holds. Which of
// the two it is is read of the whole table, a union of all classes: who has which joint value inside a class does not
// change it, nor what the blocks are. That holds as well for a reader who does not know which values occur together: of
// each table that he thinks possible he also thinks possible, and as likely, those with its rows' values moved inside
// the classes.
//
// Axes: the widest data first (of the whole axis), ties by order; the next one where that has no allowed cut.
#pragma once

#include "core/lossy/grouping.h"

namespace anon_seq {

// Parts that are not cut any further; they hold all rows, in the order of their places. Not yet dealt.
struct Regions {
  Vector<std::uint32_t> rows;  // place -> row
  Vector<JointValue> values;   // place -> joint value
  Vector<Part> parts, tested;
  std::int64_t least_class = 1;  // m
  bool dealt = true;

  ClassId classes_in(Part part) const {
    return dealt ? static_cast<ClassId>(static_cast<std::int64_t>(part.size()) / least_class) : 1;
  }
};

// No chance is in it. Throws kData if there are no such classes of the table: with the alpha, or the larger source,
// that would do. Cost: rows times axes times the depth of the cuts.
Regions find_regions(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k,
                     Checkpoint& checkpoint);

// Takes the rows of the regions. Cost: linear.
Grouping deal(Regions&& regions, Sensitive const& sensitive, Draws& draws, Checkpoint& checkpoint);

// Both, checked and numbered at random.
Classes regional(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Draws& draws,
                 Checkpoint& checkpoint);

// The same, and what the rows of a class's region have in common: on an axis with a taxonomy the lowest node above
// them, as topdown() shows one, on a line their codes [least, greatest + 1); the whole axis where NULL is not alone,
// nothing where it is. That follows from quasi values and from which rows are in which region, which a reader of the
// code finds out himself: he has the counts that were read.
Classes regional_shown(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Draws& draws,
                       Checkpoint& checkpoint);

}  // namespace anon_seq
