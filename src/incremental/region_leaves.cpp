#include "incremental/region_leaves.h"

#include <algorithm>
#include <cstring>

#include "catalog/ledger_sums.h"
#include "incremental/touched.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"
#include "pg/writing.h"
#include "release/digest.h"

namespace anon_seq::incremental {
namespace {

using Leaf = DigestLeaves::Leaf;

std::string table(Policy const& policy) { return ledger_table(policy.ledger(), "leaf"); }

[[noreturn]] void throw_damaged(Policy const& policy) {
  throw Error(Fault::kDamaged, "the ledger of policy " + quoted(policy.name) + " is damaged",
              "What regions come to is not what a version wrote.");
}

std::string_view bytes_of(std::span<Leaf const> leaves) {
  return {reinterpret_cast<char const*>(leaves.data()), leaves.size_bytes()};
}

// The rows that the table is to have of some regions.
class FreshRows {
 public:
  struct Row {
    RegionId region;
    std::size_t begin, end;  // of its leaves, which ascend: equal regions have equal rows
    std::int64_t n;
    bool written;  // the table has it already
  };

  FreshRows(SpiSession& session, Policy const& policy, RelationShape const& relation, RegionCells const& now,
            Checkpoint& checkpoint) {
    leaves_.reserve(now.cells.size());
    each_leaf(session, policy, now.cells, relation, checkpoint, [&](std::size_t cell, Leaf const& leaf) {
      RegionId const region = now.region_of[cell];
      if (rows_.empty() || rows_.back().region != region) begin_region(region);
      leaves_.push_back(leaf);
      rows_.back().end = leaves_.size();
      rows_.back().n += now.cells.counts[cell];
    });
    for (auto const& row : rows_)
      std::sort(leaves_.begin() + static_cast<std::ptrdiff_t>(row.begin),
                leaves_.begin() + static_cast<std::ptrdiff_t>(row.end));
    std::ranges::sort(rows_, {}, &Row::region);
    if (std::ranges::adjacent_find(rows_, {}, &Row::region) != rows_.end())
      throw Error(Fault::kInternal, "the cells of a region do not stand together");
  }

  std::span<Row const> rows() const { return rows_; }  // ascending
  std::span<Leaf const> leaves(Row const& row) const {
    return std::span(leaves_).subspan(row.begin, row.end - row.begin);
  }
  Row* of(RegionId region) {
    auto const found = std::ranges::lower_bound(rows_, region, {}, &Row::region);
    return found == rows_.end() || found->region != region ? nullptr : &*found;
  }

 private:
  // The cells of a region stand together, as they do in the relation.
  void begin_region(RegionId region) {
    make_room(rows_, 1);
    rows_.push_back({region, leaves_.size(), leaves_.size(), 0, false});
  }

  Vector<Row> rows_;
  Vector<Leaf> leaves_;
};

// Counts and digest of the rows that are added.
class Sums {
 public:
  explicit Sums(Policy const& policy) : policy_(policy) {}

  // A region with so many rows, as the table has it.
  void add(std::int64_t n, std::string_view leaves) {
    Leaf leaf;
    if (n < 1 || leaves.empty() || leaves.size() % leaf.size() != 0) throw_damaged(policy_);
    for (std::size_t at = 0; at < leaves.size(); at += leaf.size()) {
      std::memcpy(leaf.data(), leaves.data() + at, leaf.size());
      leaves_.add(leaf);
    }
    counts_.smallest_class = counts_.classes++ == 0 ? n : std::min(counts_.smallest_class, n);
    counts_.published += n;
  }

  VersionSums all(Checkpoint& checkpoint) { return {counts_, leaves_.digest(checkpoint)}; }

 private:
  Policy const& policy_;
  DigestLeaves leaves_;
  CellCounts counts_;
};

// Rows by where they stand, as texts.
class OldRows {
 public:
  void add(std::string_view ctid) {
    ItemPointerData place;
    std::memcpy(&place, ctid.data(), sizeof place);
    append_element(ctids_, "(" + std::to_string(ItemPointerGetBlockNumberNoCheck(&place)) + "," +
                               std::to_string(ItemPointerGetOffsetNumberNoCheck(&place)) + ")");
  }
  void drop(SpiSession& session, Policy const& policy) {
    if (ctids_.size() > 1)
      session.execute("DELETE FROM " + table(policy) + " WHERE ctid = ANY ($1::tid[])", {ctids_ + "}"});
  }

 private:
  std::string ctids_ = "{";
};

void write_rows(SpiSession& session, Policy const& policy, FreshRows const& fresh) {
  BulkWriter writer(session, table(policy), {"region", "n", "leaves"});
  for (auto const& row : fresh.rows()) {
    if (row.written) continue;
    writer.put(std::int64_t{row.region});
    writer.put(row.n);
    writer.put(bytes_of(fresh.leaves(row)));
    writer.end_row();
  }
  writer.finish();
}

}  // namespace

Vector<RegionId> region_of_cells(IncrementalState const& state, ReleaseCells const& cells) {
  Vector<RegionId> region(cells.size(), kNoRegion);
  for (std::size_t row = 0; row < cells.cell_of.size(); ++row)
    if (auto const cell = cells.cell_of[row]; cell >= 0)
      region[static_cast<std::size_t>(cell)] = state.refined.region[row];
  return region;
}

LedgerRelation leaf_table() {
  return {.name = "leaf", .columns = "region int PRIMARY KEY, n bigint NOT NULL, leaves bytea NOT NULL"};
}

bool has_leaves(SpiSession& session, Policy const& policy) {
  return session.exists("SELECT FROM (SELECT n.detail->'leaves' AS has FROM " + ledger_table(policy.ledger(), "note") +
                        " AS n ORDER BY n.version DESC LIMIT 1) AS n WHERE n.has = 'true'");
}

VersionSums write_leaves(SpiSession& session, Policy const& policy, RelationShape const& relation,
                         RegionCells const& now, std::span<RegionId const> ended, bool now_all,
                         Checkpoint& checkpoint) {
  FreshRows fresh(session, policy, relation, now, checkpoint);
  Vector<RegionId> over(ended.begin(), ended.end());
  std::sort(over.begin(), over.end());
  Sums sums(policy);
  for (auto const& row : fresh.rows()) sums.add(row.n, bytes_of(fresh.leaves(row)));
  OldRows old;
  DatumCursor cursor(session, "SELECT region, n, leaves, ctid FROM " + table(policy));
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      checkpoint.tick();
      RegionId const region = cursor.integer(row, 0);
      auto const n = cursor.bigint(row, 1);
      auto const leaves = cursor.is_null(row, 2) ? std::string_view() : cursor.text(row, 2);
      if (auto* const known = fresh.of(region)) {
        bool const as_it_was = !known->written && known->n == n && bytes_of(fresh.leaves(*known)) == leaves;
        known->written |= as_it_was;
        if (!as_it_was) old.add(cursor.bytes(row, 3));
      } else if (now_all || std::binary_search(over.begin(), over.end(), region)) {
        old.add(cursor.bytes(row, 3));
      } else {
        sums.add(n, leaves);
      }
    }
  old.drop(session, policy);
  write_rows(session, policy, fresh);
  if (now_all) take_as_written(session, policy.ledger(), "leaf");  // every row was compared
  return sums.all(checkpoint);
}

#ifdef ANON_SEQ_SELFTEST
namespace {

bool in_part = false;

}  // namespace

void write_leaves_in_part(bool so) { in_part = so; }

bool writes_leaves_in_part() { return in_part; }

ChangedRegions changed_regions(IncrementalState const& state, ReleaseCells const& all,
                               std::span<RegionId const> region_of) {
  auto const touched = changed_regions(state);
  ChangedRegions changed;
  for (std::size_t region = 0; region < state.known_regions; ++region)
    if (touched[region] != 0) changed.before.push_back(static_cast<RegionId>(region));
  changed.cells.width = all.width;
  changed.cells.texts = all.texts;
  for (std::size_t cell = 0; cell < all.size(); ++cell) {
    if (touched[static_cast<std::size_t>(region_of[cell])] == 0) continue;
    auto const* const values = &all.values[cell * all.width];
    changed.cells.values.insert(changed.cells.values.end(), values, values + all.width);
    changed.cells.counts.push_back(all.counts[cell]);
    changed.region_of.push_back(region_of[cell]);
  }
  return changed;
}
#endif

}  // namespace anon_seq::incremental
