#include "release/publish_run.h"

#include "catalog/ledger.h"

namespace anon_seq::release {
namespace {

LastNote last_note(SpiSession& session, Policy const& policy) {
  LastNote note;
  if (policy.version <= 1) return note;
  auto const rows = session.execute(
      "SELECT fingerprint, detail->>'k', detail->>'changed_since', detail->>'unseen', (detail->'measures')::text FROM " +
          ledger_table(policy.ledger(), "note") + " WHERE version = $1",
      {policy.version - 1}, true);
  if (rows.count() != 1) return note;
  return {true,
          rows.get(0, 1),
          rows.integer_or_null(0, 2),
          rows.text(0, 5),
          rows.integer_or_null(0, 4).value_or(0),
          rows.text(0, 3)};
}

}  // namespace

PublishRun publish_run(SpiSession& session, Policy const& policy, Checkpoint& checkpoint, Phases& phases, bool silent,
                       bool force) {
  auto const& method = method_of(policy);
  return {session,
          policy,
          method,
          checkpoint,
          phases,
          method.demands(policy),
          policy_source(session, policy),
          releases_of(session, policy.population),
          last_note(session, policy),
          silent ? Watched() : watched_changes(session, policy),
          silent,
          force};
}

}  // namespace anon_seq::release
