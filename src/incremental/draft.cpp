#include "incremental/draft.h"

#include "catalog/ledger_sums.h"
#include "incremental/audit.h"
#include "incremental/bad_night.h"
#include "incremental/held_values.h"
#include "incremental/key_ledger.h"
#include "incremental/member_match.h"
#include "incremental/next_version.h"
#include "incremental/region_leaves.h"
#include "incremental/touched.h"
#include "incremental/watched_rows.h"
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
    return state_.partial ? measures_json(state_, sums_->counts) : measures_json(state_, shown_);
  }

  // Of a part nothing is told: regions only refine, so no detail is lost.
  std::vector<ColumnDetail> columns() override {
    if (state_.partial) return {};
    cells();
    return column_details(state_, shown_);
  }

  void complete(Release& release) const override {
    release.waiting = state_.refined.waiting;
    release.withheld = state_.refined.withheld;
    release.deferred = state_.refined.deferred;
  }

  std::optional<Checks> audit(Release const& release) const override {
    return goes_on_ ? std::optional(audit_touched(state_, release)) : std::nullopt;
  }

  void write() override {
    goes_on_ = state_.partial || rests_on_last();
    write_version(run_.session, state_, *texts_, run_.checkpoint);
    if (!state_.demands.shared) return;
    auto const& now = cells();
    auto const regions = region_of_cells(state_, now);
    sums_ = write_sums(now, regions);
    if (!keeps_keys()) return;
    write_keys(run_.session, state_, run_.checkpoint);
    write_held(run_.session, state_, run_.checkpoint);
  }

  void note(std::string const& print) override {
    auto const told = all_measures(*this);
    auto const texts = notices(state_, [this](char const* what, std::int64_t n) { return was_told(what, n); });
    auto const& refined = state_.refined;
    run_.session.execute(
        "INSERT INTO " + ledger_table(run_.policy.ledger(), "note") +
            " (version, fingerprint, deferred, deferred_in, detail) VALUES ($1, $2, $8::pg_catalog.int8[],"
            " $10::pg_catalog.int4[],"
            " pg_catalog.jsonb_build_object('measures', $3::pg_catalog.jsonb, 'one_row_each', true, 'smallest_arrival',"
            " $4::pg_catalog.int8, 'smallest_departure', $5::pg_catalog.int8, 'k', $6::pg_catalog.int8, 'unseen', $9::pg_catalog.int8, 'changed_since', nullif($7::pg_catalog.text, ''),"
            " 'keyed', $11::pg_catalog.bool, 'waiting_sum', $12::pg_catalog.text, 'leaves', $13::pg_catalog.bool,"
            " 'in_part', $14::pg_catalog.bool))",
        {run_.policy.version, print, told, std::to_string(refined.smallest_arrival),
         std::to_string(refined.smallest_departure), std::to_string(state_.demands.demands.k), state_.stamp,
         deferred_ids(state_), std::to_string(unseen(state_)), deferred_regions(state_),
         keeps_keys() ? "true" : "false", waiting_content(state_).text(), sums_ ? "true" : "false",
         state_.partial ? "true" : "false"});
    note_waiting();
    for (auto const& text : texts) notice(text);
    tell_of_unknown(state_);
  }

 private:
  // Paths compare numbers only: what somebody made of a note is no error here.
  bool was_told(std::string const& what, std::int64_t n) {
    return run_.session.exists(
        "SELECT FROM " + ledger_table(run_.policy.ledger(), "note") +
            " AS n WHERE n.version < $1 AND pg_catalog.jsonb_path_exists(n.detail, ('$.' || $2 ||"
            " ' ? (@ > 0 && @ <= $n)')::pg_catalog.jsonpath, pg_catalog.jsonb_build_object('n', $3::pg_catalog.int8))",
        {run_.policy.version, what, std::to_string(n)});
  }

  VersionSums write_sums(ReleaseCells const& now, Vector<RegionId> const& regions) {
    auto const relation = run_.method.relations(run_.policy).front();
    RegionCells const all{now, {regions.data(), regions.size()}};
    auto const ended = ended_regions(state_);
#ifdef ANON_SEQ_SELFTEST
    if (!state_.partial && writes_leaves_in_part() && has_leaves(run_.session, run_.policy)) {
      auto const part = changed_regions(state_, now, {regions.data(), regions.size()});
      return write_leaves(run_.session, run_.policy, relation,
                          {part.cells, {part.region_of.data(), part.region_of.size()}},
                          {part.before.data(), part.before.size()}, false, run_.checkpoint);
    }
#endif
    return write_leaves(run_.session, run_.policy, relation, all, {ended.data(), ended.size()}, !state_.partial,
                        run_.checkpoint);
  }

  // Whether all that does not change is of the last version, which shows it by the same rows, and was audited.
  bool rests_on_last() const {
    return state_.demands.shared && !state_.demands.independent && run_.policy.version > 1 &&
           state_.last_k >= state_.demands.demands.k && has_leaves(run_.session, run_.policy);
  }

  // Once it is known what changes; from then on for every version.
  bool keeps_keys() const { return state_.demands.shared && (state_.keyed || state_.watched); }

  // Who waits is read again next time, also where only changes are read: it is kept who, of the last version alone.
  void note_waiting() {
    auto const table = ledger_table(run_.policy.ledger(), "note");
    run_.session.execute("UPDATE " + table + " SET waiting = NULL WHERE waiting IS NOT NULL");
    auto const keys = waiting_keys(state_, run_.checkpoint);
    if (!keys) return;
    auto const type = state_.source.person_type;
    run_.session.execute("UPDATE " + table + " SET waiting = $1::" + type + "[] WHERE version = $2",
                         {*keys, run_.policy.version});
  }

  // Not before it is known that there is something new: it takes as long as reading.
  void compare() {
    run_.phases.begin("diff");
    if (state_.watched && state_.demands.shared) {
      lay_out_space(run_.session, state_, run_.checkpoint);
      choose_regions(state_);
    }
    require_as_written(run_.session, run_.policy.name, run_.policy.ledger(), tables_read());
    match_members(run_.session, state_, run_.checkpoint);
    require_calm(state_);
    lay_out(run_.session, state_, run_.checkpoint);
    compared_ = true;
  }

  // What is read as a whole, or nearly so.
  std::vector<std::string> tables_read() const {
    if (run_.policy.version == 1) return {};
    if (state_.partial) return {"region", "value", "held", "moved", "leaf"};
    return {"region", "value", "gone", "moved", "member"};
  }

  PublishRun const& run_;
  IncrementalState state_;
  bool compared_ = false, goes_on_ = false;
  std::optional<RegionTexts> texts_;
  ShownRegions shown_;
  std::optional<ReleaseCells> cells_;
  std::optional<VersionSums> sums_;  // of a version that is written, with shared storage
};

}  // namespace

std::unique_ptr<Draft> make_draft(PublishRun const& run) { return std::make_unique<NextVersion>(run); }

}  // namespace anon_seq::incremental
