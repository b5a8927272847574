#include "release/publish.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "catalog/population.h"
#include "catalog/release_readers.h"
#include "catalog/rights.h"
#include "pg/distributed.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/subtransaction.h"
#include "release/alter.h"
#include "release/base_tables.h"
#include "release/comments.h"
#include "release/declare.h"
#include "release/digest.h"
#include "release/followable.h"
#include "release/heed.h"
#include "release/ledger_format.h"
#include "release/log.h"
#include "release/lost_detail.h"
#include "release/made_again.h"
#include "release/relation_fill.h"
#include "release/relations.h"
#include "release/release_audit.h"
#include "release/restored.h"
#include "release/shown_again.h"
#include "release/source_shape.h"
#include "release/swap.h"
#include "release/taxonomy_pool.h"
#include "release/version.h"

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

}  // namespace

void lock_source_of(SpiSession& session, Policy const& policy) {
  std::vector<std::string> columns;
  auto const add = [&](std::string const& column) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  };
  if (policy.person)
    for (auto const& column : person_columns(session, *policy.person)) add(column);
  for (auto const& column : policy.columns)
    if (column.role != Role::kClass) add(column.column);
  for (auto const& column : method_of(policy).read_beside(policy)) add(column);
  Oid const source = source_of(session, policy);
  try {
    lock_source(session, source, columns);
  } catch (Error const& error) {
    rethrow_about_column(session, policy, qualified_name(source), error);
  }
  if (auto const lock_beside = method_of(policy).lock_beside) lock_beside(session, policy);
}

namespace {

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

namespace {

// No new version was made: the last one is what there is.
Release keep_last(PublishRun const& run, Release last) {
  run.phases.begin("names");
  if (has_own_relations(run.session, last))  // else its audit tells
    swap_names(run.session, policy_at(run.policy, last));
  if (run.method.finish != nullptr) run.method.finish(run);
  heed_changes(run.session, run.policy, run.watched);
  run.phases.end();
  return without_missing(run.session, std::move(last));
}

// The order of a publish, whatever the method.
Release make_version(PublishRun const& run) {
  if (auto last = untouched(run)) return keep_last(run, std::move(*last));
  auto const draft = run.method.draft(run);
  auto const print = fingerprint(run, draft->content());
  if (auto last = repeated(run, print)) return keep_last(run, std::move(*last));
  draft->solve();
  require_heeded(run);
  LedgerPen const pen;
  run.phases.begin("ledger");
  draft->write();
#ifdef ANON_SEQ_SELFTEST
  spoil(run);
#endif
  run.phases.begin("views");
  auto release = describe(run.policy, draft->counts());
  draft->complete(release);
  draft->note(print);
  tell_lost(run, *draft, release);
  analyze_ledger(run);
  create_relations(run.session, run.policy, run.method, release);
  if (std::ranges::any_of(release.relations, [](auto const& relation) { return !relation.is_view(); }))
    fill_relations(run.session, run.policy, release, draft->cells(), run.checkpoint);
  create_indexes(run.session, *run.demands, release);
  comment_version(run.session, run.policy, release, run.method.relations(run.policy),
                  run.session.execute("SELECT current_date::text", {}).get(0, 1));
  analyze_relations(run.session, release);
  auto const known = draft->digest();
  release.digest = known ? *known
                         : digest_of(run.session, run.policy, release, run.method.relations(run.policy), draft->cells(),
                                     run.checkpoint);
  run.phases.begin("audit");
  audit_written(run, *draft, release);
  warn_released_again(run.session, run.population, release);
  if (run.policy.version == 1) warn_of_same_tables(run.session, run.policy);
  insert_release(run.session, release);
  run.phases.begin("names");
  swap_names(run.session, run.policy);
  note_readers(run.session, release);
  if (run.method.finish != nullptr) run.method.finish(run);
  heed_changes(run.session, run.policy, run.watched);
  run.phases.end();
  return release;
}

}  // namespace

Release publish(SpiSession& session, std::string const& name, bool verbose, bool force,
                std::optional<std::int32_t> after) {
  InterruptCheckpoint checkpoint;
  remember_said(name);
  Policy const policy = begin(session, name);
  UnderWay const under_way(policy);
  // From here on the owner acts, whoever called: the source is read, and everything made, with his rights.
  OwnLedger const owner(session, policy);
  require_publisher(session);
  require_closed(session, policy.ledger());
  {
    FreshSnapshot const snapshot;  // somebody may have published while we waited
    require_confirmed(session, policy, policy.version - 1);
    require_after(policy, policy.version - 1, after);
  }
  lock_source_of(session, policy);
  lock_distributed(session, source_of(session, policy));
  FreshSnapshot const snapshot;
  Phases phases("publish", name, method_of(policy).phases, verbose);
  return with_hints(session, policy, false, [&] {
    auto const run = publish_run(session, policy, checkpoint, phases, false, force);
    auto release = make_version(run);
    log_publish(session, policy, release.version);
    return release;
  });
}

Variant preview(SpiSession& session, std::string const& name, JsonValue const* changes) {
  InterruptCheckpoint checkpoint;
  Policy policy = load_policy(session, name, false);
  OwnLedger const owner(session, policy);
  Variant variant;
  auto const refused = try_out([&]() {
    require_confirmed(session, policy, policy.version);
    if (changes != nullptr) {
      auto definition = definition_of(policy);
      definition.source = source_of(session, policy);
      Oid const source = definition.source;
      Policy varied = [&] {
        try {
          if (policy.version > 0 && changes->find("source") == nullptr) require_declared_types(session, policy, source);
          return resolve(session, changed(session, std::move(definition), *changes));
        } catch (Error const& error) {
          rethrow_about_column(session, policy, qualified_name(source), error);
        }
      }();
      varied.id = policy.id;
      varied.version = policy.version;
      if (policy.version > 0) require_allowed_change(session, policy, varied);
      policy = std::move(varied);
    }
    auto const declared = changes != nullptr && policy.version == 0 ? Declared::kJustNow : Declared::kBefore;
    ++policy.version;
    lock_source_of(session, policy);
    FreshSnapshot const snapshot;
    Phases phases("preview", name, method_of(policy).phases, false);
    variant = with_hints(session, policy, true, [&] {
      auto const run = publish_run(session, policy, checkpoint, phases, true, false, declared);
      auto const draft = run.method.draft(run);
      draft->solve();
      require_heeded(run);
      auto release = describe(policy, draft->counts());
      draft->complete(release);
      auto const columns = draft->columns();
      return Variant{true,
                     {},
                     release.published,
                     release.waiting + release.withheld,
                     release.classes,
                     release.smallest_class.value_or(0),
                     all_measures(*draft),
                     shown_json(columns),
                     lost_json(columns),
                     policy.parameters,
                     policy.options + columns_json(policy.columns) + policy.person.value_or("") + policy.population};
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
