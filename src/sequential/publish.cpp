// Publishing and previewing a sequential policy.
#include "catalog/ledger.h"
#include "catalog/release_readers.h"
#include "release/measures.h"
#include "release/release_audit.h"
#include "release/version.h"
#include "sequential/method.h"
#include "sequential/ready_rules.h"

namespace anon_seq::sequential {
namespace {

void write_note(SpiSession& session, Policy const& policy, SequentialRelease const& made, std::string const& print,
                std::string const& measures) {
  session.execute(
      "INSERT INTO " + ledger_table(policy.ledger(), "note") +
          " (version, fingerprint, cut, trace, detail) VALUES ($1, $2, $3::pg_catalog.jsonb, $4::pg_catalog.jsonb,"
          " pg_catalog.jsonb_build_object('measures', $5::pg_catalog.jsonb, 'one_row_each', $6::pg_catalog.bool))",
      {policy.version, print, cut_json(policy, made), trace_json(policy, made), measures,
       made.problem->source().one_row_each ? "true" : "false"});
}

}  // namespace

Published publish_sequential(PublishRun const& run) {
  auto& [session, policy, checkpoint, phases] = run;
  phases.begin("read");
  auto source = read_for(session, policy, checkpoint);
  auto const print = fingerprint(session, policy, source);
  if (auto last = repeated(session, policy, print)) return {std::move(*last), true};
  phases.begin("specialize");
  auto const made = solve(session, policy, std::move(source), checkpoint);
  for (auto const& text : made.problem->notices()) notice(text);
  for (auto const& about : rule_notices(policy, made)) notice(about.text, about.hint.c_str());
  if (!made.outcome.feasible) throw infeasible(session, policy, made, checkpoint);
  auto const cells = cells_of(policy, made, checkpoint);

  LedgerPen const pen;
  phases.begin("ledger");
  write_cells(session, policy, made.problem->source(), cells, checkpoint);
  spoil(session, policy, "cell", "cell = 1 AND version = " + std::to_string(policy.version));
  write_note(session, policy, made, print, measures_json(policy, made, checkpoint));
  phases.begin("views");
  auto const relation = create_release_view(session, policy);
  point_target(session, policy);
  note_readers(session, policy, relation);
  analyze(session, relation);
  analyze(session, policy, {"cell"});
  if (policy.person) analyze(session, policy, {"person"});
  auto release = describe(policy, cells, digest_of(session, policy, cells, checkpoint));
  release.relations = {relation};
  phases.begin("audit");
  audit_written(session, policy, *made.demands, made.problem->releases(), release);
  insert_release(session, release);
  phases.end();
  return {std::move(release), false};
}

Variant preview_sequential(SpiSession& session, Policy const& policy, Checkpoint& checkpoint) {
  auto const made = solve(session, policy, read_for(session, policy, checkpoint), checkpoint);
  if (!made.outcome.feasible) throw infeasible(session, policy, made, checkpoint);
  auto const cells = cells_of(policy, made, checkpoint);
  return {true,
          {},
          cells.published,
          cells.withheld,
          cells.classes,
          cells.smallest_class,
          measures_json(policy, made, checkpoint)};
}

}  // namespace anon_seq::sequential
