// The exact levels of all rules while boxes are cut.
//
// What a rule calls an x1 are the rows that show the same in its X: of one box, or, where X leaves quasi columns out,
// of several. Behind a cut the groups that it touches are measured as they will be, by RuleMeter; nothing is taken for
// granted. A box has blocks of its own in each matcher, for boxes are cut in different places.
#pragma once

#include <map>

#include "core/sequential/local_boxes.h"

namespace anon_seq {

class LocalRules {
 public:
  // REQUIRES: problem outlives it. `roots`: of its attributes.
  LocalRules(Problem const& problem, std::vector<AttributeCut> const& roots, Checkpoint& checkpoint);
  LocalRules(LocalRules const&) = delete;

  // All rows in one box. Tokens of rows are taken: called once, unless there are none as counts alone decide.
  LocalBoxes root();
  // T1 row -> which combination of quasi values it has; and which one a cell has.
  Vector<std::int32_t> const& combination_of() const { return combination_of_; }
  std::int32_t combination(LocalBoxes const& boxes, std::size_t cell) const { return boxes.cells().token(cell, 0); }

  // Begins anew, with these boxes.
  void open(LocalBoxes const& boxes);
  // No part may have fewer rows; and whether that is all there is to measure.
  std::int64_t least() const { return least_; }
  bool by_counts_alone() const { return by_counts_alone_; }
  // Whether what a cut of a box does depends on that box alone.
  bool boxes_are_apart() const { return boxes_are_apart_; }

  // Divides a box if all rules hold behind it: then true, and `after` has, per rule, the worst level of the groups
  // that it touched. `ends` as of LocalBoxes::deal().
  bool divide_if_valid(LocalBoxes& boxes, BoxId box, std::size_t a, std::span<Side const> parts,
                       std::span<std::uint32_t const> ends, std::vector<Level>& after);
  // Divides it, whatever the rules say.
  void divide(LocalBoxes& boxes, BoxId box, std::size_t a, std::span<Side const> parts,
              std::span<std::uint32_t const> ends);

  // The levels of all rules, measured on all groups. Of boxes that open() knows, and divisions made since.
  std::vector<Level> measure(LocalBoxes const& boxes);
  bool violates(std::size_t rule, Level level) const { return states_[rule].meter->judge().violates(level); }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct State {
    std::unique_ptr<RuleMeter> meter;
    std::size_t group = 0;             // of groups_
    std::size_t core = kNone;          // word of its core's block
    std::vector<std::size_t> factors;  // words of its factors' blocks
    std::size_t token = kNone;         // word of its rows' token
    bool counted = false;              // least_ says all of it
    bool constant = false;             // it does not depend on T1: case (iii) of doc/semantics.md
  };
  // Rules of one X. Boxes that show the same in it, in an order that does not matter.
  struct Groups {
    std::vector<std::size_t> attributes, columns;
    std::size_t token = kNone;  // word of what its columns hold that are not generalized
    bool apart = false;         // all attributes: each box is alone
    std::map<Vector<std::int32_t>, Vector<BoxId>> boxes;
  };
  // Cells of a box, as they are or as a part of its division.
  struct Piece {
    BoxId box;
    std::uint32_t begin, end;
    std::size_t part = kNone;
  };
  struct Member {
    std::int32_t x;
    std::uint32_t piece, cell;
  };
  // What a division moves in one matcher: block -> the first of its parts' blocks.
  struct Moves {
    BlockId drop_from = 0;
    Vector<std::pair<BlockId, BlockId>> first;  // by block
  };
  struct Division {
    std::size_t attribute;
    std::span<Side const> parts;
  };

  void add_to_groups(State& state);
  bool touches(State const& state, std::size_t a);
  bool moves(std::size_t word, std::size_t a);
  Vector<std::int32_t> key_of(Groups const& groups, LocalBoxes const& boxes, BoxId box) const;
  static void replace(Groups const& groups, Vector<std::int32_t>& key, std::size_t a, Side side);
  void move(LocalBoxes const& boxes, BoxId box, Division const& division);
  void drop_moves();
  BlockId block(LocalBoxes const& boxes, std::uint32_t cell, std::size_t word, std::size_t part) const;
  Item item(State& state, LocalBoxes const& boxes, std::uint32_t cell, Piece const& piece, Division const* division);
  Level level(State& state, LocalBoxes const& boxes, std::span<Piece const> pieces, Division const* division);
  Level level_behind(State& state, LocalBoxes const& boxes, std::span<Piece const> pieces, Division const& division);
  void take(LocalBoxes& boxes, BoxId box, Division const& division, std::span<std::uint32_t const> ends);
  void enter(LocalBoxes const& boxes, BoxId box);
  void leave(LocalBoxes const& boxes, BoxId box);

  Problem const& problem_;
  std::vector<AttributeCut> const& roots_;
  Checkpoint& checkpoint_;
  JoinModel model_;
  MatcherPool pool_;
  std::vector<State> states_;
  std::vector<Groups> groups_;
  std::vector<std::size_t> column_of_;  // attribute -> join column of T1, or kNone
  std::vector<std::size_t> matchers_;   // word of a block -> of the pool
  Vector<std::int32_t> combination_of_;
  std::int64_t least_ = 1;
  bool by_counts_alone_ = true, boxes_are_apart_ = true;
  std::vector<Moves> moves_;  // per word
  // Scratch.
  Vector<Piece> pieces_, group_;
  Vector<Item> items_;
  Vector<Member> order_;
  Vector<BlockId> factor_blocks_;
  Vector<Extent> shown_;
  Vector<std::uint8_t> nothing_;
};

}  // namespace anon_seq
