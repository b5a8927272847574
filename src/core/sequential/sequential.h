// What a sequential release must satisfy: the current table, the earlier releases, and the rules.
//
// K. Wang, B. C. M. Fung: Anonymizing Sequential Releases, KDD 2006. Table 0 is the current table T1, table
// i > 0 is earlier[i-1], the paper's T(i+1), as it was published. A match is one record of each table such
// that (a) for each join attribute, the values that the tables hold share an instance, and (b) no stated
// inconsistency excludes two of them. The join is the bag of all matches. X and Y are sets of columns of
// named tables; a common attribute is one column per table. Everything here is borrowed for the run.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/numbers/place_order.h"
#include "core/numbers/ratio.h"
#include "core/table/classes.h"
#include "core/table/table.h"
#include "core/taxonomy/taxonomy.h"

namespace anon_seq {

// A column of T1 that the algorithm generalizes: by its taxonomy, or, without one, as a continuous one.
struct Attribute {
  std::size_t column = 0;
  Taxonomy const* taxonomy = nullptr;
  Vector<Node> leaves;  // taxonomy: code -> leaf; the entry of NULL is not looked at
  // Continuous: the declared domain [lower, upper], or NaN: unbounded, widths measured on the data.
  double lower = std::numeric_limits<double>::quiet_NaN(), upper = lower;
  // Continuous, without a declared domain: the codes whose range widths are shares of; what reaches beyond it costs at
  // most all of it. Empty: of all codes that rows have.
  Extent window{0, 0};
  // Continuous and a join attribute: code -> place of the cut published just below that code, after that of code - 1
  // and not after its own; and where the declared domain begins and ends. The entry of NULL is not looked at.
  Vector<Place> cuts;
  Place first = kBelowAll, end = kAboveAll;
  // Continuous: code -> not 0 if no cut may be below it, as it would show somebody's own value. Empty: all may.
  Vector<char> barred;
  // The finest cut that may be made, where one is given: nodes that stay whole (taxonomy: node -> not 0); continuous:
  // cuts are at codes that are not barred, whether anybody has them or not.
  Vector<char> whole;
  bool fixed = false;
  // Floors and ceilings of detail, see detail_limits.h. The most general state: nodes above that depth are cut, and a
  // line at these codes, ascending. Continuous: no range is narrower than the floor, where code -> place of the bound
  // published just below that code; beside code 0 and the last one stand the ends.
  int start_depth = 0;
  Vector<Code> start;
  double floor = 0;
  Vector<double> bounds;
};

// A published interval of places [lower, upper): of an exact value from it to just after it; empty if lower == upper.
// The NULL of a continuous column has lower > upper and covers_null, the most general value is unbounded and
// covers_null.
struct Interval {
  Place lower, upper;
  bool covers_null = false;
};

// An attribute that decides which records match; held by one table (it then matters in inconsistencies)
// or by several. The columns of its holders give, per code, a node of the taxonomy (any level; kNoNode for
// NULL), an interval, or, without either, a code of a dictionary that the holders share (0 for NULL).
// A holder that is one of T1's generalized attributes gives nothing: its attribute knows; but one with a taxonomy that
// is compared by intervals gives the interval of each node.
struct JoinAttribute {
  struct Holder {
    std::size_t table = 0, column = 0;
    Vector<Node> nodes;
    Vector<Interval> intervals;
    Vector<Code> values;
  };
  std::string name;
  Taxonomy const* taxonomy = nullptr;
  bool open = false;     // the taxonomy has leaves that nobody named: below every inner node there is one more
  bool overlap = false;  // continuous: values match where their intervals intersect
  std::vector<Holder> holders;
};

// "a = u and b = v never hold for one person", whichever two tables hold a and b. Ground-instance reading:
// two values may stand together iff some instance under each is not covered by a stated pair; so the
// predicate holds below u and v, and above them where every instance is excluded.
struct Inconsistency {
  std::size_t a = 0, b = 0;  // of Problem::join
  Node u = 0, v = 0;         // a node, or a shared code where the attribute has no taxonomy
};

struct ColumnRef {
  std::size_t table = 0, column = 0;
  bool operator==(ColumnRef const&) const = default;
};

// A value of Y as a rule lists it: a part per column of Rule::y, each met by several of the column's values.
struct ListedY {
  struct Part {
    Vector<Code> codes;  // ascending; kNull among them where NULL is listed
    // Of a column that T1 generalizes, in place of codes: published values within these ranks, and NULL.
    Extent ranks{0, 0};
    bool null = false;
  };
  std::vector<Part> parts;
};

// Listed values whose chance together is at most `max`. There may be none: values that occur nowhere.
struct SensitiveSet {
  std::vector<ListedY> values;
  Ratio max;
};

// (X,Y)-anonymity: each x of the join is with at least `min` distinct y. (X,Y)-linkability: of the records
// with x, at most the stated share has a sensitive y. Columns that T1 generalizes stand in Y as they are published.
// A y with a part that is NULL, says nothing or belongs to an empty partner does not add to anonymity; to linkability
// a NULL only where it is listed or `nulls` are values, the others never where values are counted singly.
//
// About the people of a population, with x of columns that T1 generalizes and no y: at least `min` people fit each
// class of x (k-map); the share of who fits it that T1 holds, persons counted, is at most max, below it, or, for
// everybody of the population, at least max (presence). See population_levels.h.
struct Rule {
  enum class Kind { kAnonymity, kLinkability };
  enum class Side { kAtMost, kBelow, kAtLeast };
  Kind kind = Kind::kAnonymity;
  std::optional<std::size_t> population;  // of Problem::populations: k-map if anonymity, else presence
  Side side = Side::kAtMost;              // presence
  std::vector<ColumnRef> x, y;
  std::vector<std::size_t> y_keys;  // tables whose records are in Y; 0: the persons of T1. Anonymity only
  std::optional<std::vector<std::size_t>> tables;  // earlier tables that T1 is joined with; none: all of them
  std::int64_t min = 1;
  Ratio max{1, 1};                      // of every value singly, where nothing is listed
  std::vector<SensitiveSet> sensitive;  // one set: any of its values together; "each": a set per value
  bool nulls = false;                   // linkability, every value singly: NULL is one of them
  // Per column of y, the codes that say nothing, as a root does; of columns that T1 generalizes that is known. None
  // given: there are none.
  std::vector<Vector<Code>> nothing;
  bool allow_partial_x = false;  // X may hold some copies of a common attribute and not others

  // Whether table i takes part in the rule's join.
  bool joins(std::size_t table) const {
    return table == 0 || !tables || std::find(tables->begin(), tables->end(), table) != tables->end();
  }
};

// A table of the people whom records may be of, as the columns of x would show them.
struct Population {
  struct Axis {
    std::size_t attribute = 0;  // of Problem::attributes
    Vector<Extent> values;      // code -> the ranks that the value covers; empty ones fit no class
    // Of an open taxonomy, where a node with one child is more than that child: values are nodes, see nodes_from().
    bool by_node = false;
    Vector<Code> codes;  // row -> code
  };
  std::vector<Axis> axes;
  Vector<std::int64_t> people;  // row -> how many people it stands for
};

enum class Objective { kEntropy, kDistortion, kDiscernibility };
enum class Pruning { kExact, kPaper };
// What happens to records without a partner: refused; matches may leave releases out, for each of which no record
// fits all that are in the match (the full disjunction, as far as it holds a record of T1: the order of releases plays
// no part); or they are not in the join, for measuring only.
enum class Dangling { kError, kOuter, kInner };

// To split the value of an attribute that has these ranks; continuous: below code m.
struct SplitStep {
  std::size_t attribute = 0;
  Extent ranks{0, 0};
  Code m = kNull;
};

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

struct Problem {
  CodedTable const* table = nullptr;
  std::size_t person = kNoColumn;  // none: every row is another person
  std::size_t label = kNoColumn;
  Vector<std::uint8_t> informs;       // row -> whether it informs the entropy (training rows); empty: all do
  std::vector<Attribute> attributes;  // in the order in which ties are broken
  std::vector<CodedTable const*> earlier;
  std::vector<std::string> names;  // of the earlier tables, for messages; may be left empty
  std::vector<std::string> ways;   // of them, too: what to do where one shows what is secret, for hints
  std::vector<JoinAttribute> join;
  std::vector<Inconsistency> inconsistent;
  std::vector<Population> populations;
  std::vector<Rule> rules;
  Objective objective = Objective::kDistortion;
  Pruning pruning = Pruning::kExact;
  Dangling dangling = Dangling::kError;
  bool valid_split = false;  // continuous: the best split among those that stay valid, not just the best
  bool search = false;       // the most general state violates and that is no proof: look below it
  // Steps to take first, in this order, as far as rules allow; the score then counts no loss of rules that read columns
  // of T1 beside those that it generalizes.
  std::optional<std::vector<SplitStep>> order;
  bool simulatable = false;         // decisions tell a reader of the code nothing of `secret` (simulatable.h)
  std::vector<std::size_t> secret;  // columns of T1 whose values are not known to him

  CodedTable const& at(std::size_t i) const { return i == 0 ? *table : *earlier[i - 1]; }
  std::size_t tables() const { return earlier.size() + 1; }
  // Index of the attribute that generalizes T1's column, or kNoColumn.
  std::size_t generalizes(std::size_t column) const;
  // Whether the levels of a rule depend on columns of T1 that it does not generalize, persons apart.
  bool reads_other_columns(Rule const& rule) const;

  // Throws kParameter, kNoColumn or kUnsupported for a statement that makes no sense, kInternal for one
  // that the caller must not make. Reads no rows.
  void check() const;
};

}  // namespace anon_seq
