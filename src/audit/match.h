// Which labels of one table match which of another, as small numbers that SQL can join on.
//
// Every label becomes a span [first, last] such that two labels match iff their spans overlap: the preorder
// interval of its node (two nodes overlap iff one is above the other; NULL comes after all nodes and only
// the root reaches it), or the ranks of a range's bounds. A component is a set of labels no span leaves:
// labels of different components never match, so SQL hash-joins on components. In most releases, where
// every table is on a cut, all labels of different tables in a component match, and the join is that
// equality alone; only else the spans are compared. Declared inconsistencies become groups: labels of a
// column that are forbidden with the same partners share one, 0 is forbidden with nothing.
#pragma once

#include "audit/audit_join.h"

namespace anon_seq::audit {

// A column that takes part in matching, and which codes decide.
struct MatchColumn {
  std::size_t table = 0, column = 0;
  std::string attribute;
  bool by_text = false;       // values match if equal; their text form is the code
  bool by_component = false;  // more than one component
  bool by_span = false;       // some component is not complete
  bool by_group = false;      // some label is forbidden with something

  // Every row has the same codes: the column decides nothing.
  bool is_constant() const { return !by_text && !by_component && !by_span && !by_group; }
};

struct LabelCode {
  std::int32_t column;             // of MatchPlan::columns
  std::optional<std::string> key;  // text form; nullopt: NULL
  std::int32_t first = 0, last = 0, component = 0, group = 0;
};

// Groups of two columns of different tables that must not meet.
struct Exclusion {
  std::size_t a = 0, b = 0;  // of MatchPlan::columns
  std::vector<std::pair<std::int32_t, std::int32_t>> groups;
};

struct MatchPlan {
  std::vector<MatchColumn> columns;
  std::vector<LabelCode> labels;
  std::vector<Exclusion> exclusions;
  std::vector<std::string> totals;  // rows of each table, an integer
};

MatchPlan plan_match(SpiSession& session, std::vector<AuditTable> const& tables, AuditOptions const& options);

// The text forms in which a listed value and all that stands below it in the taxonomy occur among `labels`.
std::vector<std::string> labels_under(SpiSession& session, std::string const& taxonomy, std::string const& value,
                                      std::vector<std::string> const& labels);

// "tuples" of a table for SQL: its query as a subselect with alias q.
std::string from_table(AuditTable const& table);
std::string weight_of(AuditTable const& table);      // an expression over q
std::string relation_text(AuditTable const& table);  // how messages call it

}  // namespace anon_seq::audit
