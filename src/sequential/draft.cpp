#include "sequential/draft.h"

#include "catalog/ledger.h"
#include "pg/report.h"
#include "sequential/ready_rules.h"

namespace anon_seq::sequential {
namespace {

class Specialized : public Draft {
 public:
  explicit Specialized(PublishRun const& run) : run_(run) {
    run.phases.begin("read");
    std::vector<std::string> wanted;
    for (auto const& column : run.policy.columns) wanted.push_back(column.column);
    if (auto const& label = run.demanded<SequentialPolicy>().label; !label.empty()) wanted.push_back(label);
    source_ = read_policy_source(run.session, run.policy, run.source, wanted, run.checkpoint);
  }

  SourceTable const& content() const override { return made_.problem ? made_.problem->source() : source_; }

  void solve() override {
    run_.phases.begin("specialize");
    made_ = sequential::solve(run_, std::move(source_));
    if (!run_.silent) tell();
    if (!made_.outcome.feasible) throw infeasible(run_.session, run_.policy, made_, run_.checkpoint);
    cells_ = cells_of(run_.policy, made_, run_.checkpoint);
    cells_.withheld = made_.problem->suppressed().rows;
  }

  ReleaseCells const& cells() override { return cells_; }
  std::vector<Release> const* heeded() const override { return &made_.problem->releases(); }
  std::string measures() override { return measures_json(made_, run_.checkpoint); }

  void write() override { write_cells(run_.session, run_.policy, content(), cells_, run_.checkpoint); }

  void note(std::string const& print) override {
    run_.session.execute(
        "INSERT INTO " + ledger_table(run_.policy.ledger(), "note") +
            " (version, fingerprint, cut, trace, detail) VALUES ($1, $2, $3::pg_catalog.jsonb, $4::pg_catalog.jsonb,"
            " pg_catalog.jsonb_build_object('measures', $5::pg_catalog.jsonb, 'one_row_each', $6::pg_catalog.bool,"
            " 'suppressed', $7::pg_catalog.jsonb))",
        {run_.policy.version, print, cut_json(run_.policy, made_), trace_json(run_.policy, made_), measures(),
         content().one_row_each ? "true" : "false", suppressed_json(made_)});
  }

 private:
  void tell() const {
    for (auto const& text : made_.problem->notices()) notice(text);
    for (auto const& about : rule_notices(run_.policy, made_)) notice(about.text, about.hint);
  }

  PublishRun const& run_;
  SourceTable source_;  // until it is solved
  SequentialRelease made_;
  ReleaseCells cells_;
};

}  // namespace

std::unique_ptr<Draft> make_draft(PublishRun const& run) { return std::make_unique<Specialized>(run); }

}  // namespace anon_seq::sequential
