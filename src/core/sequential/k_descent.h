// Top-down specialization under k alone, where up to so many persons may be left out.
//
// A state is a cut of each attribute; who is in a class of fewer than k persons is out. Loss: per person and attribute
// the share of the domain that is shown, times the attribute's weight (NCP); who is out loses everything. A step is
// taken only if the loss does not grow and the limit holds, so that a descent never ends worse than it began. Counts
// and losses are whole numbers, kept up to date group by group: the order of rows plays no part. Each step looks at all
// places of the lines: where these are very many, a descent ends early, at a state that is coarser than it need be.
#pragma once

#include "core/sequential/k_table.h"

namespace anon_seq {

inline constexpr std::int64_t kLossUnit = std::int64_t{1} << 20;

struct KDemands {
  std::int64_t k = 1, most_out = 0;  // persons
  Vector<std::int64_t> weights;      // per attribute: what a person costs who shows nothing, of the order of kLossUnit
  // Attributes that go together, such as city and county; each in one group at most. After a step of one of them the
  // splits of the others that divide no class further are taken at once.
  std::vector<std::vector<std::size_t>> linked{};

  std::vector<std::size_t> const* linked_with(std::size_t attribute) const;  // its group; none: nullptr
};

// What a descent prefers among its steps: what saves the most, or the most for how far classes are cut up; an attribute
// may count more than it costs. Or each attribute is cut once before any is cut again, those with a taxonomy first, as
// they have no choice of where, and one of them last, as it may stand in the way of all others.
struct Preference {
  bool thrifty = false, every = false;
  std::size_t favourite = kNoColumn, last = kNoColumn;
};

// The pieces of one attribute's cut, or of all.
Vector<std::int32_t> pieces_of(AttributeCut const& cut);
Pieces pieces_of(std::vector<AttributeCut> const& cuts);

class KDescent {
 public:
  // REQUIRES: table outlives it. `cuts`: the state to begin with may be more specific than the root.
  KDescent(KTable const& table, KDemands const& demands, std::vector<AttributeCut> cuts, Preference preference,
           Checkpoint& checkpoint);

  // Splits a current value, whatever it costs; `m`: where, if continuous.
  void step(std::size_t a, ValueId v, Code m = kNull);
  void run();

  std::int64_t loss() const;
  // Attributes that have several values and show one value for everybody who is in.
  std::size_t lost() const;
  std::int64_t out() const { return out_; }
  std::vector<AttributeCut> const& cuts() const { return cuts_; }
  std::vector<SplitStep> const& path() const { return path_; }  // the steps, in their order

 private:
  struct Sum {  // what a split would do
    std::int64_t out = 0, saved = 0, bits = 0,
                 shown = 0;    // shown: persons who show the value, or the fewer on one side of a cut
    std::int64_t divided = 0;  // classes
  };
  struct Step {
    std::size_t attribute = 0;
    ValueId value = -1;
    Code m = kNull;
    double score = 0;
  };
  // Per code m of a continuous attribute, as differences along m: who is in parts of k or more on each side of m, and
  // what else changes if the value is cut there.
  struct Line {
    Vector<std::int64_t> left, right, out, saved, bits, divided;
  };

  bool is_candidate(std::size_t a, ValueId v) const { return cuts_[a][v].first_child >= 0; }
  Vector<std::uint32_t> cells_along_longest_line() const;
  std::int64_t worth(std::size_t a, double share) const;
  std::int64_t worth(std::size_t a, ValueId v) const { return worths_[a][static_cast<std::size_t>(v)]; }
  void find_splits(std::size_t a);
  void add_group(std::uint32_t begin, std::uint32_t end, std::vector<ValueId> const& values);
  void count(std::size_t g, int sign);
  void count_children(std::size_t g, std::size_t a, int sign);
  void count_line(std::size_t g, std::size_t a, int sign);
  void weigh(Step& best, std::size_t a, ValueId v, Code m, Sum sum) const;
  void weigh_line(Step& best, std::size_t a, bool free) const;
  bool shows_one(std::size_t a) const;
  void weigh_attribute(Step& best, std::size_t a, bool free) const;  // free: steps that divide no class
  Step best() const;
  void take_free(std::size_t a);
  std::int64_t work() const;
  bool keeps_limit(Step const& step) const;

  KTable const& table_;
  KDemands const& demands_;
  std::vector<AttributeCut> cuts_;
  Preference preference_;
  Checkpoint& checkpoint_;
  std::int64_t all_ = 0;  // the weights together: what somebody costs who is out
  std::int64_t out_ = 0;
  std::vector<SplitStep> path_;
  std::vector<Vector<std::int64_t>> worths_;  // attribute, value -> what showing it costs a person
  std::vector<Vector<Sum>> sums_;             // attribute, value -> its split
  std::vector<Line> lines_;                   // continuous attributes
  Vector<std::uint32_t> order_, begins_, ends_;
  Vector<std::int64_t> sizes_, costs_;   // of groups: persons, and what each of them costs
  std::vector<Vector<ValueId>> values_;  // attribute, group
  std::vector<Vector<char>> met_;        // attribute, value: was current
  std::vector<Vector<char>> vetoed_;     // attribute, value: breaks the limit for good
  Vector<std::int64_t> counts_;
  Vector<std::pair<Rank, std::int64_t>> ranked_;
};

}  // namespace anon_seq
