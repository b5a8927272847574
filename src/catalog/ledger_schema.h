// What a ledger is made of, as data: everything that is done with whole ledgers (create, close, drop, forget, ANALYZE,
// bring up to date) runs over it.
//
// Every ledger has a relation _cell (version, cell, n, c1, c2, ...), table or view, with the counted cells of each
// version: it stands for the ledger (who owns it owns the ledger), audits and other policies read it, and so it keeps
// these columns in every format. The rest is the method's own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anon_seq::catalog {

struct LedgerRelation {
  std::string name = {};     // p7_<name>
  std::string columns = {};  // of a table, as in CREATE TABLE
  std::string query = {};    // of a view; empty: a table
  bool fenced = false;       // a view WITH (security_barrier)
  // Columns that hold keys of persons, as arrays.
  std::vector<std::string> keys = {};
  // Columns stored as they are, and without statistics: these would be one more place to find what they hold.
  std::vector<std::string> packed = {};
  // Columns without statistics: plans of who reads a version would be estimated by what all versions hold.
  std::vector<std::string> unmeasured = {};
  std::vector<std::string> indexes = {};  // what stands after CREATE INDEX ON and the table
  bool analyzed = false;                  // after each version
  // Of the table that holds the counts of each version: the column with the version that a row was written for.
  std::string counts_by = {};
  bool operator==(LedgerRelation const&) const = default;
};

// How a ledger of one format becomes one of the next: statements in which {ledger} is p7. They run as its owner,
// restricted.
struct LedgerStep {
  std::int32_t from;
  std::vector<std::string> statements;
  bool operator==(LedgerStep const&) const = default;
};

struct LedgerSchema {
  std::int32_t format = 1;                     // of what is made now; kept with every ledger
  std::vector<LedgerRelation> relations = {};  // in the order in which they are made
  std::vector<LedgerStep> steps = {};          // from older formats, ascending
  bool operator==(LedgerSchema const&) const = default;
};

}  // namespace anon_seq::catalog
