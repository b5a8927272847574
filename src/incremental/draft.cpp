#include "incremental/draft.h"

#include "catalog/ledger.h"
#include "incremental/bad_night.h"
#include "incremental/member_match.h"
#include "incremental/next_version.h"
#include "incremental/region_leaves.h"
#include "pg/array_text.h"
#include "pg/report.h"
#include "release/heed.h"

namespace anon_seq::incremental {
namespace {

// Objects that are shown although their persons have gone, or have other values.
std::string deferred_ids(IncrementalState const& state) {
  std::string ids = "{";
  for (std::size_t row = 0; row < state.objects.rows(); ++row)
    if (state.objects.gone[row] != 0 && state.refined.region[row] != kNoRegion) append_element(ids, state.ids[row]);
  return ids + "}";
}

class NextVersion : public Draft {
 public:
  explicit NextVersion(PublishRun const& run) : run_(run), state_(run) {
    require_heeded(run, "An incremental policy guards its own versions against each other.");  // before it reads
    run.phases.begin("read");
    read_incremental(state_);
    if (state_.source.fingerprint.empty()) compare();  // only a part of the source was read: the ledger has the rest
  }

  SourceTable const& content() const override { return state_.source; }

  void solve() override {
    if (!compared_) compare();
    run_.phases.begin("refine");
    incremental::solve(state_, run_.checkpoint);
    texts_.emplace(state_);
  }

  // What is shown is worked out once the ledger is written: that takes the room which the algorithm needed.
  ReleaseCells const& cells() override {
    if (!cells_) {
      shown_ = shown_regions(state_, *texts_, run_.checkpoint);
      cells_ = cells_of(state_, shown_, *texts_, run_.checkpoint);
    }
    return *cells_;
  }

  CellCounts counts() override { return sums_ ? sums_->counts : static_cast<CellCounts const&>(cells()); }

  std::optional<std::string> digest() override {
    return sums_ ? std::optional<std::string>(sums_->digest) : std::nullopt;
  }

  std::string measures() override {
    cells();
    return measures_json(state_, shown_);
  }

  void complete(Release& release) const override {
    release.waiting = state_.refined.waiting;
    release.withheld = state_.refined.withheld;
    release.deferred = state_.refined.deferred;
  }

  void write() override {
    write_version(run_.session, state_, *texts_, run_.checkpoint);
    if (!state_.demands.shared) return;
    auto const& all = cells();
    auto const regions = region_of_cells(state_, all);
    auto const relation = run_.method.relations(run_.policy).front();
#ifdef ANON_SEQ_SELFTEST
    if (writes_leaves_in_part() && has_leaves(run_.session, run_.policy)) {
      auto const part = changed_regions(state_, all, {regions.data(), regions.size()});
      sums_ = write_leaves(run_.session, run_.policy, relation,
                           {part.cells, {part.region_of.data(), part.region_of.size()}},
                           {part.before.data(), part.before.size()}, false, run_.checkpoint);
      return;
    }
#endif
    sums_ = write_leaves(run_.session, run_.policy, relation, {all, {regions.data(), regions.size()}}, {}, true,
                         run_.checkpoint);
  }

  void note(std::string const& print) override {
    auto const told = measures();
    auto const& refined = state_.refined;
    run_.session.execute(
        "INSERT INTO " + ledger_table(run_.policy.ledger(), "note") +
            " (version, fingerprint, deferred, detail) VALUES ($1, $2, $8::pg_catalog.int8[],"
            " pg_catalog.jsonb_build_object('measures', $3::pg_catalog.jsonb, 'one_row_each', true, 'smallest_arrival',"
            " $4::pg_catalog.int8, 'smallest_departure', $5::pg_catalog.int8, 'k', $6::pg_catalog.int8, 'unseen', $9::pg_catalog.int8, 'changed_since', nullif($7::pg_catalog.text, ''), 'leaves', $10::pg_catalog.bool))",
        {run_.policy.version, print, told, std::to_string(refined.smallest_arrival),
         std::to_string(refined.smallest_departure), std::to_string(state_.demands.demands.k), state_.stamp,
         deferred_ids(state_), std::to_string(unseen(state_)), sums_ ? "true" : "false"});
    for (auto const& text : notices(state_)) notice(text);
    for (auto const& text : unknown_notices(state_)) notice(text);
  }

 private:
  // Not before it is known that there is something new: it takes as long as reading.
  void compare() {
    run_.phases.begin("diff");
    match_members(run_.session, state_, run_.checkpoint);
    require_calm(state_);
    lay_out(run_.session, state_, run_.checkpoint);
    compared_ = true;
  }

  PublishRun const& run_;
  IncrementalState state_;
  bool compared_ = false;
  std::optional<RegionTexts> texts_;
  ShownRegions shown_;
  std::optional<ReleaseCells> cells_;
  std::optional<VersionSums> sums_;  // of a version that is written, with shared storage
};

}  // namespace

std::unique_ptr<Draft> make_draft(PublishRun const& run) { return std::make_unique<NextVersion>(run); }

}  // namespace anon_seq::incremental
