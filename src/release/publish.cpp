#include "release/publish.h"

#include "pg/catalog.h"
#include "pg/ledger.h"
#include "pg/subtransaction.h"
#include "release/alter.h"
#include "release/declare.h"
#include "release/version.h"

namespace anon_seq::pg {
namespace {

// Takes the locks that put publishes of a policy, and of a population, one after the other.
Policy begin(SpiSession& session, std::string const& name) {
  if (IsolationUsesXactSnapshot() && ActiveSnapshotSet() && XactReadOnly)
    throw Error(Fault::kParameter, "cannot publish in a read-only transaction");
  Policy policy = load_policy(session, name, false);
  begin_version(session, policy);
  FreshSnapshot const snapshot;
  std::int32_t const version = policy.version;
  policy = load_policy(session, name, false);  // what another transaction may have changed while we waited
  policy.version = version;
  lock_population(session, policy.population);
  return policy;
}

}  // namespace

Published publish(SpiSession& session, std::string const& name, bool verbose) {
  InterruptCheckpoint checkpoint;
  Policy const policy = begin(session, name);
  // From here on the owner acts, whoever called: the source is read, and everything made, with his rights.
  ActingAs const owner(ledger_owner(session, policy.ledger()));
  require_publisher(session);
  require_closed(session, policy.ledger());
  FreshSnapshot const snapshot;
  require_same_shape(session, policy);
  // read, specialize, ledger, views, audit; or read, diff, refine, ledger, views, audit
  Phases phases(name, policy.method == "incremental" ? 6 : 5, verbose);
  PublishRun const run{session, policy, checkpoint, phases};
  if (policy.method == "sequential") return publish_sequential(run);
  if (policy.method == "incremental") return publish_incremental(run);
  throw Error(Fault::kUnsupported, "policies of method " + policy.method + " cannot be published yet");
}

Variant preview(SpiSession& session, std::string const& name, JsonValue const* changes) {
  InterruptCheckpoint checkpoint;
  Policy policy = load_policy(session, name, false);
  ActingAs const owner(ledger_owner(session, policy.ledger()));
  Variant variant;
  auto const refused = try_out([&]() {
    if (changes != nullptr) {
      auto definition = definition_of(session, policy);
      definition.source = source_of(session, policy);
      Policy varied = resolve(session, changed(session, std::move(definition), *changes));
      varied.id = policy.id;
      varied.version = policy.version;
      if (policy.version > 0) require_allowed_change(policy, varied);
      policy = std::move(varied);
    }
    ++policy.version;
    FreshSnapshot const snapshot;
    variant = policy.method == "incremental" ? preview_incremental(session, policy, checkpoint)
                                             : preview_sequential(session, policy, checkpoint);
  });
  if (refused)
    variant.reason = std::string(refused->what()) + (refused->detail().empty() ? "" : ": " + refused->detail()) +
                     (refused->hint().empty() ? "" : " " + refused->hint());
  return variant;
}

}  // namespace anon_seq::pg
