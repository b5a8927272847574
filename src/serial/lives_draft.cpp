#include "serial/lives_draft.h"

#include <algorithm>

#include "core/sequential/loss.h"
//
#include "catalog/ledger_sums.h"
#include "lossy_join/content.h"
#include "lossy_join/row_ledger.h"
#include "lossy_join/shown_cells.h"
#include "pg/json_object.h"
#include "pg/report.h"
#include "serial/forgotten.h"
#include "serial/lives_forgotten.h"
#include "serial/lives_new.h"
#include "serial/refused.h"
#include "serial/source_rows.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

using lossy_join::LossyProblem;

std::string counted(std::int64_t n, char const* one, char const* several) {
  return std::to_string(n) + " " + (n == 1 ? one : several);
}

class LivesDraft : public Draft {
 public:
  explicit LivesDraft(PublishRun const& run)
      : run_(run),
        demands_(run.demanded<SerialPolicy>()),
        reader_(run.session, run.policy, run.checkpoint),
        numbers_(sensitive_numbers(run.policy)) {
    run.phases.begin("read");
    source_ = lossy_join::read_content(run.session, run.policy, run.source, run.checkpoint,
                                       [this](RowReader& reader) { reader_.seed(reader); });
  }

  SourceTable const& content() const override { return source_; }

  void solve() override {
    require_one_row_each(run_.session, run_.policy, source_);
    source_.table.weights.clear();  // each is 1
    require_not_unique(run_.policy, source_, demands_.allow_unique);
    run_.phases.begin("budget");
    require_secrets(run_);
    require_same_terms(run_);
    source_.table.columns[source_.person].values.index();
    catalog::require_as_written(run_.session, run_.policy.name, run_.policy.ledger(), {"life", "forgotten"});
    lives_ = reader_.read(source_);
    fresh_ = lives_.size();
    auto joining = find_newcomers();
    make_wait(joining);
    run_.phases.begin("group");
    group(joining);
    count_members();
    if (!run_.silent) tell();
    show();
  }

  ReleaseCells const& cells() override { return cells_; }

  std::string measures() override { return loss_json(loss_); }

  void complete(Release& release) const override { release.waiting = waiting_; }

  void write() override {
    lossy_join::write_rows(run_.session, run_.policy, source_, cells_, run_.checkpoint);
    write_lives(run_.session, run_.policy, source_, lives_, fresh_, fresh_persons_, cells_.texts, run_.checkpoint);
    write_returned_places(run_, source_, lives_, returned_, returned_persons_);
    make_secret(run_.session, run_.policy.ledger());
  }

  void note(std::string const& print) override {
    auto const detail = JsonObject()
                            .add("measures", measures())
                            .add("one_row_each", "true")
                            .number("present", present_)
                            .number("counterfeits", absent_)
                            .number("stale", stale_)
                            .add("retried", retried_ ? "true" : "false")
                            .json();
    run_.session.execute("INSERT INTO " + ledger_table(run_.policy.ledger(), "note") +
                             " (version, fingerprint, trace, detail) VALUES ($1, $2, '[]', $3::pg_catalog.jsonb)",
                         {run_.policy.version, print, detail});
  }

 private:
  // Rows of persons that the ledger has never seen.
  Vector<std::uint32_t> find_newcomers() {
    auto const& persons = source_.table.columns[source_.person].codes;
    Vector<char> is_known(source_.table.rows());
    for (auto const row : lives_.row_of)
      if (row != kAbsent) is_known[static_cast<std::size_t>(row)] = 1;
    returned_ = add_returned_places(run_, source_, lives_, is_known);
    for (auto const entry : returned_) returned_persons_.push_back(persons[row_of(entry)]);
    Vector<std::uint32_t> newcomers;
    for (std::size_t row = 0; row < is_known.size(); ++row)
      if (is_known[row] == 0) newcomers.push_back(static_cast<std::uint32_t>(row));
    return newcomers;
  }

  bool is_there(std::size_t entry) const { return lives_.row_of[entry] != kAbsent; }
  std::size_t row_of(std::size_t entry) const { return static_cast<std::size_t>(lives_.row_of[entry]); }

  // Takes all of them, if they are too few.
  void make_wait(Vector<std::uint32_t>& joining) {
    auto const least = least_newcomers(demands_);
    auto const there = static_cast<std::int64_t>(joining.size());
    if (there >= least.persons) return;
    waiting_ = there;
    joining.clear();
    if (std::ranges::any_of(lives_.row_of, [](auto const row) { return row != kAbsent; })) return;
    throw Error(Fault::kData, "the source has too few persons to make classes for life of",
                counted(there, "person has", "persons have") + " no class, and nobody who has one is there; " +
                    std::to_string(least.persons) + " are needed, " + std::to_string(demands_.cohorts.least) +
                    " times " + std::to_string(least.rows_of_class) + ".",
                "Publish when there are more, or with a lower options.cohort_min.");
  }

  // Appends the classes of who joins. The source has their rows alone from here on.
  void group(Vector<std::uint32_t> const& joining) {
    for (auto& column : source_.table.columns) {
      auto& codes = whole_.emplace_back(std::exchange(column.codes, {}));
      column.codes.reserve(joining.size());
      for (auto const row : joining) column.codes.push_back(codes[row]);
    }
    for (auto const number : numbers_) sensitive_.push_back(source_.column(run_.policy.columns[number].column));
    LossyProblem const problem(run_.session, run_.policy, demands_, source_, run_.checkpoint);
    unmet_ = problem.absent();
    listed_.assign(problem.columns().begin(), problem.columns().end());
    for (std::size_t i = 0; i < listed_.size(); ++i) together_.push_back(problem.together(i));
    if (joining.empty()) return;
    retried_ = was_refused(run_, source_.fingerprint);
    std::vector<std::span<Code const>> values;
    for (auto const column : sensitive_) values.emplace_back(whole_[column]);
    append_classes(lives_, classes_or_refuse(problem), joining, values, run_.checkpoint);
    for (std::size_t entry = fresh_; entry < lives_.size(); ++entry)
      fresh_persons_.push_back(whole_[source_.person][row_of(entry)]);
  }

  Classes classes_or_refuse(LossyProblem const& problem) {
    try {
      return new_classes(demands_, problem, run_.checkpoint);
    } catch (Error const& error) {
      if (error.fault() == Fault::kData && !run_.silent) remember_refused(run_, source_.fingerprint);
      throw;
    }
  }

  // Which classes are shown, and who is in them.
  void count_members() {
    for (std::size_t begin = 0, end; begin < lives_.size(); begin = end) {
      std::int64_t present = 0;
      for (end = begin; end < lives_.size() && lives_.class_of[end] == lives_.class_of[begin]; ++end) {
        run_.checkpoint.tick();
        present += is_there(end);
        stale_ += is_there(end) && is_stale(end);
      }
      if (present == 0) continue;
      for (std::size_t entry = begin; entry < end; ++entry) shown_.push_back(entry);
      present_ += present;
      absent_ += static_cast<std::int64_t>(end - begin) - present;
    }
  }

  bool is_stale(std::size_t entry) const {
    for (std::size_t s = 0; s < sensitive_.size(); ++s)
      if (whole_[sensitive_[s]][row_of(entry)] != lives_.values[s][entry]) return true;
    return false;
  }

  void tell() const {
    if (absent_ > 0)
      notice(std::to_string(absent_) + " of " + std::to_string(shown_.size()) +
             " rows stand for members of classes who are not in the source");
    if (stale_ > 0)
      notice(counted(stale_, "person has", "persons have") + " other sensitive values than their classes show",
             "Classes for life show the values that their members came with.");
    if (waiting_ > 0)
      notice(counted(waiting_, "new person waits", "new persons wait") + " until there are " +
                 std::to_string(least_newcomers(demands_).persons),
             "options.cohort_min says how many classes are made at once at least.");
    warn_of_absent(unmet_);
    auto const above = has_other_lists() ? classes_above(lives_, shown_, listed_, together_, run_.checkpoint) : 0;
    if (above > 0)
      warning(counted(above, "class", "classes") + " that were made before values were listed have more than 1/" +
                  ratio_text(demands_.l) + " of such a value",
              "Classes for life stay as they are; new ones keep the bound. Audits tell, as listed_late.");
  }

  bool has_other_lists() const {
    Release const* last = nullptr;
    for (auto const& release : run_.population)
      if (release.ledger == run_.policy.ledger()) last = &release;
    return last != nullptr && terms_of(*last).listed != demands_.listed;
  }

  // Fills the source with the rows of the release, and makes its cells of them.
  void show() {
    auto& columns = source_.table.columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto& codes = columns[i].codes;
      codes.clear();
      for (auto const entry : shown_) {
        run_.checkpoint.tick();
        codes.push_back(is_there(entry) ? whole_[i][row_of(entry)] : kNull);
      }
      give_back(whole_[i]);
    }
    for (std::size_t s = 0; s < sensitive_.size(); ++s)
      for (std::size_t row = 0; row < shown_.size(); ++row)
        columns[sensitive_[s]].codes[row] = lives_.values[s][shown_[row]];
    Dictionary numbers;
    numbers.add_hidden("");
    Classes classes(shown_.size(), 0);
    for (std::size_t row = 0; row < shown_.size(); ++row) {
      auto const id = lives_.class_of[shown_[row]];
      if (row == 0 || id != lives_.class_of[shown_[row - 1]]) {
        classes.add_class();
        numbers.add_hidden(std::to_string(id));
      }
      classes.assign(row, classes.count() - 1);
    }
    loss_ = measure_loss(source_.table, classes, {}, demands_.k, run_.checkpoint);
    cells_ = lossy_join::take_rows(source_, run_.policy, classes, run_.checkpoint);
    cells_.texts.back() = std::move(numbers);  // they are for life
  }

  PublishRun const& run_;
  SerialPolicy const& demands_;
  LifeReader reader_;
  std::vector<std::size_t> const numbers_;  // of the sensitive columns among the policy's
  std::vector<std::size_t> sensitive_;      // and among the source's
  SourceTable source_;
  std::vector<Vector<Code>> whole_;  // codes of the source's columns, as they were read
  std::vector<SensitiveColumn> listed_;
  std::vector<Vector<Code>> together_;  // of these, see LossyProblem
  Lives lives_;                         // those of the ledger, then those that are new
  std::size_t fresh_ = 0;               // where those begin
  Vector<Code> fresh_persons_;          // of these
  Vector<std::size_t> returned_;        // entries of who was forgotten and is back
  Vector<Code> returned_persons_;
  Vector<std::size_t> shown_;  // entries
  std::int64_t waiting_ = 0, present_ = 0, absent_ = 0, stale_ = 0;
  bool retried_ = false;
  std::int64_t unmet_ = 0;  // listed values that nobody has
  ReleaseCells cells_;
  Loss loss_;
};

}  // namespace

std::unique_ptr<Draft> make_lives_draft(PublishRun const& run) { return std::make_unique<LivesDraft>(run); }

}  // namespace anon_seq::serial
