#include "release/withdrawal.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "catalog/population.h"
#include "catalog/release_readers.h"
#include "pg/roles.h"
#include "release/flat.h"
#include "release/ledger_format.h"
#include "release/method.h"
#include "release/publish.h"
#include "release/relations.h"
#include "release/shared_rows.h"
#include "release/swap.h"

namespace anon_seq::release {
namespace {

constexpr std::size_t kLongestReason = 1000;

void check_reason(std::string const& reason) {
  if (reason.find_first_not_of(" \t\r\n") == std::string::npos)
    throw Error(Fault::kParameter, "a withdrawal needs a reason", "Audits show it from now on.");
  if (reason.size() > kLongestReason)
    throw Error(Fault::kLimit, "the reason of a withdrawal has at most " + std::to_string(kLongestReason) + " bytes");
}

// The one release meant: to mean a version, it is named.
Release meant(SpiSession& session, std::string const& reference) {
  auto release = find_release(session, reference);
  if (release.reference() != reference)
    throw Error(Fault::kParameter, quoted(reference) + " may mean several versions", "",
                "Name the one to withdraw, such as " + sql_literal(release.reference()) + ".");
  if (release.withdrawn)
    throw Error(Fault::kParameter, "release " + quoted(release.reference()) + " was withdrawn already");
  return release;
}

// Names for a sentence: the caller's own, and that there are others.
std::string named(SpiSession& session, std::vector<Release> const& releases) {
  std::string names;
  bool others = false;
  for (auto const& release : releases) {
    bool const ours = has_rights_of(session, ledger_owner(session, release.ledger));
    others |= !ours;
    if (ours) names += (names.empty() ? "" : ", ") + release.reference();
  }
  if (!others) return names;
  return names.empty() ? "releases of other roles" : names + ", and releases of other roles";
}

// Versions whose promises speak of a registration: those made later that heeded it, and were not withdrawn themselves.
std::vector<Release> resting_on(SpiSession& session, Release const& registered) {
  std::vector<Release> resting;
  for (auto& release : releases_after(session, registered))
    if (!release.withdrawn && method_of(release).rests_on != nullptr &&
        method_of(release).rests_on(release, registered))
      resting.push_back(std::move(release));
  return resting;
}

void withdraw_registration(SpiSession& session, Release const& registered) {
  if (auto const resting = resting_on(session, registered); !resting.empty())
    throw Error(
        Fault::kInUse, "release " + quoted(registered.name) + " has been counted, and goes on counting",
        "Measured against it: " + named(session, resting) + ".",
        "Withdraw those first, if nobody has read them; or register the table as it should be under another name.");
  ActingAs const owner(ledger_owner(session, registered.ledger));
  LedgerPen const pen;
  session.execute("DELETE FROM " + ledger_table(registered.ledger, "cell"));
}

// The newest other version that is still there: its relation of the same suffix is what the stable view is to show.
std::optional<Release> version_before(SpiSession& session, std::vector<Release> const& releases,
                                      Release const& release) {
  Release const* before = nullptr;
  for (auto const& other : releases)
    if (other.ledger == release.ledger && other.version != release.version && !other.retired &&
        (before == nullptr || other.version > before->version) && has_own_relations(session, other))
      before = &other;
  return before == nullptr ? std::nullopt : std::optional(*before);
}

// The stable view shows another version, or goes.
void point_back(SpiSession& session, Release const& release, ReleaseRelation const& relation, std::string const& view) {
  if (view.empty() || !name_shows(session, view, release, relation)) return;
  auto const before = version_before(session, releases_of(session, release.population), release);
  if (before)
    for (auto const& other : before->relations)
      if (other.suffix == relation.suffix) return show_again(session, view, *before, other);
  if (relation.is_shared()) show_version(session, release.ledger, std::nullopt);
  drop_stable(session, view);
}

void withdraw_version(SpiSession& session, Release const& release) {
  if (release.retired)
    throw Error(Fault::kInUse,
                "release " + quoted(release.reference()) + " is retired, and cannot be withdrawn any more",
                "Whom its relation was open to went with it.");
  auto const releases = releases_of(session, release.population);
  if (auto const* newest = newest_shown(releases, release.name);
      method_of(release).refines && newest != nullptr && newest->version > release.version)
    throw Error(Fault::kInUse, "release " + quoted(release.reference()) + " is not the newest of its policy",
                "Later versions refine what it shows.", "Withdraw the later ones first.");
  OwnLedger const owner(session, release);
  if (!has_own_relations(session, release))
    throw Error(Fault::kInUse, "release " + quoted(release.reference()) + " has no relation of its owner's any more",
                "Whom it was open to cannot be looked up.");
  std::vector<std::string> views, locked;
  for (auto const& relation : release.relations) {
    views.push_back(stable_view(session, release, relation));
    if (!views.back().empty()) {  // first, as who reads through it does
      if (auto const flat = flat_on(session, views.back()); !flat.empty()) locked.push_back(flat);
      locked.push_back(views.back());
    }
    locked.push_back(relation.name);
    if (!relation.is_shared()) continue;
    locked.push_back(shown_cells(release.ledger));
    locked.push_back(shown_cells(release.ledger, release.version));
  }
  lock_alone(session, locked);
  FreshSnapshot const snapshot;
  if (auto const why = opened_by(session, release, views))
    throw Error(
        Fault::kInUse, "release " + quoted(release.reference()) + " may have been read, and cannot be withdrawn", *why,
        "What was published goes on counting. anon_seq.retire_release() drops the relation of an older version.");
  for (std::size_t i = views.size(); i-- > 0;) {  // what joins others comes after them
    auto const& relation = release.relations[i];
    require_free(session, relation.name, views[i]);
    if (relation.is_shared()) require_free(session, shown_cells(release.ledger, release.version), relation.name);
    point_back(session, release, relation, views[i]);
    drop_relation(session, release, relation);
  }
}

}  // namespace

bool may_be_withdrawn(SpiSession& session, Release const& registered) {
  return has_rights_of(session, ledger_owner(session, registered.ledger)) && resting_on(session, registered).empty();
}

void withdraw_release(SpiSession& session, std::string const& reference, std::string const& reason) {
  check_reason(reason);
  adopt_restored(session);
  auto release = meant(session, reference);
  require_not_under_way(release.ledger);
  lock_population(session, release.population);
  // A registration is also read by publishes of other populations that name it: those are waited for.
  if (release.is_registered()) lock_alone(session, {ledger_table(release.ledger, "cell")});
  {
    FreshSnapshot const snapshot;  // somebody may have published or withdrawn while we waited
    release = meant(session, reference);
    if (release.is_registered())
      withdraw_registration(session, release);
    else
      withdraw_version(session, release);
  }
  mark_withdrawn(session, release, role_name(GetUserId()), reason);
}

}  // namespace anon_seq::release
