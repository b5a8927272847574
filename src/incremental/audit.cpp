#include "incremental/audit.h"

#include <algorithm>
#include <map>

#include "core/attack/candidate_sets.h"
#include "core/attack/inference.h"
//
#include "catalog/ledger.h"
#include "incremental/nested_check.h"
#include "incremental/recount.h"
#include "pg/datum_cursor.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "pg/subtransaction.h"
#include "release/relations.h"
#include "release/release_audit.h"
#include "release/release_objects.h"

extern "C" {
#include "storage/lmgr.h"
}

namespace anon_seq::incremental {
namespace {

std::string table(Release const& release, char const* name) { return ledger_table(release.ledger, name); }

std::vector<Release> versions_of(std::vector<Release> const& population, Policy const& policy) {
  std::vector<Release> versions;
  for (auto const& release : population)
    if (release.name == policy.name && !release.is_registered()) versions.push_back(release);
  return versions;
}

std::string ratio_text(std::int64_t at_risk, std::int64_t all) {
  char text[32];
  double const safe = static_cast<double>(all - at_risk);
  pg_snprintf(text, sizeof text, "%.6g", all == 0 ? 1 : safe / static_cast<double>(all));
  return text;
}

// Which objects of a history are one person: those that the ledger says were shown one after the other.
Vector<std::int32_t> persons_of(SpiSession& session, Release const& release, PublishedHistory const& history) {
  std::map<std::string, std::string, std::less<>> before;
  auto const first = [&](std::string_view object) {
    for (auto at = before.find(object); at != before.end(); at = before.find(object)) object = at->second;
    return object;
  };
  DatumCursor moved(session, "SELECT object::pg_catalog.text, before::pg_catalog.text FROM " + table(release, "moved"));
  while (moved.next())
    for (std::size_t row = 0; row < moved.rows(); ++row)
      if (auto const earlier = first(moved.text(row, 1)); earlier != moved.text(row, 0))  // else it goes in a circle
        before.emplace(moved.text(row, 0), earlier);
  Dictionary names;
  Vector<std::int32_t> persons;
  for (std::size_t object = 0; object < history.objects().objects; ++object)
    persons.push_back(names.intern(first(history.object(object))));
  return persons;
}

// The attack over these versions: whoever knows a person's values, and recognises everybody in all versions, has at
// least k candidates, whichever versions he holds. The stronger readings are told, not promised: one who has left may
// stand alone with what he showed. Who moved is told too.
struct InferenceCheck {
  Check check;
  std::int64_t undecided;  // persons
};
// Of the attack by object, whoever is not known exactly aside: what his region shows may hold more than the region
// does, as that of the others of a cut; where he can be is attacked by person.
struct ByObject {
  std::int64_t at_risk = 0, smallest = 0;
};
ByObject by_object(Inference const& found, PublishedObjects const& objects, std::int64_t k) {
  ByObject result;
  bool any = false;
  for (std::size_t object = 0; object < objects.objects; ++object) {
    if (objects.is_vague(object)) continue;
    auto const group = found.of(object).group;
    result.at_risk += group < k;
    result.smallest = any ? std::min(result.smallest, group) : group;
    any = true;
  }
  return result;
}

InferenceCheck inference_check(SpiSession& session, std::string const& scope, std::vector<Release> const& versions,
                               std::int64_t k) {
  InterruptCheckpoint checkpoint;
  auto history = history_of(session, versions, checkpoint);
  auto const persons = persons_of(session, versions.front(), history);
  auto const fewest = fewest_candidates(history.boxes(), history.objects(), persons, {.k = k}, checkpoint);
  InferenceDemands demands;
  demands.k = k;
  demands.reading = Reading::kCover;
  auto const cover = infer(history.boxes(), history.objects(), demands, checkpoint);
  std::string detail = "{\"moved\": " + std::to_string(fewest.moved) +
                       ", \"undecided\": " + std::to_string(fewest.undecided) + ", \"versions\": [";
  for (auto const version : fewest.versions)
    detail += (detail.ends_with("[") ? "" : ", ") + std::to_string(versions[static_cast<std::size_t>(version)].version);
  detail += "], \"sampled\": " + std::string(cover.sampled ? "true" : "false") +
            ", \"subsets\": " + std::to_string(cover.subsets.size());
  auto const objects = static_cast<std::int64_t>(history.objects().objects);
  for (auto const& [name, reading] : {std::pair{"equal", Reading::kEqual}, {"contain", Reading::kContain}}) {
    demands.reading = reading;
    auto const found = infer(history.boxes(), history.objects(), demands, checkpoint);
    detail += std::string(", \"") + name + "\": " + ratio_text(found.at_risk, objects);
  }
  // By object, who moved is two: each of them is attacked as well.
  auto const single = by_object(cover, history.objects(), k);
  std::int64_t const offending =
      fewest.at_risk + fewest.undecided > 0 ? fewest.at_risk + fewest.undecided : single.at_risk;
  Check check{"inference",
              scope,
              "at least " + std::to_string(k) + " candidates for everybody in any set of versions",
              "safe ratio " + ratio_text(offending, objects) + ", " +
                  std::to_string(std::min(fewest.smallest, single.smallest)) + " candidates at least" +
                  (fewest.undecided > 0 ? ", " + std::to_string(fewest.undecided) + " not decided" : ""),
              offending == 0 && cover.contradictions == 0,
              offending,
              detail + "}"};
  return {std::move(check), fewest.at_risk == 0 ? fewest.undecided : 0};
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

// Drops a relation unless somebody reads it now, or something of others' rests on it: a reader must not stop a publish.
bool drop_if_free(SpiSession& session, std::string const& relation) {
  Oid const oid = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {relation}, true).oid(0, 1);
  if (!OidIsValid(oid)) return true;
  bool locked = false;
  call_pg([&]() noexcept { locked = ConditionalLockRelationOid(oid, AccessExclusiveLock); });
  if (!locked) return false;
  SubTransaction work;
  try {
    drop_relation(session, relation);
    work.commit();
    return true;
  } catch (PgError const& error) {
    if (error.data->sqlerrcode == ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST) return false;
    throw;
  }
}

}  // namespace

void audit_version(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  auto& session = run.session;
  auto const demands = incremental_policy(then);
  for (auto& check : recount_rows(session, release, demands.demands.k)) checks.push_back(std::move(check));
  checks.push_back(ledger_check(session, release));
  checks.push_back(recount_persons(session, release, demands.demands.k));
  if (release.version > 1) checks.push_back(nested_check(session, release));
  add_unguarded(demands, release, checks);
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
  auto const versions = versions_of(run.population, run.policy);
  if (versions.empty()) return;
  std::int64_t k = 0;
  for (auto const& release : versions) {
    auto const demanded = incremental_policy(policy_at(run.policy, release)).demands.k;
    k = k == 0 ? demanded : std::min(k, demanded);
  }
  checks.push_back(inference_check(run.session, run.policy.name, versions, k).check);
  checks.push_back(arrivals_check(run.session, run.policy, versions));
}

void retire_older(SpiSession& session, Policy const& policy, std::int64_t keep) {
  auto versions = versions_of(releases_of(session, policy.population), policy);
  std::erase_if(versions, [](auto const& release) { return release.withdrawn; });
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < versions.size(); ++i) {
    auto const& release = versions[i];
    if (release.retired) continue;
    bool dropped = true;
    for (auto const& relation : release.relations) dropped = drop_if_free(session, relation.name) && dropped;
    if (!dropped) {
      notice("release " + quoted(release.reference()) + " is in use, and not retired yet",
             "Something rests on it, or somebody reads it now; the next publish tries again.");
      continue;
    }
    mark_retired(session, release);
  }
}

}  // namespace anon_seq::incremental
