#include "incremental/audit.h"

#include <algorithm>
#include <functional>

#include "catalog/ledger.h"
#include "incremental/changed_attack.h"
#include "incremental/diversity_check.h"
#include "incremental/inference_check.h"
#include "incremental/nested_check.h"
#include "incremental/recount.h"
#include "incremental/retire.h"
#include "incremental/touched.h"
#include "pg/array_text.h"
#include "pg/progress.h"
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
  Progress::at("arrivals");
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

// The version beside which an audit looks at another one; nullopt: a version just written, beside the one before.
std::optional<std::int32_t> audited_since(AuditRun const& run, Release const& release) {
  if (release.id == 0) return std::nullopt;
  return run.everything || run.since == 0 ? release.version - 1 : std::min(run.since, release.version - 1);
}

// Whether the attack on what changed proves nothing: regions that follow the data, that are left out of a version, or
// whose newcomers are known.
bool needs_full_attack(Policy const& policy) {
  auto const demands = incremental_policy(policy).demands;
  return demands.box || demands.erase_at_once || demands.arrivals_known;
}

// The versions of a policy up to the newest one that was not withdrawn, ascending.
std::vector<Release> versions_up_to_newest(AuditRun const& run) {
  auto versions = versions_of(run.population, run.policy);
  std::ranges::sort(versions, {}, &Release::version);
  while (!versions.empty() && versions.back().withdrawn) versions.pop_back();
  return versions;
}

}  // namespace

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  auto& session = run.session;
  auto const demands = incremental_policy(then);
  auto const k = demands.demands.k;
  bool const is_shared = demands.shared && !release.retired, is_own = has_own_relations(session, release);
  bool const by_value = !release.retired && is_own && release.relations.front().is_shared();  // see recount_rows()
  auto const since = audited_since(run, release);
  MemberRecount const members(session, release, by_value ? MemberRecount::Look::kCells : MemberRecount::Look::kPersons,
                              {}, since);
  for (auto& check : recount_rows(session, release, members, k)) checks.push_back(std::move(check));
  checks.push_back(ledger_check(session, release));
  if (is_shared) {
    checks.push_back(fence_check(session, release));
    // A version that is not in the catalog yet is recognised by what was just written. That the ledger still has what
    // was published then is a question to the sums of its rows in between.
    if (release.id != 0 && is_own && (run.full || run.everything)) checks.push_back(digest_check(session, release));
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
  auto all = versions_up_to_newest(run);
  if (all.empty()) return;
  auto const binds = [](Release const& release) { return !release.withdrawn; };
  // Regions only refine, which nested_check() counts: a set of versions tells no more than its newest one and what left
  // that since the one before. Where regions are left out, all sets were tried when the version was made.
  if (!run.everything) {
    auto since = run.since;
    auto const before = std::find_if(all.rbegin() + 1, all.rend(), binds);
    if (since == 0) since = before == all.rend() ? all.back().version : before->version;
    std::erase_if(all, [&](auto const& release) { return release.version < since; });
  }
  auto versions = all;  // that anybody has
  std::erase_if(versions, std::not_fn(binds));
  std::int64_t k = 0;
  for (auto const& release : versions) {
    auto const demanded = incremental_policy(policy_at(run.policy, release)).demands.k;
    k = k == 0 ? demanded : std::min(k, demanded);
  }
  bool const full =
      needs_full_attack(run.policy) || all.size() > kMostVersionsOfPaths || (run.full && versions.size() > 1);
  auto const scope = run.everything ? run.policy.name
                                    : versions.front().reference() +
                                          (versions.size() > 1 ? " and " + versions.back().reference() : "");
  checks.push_back(full ? inference_check(run.session, scope, versions, k).check : changed_attack(run.session, all, k));
  checks.push_back(arrivals_check(run.session, run.policy, versions));
  add_diversity(run.session, versions.back(), checks);
}

}  // namespace anon_seq::incremental
