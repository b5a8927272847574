// An incremental publish in memory: who is published, who wants to be, and the regions they are in.
#pragma once

#include <memory>

#include "core/partition/incremental.h"
#include "core/table/code_matrix.h"
//
#include "incremental/ledger_codes.h"
#include "incremental/policy.h"
#include "incremental/region_store.h"
#include "release/publish_run.h"

namespace anon_seq::incremental {

// Rows are those of the source, then the objects of the ledger that are not in it any more, or with other values.
struct IncrementalState {
  explicit IncrementalState(PublishRun const& run)
      : run(run), policy(&run.policy), demands(run.demanded<IncrementalPolicy>()) {}

  PublishRun const& run;
  Policy const* policy;
  IncrementalPolicy const& demands;
  std::unique_ptr<LedgerCodes> values;
  SourceTable source;    // table: all rows; persons, fingerprint: of the source alone
  std::size_t live = 0;  // rows of the source
  bool watched = false;  // only who may have changed was read: read_watched()
  bool keyed = false;    // the ledger knows where persons are by their keys: key_ledger.h
  // Only objects of these regions are in memory, see touched.h; ascending.
  bool partial = false;
  Vector<RegionId> touched;
  std::int64_t keyed_persons = 0;                     // of whom key_ledger.h knew where they are
  Code asked_persons = 0;                             // codes of those that it was asked for are below
  std::int64_t shown_before = 0;                      // objects in the last version
  std::int64_t unloaded = 0;                          // of those, not in memory
  std::vector<Vector<std::int64_t>> held, elsewhere;  // see held_values.h: in the last version; of those not in memory
  ContentSum content;                                 // of the last version, without who waited
  Vector<char> deferred_before;                       // row -> whether it was shown, though its person had gone
  std::string stamp;                                  // greatest value of the column changed_since; empty: none
  std::int64_t last_k = 0;                            // of the version before
  std::unique_ptr<TaxonomyPool> pool;
  std::unique_ptr<RegionStore> store;
  std::vector<Taxonomy const*> trees;  // per quasi column; nullptr: a line
  std::vector<Axis> axes;
  std::vector<Vector<std::int32_t>> roundness;  // what axes borrow
  Partition partition;                          // as it becomes
  std::size_t known_regions = 0;                // that the ledger has
  std::vector<bool> was_open;                   // of those
  Vector<std::int32_t> wear;                    // of those: rows of members, and members who have left
  Vector<RegionId> worn;                        // of those: whose rows were written anew
  CodeMatrix codes;                             // of the quasi columns, once laid out
  bool codes_laid_out = false;
  Objects objects;
  Vector<std::int64_t> ids;  // row -> object id, 0: none yet; empty: nobody has one
  // Row -> an object that showed the same person before, 0: none; shorter than there are rows where nobody has one.
  Vector<std::int64_t> earlier;
  Vector<char> returned;  // row -> whether its person was forgotten, and is not shown yet; empty: nobody was
  struct Changed {
    std::size_t row;
    std::vector<Code> before;  // codes of the columns published as they are, in the last version
  };
  std::vector<Changed> changed;  // same object, other values in those columns
  struct Turnover {
    std::int64_t before = 0, left = 0, came = 0;  // persons: there at the last version, not any more, and new
    Vector<bool> known;  // row of the source -> whether something was shown of its person; empty: nothing of anybody
  };
  Turnover turnover;
  struct Unknown {  // values of a quasi column that its taxonomy does not have
    std::size_t axis;
    std::string column, taxonomy;
    Vector<char> codes;     // code -> whether it is one
    bool all_inner = true;  // else some are nowhere in it
    std::int64_t persons = 0;
  };
  std::vector<Unknown> unknown;  // where whoever has one waits
  Refined refined;

  std::size_t axis_count() const { return policy->quasi.size(); }
  // The column of the table that is column i of the policy.
  Column const& column(std::size_t i) const { return source.table.columns[source.column(policy->columns[i].column)]; }
};

// Reads the source and the ledger's regions and values. Throws kData for duplicate or NULL persons, and for fewer than
// k of them at first. REQUIRES: the run outlives it.
void read_incremental(IncrementalState& state);

// Trees and the partition as it was. Throws kData for values that are not of a taxonomy's form.
void lay_out_space(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint);

// Code of a quasi column -> point. `held`: where values that are no leaves go, to be held back; nullptr: they are
// refused.
Vector<std::int32_t> points_of(IncrementalState const& state, std::size_t axis,
                               std::vector<IncrementalState::Unknown>* held);

// After match_members(): space, axes and points.
// Throws kData for values that are not in their taxonomy.
void lay_out(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint);

}  // namespace anon_seq::incremental
