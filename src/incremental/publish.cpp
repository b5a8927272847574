// Publishing and previewing an incremental policy.
#include "catalog/ledger.h"
#include "catalog/release_readers.h"
#include "incremental/audit.h"
#include "incremental/member_match.h"
#include "incremental/method.h"
#include "incremental/region_ledger.h"
#include "pg/array_text.h"
#include "release/version.h"

namespace anon_seq::incremental {
namespace {

// Objects that are shown although their persons have gone, or have other values.
std::string deferred_ids(IncrementalState const& state) {
  std::string ids = "{";
  for (std::size_t row = 0; row < state.objects.rows(); ++row)
    if (state.objects.gone[row] != 0 && state.refined.region[row] != kNoRegion) append_element(ids, state.ids[row]);
  return ids + "}";
}

void write_note(SpiSession& session, IncrementalState const& state, ShownRegions const& shown, std::string const& print,
                std::string const& measures) {
  std::string regions = "{";
  for (RegionId id : shown.regions) append_element(regions, std::int64_t{id});
  auto const& refined = state.refined;
  session.execute(
      "INSERT INTO " + ledger_table(state.policy->ledger(), "note") +
          " (version, fingerprint, regions, deferred, detail) VALUES ($1, $2, $3::pg_catalog.int4[], $9::pg_catalog.int8[],"
          " pg_catalog.jsonb_build_object('measures', $4::pg_catalog.jsonb, 'one_row_each', true, 'smallest_arrival',"
          " $5::pg_catalog.int8, 'smallest_departure', $6::pg_catalog.int8, 'k', $7::pg_catalog.int8, 'changed_since', nullif($8::pg_catalog.text, '')))",
      {state.policy->version, print, regions + "}", measures, std::to_string(refined.smallest_arrival),
       std::to_string(refined.smallest_departure), std::to_string(state.demands.demands.k), state.stamp,
       deferred_ids(state)});
}

Release describe(IncrementalState const& state, ReleaseCells const& cells, std::string digest) {
  Release release = describe(*state.policy, cells, std::move(digest));
  release.waiting = state.refined.waiting;
  release.withheld = state.refined.withheld;
  release.deferred = state.refined.deferred;
  return release;
}

}  // namespace

Published publish_incremental(PublishRun const& run) {
  auto& [session, policy, checkpoint, phases] = run;
  require_alone(session, policy);
  phases.begin("read");
  auto state = read_incremental(session, policy, checkpoint);
  phases.begin("diff");
  match_members(session, state, checkpoint);
  lay_out(session, state, checkpoint);
  auto const print = fingerprint(session, policy, state.source);
  if (auto last = repeated(session, policy, print)) return {std::move(*last), true};
  phases.begin("refine");
  solve(state, checkpoint);
  LedgerPen const pen;
  phases.begin("ledger");
  RegionTexts texts(state);
  write_version(session, state, texts, checkpoint);
  spoil(session, policy, "count", "since = " + std::to_string(policy.version));
  phases.begin("views");
  auto const shown = shown_regions(state, texts, checkpoint);
  auto const cells = cells_of(state, shown, texts, checkpoint);
  write_note(session, state, shown, print, measures_json(state, shown));
  for (auto const& text : notices(state)) notice(text);
  analyze(session, policy, {"region", "count", "member", "note"});
  bool const with_ids = state.demands.object_id;
  std::string relation;
  {
    // How many regions an array has, and how many persons a count, the planner cannot know.
    auto const planning = Settings::for_arrays();
    relation = with_ids ? create_object_view(session, policy) : create_region_view(session, policy);
  }
  point_target(session, policy, with_ids ? "object_id" : nullptr);
  note_readers(session, policy, relation);
  analyze(session, relation);
  auto release = describe(state, cells, digest_of(session, policy, cells, checkpoint));
  release.relations = {relation};
  phases.begin("audit");
  audit_written(session, policy, state.demands, release);
  insert_release(session, release);
  if (state.demands.keep) retire_older(session, policy, *state.demands.keep);
  phases.end();
  return {std::move(release), false};
}

Variant preview_incremental(SpiSession& session, Policy const& policy, Checkpoint& checkpoint) {
  auto state = read_incremental(session, policy, checkpoint);
  match_members(session, state, checkpoint);
  lay_out(session, state, checkpoint);
  solve(state, checkpoint);
  RegionTexts texts(state);
  auto const shown = shown_regions(state, texts, checkpoint);
  auto const cells = cells_of(state, shown, texts, checkpoint);
  return {true,
          {},
          cells.published,
          state.refined.waiting + state.refined.withheld,
          cells.classes,
          cells.smallest_class,
          measures_json(state, shown)};
}

}  // namespace anon_seq::incremental
