#include "release/publish.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "catalog/population.h"
#include "catalog/rights.h"
#include "incremental/policy.h"
#include "pg/reading.h"
#include "pg/subtransaction.h"
#include "release/alter.h"
#include "release/declare.h"
#include "release/person_key.h"
#include "release/taxonomy_pool.h"
#include "release/version.h"
#include "sequential/policy.h"
#include "sequential/ready_rules.h"

namespace anon_seq::release {
namespace {

std::vector<std::string> under_way;  // ledgers of policies whose publish this session has begun

class UnderWay {
 public:
  explicit UnderWay(Policy const& policy) {
    require_not_under_way(policy.ledger());
    under_way.push_back(policy.ledger());
  }
  ~UnderWay() { under_way.pop_back(); }
  UnderWay(UnderWay const&) = delete;
  UnderWay& operator=(UnderWay const&) = delete;
};

// Takes the locks that put publishes of a population, and of a policy, one after the other: the population first, as
// whoever registers a release does.
Policy begin(SpiSession& session, std::string const& name) {
  if (IsolationUsesXactSnapshot() && ActiveSnapshotSet() && XactReadOnly)
    throw Error(Fault::kParameter, "cannot publish in a read-only transaction");
  Policy policy = load_policy(session, name, false);
  require_owner_takes_part(session, policy);
  adopt_restored(session);
  lock_population(session, policy.population);
  begin_version(session, policy);
  FreshSnapshot const snapshot;
  std::int32_t const version = policy.version;
  auto const population = policy.population;
  policy = load_policy(session, name, false);  // what another transaction may have changed while we waited
  policy.version = version;
  if (policy.population != population)
    throw Error(Fault::kInUse, "policy " + quoted(name) + " was given another population meanwhile", "",
                "Publish it again.");
  return policy;
}

// What is read beside the published columns: a label, or when rows changed.
std::string further_column(Policy const& policy) {
  return policy.method == "incremental" ? incremental_policy(policy).changed_since : sequential_policy(policy).label;
}

// Before the snapshot under which the source is read, see reading.h.
void lock_source_of(SpiSession& session, Policy const& policy) {
  std::vector<std::string> columns;
  auto const add = [&](std::string const& column) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  };
  if (policy.person)
    for (auto const& column : person_columns(session, *policy.person)) add(column);
  for (auto const& column : policy.columns) add(column.column);
  if (auto const further = further_column(policy); !further.empty()) add(further);
  Oid const source = source_of(session, policy);
  try {
    lock_source(session, source, columns);
  } catch (Error const& error) {
    rethrow_about_column(policy, qualified_name(source), error);
  }
}

// What is wrong with values of the source is said with a query that finds them, and what to do as a statement. Errors
// cut long hints off, `reason` of a preview does not.
constexpr std::size_t kLongestHint = 8000;
template <class Body>
auto with_hints(SpiSession& session, Policy const& policy, bool of_preview, Body body) {
  try {
    return body();
  } catch (Misfits const& misfits) {
    throw misfits.about(session, qualified_name(source_of(session, policy)));
  } catch (Error const& error) {
    auto hint = followable(session, policy, error.hint());
    if (!of_preview && hint.size() > kLongestHint)
      hint = "SELECT reason FROM anon_seq.preview(" + sql_literal(policy.name) +
             "); has a statement that is too long for here.";
    throw Error(error.fault(), error.what(), error.detail(), hint);
  }
}

}  // namespace

void require_not_under_way(std::string const& ledger) {
  if (std::find(under_way.begin(), under_way.end(), ledger) == under_way.end()) return;
  throw Error(Fault::kInUse, "the policy is being published by this session already",
              "Something that is read for it, such as a function in a view, uses it again.");
}

Published publish(SpiSession& session, std::string const& name, bool verbose) {
  InterruptCheckpoint checkpoint;
  Policy const policy = begin(session, name);
  UnderWay const under_way(policy);
  // From here on the owner acts, whoever called: the source is read, and everything made, with his rights.
  ActingAs const owner(ledger_owner(session, policy.ledger()));
  require_publisher(session);
  require_closed(session, policy.ledger());
  lock_source_of(session, policy);
  FreshSnapshot const snapshot;
  require_same_shape(session, policy);
  // read, specialize, ledger, views, audit; or read, diff, refine, ledger, views, audit
  Phases phases(name, policy.method == "incremental" ? 6 : 5, verbose);
  PublishRun const run{session, policy, checkpoint, phases};
  if (policy.method == "sequential") return with_hints(session, policy, false, [&] { return publish_sequential(run); });
  if (policy.method == "incremental")
    return with_hints(session, policy, false, [&] { return publish_incremental(run); });
  throw Error(Fault::kUnsupported, "policies of method " + policy.method + " cannot be published yet");
}

Variant preview(SpiSession& session, std::string const& name, JsonValue const* changes) {
  InterruptCheckpoint checkpoint;
  Policy policy = load_policy(session, name, false);
  ActingAs const owner(ledger_owner(session, policy.ledger()));
  Variant variant;
  auto const refused = try_out([&]() {
    if (changes != nullptr) {
      auto definition = definition_of(policy);
      definition.source = source_of(session, policy);
      Policy varied = resolve(session, changed(session, std::move(definition), *changes));
      varied.id = policy.id;
      varied.version = policy.version;
      if (policy.version > 0) require_allowed_change(session, policy, varied);
      policy = std::move(varied);
    }
    ++policy.version;
    lock_source_of(session, policy);
    FreshSnapshot const snapshot;
    if (changes == nullptr) require_same_shape(session, policy);
    variant = with_hints(session, policy, true, [&] {
      return policy.method == "incremental" ? preview_incremental(session, policy, checkpoint)
                                            : preview_sequential(session, policy, checkpoint);
    });
  });
  if (refused)
    variant.reason = std::string(refused->what()) +
                     (!refused->detail().empty() ? ": " + refused->detail()
                      : refused->hint().empty()  ? ""
                                                 : ".") +
                     (refused->hint().empty() ? "" : " " + refused->hint());
  return variant;
}

}  // namespace anon_seq::release
