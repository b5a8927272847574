#include "serial/draft.h"

#include "catalog/ledger.h"
#include "lossy_join/content.h"
#include "lossy_join/row_ledger.h"
#include "lossy_join/shown_cells.h"
#include "pg/json_object.h"
#include "pg/report.h"
#include "pg/strong_random.h"
#include "release/followable.h"
#include "serial/forgotten.h"
#include "serial/late.h"
#include "serial/lives_draft.h"
#include "serial/persistence.h"
#include "serial/refused.h"
#include "serial/source_rows.h"
#include "serial/spending.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

using lossy_join::LossyProblem;

// A fixed horizon is over after its versions.
void require_horizon(Policy const& policy, SerialPolicy const& demands) {
  if (demands.plan.kind != PlanKind::kFixed) return;
  auto const last = demands.plan.horizon * (demands.renewals + 1);
  if (policy.version <= last) return;
  auto const l = ratio_text(demands.l), times = std::to_string(demands.renewals + 2);
  throw Error(Fault::kLimit, "the horizon of policy " + quoted(policy.name) + " is used up",
              "It was declared for " + std::to_string(last) + " versions, and its budgets are spent on them.",
              alter_statement(policy, "\"options\": {\"renewals\": " + std::to_string(demands.renewals + 1) + "}") +
                  " begins it again: each horizon keeps 1/" + l + " by itself, and all " + times +
                  " together 1 - (1 - 1/" + l + ")^" + times + ".");
}

class SerialDraft : public Draft {
 public:
  explicit SerialDraft(PublishRun const& run) : run_(run) {
    run.phases.begin("read");
    source_ = lossy_join::read_content(run.session, run.policy, run.source, run.checkpoint);
  }

  SourceTable const& content() const override { return source_; }

  void solve() override {
    auto const& demands = run_.demanded<SerialPolicy>();
    require_one_row_each(run_.session, run_.policy, source_);
    source_.table.weights.clear();  // each is 1
    require_horizon(run_.policy, demands);
    require_not_unique(run_.policy, source_, demands.allow_unique);
    run_.phases.begin("budget");
    require_secrets(run_);
    require_same_terms(run_);
    auto& person = source_.table.columns[source_.person].values;
    PersonCodes persons(person, source_.person_value);
    require_budgets_as_written(run_);
    budget_ = read_budget(run_.session, run_.population, run_.policy, demands, persons, run_.checkpoint);
    past_ = add_past(run_, budget_, persons);
    returned_ = add_returned(run_, source_, past_, budget_);
    for (auto const& [version, accounts] : returned_.accounts) {
      auto& into = past_.accounts[version];
      into.insert(into.end(), accounts.begin(), accounts.end());
    }
    persisting_ = measure_persistence(run_, source_, persons);
    auto const out = exhausted_rows(demands, source_, budget_, run_.checkpoint);
    take_out(source_, out, std::count(out.begin(), out.end(), char{1}), run_.checkpoint);
    withheld_ = static_cast<std::int64_t>(out.size() - source_.table.rows());
    if (source_.table.rows() == 0)
      throw Error(Fault::kData, "nobody in the source has any budget left",
                  "Beside a listed value they would be linked to it with more than 1/" + ratio_text(demands.l) +
                      (demands.largest_m > 0 ? ", or need larger classes than options.withhold_below allows." : "."),
                  "Persons who are new to the source have whole budgets. SELECT * FROM anon_seq.budget(" +
                      sql_literal(run_.policy.name) + ") shows how much was spent.");
    run_.phases.begin("group");
    LossyProblem const problem(run_.session, run_.policy, demands, source_, run_.checkpoint);
    StrongRandom random;
    Draws draws([&random] { return random.next(); });
    auto spent = spend_or_refuse(problem, draws);
    after_ = std::move(spent.after);
    cohorts_ = spent.cohorts;
    make_cells(demands, problem, spent.classes);
    made_.cells.withheld = withheld_;
    retried_ = was_refused(run_, source_.fingerprint);
    if (!run_.silent) tell(demands, problem);
  }

  ReleaseCells const& cells() override { return made_.cells; }

  std::string measures() override { return loss_json(made_.loss); }
  std::vector<ColumnDetail> columns() override { return column_details(run_.policy, made_.loss); }

  void write() override {
    auto const write = run_.demanded<SerialPolicy>().generalized ? write_cells : lossy_join::write_rows;
    write(run_.session, run_.policy, source_, made_.cells, run_.checkpoint);
    auto const numbers = ledger_numbers(run_, budget_);
    for (auto const& [version, accounts] : past_.accounts) write_accounts(run_, source_, numbers, accounts, version);
    write_accounts(run_, source_, numbers, after_, run_.policy.version);
    drop_old_accounts(run_);
    keep_forgotten(run_, returned_, past_, numbers);
    make_secret(run_.session, run_.policy.ledger());
  }

  void note(std::string const& print) override {
    auto const detail = JsonObject()
                            .add("measures", all_measures(*this))
                            .add("one_row_each", "true")
                            .number("cohorts", static_cast<std::int64_t>(cohorts_))
                            .number("accounts", static_cast<std::int64_t>(after_.size()))
                            .number("compared", persisting_.of_another ? 0 : persisting_.compared)
                            .number("unchanged", persisting_.unchanged)
                            .add("retried", retried_ ? "true" : "false")
                            .json();
    run_.session.execute("INSERT INTO " + ledger_table(run_.policy.ledger(), "note") +
                             " (version, fingerprint, trace, detail) VALUES ($1, $2, $3::pg_catalog.jsonb,"
                             " $4::pg_catalog.jsonb)",
                         {run_.policy.version, print, made_.trace, detail});
  }

 private:
  SpentVersion spend_or_refuse(LossyProblem const& problem, Draws& draws) {
    try {
      return spend(run_.demanded<SerialPolicy>(), source_, budget_, problem, draws, run_.checkpoint);
    } catch (Error const& error) {
      if (error.fault() == Fault::kData && !run_.silent) remember_refused(run_, source_.fingerprint);
      throw;
    }
  }

  void make_cells(SerialPolicy const& demands, LossyProblem const& problem, Classes const& classes) {
    if (demands.generalized) {
      made_ = lossy_join::shown_cells(run_.policy, demands, source_, problem, classes, run_.checkpoint);
    } else {
      made_.loss = measure_loss(source_.table, classes, {}, demands.k, run_.checkpoint);
      made_.cells = lossy_join::take_rows(source_, run_.policy, classes, run_.checkpoint);
    }
  }

  void tell(SerialPolicy const& demands, LossyProblem const& problem) const {
    tell_persistence(demands, persisting_);
    if (withheld_ > 0)
      notice(std::to_string(withheld_) + " of " + std::to_string(made_.cells.published + withheld_) +
                 " persons were withheld, whatever their values: their budgets are spent",
             "SELECT * FROM anon_seq.budget(" + sql_literal(run_.policy.name) + ") shows budgets.");
    warn_of_absent(problem.absent());
  }

  PublishRun const& run_;
  SourceTable source_;
  Budget budget_;
  Past past_;
  Returned returned_;
  Persistence persisting_;
  Vector<Account> after_;
  std::int64_t withheld_ = 0;
  std::size_t cohorts_ = 0;
  bool retried_ = false;
  lossy_join::ShownCells made_;
};

}  // namespace

std::unique_ptr<Draft> make_draft(PublishRun const& run) {
  if (run.demanded<SerialPolicy>().permanent) return make_lives_draft(run);
  return std::make_unique<SerialDraft>(run);
}

}  // namespace anon_seq::serial
