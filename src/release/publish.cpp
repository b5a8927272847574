#include "release/publish.h"

#include "pg/ledger.h"
#include "pg/subtransaction.h"
#include "release/alter.h"
#include "release/measures.h"
#include "release/phases.h"
#include "release/release_audit.h"
#include "release/sequential_method.h"

namespace anon_seq::pg {
namespace {

void notice(std::string const& text, char const* hint = nullptr) {
  char const* const message = text.c_str();
  call_pg([message, hint]() noexcept {
    ereport(NOTICE, (errmsg_internal("%s", message), hint == nullptr ? 0 : errhint("%s", hint)));
  });
}

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

// What was declared is what is written: another type of a column would fail later, on a value.
void require_same_shape(SpiSession& session, Policy const& policy) {
  auto definition = definition_of(session, policy);
  definition.source = source_of(session, policy);
  auto const now = resolve(session, definition);
  std::string changed;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    if (now.columns[i].type != policy.columns[i].type) changed = policy.columns[i].column;
  if (policy.person) {
    auto const rows = session.execute(
        "SELECT pg_catalog.format_type(t.typelem, a.atttypmod) FROM pg_catalog.pg_attribute AS a"
        " JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
        " WHERE a.attrelid = pg_catalog.to_regclass($1) AND a.attname = 'persons'",
        {ledger_table(policy.ledger(), "person")}, true);
    auto const kept = rows.text(0, 1);  // rows are those of the last statement
    if (kept && *kept != person_type(session, policy)) changed = *policy.person;
  }
  if (!changed.empty())
    throw Error(Fault::kType,
                "column " + quoted(changed) + " of the source has another type than when policy " +
                    quoted(policy.name) + " was declared",
                "Releases of a policy keep their columns and types.",
                "Give it back its type, point the policy to a view that does, or declare another policy.");
}

std::optional<Release> last_version(SpiSession& session, Policy const& policy) {
  for (auto& release : releases_of(session, policy.population))
    if (release.name == policy.name && release.version == policy.version - 1) return std::move(release);
  return std::nullopt;
}

// The fingerprint also covers what is demanded, and what was registered in the meantime: new demands, or
// another table that is out, on the same rows are another release.
std::string fingerprint(SpiSession& session, Policy const& policy, SourceTable const& source) {
  std::string context = policy.parameters + policy.options + columns_json(policy.columns);
  for (auto const& release : releases_of(session, policy.population))
    if (release.method == "registered") context += " " + release.ledger;
  char text[32];
  pg_snprintf(text, sizeof text, "-%016llx", static_cast<unsigned long long>(hash_bytes(context)));
  return source.fingerprint + text;
}

bool is_repeated(SpiSession& session, Policy const& policy, std::string const& print) {
  auto const rows = session.execute("SELECT fingerprint FROM " + ledger_table(policy.ledger(), "note") +
                                        " WHERE version = " + std::to_string(policy.version - 1),
                                    {}, true);
  return rows.count() == 1 && rows.get(0, 1) == print;
}

void write_note(SpiSession& session, Policy const& policy, SequentialRelease const& made, std::string const& print,
                std::string const& measures) {
  session.execute(
      "INSERT INTO " + ledger_table(policy.ledger(), "note") +
          " (version, fingerprint, cut, trace, detail) VALUES ($1, $2, $3::pg_catalog.jsonb, $4::pg_catalog.jsonb,"
          " pg_catalog.jsonb_build_object('measures', $5::pg_catalog.jsonb, 'one_row_each', $6::pg_catalog.bool))",
      {policy.version, print, cut_json(policy, made), trace_json(policy, made), measures,
       made.problem->source().one_row_each ? "true" : "false"});
}

Release describe(Policy const& policy, ReleaseCells const& cells, std::string digest) {
  Release release;
  release.name = policy.name;
  release.version = policy.version;
  release.ledger = policy.ledger();
  release.method = policy.method;
  release.population = policy.population;
  release.published = cells.published;
  release.withheld = cells.withheld;
  release.classes = cells.classes;
  release.smallest_class = cells.smallest_class;
  release.parameters = policy.parameters;
  release.options = policy.options;
  release.columns = policy.columns;
  release.digest = std::move(digest);
  return release;
}

void analyze(SpiSession& session, Policy const& policy, std::string const& relation) {
  session.execute("ANALYZE " + relation);
  for (char const* table : {"cell", "person"})
    if (table[0] == 'c' || policy.person) session.execute("ANALYZE " + ledger_table(policy.ledger(), table));
}

char spoiling[200];  // what spoil_next_release() was told

void spoil(SpiSession& session, Policy const& policy) {
  if (spoiling[0] == '\0') return;
  std::string const assignment = spoiling;
  spoiling[0] = '\0';
  session.execute("UPDATE " + ledger_table(policy.ledger(), "cell") + " SET " + assignment +
                  " WHERE cell = 1 AND version = " + std::to_string(policy.version));
}

}  // namespace

void spoil_next_release(std::string const& assignment) { strlcpy(spoiling, assignment.c_str(), sizeof spoiling); }

Published publish(SpiSession& session, std::string const& name, bool verbose) {
  InterruptCheckpoint checkpoint;
  Phases phases(name, verbose);
  Policy const policy = begin(session, name);
  if (policy.method != "sequential")
    throw Error(Fault::kUnsupported, "policies of method " + policy.method + " cannot be published yet");
  // From here on the owner acts, whoever called: the source is read, and everything made, with his rights.
  ActingAs const owner(ledger_owner(session, policy.ledger()));
  require_publisher(session);
  require_closed(session, policy.ledger());
  FreshSnapshot const snapshot;
  require_same_shape(session, policy);

  phases.begin("read");
  auto source = read_for(session, policy, checkpoint);
  auto const print = fingerprint(session, policy, source);
  if (is_repeated(session, policy, print))
    if (auto last = last_version(session, policy)) {
      undo_version(session, policy);
      notice("content of policy \"" + name + "\" has not changed since version " + std::to_string(last->version),
             "No new version was made.");
      return {std::move(*last), true};
    }
  phases.begin("specialize");
  auto const made = solve(session, policy, std::move(source), checkpoint);
  for (auto const& text : made.problem->notices()) notice(text);
  for (auto const& text : rule_notices(made)) notice(text);
  if (!made.outcome.feasible) throw infeasible(policy, made);
  auto const cells = cells_of(policy, made, checkpoint);

  LedgerPen const pen;
  phases.begin("ledger");
  write_cells(session, policy, made.problem->source(), cells, checkpoint);
  spoil(session, policy);
  write_note(session, policy, made, print, measures_json(policy, made, checkpoint));
  phases.begin("views");
  auto const relation = create_release_view(session, policy);
  point_target(session, policy);
  analyze(session, policy, relation);
  auto release = describe(policy, cells, digest_of(session, policy, cells, checkpoint));
  release.relations = {relation};
  phases.begin("audit");
  audit_written(session, policy, *made.demands, made.problem->releases(), release);
  insert_release(session, release);
  phases.end();
  return {std::move(release), false};
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
      if (policy.version > 0) require_no_weaker(policy, varied);
      policy = std::move(varied);
    }
    ++policy.version;
    FreshSnapshot const snapshot;
    auto const made = solve(session, policy, read_for(session, policy, checkpoint), checkpoint);
    if (!made.outcome.feasible) throw infeasible(policy, made);
    auto const cells = cells_of(policy, made, checkpoint);
    variant = {true,
               {},
               cells.published,
               cells.withheld,
               cells.classes,
               cells.smallest_class,
               measures_json(policy, made, checkpoint)};
  });
  if (refused)
    variant.reason = std::string(refused->what()) + (refused->detail().empty() ? "" : ": " + refused->detail()) +
                     (refused->hint().empty() ? "" : " " + refused->hint());
  return variant;
}

}  // namespace anon_seq::pg
