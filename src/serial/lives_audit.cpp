#include "serial/lives_audit.h"

#include "pg/progress.h"
#include "serial/lives_breach.h"
#include "serial/lives_members.h"
#include "serial/lives_shown.h"

namespace anon_seq::serial {
namespace {

// Whether classes show the same in all versions that show them. Versions are taken one after the other.
class BagKeeper {
 public:
  // shown: ascending.
  void take(Vector<ShownValue> const& shown, Checkpoint& checkpoint) {
    Vector<ShownValue> all;
    std::size_t k = 0, i = 0;
    while (k < kept_.size() || i < shown.size()) {
      checkpoint.tick();
      auto const id = i == shown.size() || (k < kept_.size() && kept_[k].class_id < shown[i].class_id)
                          ? kept_[k].class_id
                          : shown[i].class_id;
      auto const old = bag_of(kept_, k, id), now = bag_of(shown, i, id);
      if (!old.empty() && !now.empty()) {
        ++compared;
        differing += !std::ranges::equal(old, now);
      }
      auto const& bag = old.empty() ? now : old;
      all.insert(all.end(), bag.begin(), bag.end());
    }
    kept_.swap(all);
  }

  std::int64_t compared = 0, differing = 0;  // classes, once for each version but the first that shows them

 private:
  static std::span<ShownValue const> bag_of(Vector<ShownValue> const& values, std::size_t& at, std::int32_t id) {
    std::size_t const begin = at;
    while (at < values.size() && values[at].class_id == id) ++at;
    return std::span(values).subspan(begin, at - begin);
  }

  Vector<ShownValue> kept_;  // as each class was first shown; ascending
};

Check life_check(BagKeeper const& bags, std::string const& scope) {
  return {"life",
          scope,
          "every class has the same values in all versions that show it",
          std::to_string(bags.differing) + " of " + std::to_string(bags.compared) + " classes shown again differ",
          bags.differing == 0,
          bags.differing,
          "{}"};
}

Release const* version_before(AuditRun const& run, Release const& release) {
  Release const* before = nullptr;
  for (auto const& other : run.population)
    if (other.ledger == release.ledger && other.version < release.version) before = &other;
  return before;
}

}  // namespace

void add_life_checks(AuditRun const& run, Policy const& then, Release const& release, Checks& checks) {
  Progress::at("life");
  InterruptCheckpoint checkpoint;
  ShownReader reader(run.session, checkpoint);
  auto const shown = reader.values(release);
  if (auto const* const before = version_before(run, release)) {
    BagKeeper bags;
    bags.take(reader.values(*before), checkpoint);
    bags.take(shown, checkpoint);
    checks.push_back(life_check(bags, release.reference()));
  }
  checks.push_back(members_check(run.session, release, checkpoint));
  add_bound_checks(run, serial_policy(then), release, reader, shown, checks);
}

void add_life_history(AuditRun const& run, Checks& checks) {
  Progress::at("history");
  InterruptCheckpoint checkpoint;
  ShownReader reader(run.session, checkpoint);
  BagKeeper bags;
  std::int32_t versions = 0;
  for (auto const& release : run.population) {
    if (release.ledger != run.policy.ledger()) continue;
    bags.take(reader.values(release), checkpoint);
    ++versions;
  }
  if (versions > 1) checks.push_back(life_check(bags, run.policy.name));
}

}  // namespace anon_seq::serial
