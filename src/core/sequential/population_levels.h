// The levels of rules about the people whom records may be of, now and after each candidate specialization.
//
// A class of x is a box: it holds f persons of T1, and F people of the population fit it, those whose values certainly
// lie within what it shows. k-map (L. Sweeney, Computational disclosure control, PhD thesis, 2001) bounds F from below:
// it is (X,Y)-anonymity with the people for Y. Presence (M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of
// individuals from shared databases, SIGMOD 2007) bounds f / F, for everybody of the population: who fits no class has
// 0. Boxes only get smaller, and those that part one share out its people and its persons, so that a bound that is
// broken stays broken: F cannot grow, and of shares one part's is at least, and one at most, that of all (mediants).
// Only a least share may recover where persons have several rows. Levels are counted exactly, group by group, all the
// same.
#pragma once

#include "core/sequential/rule_levels.h"

namespace anon_seq {

// A node as the nodes from it to its end, one up; NULL is before all, and only the root holds it.
Extent nodes_from(Taxonomy const& taxonomy, Node node);

// Whether a state that breaks a rule about a population has no state below it that keeps it.
bool is_anti_monotone(Problem const& problem, Rule const& rule);

class PopulationLevels {
 public:
  // `rules`: of the problem, about one population. REQUIRES: problem and cuts outlive it.
  PopulationLevels(Problem const& problem, std::vector<std::size_t> const& rules, std::vector<AttributeCut> const& cuts,
                   Checkpoint& checkpoint);

  // As those of RuleLevels.
  void refresh(Wanted const& wanted);
  void weigh_again(std::size_t a, ValueId v);
  void apply(std::size_t a, ValueId v);

  // Persons and people of classes that were counted so far, see RuleLevels.
  std::int64_t looked_at() const { return looked_at_; }
  // Of rule number i of those given.
  Level now(std::size_t i) const { return rules_[i].now; }
  Level after(std::size_t i, std::size_t a, ValueId v);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Count {
    std::int64_t persons = 0, people = 0;
  };
  // Cells of T1 or of the population: those of a group lie side by side in `order`.
  struct Side {
    Vector<std::uint32_t> order, begins, ends;
    Vector<std::int64_t> weights;
    std::size_t add_cells(RowGroups const& groups);
  };
  struct State {
    explicit State(Rule const& of) : rule(&of), judge(of) {}
    Rule const* rule;
    Judge judge;
    Level now;
    Vector<Level> levels;                      // group -> level
    std::vector<Vector<Level>> splits, after;  // place in x -> group, value -> level after its split
  };

  void add_persons(Problem const& problem);
  void add_people(Population const& population);
  std::size_t position(std::size_t a) const;
  GroupId groups() const { return static_cast<GroupId>(persons_.begins.size()); }
  Extent shown(std::size_t p, CutValue const& value) const;  // as values_ are told
  std::int32_t child_of(Extent value, std::size_t p, AttributeCut const& cut, CutValue const& parent) const;
  // The parts of a group's cells, one after the other, by the children of its value; people who fit none come last.
  void part(Side& side, GroupId g, std::size_t p);
  std::int32_t child_of_cell(Side const& side, std::uint32_t cell, std::size_t p, AttributeCut const& cut,
                             CutValue const& parent) const;
  void move_cells(Side& side, GroupId g);
  std::int64_t persons_in(std::uint32_t begin, std::uint32_t end);
  std::int64_t people_in(std::uint32_t begin, std::uint32_t end) const;
  Level level_of(Rule const& rule, Count count) const;
  void count_parts(GroupId g, std::size_t p);
  void measure_split(GroupId g, std::size_t p);
  void split(GroupId g, std::size_t p);
  void fill_after(std::size_t p);

  std::vector<AttributeCut> const& cuts_;
  Checkpoint& checkpoint_;
  std::vector<std::size_t> attributes_;  // of the problem: x
  std::vector<Taxonomy const*> nodes_;   // place in x -> whose nodes values_ are; nullptr: ranks
  std::vector<State> rules_;
  Side persons_, people_;
  std::vector<Vector<Rank>> ranks_;     // place in x -> cell of T1 -> rank
  Vector<Code> keys_;                   // cell of T1 -> person; empty: each row is another one
  std::vector<Vector<Extent>> values_;  // place in x -> cell of the population -> ranks
  std::vector<Vector<ValueId>> shown_;  // place in x -> group -> value
  std::int64_t looked_at_ = 0;
  std::int64_t left_ = 0;  // people who fit no class
  Vector<GroupId> changed_;
  Vector<char> fresh_;  // place in x -> whether State::after holds
  // Scratch.
  Vector<Count> parts_;
  Vector<std::uint32_t> starts_, person_starts_, moved_;
  Vector<std::int32_t> of_cell_;
  Vector<std::uint64_t> met_;
  std::uint64_t run_ = 0;
};

}  // namespace anon_seq
