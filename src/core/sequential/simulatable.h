// Decisions from which a reader who knows the code learns nothing (doc/semantics.md).
//
// He knows all of T1 but the columns in Problem::secret. The one rule: every node whose secret values are counted is a
// union of classes of this same release. So a rule that bounds them is not measured on the states behind a step, but at
// worst: a node P with c rows of y is cut only if each part keeps the bound even where all c of them fall into it. All
// arrangements inside the classes then give the same release, and who is in a class with c of n has y with chance c/n.
//
// Where earlier releases are joined in, a row counts as often as it has partners, which everybody can tell: at worst y
// are those rows of the part that have most.
#pragma once

#include <compare>
#include <span>

#include "core/base/checkpoint.h"
#include "core/sequential/level.h"
#include "core/sequential/partners.h"

namespace anon_seq {

// Whether the rule is decided at worst: it bounds what is secret, and decisions are to be simulatable.
bool decided_at_worst(Problem const& problem, Rule const& rule);

// Throws kParameter or kUnsupported for what would read secret values in another way.
void check_simulatable(Problem const& problem);

// Rows of T1 that are alike but for their secret values.
struct AlikeRows {
  std::int64_t rows = 0;
  BlockId block = 0;
};

// One rule, at worst.
class WorstShare {
 public:
  // `core`: the releases that are joined in; nullptr: none. REQUIRES: all outlive it.
  WorstShare(Rule const& rule, Judge const& judge, YTokens& tokens, Partners* core, Checkpoint& checkpoint)
      : rule_(rule), judge_(judge), tokens_(tokens), core_(core), checkpoint_(checkpoint) {}

  // The secret y of a node: begin(), then count() for all of its rows, by their tokens.
  void begin();
  void count(std::int32_t token, std::int64_t rows);

  // The level of a part of that node. May reorder it. Cost: its matching pairs of partitions.
  Level of(std::span<AlikeRows> part);

 private:
  struct Weighed {  // rows of an x, each with as many partners
    std::int32_t x;
    std::int64_t partners, rows;
  };
  void weigh(std::span<AlikeRows> part);
  Level of_one(std::span<Weighed const> x) const;

  Rule const& rule_;
  Judge const& judge_;
  YTokens& tokens_;
  Partners* core_;
  Checkpoint& checkpoint_;
  Vector<std::int64_t> held_;  // set -> rows of the node
  Vector<std::int32_t> met_;   // sets that occur
  Vector<Weighed> weighed_;
};

// The nodes whose secret values were counted. A node is a range of places; places of a node change only among
// themselves.
class TestedNodes {
 public:
  struct Node {
    std::uint32_t begin, end;
    auto operator<=>(Node const&) const = default;
  };
  void add(Node node);
  // Throws kInternal unless each is a union of `groups`: the ranges of equal x at the end, which are all places.
  void check(std::span<Node const> groups);

 private:
  void tidy();
  Vector<Node> nodes_;
  std::size_t full_ = 4096;
};

}  // namespace anon_seq
