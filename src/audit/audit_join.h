// The join attack of "Anonymizing Sequential Releases" (KDD'06), replayed in SQL on written relations.
//
// An attacker joins releases on what they have in common: (X,Y)-anonymity counts the distinct Y of every
// x in the join, (X,Y)-linkability the share of a y among the rows of an x. This is the check before a
// commit, so it shares no code with the algorithms: it reads relations (a release's counted cells, or
// anything else that SQL can select), counts bags exactly, and raises rather than return a wrong number.
//
// Rows match if every common attribute is comparable in each pair of tables (labels: one is the other or
// above it; NULL: a leaf of its own below the root; ranges: they overlap; else: equal) and
// no declared inconsistency forbids the pair. How that is counted without enumerating it: rule_sql.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/numbers/ratio.h"
//
#include "catalog/cell_source.h"
#include "catalog/inconsistencies.h"
#include "pg/line_type.h"
#include "pg/spi.h"

namespace anon_seq::audit {

struct AuditColumn {
  std::string name;       // in what the query yields
  std::string attribute;  // tables match on attributes of one name; empty: takes no part in matching
  std::string taxonomy;   // of the attribute; empty: values match if equal. One table's taxonomy serves all
  std::string type;       // as SQL names it
  bool interval = false;  // a text that is to be read as a range of numbers
  // What align.h finds out: the column of the query by which it matches, a range; empty: by itself, as it is.
  std::string match;
  std::string nothing;  // the label that says nothing: the root's
};

enum class Persons {
  kRows,   // every row is another person
  kKey,    // `person_column` is the key of the row's person
  kArray,  // `person_column` is an array of the keys of the row's persons, as in <ledger>_person
};

struct AuditTable {
  std::string name;           // in messages and evidence
  std::string query;          // a SELECT, all its names qualified, that yields the columns, weight and person column
  std::string weight_column;  // a bigint: how many rows a row stands for; empty: 1
  std::vector<AuditColumn> columns;
  Persons persons = Persons::kRows;
  std::string person_column;
  std::vector<std::string> names;           // what people may call it in x and y of the SQL functions
  std::shared_ptr<CellSource const> cells;  // what the query reads, of a release
};

struct AuditTerm {
  enum What { kColumn, kPersons, kRecords };
  std::size_t table = 0;
  What what = kColumn;
  std::size_t column = 0;  // if what == kColumn
};

struct AuditRule {
  enum Kind { kAnonymity, kLinkability };
  Kind kind = kAnonymity;
  std::vector<AuditTerm> x, y;     // X: columns only. Linkability: columns only in y, too
  std::optional<Ratio> threshold;  // min, an integer, or max; none: measured only, holds
  // Linkability: what is bounded, tuples with a part for each entry of y. A part may be a node of the
  // column's taxonomy and then means all below it; nullopt is NULL. Empty: every tuple of values singly.
  std::vector<std::vector<std::optional<std::string>>> values;
  bool each = false;   // the listed values singly, not any of them together
  bool nulls = false;  // every tuple of values singly: NULL is a value
};

struct AuditOptions {
  bool overlap = true;   // ranges of a common attribute must overlap to match; else they do not matter
  bool outer = false;    // a row of the first table has an empty partner in every table of which nothing fits
  bool general = false;  // never take a short cut: for tests of the short cuts
  std::vector<DeclaredInconsistency> inconsistencies;
};

struct AuditFinding {
  bool holds = false;                                 // what was measured keeps the threshold; so does an empty join
  std::optional<std::string> anonymity;               // A_Y(X), an integer; none if the join is empty
  std::optional<std::string> numerator, denominator;  // L_Y(X) exactly; none if no y occurs
  std::string matches;                                // rows of the join, an integer
  std::vector<std::string> dangling;                  // per table: rows without a partner
  std::optional<std::string> worst;  // jsonb: {"x": {table: {column: value}}, "y": ..., counts}: evidence for the owner

  bool has_dangling() const;
  bool is_empty() const { return matches == "0"; }
};

// Prepares once what the rules over one list of tables share; measures rule by rule.
class AuditJoin {
 public:
  // Finds out how attributes compare, and reads their labels. Runs under the active snapshot, as every measure() does.
  // REQUIRES: `session` outlives it.
  // Throws kParameter (a common attribute with two taxonomies), kNoObject (no such taxonomy), kData
  // (values that are not in their taxonomy: column and count).
  AuditJoin(SpiSession& session, std::vector<AuditTable> tables, AuditOptions options);
  ~AuditJoin();
  AuditJoin(AuditJoin const&) = delete;
  AuditJoin& operator=(AuditJoin const&) = delete;

  // Throws kParameter if a rule makes no sense: an empty y, a column in x and y, a listed value with the
  // wrong number of parts. Whether x should hold more is for the policy to say.
  AuditFinding measure(AuditRule const& rule);

 private:
  struct State;
  AuditFinding measure_one(AuditRule const& rule);

  SpiSession& session_;
  std::unique_ptr<State> state_;
};

// The declared inconsistencies whose attributes occur in the tables.
std::vector<DeclaredInconsistency> load_inconsistencies(SpiSession& session, std::vector<AuditTable> const& tables);

}  // namespace anon_seq::audit
