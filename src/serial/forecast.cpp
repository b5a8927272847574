// forecast(): versions that are still to come, made in memory.
#include <cmath>
#include <cstdlib>
#include <deque>

#include "catalog/ledger.h"
#include "lossy_join/content.h"
#include "lossy_join/shown_cells.h"
#include "pg/progress.h"
#include "pg/strong_random.h"
#include "release/ledger_format.h"
#include "release/publish.h"
#include "serial/budget_look.h"
#include "serial/forgotten.h"
#include "serial/late.h"
#include "serial/spending.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

using lossy_join::LossyProblem;

// By what the last version found that was compared with one of the same policy, see persistence.h; all, if there is
// none.
double measured_change(PublishRun const& run) {
  auto const rows = run.session.execute("SELECT (detail->>'unchanged')::float8 / (detail->>'compared')::float8 FROM " +
                                            ledger_table(run.policy.ledger(), "note") +
                                            " WHERE (detail->>'compared')::bigint > 0 ORDER BY version DESC LIMIT 1",
                                        {}, true);
  return rows.count() == 0 ? 1 : 1 - std::strtod(rows.get(0, 1).c_str(), nullptr);
}

class Forecaster {
 public:
  Forecaster(PublishRun const& run, Policy& policy, std::optional<double> changing)
      : run_(run), policy_(policy), demands_(run.demanded<SerialPolicy>()), draws_([this] { return random_.next(); }) {
    changing_ = changing ? *changing : measured_change(run);
    source_ = lossy_join::read_content(run.session, policy, run.source, run.checkpoint);
    if (!source_.one_row_each)
      throw Error(Fault::kData, "a person has several rows, and a serial release is of one row per person");
    source_.table.weights.clear();
    auto& person = source_.table.columns[source_.person].values;
    PersonCodes persons(person, source_.person_value);
    budget_ = read_budget(run.session, run.population, policy, demands_, persons, run.checkpoint);
    add_returned(run, source_, add_past(run, budget_, persons), budget_);
    for (auto const& column : source_.table.columns) codes_.push_back(column.codes);
    if (demands_.plan.kind == PlanKind::kWindow) spent_.push_back(budget_.own);
  }

  // False: it could not be published. Throws what says nothing of the version, as that memory does not suffice.
  bool next(ForecastLine& line) {
    line.version = policy_.version;
    try {
      make(line);
    } catch (Error const& error) {
      if (error.fault() != Fault::kData) throw;
      line.reason = error.what();
      return false;
    }
    ++policy_.version;
    return true;
  }

 private:
  void make(ForecastLine& line) {
    if (demands_.plan.kind == PlanKind::kFixed) {
      if (policy_.version > demands_.plan.horizon * (demands_.renewals + 1))
        throw Error(Fault::kData, "the horizon is used up");
      if (demands_.period_begin(policy_.version) == policy_.version) budget_.own.clear();
      combine(budget_, run_.checkpoint);
    }
    draw_values_anew();
    auto const out = exhausted_rows(demands_, source_, budget_, run_.checkpoint);
    take_out(source_, out, std::count(out.begin(), out.end(), char{1}), run_.checkpoint);
    line.published = static_cast<std::int64_t>(source_.table.rows());
    line.withheld = static_cast<std::int64_t>(out.size()) - line.published;
    if (line.published == 0) throw Error(Fault::kData, "nobody in the source has any budget left");
    LossyProblem const problem(run_.session, policy_, demands_, source_, run_.checkpoint);
    auto spent = spend(demands_, source_, budget_, problem, draws_, run_.checkpoint);
    auto const sizes = spent.classes.sizes();
    line.classes = spent.classes.count();
    line.smallest = std::ranges::min(sizes);
    line.rows_for_one = spent.rows_for_one;
    if (demands_.generalized)
      line.ncp = lossy_join::shown_cells(policy_, demands_, source_, problem, spent.classes, run_.checkpoint).loss.ncp;
    charge(std::move(spent.after));
  }

  // As if nobody's value told of the next one: the values of some rows, in another order; these rows are drawn, too.
  void draw_values_anew() {
    Vector<std::uint32_t> from(codes_.front().size());
    for (std::size_t row = 0; row < from.size(); ++row) from[row] = static_cast<std::uint32_t>(row);
    draws_.shuffle(std::span(from), run_.checkpoint);
    from.resize(static_cast<std::size_t>(std::llround(changing_ * static_cast<double>(from.size()))));
    auto to = from;
    draws_.shuffle(std::span(to), run_.checkpoint);
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      auto& column = source_.table.columns[i];
      column.codes = codes_[i];
      auto const is_sensitive = std::ranges::find(policy_.sensitive, column.name) != policy_.sensitive.end();
      if (!is_sensitive || i == source_.person) continue;
      for (std::size_t row = 0; row < from.size(); ++row) column.codes[to[row]] = codes_[i][from[row]];
      codes_[i] = column.codes;
    }
  }

  void charge(Vector<Account> after) {
    if (demands_.plan.kind == PlanKind::kWindow) {
      spent_.push_back(std::move(after));
      while (std::ssize(spent_) >= demands_.plan.horizon) spent_.pop_front();
      after.clear();
      for (auto const& accounts : spent_) after.insert(after.end(), accounts.begin(), accounts.end());
    }
    budget_.own = std::move(after);
    combine(budget_, run_.checkpoint);
  }

  PublishRun const& run_;
  Policy& policy_;
  SerialPolicy const& demands_;
  StrongRandom random_;
  Draws draws_;
  SourceTable source_;
  double changing_;                  // the share of rows whose values are drawn anew for each version
  std::vector<Vector<Code>> codes_;  // of the source's columns, all rows
  Budget budget_;
  std::deque<Vector<Account>> spent_;  // of a window: charges that count, version by version
};

}  // namespace

std::vector<ForecastLine> forecast(SpiSession& session, Policy const& declared, std::int32_t versions,
                                   std::optional<double> changing, Checkpoint& checkpoint) {
  Policy policy = declared;
  require_budgets(session, policy);
  OwnLedger const owner(session, policy);
  ++policy.version;
  lock_source_of(session, policy);
  FreshSnapshot const snapshot;
  Phases none("forecast", policy.name, {}, false);
  Progress progress("forecast", policy.name, static_cast<std::size_t>(versions) + 1);
  progress.step("read");
  auto const run = publish_run(session, policy, checkpoint, none, true, false);
  Forecaster forecaster(run, policy, changing);
  std::vector<ForecastLine> lines;
  for (std::int32_t i = 0; i < versions; ++i) {
    progress.step("version " + std::to_string(policy.version));
    if (!forecaster.next(lines.emplace_back())) break;
  }
  return lines;
}

}  // namespace anon_seq::serial
