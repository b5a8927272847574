#include "incremental/touched.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "incremental/held_values.h"
#include "incremental/key_ledger.h"
#include "incremental/region_leaves.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"

namespace anon_seq::incremental {
namespace {

// What the last version's row of _note says beyond what any publish reads of it.
struct LastDetail {
  std::optional<ContentSum> content, waiting;
  Vector<RegionId> deferred;
};

std::optional<LastDetail> last_detail(IncrementalState const& state) {
  auto const& run = state.run;
  LastDetail detail;
  detail.content = ContentSum::of(run.last.fingerprint);
  auto const note = ledger_table(state.policy->ledger(), "note");
  auto const rows =
      run.session.execute("SELECT detail->>'waiting_sum', deferred_in FROM " + note + " WHERE version = $1",
                          {state.policy->version - 1}, true);
  if (rows.count() != 1 || !rows.text(0, 1) || !rows.text(0, 2)) return std::nullopt;
  detail.waiting = ContentSum::of(rows.get(0, 1));
  DatumCursor cursor(
      run.session, "SELECT deferred_in FROM " + note + " WHERE version = " + std::to_string(state.policy->version - 1));
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      auto const regions = cursor.array<std::int32_t>(row, 0);
      detail.deferred.insert(detail.deferred.end(), regions.begin(), regions.end());
    }
  if (!detail.content || !detail.waiting || detail.content->names != no_content(state.source.table).names)
    return std::nullopt;
  return detail;
}

// Marks the leaves that a region has been cut into, or itself.
void mark(IncrementalState const& state, RegionId region, Vector<char>& marked) {
  Vector<RegionId> parts(1, region);
  while (!parts.empty()) {
    RegionId const part = parts.back();
    parts.pop_back();
    if (!state.store->has(part)) throw Error(Fault::kDamaged, "the ledger speaks of a region that it lacks");
    auto const& own = state.partition.regions[static_cast<std::size_t>(part)];
    if (own.children == 0) marked[static_cast<std::size_t>(part)] = 1;
    for (std::int32_t i = 0; i < own.children; ++i) parts.push_back(own.first_child + i);
  }
}

// Of the rows that were read.
void mark_leaves(IncrementalState const& state, Vector<char>& marked) {
  std::vector<Vector<std::int32_t>> points;
  std::vector<IncrementalState::Unknown> unknown;
  for (std::size_t a = 0; a < state.axis_count(); ++a)
    points.push_back(points_of(state, a, state.demands.unknown_wait ? &unknown : nullptr));
  Vector<std::int32_t> point(points.size());
  for (std::size_t row = 0; row < state.live; ++row) {
    state.run.checkpoint.tick();
    for (std::size_t a = 0; a < points.size(); ++a)
      point[a] = points[a][static_cast<std::size_t>(state.column(a).codes[row])];
    marked[static_cast<std::size_t>(leaf_of(state.partition, state.trees, point))] = 1;
  }
}

// Of everybody who was asked for: rows that were read, and keys behind them.
void mark_former(IncrementalState& state, Vector<char>& marked) {
  auto const& person = state.source.table.columns[state.source.person];
  KeyRows keys(person, state.source.person_value, state.run.checkpoint);
  for (Code code = 1; code < person.distinct(); ++code) keys.add(code);
  keys.publish();
  auto const found = regions_of(state.run.session, *state.policy, keys, state.run.source.key);
  for (RegionId const region : found.regions) mark(state, region, marked);
  state.keyed_persons = found.persons;
  state.asked_persons = person.distinct();
}

bool was_deferred(IncrementalState const& state, std::size_t row) {
  return state.deferred_before.size() > row && state.deferred_before[row] != 0;
}

// What a row has, one code per column of the table. Once points are laid out, quasi columns have theirs in the matrix.
void codes_of(IncrementalState const& state, std::size_t row, std::vector<Code>& codes) {
  auto const& columns = state.source.table.columns;
  codes.assign(columns.size(), kNull);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (row < columns[i].codes.size()) codes[i] = columns[i].codes[row];
  if (state.codes_laid_out)
    for (std::size_t a = 0; a < state.axis_count(); ++a)
      codes[state.source.column(state.policy->quasi[a])] = state.codes.at(row, a);
}

}  // namespace

void choose_regions(IncrementalState& state) {
  if (!state.demands.shared || !state.keyed || state.last_k > state.demands.demands.k ||
      !has_leaves(state.run.session, *state.policy))
    return;
  auto const detail = last_detail(state);
  if (!detail) return;
  Vector<char> marked(state.partition.regions.size(), 0);
  mark_former(state, marked);
  mark_leaves(state, marked);
  for (RegionId const region : detail->deferred) mark(state, region, marked);
  state.partial = true;
  for (std::size_t id = 0; id < marked.size(); ++id)
    if (marked[id] != 0 && state.partition.regions[id].open) state.touched.push_back(static_cast<RegionId>(id));
  state.held = held_values(state);
  state.elsewhere = state.held;
  state.content = *detail->content;
  state.content.add(*detail->waiting, -1);
}

Vector<RegionId> ended_regions(IncrementalState const& state) {
  Vector<char> shown(state.partition.regions.size(), 0);
  for (RegionId const region : state.refined.region)
    if (region != kNoRegion) shown[static_cast<std::size_t>(region)] = 1;
  Vector<RegionId> ended;
  for (RegionId const region : state.touched)
    if (shown[static_cast<std::size_t>(region)] == 0) ended.push_back(region);
  return ended;
}

Vector<char> changed_regions(IncrementalState const& state) {
  Vector<char> changed(state.partition.regions.size(), 0);
  auto const mark = [&](RegionId region) {
    if (region != kNoRegion) changed[static_cast<std::size_t>(region)] = 1;
  };
  for (std::size_t row = 0; row < state.refined.region.size(); ++row) {
    auto const before = state.objects.region[row], now = state.refined.region[row];
    if (before != now) mark(before), mark(now);
  }
  for (auto const& of : state.changed) mark(state.objects.region[of.row]);
  for (RegionId const region : state.worn) mark(region);
  return changed;
}

std::string changed_fingerprint(IncrementalState const& state) {
  auto content = state.content;
  auto const& table = state.source.table;
  std::vector<Code> codes;
  Vector<char> changed(state.objects.rows(), 0);
  for (auto const& of : state.changed) {
    changed[of.row] = 1;
    codes_of(state, of.row, codes);
    content.add(table, codes, 1);
    if (was_deferred(state, of.row)) continue;
    for (std::size_t i = state.axis_count(), j = 0; i < state.policy->columns.size(); ++i, ++j)
      codes[state.source.column(state.policy->columns[i].column)] = of.before[j];
    content.add(table, codes, -1);
  }
  for (std::size_t row = 0; row < state.objects.rows(); ++row) {
    state.run.checkpoint.tick();
    if (changed[row] != 0) continue;
    int const before = state.objects.region[row] != kNoRegion && !was_deferred(state, row) ? 1 : 0;
    int const now = state.objects.gone[row] == 0 ? 1 : 0;
    if (now == before) continue;
    codes_of(state, row, codes);
    content.add(table, codes, now - before);
  }
  return content.text();
}

ContentSum waiting_content(IncrementalState const& state) {
  auto content = no_content(state.source.table);
  std::vector<Code> codes;
  for (std::size_t row = 0; row < state.objects.rows(); ++row) {
    state.run.checkpoint.tick();
    if (state.objects.gone[row] != 0 || state.refined.region[row] != kNoRegion) continue;
    codes_of(state, row, codes);
    content.add(state.source.table, codes, 1);
  }
  return content;
}

std::string deferred_regions(IncrementalState const& state) {
  Vector<RegionId> regions;
  for (std::size_t row = 0; row < state.objects.rows(); ++row)
    if (state.objects.gone[row] != 0 && state.refined.region[row] != kNoRegion)
      regions.push_back(state.refined.region[row]);
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  std::string text = "{";
  for (RegionId const region : regions) append_element(text, std::int64_t{region});
  return text + "}";
}

}  // namespace anon_seq::incremental
