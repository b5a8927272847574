#include "lossy_join/draft.h"

#include <algorithm>

#include "core/text/some_of.h"
//
#include "catalog/ledger.h"
#include "lossy_join/content.h"
#include "lossy_join/grouped.h"
#include "lossy_join/row_ledger.h"
#include "lossy_join/shown_cells.h"
#include "pg/json_object.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "pg/strong_random.h"
#include "release/followable.h"
#include "release/version.h"

namespace anon_seq::lossy_join {
namespace {

void require_one_row_each(SpiSession& session, Policy const& policy, SourceTable const& source) {
  if (source.one_row_each) return;
  std::vector<std::string> key;
  for (auto const& column : person_columns(session, *policy.person)) key.push_back(quote_name(column));
  throw Error(Fault::kData, "a person has several rows, and a lossy join is of one row per person",
              "A class would hold somebody twice, and its shares would be of rows.",
              "Publish from a view with one row each: SELECT DISTINCT ON (" + joined(key, ", ") +
                  ") ... FROM ..., or GROUP BY " + joined(key, ", ") + ".");
}

// Two projections of the same people tell of each what his two classes have in common.
void require_first(PublishRun const& run, SourceTable const& content) {
  if (run.demanded<LossyPolicy>().unguarded_again) return;
  Release const* last = nullptr;
  for (auto const& release : run.population)
    if (release.name == run.policy.name && !release.is_registered() && !release.withdrawn) last = &release;
  if (last == nullptr) return;
  if (run.silent && run.last.there && run.last.fingerprint == fingerprint(run, content)) return;
  throw Error(Fault::kUnsupported,
              "release " + quoted(last->reference()) + " is out, and what would be published now differs from it",
              "Whoever holds two projections of the same people sees for each what two classes have in common, at worst"
              " one value.",
              "Changing tables are for create_serial_policy. To publish without any guarantee for both: " +
                  alter_statement(run.policy, "\"options\": {\"unguarded_again\": true}") + " Audits will say so.");
}

class Projected : public Draft {
 public:
  explicit Projected(PublishRun const& run) : run_(run) {
    run.phases.begin("read");
    source_ = read_content(run.session, run.policy, run.source, run.checkpoint);
  }

  SourceTable const& content() const override { return source_; }

  void solve() override {
    auto const& demands = run_.demanded<LossyPolicy>();
    require_one_row_each(run_.session, run_.policy, source_);
    require_first(run_, source_);
    require_not_unique(run_.policy, source_, demands.allow_unique);
    run_.phases.begin("group");
    spell_out(source_);
    LossyProblem const problem(run_.session, run_.policy, demands, source_, run_.checkpoint);
    Sensitive const sensitive(problem.rows(), problem.columns(), run_.checkpoint);
    if (!run_.silent) tell(problem, findings_of(sensitive, problem.columns(), dealt_k(), run_.checkpoint));
    StrongRandom random;
    Draws draws([&random] { return random.next(); });
    auto const as_is = as_is_groups(run_.policy, demands, source_, run_.checkpoint);
    auto const classes = make_classes(problem, sensitive, demands, as_is, draws, run_.checkpoint);
    if (demands.generalized || demands.coarse) {
      made_ = shown_cells(run_.policy, demands, source_, problem, classes, run_.checkpoint);
    } else {
      made_.loss = measure_loss(source_.table, classes, {}, demands.k, run_.checkpoint);
      made_.cells = take_rows(source_, run_.policy, classes, run_.checkpoint);
    }
  }

  ReleaseCells const& cells() override { return made_.cells; }

  std::string measures() override { return loss_json(made_.loss); }
  std::vector<ColumnDetail> columns() override { return column_details(run_.policy, made_.loss); }

  void write() override {
    auto const write = run_.demanded<LossyPolicy>().generalized ? write_cells : write_rows;
    write(run_.session, run_.policy, source_, made_.cells, run_.checkpoint);
  }

  void note(std::string const& print) override {
    run_.session.execute("INSERT INTO " + ledger_table(run_.policy.ledger(), "note") +
                             " (version, fingerprint, trace, detail) VALUES ($1, $2, $3::pg_catalog.jsonb,"
                             " pg_catalog.jsonb_build_object('measures', $4::pg_catalog.jsonb, 'one_row_each', true))",
                         {run_.policy.version, print, made_.trace, all_measures(*this)});
  }

 private:
  // Whether classes could be regions of the quasi space, and a frequent value is what keeps them from it.
  bool follows_quasi() const {
    auto const& demands = run_.demanded<LossyPolicy>();
    return demands.classes != ClassKind::kAnatomy && demands.decisions == Decisions::kSimulatable;
  }

  std::optional<std::int64_t> dealt_k() const {
    auto const& demands = run_.demanded<LossyPolicy>();
    return demands.classes == ClassKind::kRegional ? std::optional(demands.k) : std::nullopt;
  }

  // Counts, no values. Findings of a kind are one WARNING.
  void tell(LossyProblem const& problem, std::vector<Finding> const& findings) const {
    std::vector<std::pair<Finding::Kind, std::vector<std::string>>> kinds;  // and the columns that it was found in
    for (auto const& finding : findings) {
      auto kind = std::ranges::find(kinds, finding.kind, [](auto const& known) { return known.first; });
      if (kind == kinds.end()) kind = kinds.insert(kind, {finding.kind, {}});
      auto const name = quoted(problem.columns()[finding.column].name);
      if (std::ranges::find(kind->second, name) == kind->second.end()) kind->second.push_back(name);
    }
    for (auto const& [kind, names] : kinds) {
      bool const one = names.size() == 1;
      auto const column = (one ? "sensitive column " : "sensitive columns ") + some_of(names);
      switch (kind) {
        case Finding::Kind::kHalfShare:
          if (!follows_quasi()) break;
          warning(
              "a bounded value of " + column +
                  ", NULL included, or several together, has more than alpha/2 of the rows: the source cannot be cut",
              "Classes are then made of all rows, whatever their quasi-identifiers. A greater alpha or a shorter list"
              " would let them follow these.");
          break;
        case Finding::Kind::kHalfDealt:
          warning(
              "a bounded value of " + column +
                  ", NULL included, or several together, has more than half of the share that the smallest classes can"
                  " have of it: the source cannot be cut",
              "Classes are then made of all rows, whatever their quasi-identifiers. The smallest have max(k, 1/alpha)"
              " rows: under alpha 0.33, of k = 2, at most 1 of 4, under alpha 0.34 at most 1 of 3. A greater alpha or"
              " another k would let them follow these.");
          break;
        case Finding::Kind::kAllEqual:
          warning(column + (one ? " has" : " have") + " one value only: everybody has it");
          break;
        case Finding::Kind::kNear:
          warning(
              "more rows than alpha allows have values of " + column + " within a hundredth of its range",
              "Values are bounded one by one: near ones may fill a class. options => '{\"near\": 1000}' bounds those"
              " in [v, v + 1000] together; a view of the source can make them coarser.");
          break;
        case Finding::Kind::kAbsent: break;  // counted below
      }
    }
    if (auto const absent = problem.absent(); absent > 0)
      warning(std::to_string(absent) + (run_.demanded<LossyPolicy>().alphas.empty() ? " listed" : " named") +
              (absent == 1 ? " value does" : " values do") + " not occur in the source");
  }

  PublishRun const& run_;
  SourceTable source_;
  ShownCells made_;
};

}  // namespace

std::unique_ptr<Draft> make_draft(PublishRun const& run) { return std::make_unique<Projected>(run); }

}  // namespace anon_seq::lossy_join
