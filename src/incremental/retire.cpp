#include "incremental/retire.h"

#include "core/text/some_of.h"
//
#include "catalog/ledger.h"
#include "pg/report.h"
#include "pg/subtransaction.h"
#include "release/relations.h"
#include "release/shared_rows.h"

extern "C" {
#include "storage/lmgr.h"
}

namespace anon_seq::incremental {
namespace {

constexpr int kMostAtOnce = 20;  // in one publish: readers of the stable names wait meanwhile

// Drops a relation unless somebody reads it now, or something rests on it, or a stable name shows it: a reader must not
// stop a publish, and is not locked out of what stays.
bool drop_if_free(SpiSession& session, Release const& release, ReleaseRelation const& relation) {
  Oid const oid = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {relation.name}, true).oid(0, 1);
  if (!OidIsValid(oid)) return true;
  if (relation.is_shared() && version_shown(session, release.ledger, true) == release.version) return false;
  if (!is_free(session, relation.name)) return false;
  Oid const cells = relation.is_shared() ? shown_part(session, release.ledger, release.version) : InvalidOid;
  SubTransaction work;  // gives the locks back
  bool locked = false;
  call_pg([&]() noexcept {
    locked = ConditionalLockRelationOid(oid, AccessExclusiveLock) &&
             (!OidIsValid(cells) || ConditionalLockRelationOid(cells, AccessExclusiveLock));
  });
  if (!locked) return false;
  try {
    drop_relation(session, release, relation);
    work.commit();
    return true;
  } catch (PgError const& error) {
    if (error.data->sqlerrcode == ERRCODE_DEPENDENT_OBJECTS_STILL_EXIST) return false;
    throw;
  } catch (Error const& error) {
    if (error.fault() == Fault::kLocked) return false;
    throw;
  }
}

}  // namespace

std::vector<Release> versions_of(std::vector<Release> const& population, Policy const& policy) {
  std::vector<Release> versions;
  for (auto const& release : population)
    if (release.name == policy.name && !release.is_registered()) versions.push_back(release);
  return versions;
}

void retire_older(SpiSession& session, Policy const& policy, std::int64_t keep) {
  auto versions = versions_of(releases_of(session, policy.population), policy);
  std::erase_if(versions, [](auto const& release) { return release.withdrawn; });
  int retired = 0;
  std::vector<std::string> in_use;
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < versions.size() && retired < kMostAtOnce; ++i) {
    auto const& release = versions[i];
    if (release.retired) continue;
    bool dropped = true;
    for (auto const& relation : release.relations) dropped = drop_if_free(session, release, relation) && dropped;
    if (!dropped) {
      in_use.push_back(quoted(release.reference()));
      continue;
    }
    mark_retired(session, release);
    ++retired;
  }
  if (!in_use.empty())
    notice((in_use.size() == 1 ? "release " : "releases ") + some_of(in_use) + (in_use.size() == 1 ? " is" : " are") +
               " in use, and not retired yet",
           "Something rests on it, or somebody reads it now; the next publish tries again.");
}

}  // namespace anon_seq::incremental
