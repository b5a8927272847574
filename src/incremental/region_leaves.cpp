#include "incremental/region_leaves.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "catalog/ledger.h"
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

// A region's row of the table.
struct Row {
  std::int64_t n = 0;
  std::string leaves;  // ascending, so that equal regions have equal rows
};

std::map<RegionId, Row> rows_of(SpiSession& session, Policy const& policy, RelationShape const& relation,
                                RegionCells const& now, Checkpoint& checkpoint) {
  std::map<RegionId, std::vector<Leaf>> leaves;
  std::map<RegionId, Row> rows;
  each_leaf(session, policy, now.cells, relation, checkpoint, [&](std::size_t cell, Leaf const& leaf) {
    leaves[now.region_of[cell]].push_back(leaf);
    rows[now.region_of[cell]].n += now.cells.counts[cell];
  });
  for (auto& [region, of_region] : leaves) {
    std::sort(of_region.begin(), of_region.end());
    auto& text = rows[region].leaves;
    for (auto const& leaf : of_region) text.append(reinterpret_cast<char const*>(leaf.data()), leaf.size());
  }
  return rows;
}

// Counts and digest of the rows that are added.
class Sums {
 public:
  explicit Sums(Policy const& policy) : policy_(policy) {}

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

void drop_rows(SpiSession& session, Policy const& policy, std::string const& regions) {
  if (regions.size() > 2)
    session.execute("DELETE FROM " + table(policy) + " WHERE region IN (SELECT pg_catalog.unnest($1::int4[]))",
                    {regions});
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
  auto rows = rows_of(session, policy, relation, now, checkpoint);
  Vector<RegionId> over(ended.begin(), ended.end());
  std::sort(over.begin(), over.end());
  Sums sums(policy);
  std::string changed = "{";
  std::map<RegionId, Row const*> fresh;  // to be written
  for (auto const& [region, row] : rows) {
    fresh.emplace(region, &row);
    sums.add(row.n, row.leaves);
  }
  DatumCursor cursor(session, "SELECT region, n, leaves FROM " + table(policy));
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      checkpoint.tick();
      RegionId const region = cursor.integer(row, 0);
      auto const n = cursor.bigint(row, 1);
      auto const leaves = cursor.is_null(row, 2) ? std::string_view() : cursor.text(row, 2);
      if (auto const known = rows.find(region); known != rows.end()) {
        if (known->second.n == n && known->second.leaves == leaves)
          fresh.erase(region);
        else
          append_element(changed, region);
      } else if (now_all || std::binary_search(over.begin(), over.end(), region)) {
        append_element(changed, region);
      } else {
        sums.add(n, leaves);
      }
    }
  drop_rows(session, policy, changed + "}");
  BulkWriter writer(session, table(policy), {"region", "n", "leaves"});
  for (auto const& [region, row] : fresh) {
    writer.put(std::int64_t{region});
    writer.put(row->n);
    writer.put(std::string_view(row->leaves));
    writer.end_row();
  }
  writer.finish();
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
  std::vector<char> touched(state.partition.regions.size(), 0);
  auto const touch = [&](RegionId region) {
    if (region != kNoRegion) touched[static_cast<std::size_t>(region)] = 1;
  };
  ChangedRegions changed;
  for (std::size_t row = 0; row < state.refined.region.size(); ++row) {
    auto const before = state.objects.region[row], now = state.refined.region[row];
    if (before == now) continue;
    touch(before), touch(now);
  }
  for (auto const& of : state.changed) touch(state.objects.region[of.row]);
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
