// read_incremental() and lay_out(): source and ledger as one table of objects, and what refine() needs to know of it.
#include <algorithm>
#include <limits>

#include "core/numbers/line_bounds.h"
#include "core/numbers/round_date.h"
//
#include "catalog/ledger.h"
#include "incremental/bad_night.h"
#include "incremental/changed_rows.h"
#include "incremental/key_ledger.h"
#include "incremental/touched.h"
#include "incremental/watched_rows.h"

namespace anon_seq::incremental {
namespace {

void require_one_row_each(Policy const& policy, SourceTable const& source) {
  if (source.one_row_each) return;
  auto const rows = source.table.total_weight();
  throw Error(Fault::kData, "column " + quoted(*policy.person) + " names persons, but some have several rows",
              std::to_string(source.persons) + " persons have " + std::to_string(rows) + " rows.",
              "An incremental release has one row per person: aggregate in a view, or use a sequential policy.");
}

// Trees over all values that rows and regions have, and the nodes of a column's codes.
void add_trees(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint) {
  state.pool = std::make_unique<TaxonomyPool>(session, checkpoint);
  auto const& policy = *state.policy;
  for (std::size_t a = 0; a < state.axis_count(); ++a) {
    auto const& name = policy.columns[a].taxonomy;
    if (name.empty()) continue;
    auto const& column = state.column(a);
    for (Code code = 1; code < column.distinct(); ++code) state.pool->expect(name, column.values[code]);
    if (auto const misfits = state.pool->misfits(name); misfits > 0 && !state.demands.unknown_wait)
      throw_misfits(column.name, name, misfits, "not of the form");
  }
  state.store->tell_nodes(*state.pool);
  for (std::size_t a = 0; a < state.axis_count(); ++a) {
    auto const& name = policy.columns[a].taxonomy;
    state.trees.push_back(name.empty() ? nullptr : &state.pool->tree(name));
  }
}

// Anybody's: whoever has it waits.
Node any_leaf(Taxonomy const& tree) {
  Node node = kRoot;
  while (!tree.is_leaf(node)) ++node;
  return node;
}

}  // namespace

Vector<std::int32_t> points_of(IncrementalState const& state, std::size_t axis,
                               std::vector<IncrementalState::Unknown>* held) {
  auto const& column = state.column(axis);
  auto const* const tree = state.trees[axis];
  auto const& taxonomy = state.policy->columns[axis].taxonomy;
  Vector<std::int32_t> points(static_cast<std::size_t>(column.distinct()));
  if (tree == nullptr) {
    for (Code code = 0; code < column.distinct(); ++code) points[static_cast<std::size_t>(code)] = code;
    return points;
  }
  std::int64_t unknown = 0, inner = 0;
  points[kNull] = kUnknown;
  for (Code code = 1; code < column.distinct(); ++code) {
    Node& node = points[static_cast<std::size_t>(code)] = tree->find(column.values[code]);
    bool const is_leaf = node != kNoNode && tree->is_leaf(node);
    if (held != nullptr && !is_leaf) {
      if (held->empty() || held->back().column != column.name)
        held->push_back({axis, column.name, taxonomy, Vector<char>(points.size(), 0), true, 0});
      held->back().codes[static_cast<std::size_t>(code)] = 1;
      held->back().all_inner = held->back().all_inner && node != kNoNode;
      node = any_leaf(*tree);
      continue;
    }
    unknown += node == kNoNode;
    inner += node != kNoNode && !is_leaf;
  }
  if (unknown > 0) throw_misfits(column.name, taxonomy, unknown, "no part");
  if (inner > 0) throw_misfits(column.name, taxonomy, inner, "inner nodes, not leaves,");
  return points;
}

namespace {

// The first code of a line whose value is at or above a declared bound.
Code code_from(Column const& column, double place) {
  auto const begin = column.positions.begin() + 1;
  return static_cast<Code>(std::lower_bound(begin, column.positions.end(), place) - column.positions.begin());
}

void add_domain(Axis& axis, Column const& column, Domain const& domain) {
  auto const [lower, upper] = domain_places(column, domain);
  axis.width = std::min(upper - lower, std::numeric_limits<double>::max());
  axis.domain_from = code_from(column, lower);
  axis.domain_below = code_from(column, upper);
}

// Values at the end of their type, beyond which no bound can be.
void add_ends(Axis& axis, Column const& column, Oid type) {
  auto const least = column.values[1], greatest = column.values[column.distinct() - 1];
  auto const ends = [&](char const* low, char const* high) {
    axis.ends_below = least == low;
    axis.ends_above = greatest == high;
  };
  if (type == INT2OID) return ends("-32768", "32767");
  if (type == INT4OID) return ends("-2147483648", "2147483647");
  if (type == INT8OID) return ends("-9223372036854775808", "9223372036854775807");
  if (type == FLOAT4OID) return ends("-3.4028235e+38", "3.4028235e+38");
  if (type == FLOAT8OID) return ends("-1.7976931348623157e+308", "1.7976931348623157e+308");
  if (column.kind < ValueKind::kDate) return;
  axis.ends_below = !date_beyond(least, false);
  axis.ends_above = !date_beyond(greatest, true);
}

// Whether the bound below values that are none below zero would be: ages from 0 do not begin at -5, they have no bound.
bool is_below_zero(Column const& column) {
  return column.kind < ValueKind::kDate && !column.values[1].starts_with('-') && bound_text(column, 1).starts_with('-');
}

// code -> persons of this publish who have it.
Vector<std::int64_t> holders_of(IncrementalState const& state, std::size_t a) {
  auto const& column = state.column(a);
  auto holders =
      state.partial ? state.elsewhere[a] : Vector<std::int64_t>(static_cast<std::size_t>(column.distinct()), 0);
  for (std::size_t row = 0; row < column.codes.size(); ++row)
    holders[static_cast<std::size_t>(column.codes[row])] += state.objects.gone[row] == 0;
  return holders;
}

// Where a cut would show somebody's own value. What the ledger has as a bound goes on being shown as it is.
Vector<char> barred_of(IncrementalState const& state, std::size_t a) {
  auto const k = state.demands.demands.k;
  auto const holders = holders_of(state, a);
  auto barred = barred_cuts(state.column(a), holders, k);
  for (Code const code : state.store->bounds(a, state.column(a))) {
    auto const n = holders[static_cast<std::size_t>(code)];
    barred[static_cast<std::size_t>(code)] = n > 0 && n < k;
  }
  return barred;
}

void add_axes(IncrementalState& state) {
  state.roundness.resize(state.axis_count());
  for (std::size_t a = 0; a < state.axis_count(); ++a) {
    Axis axis;
    axis.taxonomy = state.trees[a];
    axis.by_children = state.demands.by_children;
    axis.unknown_elsewhere = state.partial && state.elsewhere[a][kNull] > 0;
    auto const& column = state.column(a);
    if (axis.taxonomy == nullptr) {
      state.roundness[a] = roundness_of(column, barred_of(state, a));
      axis.size = column.distinct();
      axis.positions = {column.positions.data(), column.positions.size()};
      axis.roundness = {state.roundness[a].data(), state.roundness[a].size()};
      if (axis.size > 1) add_ends(axis, column, state.source.types[state.source.column(column.name)]);
      if (axis.size > 1 && is_below_zero(column)) axis.ends_below = true;
      auto const domain = state.demands.domains.find(column.name);
      if (domain != state.demands.domains.end()) add_domain(axis, column, domain->second);
    }
    state.axes.push_back(axis);
  }
}

// Row by row, out of codes that lie row by row.
void add_points(IncrementalState& state, Checkpoint& checkpoint) {
  std::size_t const width = state.axis_count(), rows = state.objects.rows();
  std::vector<Vector<std::int32_t>> points;
  for (std::size_t a = 0; a < width; ++a)
    points.push_back(points_of(state, a, state.demands.unknown_wait ? &state.unknown : nullptr));
  state.objects.points.resize(rows * width);
  auto* point = state.objects.points.data();
  for (std::size_t row = 0; row < rows; ++row) {
    checkpoint.tick();
    for (std::size_t a = 0; a < width; ++a) *point++ = points[a][static_cast<std::size_t>(state.codes.at(row, a))];
  }
}

void add_partition(IncrementalState& state) {
  std::vector<Column const*> lines;
  for (std::size_t a = 0; a < state.axis_count(); ++a) lines.push_back(&state.column(a));
  state.partition = state.store->partition(lines, state.trees);
  state.known_regions = state.store->size();
  for (auto const& region : state.partition.regions) state.was_open.push_back(region.open);
  state.was_open.resize(state.known_regions);
}

}  // namespace

void read_incremental(IncrementalState& state) {
  auto const& run = state.run;
  auto& session = run.session;
  auto const& policy = run.policy;
  if (policy.version > 1) {
    if (!run.last.k) throw_missing();
    state.last_k = *run.last.k;
  }
  state.store = std::make_unique<RegionStore>(session, policy, run.checkpoint);
  std::vector<std::string> wanted;
  for (auto const& column : policy.columns) wanted.push_back(column.column);
  auto watched = policy.version > 1 ? read_watched(state, wanted) : std::nullopt;
  state.watched = watched.has_value();
  if (policy.version > 1 && state.demands.shared) state.keyed = has_keys(state);
  if (watched)
    state.source = std::move(*watched);
  else if (policy.version > 1 && !state.demands.changed_since.empty())
    state.source = read_changed(state, wanted);
  else
    state.source = read_policy_source(session, policy, run.source, wanted, run.checkpoint, [&](RowReader& reader) {
      for (std::size_t i = 0; i < policy.columns.size(); ++i)
        state.store->seed(reader, i, i + 1);  // the person comes first
    });
  state.live = state.source.table.rows();
  if (!state.watched) state.stamp = watermark(state).value_or("");
  require_one_row_each(policy, state.source);
  state.source.table.weights.clear();  // each is 1; objects of the ledger join the table, and have none
  auto const k = state.demands.demands.k;
  if (policy.version == 1 && state.source.persons < k)
    throw Error(Fault::kData, "the source has fewer persons than the " + std::to_string(k) + " that are demanded",
                "It has " + std::to_string(state.source.persons) + ".", "Lower k, or publish when more have arrived.");
  state.values = std::make_unique<LedgerCodes>(session, policy);
}

void lay_out_space(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint) {
  add_trees(session, state, checkpoint);
  add_partition(state);
}

void lay_out(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint) {
  require_not_unique(*state.policy, state.source, state.demands.allow_unique, state.elsewhere);
  if (state.trees.empty()) lay_out_space(session, state, checkpoint);
  add_axes(state);
  state.store->forget_cuts();
  if (state.source.fingerprint.empty())  // of a source of which only a part was read
    state.source.fingerprint =
        state.partial ? changed_fingerprint(state) : fingerprint_of(state.source.table, state.objects.gone, checkpoint);
  std::vector<Column*> quasi;
  for (auto const& name : state.policy->quasi) quasi.push_back(&state.source.table.columns[state.source.column(name)]);
  state.codes = CodeMatrix(quasi, checkpoint);
  state.codes_laid_out = true;
  for (auto& column : state.source.table.columns) column.codes.shrink_to_fit();
  add_points(state, checkpoint);
  hold_unknown(state);
}

}  // namespace anon_seq::incremental
