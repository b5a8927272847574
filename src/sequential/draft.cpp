#include "sequential/draft.h"

#include "catalog/ledger.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "sequential/linked.h"
#include "sequential/ready_rules.h"
#include "sequential/unknown_values.h"

namespace anon_seq::sequential {
namespace {

class Specialized : public Draft {
 public:
  explicit Specialized(PublishRun const& run) : run_(run) {
    run.phases.begin("read");
    source_ = read_content(run.session, run.policy, run.source, run.checkpoint, unknown_);
  }

  SourceTable const& content() const override { return made_.problem ? made_.problem->source() : source_; }

  void solve() override {
    run_.phases.begin("specialize");
    made_ = sequential::solve(run_, std::move(source_));
    if (!run_.silent) tell();
    if (!made_.outcome.feasible) throw infeasible(run_.session, run_.policy, made_, run_.checkpoint);
    if (made_.blanked_break) throw infeasible_blanked(run_.policy, made_);
    cells_ = cells_of(run_.policy, made_, run_.checkpoint);
    auto const out = made_.problem->suppressed().rows + unknown_.rows;
    cells_.withheld = out;
    loss_ = loss_of(made_, run_.checkpoint);
    add_withheld(loss_, out, cells_.published);
  }

  ReleaseCells const& cells() override { return cells_; }
  std::vector<Release> const* heeded() const override { return &made_.problem->heeded(); }
  std::string measures() override { return loss_json(loss_); }
  std::vector<ColumnDetail> columns() override { return column_details(run_.policy, loss_); }

  void write() override { write_cells(run_.session, run_.policy, content(), cells_, run_.checkpoint); }

  void note(std::string const& print) override {
    run_.session.execute(
        "INSERT INTO " + ledger_table(run_.policy.ledger(), "note") +
            " (version, fingerprint, cut, trace, detail) VALUES ($1, $2, $3::pg_catalog.jsonb, $4::pg_catalog.jsonb,"
            " pg_catalog.jsonb_build_object('measures', $5::pg_catalog.jsonb, 'one_row_each', $6::pg_catalog.bool,"
            " 'suppressed', $7::pg_catalog.jsonb, 'populations', $8::pg_catalog.jsonb))",
        {run_.policy.version, print, cut_json(run_.policy, made_), trace_json(run_.policy, made_), all_measures(*this),
         content().one_row_each ? "true" : "false", suppressed_json(made_), populations_json(run_.session, made_)});
  }

 private:
  void tell() const {
    warn_of_no_bound(run_.policy, *made_.demands, made_.problem->heeded());
    for (auto const& about : unknown_.notices) notice(about.text, about.hint);
    for (auto const& text : made_.problem->notices()) notice(text);
    for (auto const& about : rule_notices(run_.policy, made_)) notice(about.text, about.hint);
    if (made_.demands->local && !made_.problem->heeded().empty())
      notice(
          "boxes overlap those of earlier releases: whoever knows somebody's quasi values, and holds both, may be"
          " left with fewer persons than each of them shows",
          "Rules bound shares of joins. SELECT * FROM anon_seq.audit_inference(ARRAY[" + sql_literal(run_.policy.name) +
              "], " + std::to_string(made_.demands->k.value_or(2)) +
              ", 'cover'); counts those persons. Versions of an incremental policy leave nobody with fewer.");
    if (made_.outcome.cut_short)
      notice("ranges may be wider than rules ask for: other bounds were tried until that cost as much as the release",
             "How many are tried follows from rows and columns. With the option \"valid_split\": false none are.");
    for (auto const& about : link_notices(run_.policy, *made_.demands, content(), run_.checkpoint))
      notice(about.text, about.hint);
  }

  PublishRun const& run_;
  SourceTable source_;  // until it is solved
  LeftOut unknown_;
  SequentialRelease made_;
  ReleaseCells cells_;
  Loss loss_;
};

}  // namespace

SourceTable read_content(SpiSession& session, Policy const& policy, PolicySource const& from, Checkpoint& checkpoint,
                         LeftOut& left) {
  std::vector<std::string> wanted;
  for (auto const& column : policy.columns) wanted.push_back(column.column);
  auto const demands = sequential_policy(policy);
  if (!demands.label.empty()) wanted.push_back(demands.label);
  auto source = read_policy_source(session, policy, from, wanted, checkpoint);
  if (demands.suppress_unknown) left = leave_unknown_out(session, policy, from, source, checkpoint);
  return source;
}

std::unique_ptr<Draft> make_draft(PublishRun const& run) { return std::make_unique<Specialized>(run); }

}  // namespace anon_seq::sequential
