#include "incremental/audit.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "incremental/diversity_check.h"
#include "incremental/inference_check.h"
#include "incremental/nested_check.h"
#include "incremental/recount.h"
#include "incremental/retire.h"
#include "incremental/touched.h"
#include "pg/array_text.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "release/release_audit.h"
#include "release/shared_rows.h"

namespace anon_seq::incremental {
namespace {

std::string table(Release const& release, char const* name) { return ledger_table(release.ledger, name); }

// Those that a publish changed, as far as it knows.
TouchedRegions touched_regions(IncrementalState const& state) {
  TouchedRegions touched{"{", "{", 0};
  auto const changed = changed_regions(state);
  Vector<std::int64_t> rows(state.partition.regions.size(), 0);
  for (RegionId const region : state.refined.region)
    if (region != kNoRegion) ++rows[static_cast<std::size_t>(region)];
  for (std::size_t id = 0; id < changed.size(); ++id) {
    if (changed[id] == 0) continue;
    auto const region = static_cast<RegionId>(id);
    auto const n = rows[static_cast<std::size_t>(region)];
    append_element(touched.all, std::int64_t{region});
    if (n > 0) append_element(touched.shown, std::int64_t{region});
    touched.rows += n;
  }
  touched.all += "}";
  touched.shown += "}";
  return touched;
}

// What who knows when people came and went can tell: promised only if the policy says that arrivals are known.
Check arrivals_check(SpiSession& session, Policy const& policy, std::vector<Release> const& versions) {
  auto const demands = incremental_policy(policy).demands;
  std::int64_t least_come = 0, least_gone = 0, few = 0;
  for (auto const& release : versions) {
    auto const sql = sql_text(R"(
SELECT (detail->>'smallest_arrival')::bigint, (detail->>'smallest_departure')::bigint
FROM {note}
WHERE version = {version})",
                              {{"note", table(release, "note")}, {"version", std::to_string(release.version)}});
    auto const rows = session.execute(sql, {}, true);
    auto note = [&](std::int64_t n, std::int64_t& least) {
      if (n == 0) return;
      few += n < demands.k;
      if (least == 0 || n < least) least = n;
    };
    note(rows.integer_or_null(0, 1).value_or(0), least_come);
    note(rows.integer_or_null(0, 2).value_or(0), least_gone);
  }
  auto const shown = [](std::int64_t least) { return least == 0 ? "none" : std::to_string(least); };
  return {"arrivals",
          policy.name,
          demands.arrivals_known ? "groups of " + std::to_string(demands.k) : "reported only",
          "smallest group of newcomers to a region " + shown(least_come) + ", of leavers " + shown(least_gone),
          !demands.arrivals_known || few == 0,
          demands.arrivals_known ? few : 0,
          "{}"};
}

}  // namespace

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  auto& session = run.session;
  auto const demands = incremental_policy(then);
  auto const k = demands.demands.k;
  bool const is_shared = demands.shared && !release.retired, is_own = has_own_relations(session, release);
  bool const by_value = !release.retired && is_own && release.relations.front().is_shared();  // see recount_rows()
  MemberRecount const members(session, release, by_value ? MemberRecount::Look::kCells : MemberRecount::Look::kPersons);
  for (auto& check : recount_rows(session, release, members, k)) checks.push_back(std::move(check));
  checks.push_back(ledger_check(session, release));
  if (is_shared) {
    checks.push_back(fence_check(session, release));
    // A version that is not in the catalog yet is recognised by what was just written.
    if (release.id != 0 && is_own) checks.push_back(digest_check(session, release));
  }
  checks.push_back(recount_persons(session, release, members, k, {true, !by_value}));
  if (release.version > 1) checks.push_back(nested_check(session, release, members));
  add_unguarded(demands, release, checks);
}

Checks audit_touched(IncrementalState const& state, Release const& release) {
  auto& session = state.run.session;
  auto const k = state.demands.demands.k;
  auto const of = touched_regions(state);
  MemberRecount const members(session, release, MemberRecount::Look::kCells, of.all);
  auto checks = recount_touched(session, release, members, k, of);
  checks.push_back(ledger_check(session, release));
  checks.push_back(fence_check(session, release));
  checks.push_back(recount_persons(session, release, members, k, {false, false}));
  checks.push_back(nested_check(session, release, members));
  return checks;
}

void attack(PublishRun const& run, Release const& release) {
  auto const& demands = run.demanded<IncrementalPolicy>().demands;
  if (!demands.erase_at_once || release.version == 1) return;
  auto versions = versions_of(run.population, run.policy);
  versions.push_back(release);
  auto const [check, undecided] = inference_check(run.session, release.reference(), versions, demands.k);
  notice("erasure is immediate: the inference attack was run on all sets of versions: " + check.observed);
  if (check.ok) return;
  if (undecided > 0)
    throw Error(Fault::kLimit,
                "erasing at once: for " + std::to_string(undecided) + " it is not decided whether every set of the " +
                    std::to_string(versions.size()) + " versions leaves " + std::to_string(demands.k) + " candidates",
                "Regions around them were left out too often for all sets to be tried.",
                "Let deletions be deferred, by another policy, or publish when more have arrived.");
  throw Error(Fault::kData,
              "erasing at once would leave " + std::to_string(check.offending) + " with fewer than " +
                  std::to_string(demands.k) + " candidates",
              "A region that is left out of this version tells, beside earlier ones, who is still there.",
              "Let deletions be deferred, by another policy, or publish when more have arrived.");
}

void audit_all(AuditRun const& run, Checks& checks) {
  auto versions = versions_of(run.population, run.policy);
  if (versions.empty()) return;
  // Regions only refine, which nested_check() counts: a set of versions tells no more than its newest one and what left
  // that since the one before. Where regions are left out, all sets were tried when the version was made.
  if (auto const* const newest = newest_shown(run.population, run.policy.name); !run.everything && newest != nullptr) {
    auto const at = std::find_if(versions.begin(), versions.end(), [&](auto const& of) { return of.id == newest->id; });
    if (at - versions.begin() > 1) versions.erase(versions.begin(), at - 1);
  }
  std::int64_t k = 0;
  for (auto const& release : versions) {
    auto const demanded = incremental_policy(policy_at(run.policy, release)).demands.k;
    k = k == 0 ? demanded : std::min(k, demanded);
  }
  auto const scope = run.everything ? run.policy.name
                                    : versions.front().reference() +
                                          (versions.size() > 1 ? " and " + versions.back().reference() : "");
  checks.push_back(inference_check(run.session, scope, versions, k).check);
  checks.push_back(arrivals_check(run.session, run.policy, versions));
  add_diversity(run.session, versions.back(), checks);
}

}  // namespace anon_seq::incremental
