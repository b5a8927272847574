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

#ifdef ANON_SEQ_SELFTEST
std::string noted_keys, of_policies;  // what watch_for_tests() was told

void pretend(SpiSession& session, Policy const& policy, Watched& watched) {
  if (noted_keys.empty() || !policy.name.starts_with(of_policies)) return;
  watched.known = true;
  watched.count = session.execute("SELECT count(*) FROM (" + noted_keys + ") AS k", {}, true).integer(0, 1);
  watched.keys = noted_keys;
  watched.noted = watched.count > 0;
}
#endif

}  // namespace

#ifdef ANON_SEQ_SELFTEST
void watch_for_tests(std::string const& policies, std::string const& keys) {
  of_policies = policies;
  noted_keys = keys;
}
#endif

PublishRun publish_run(SpiSession& session, Policy const& policy, Checkpoint& checkpoint, Phases& phases, bool silent,
                       bool force, Declared declared) {
  auto const& method = method_of(policy);
  auto demands = method.demands(policy);
  auto source = policy_source(session, policy, declared);
  auto watched =
      silent ? Watched() : watched_changes(session, policy, source.relation, source.key, demands->full_read_every);
#ifdef ANON_SEQ_SELFTEST
  if (!silent) pretend(session, policy, watched);
#endif
  return {session,
          policy,
          method,
          checkpoint,
          phases,
          std::move(demands),
          std::move(source),
          releases_of(session, policy.population),
          last_note(session, policy),
          std::move(watched),
          silent,
          force};
}

}  // namespace anon_seq::release
