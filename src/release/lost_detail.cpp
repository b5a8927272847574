#include "release/lost_detail.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/text/some_of.h"
//
#include "pg/report.h"
#include "pg/sql_text.h"

namespace anon_seq::release {
namespace {

bool is_lost(ColumnDetail const& column) { return column.several && column.shown == 1 && column.ncp > 0; }

std::string quoted_names(std::vector<std::string> const& names) {
  std::vector<std::string> all;
  for (auto const& name : names) all.push_back(quoted(name));
  return some_of(all);
}

std::string quasi_columns(std::vector<std::string> const& names) {
  return (names.size() == 1 ? "quasi column " : "quasi columns ") + quoted_names(names);
}

std::optional<std::int64_t> k_of(Policy const& policy) {
  auto const parameters = parse_json(policy.parameters, "parameters");
  auto const* const k = parameters.find("k");
  if (k == nullptr || k->kind() != JsonValue::Kind::kNumber) return std::nullopt;
  return k->integer();
}

// Whether it would be something else to leave some persons out.
bool may_leave_out(PublishRun const& run) {
  auto const& parameters = run.method.parameters;
  return std::find(parameters.begin(), parameters.end(), "max_suppressed") != parameters.end() &&
         given(parse_json(run.policy.parameters, "parameters"), "max_suppressed") == nullptr;
}

// So many of the persons as there are such rows, in thousandths and a little over.
std::string share_of_all(std::int64_t rows, std::int64_t all) {
  auto const thousandths =
      std::to_string(std::clamp<std::int64_t>(1000 * rows / std::max<std::int64_t>(all, 1) + 1, 1, 999));
  return "0." + std::string(3 - thousandths.size(), '0') + thousandths;
}

std::string comparison(PublishRun const& run, std::string const& share) {
  if (run.policy.version > 1) return "";
  return " Where no version is kept yet, as after ROLLBACK, SELECT * FROM anon_seq.preview(" +
         sql_literal(run.policy.name) + ", ARRAY['{}', '{\"max_suppressed\": " + share + "}']::jsonb[]); compares.";
}

std::string advice(PublishRun const& run, std::vector<ColumnDetail const*> const& lost, std::int64_t persons) {
  auto const k = k_of(run.policy);
  bool const fewer = k && may_leave_out(run);
  std::vector<std::string> few;  // columns of which a first cut would set those without a value apart
  std::int64_t rows = 0;         // of those
  for (auto const* const column : lost)
    if (column->unknown > 0 && column->unknown < k.value_or(2)) few.push_back(column->column), rows += column->unknown;
  if (!few.empty())
    return "Fewer than " + std::to_string(k.value_or(2)) + " rows have no value of " + quoted_names(few) +
           ", and the first cut would set them apart: leave them out of the source, as by a view" +
           (fewer ? ", or by max_suppressed." + comparison(run, share_of_all(rows, persons)) : ".");
  auto const own = run.method.advice != nullptr ? run.method.advice(run.policy) : "";
  std::string const back =
      ". A version that is kept is taken back, as long as nobody has read it, by "
      "SELECT anon_seq.withdraw_release(" +
      sql_literal(run.policy.name + "/" + std::to_string(run.policy.version)) + ", 'why');";
  if (!own.empty()) return own + (run.policy.version <= 1 ? back : ", in another policy: what was promised stays.");
  std::string const coarser = "A coarser taxonomy, fewer quasi columns" +
                              std::string(fewer ? ", a lower k or a few persons left out"
                                          : k   ? " or a lower k"
                                                : " or weaker demands") +
                              " may help";
  auto const compare = "SELECT * FROM anon_seq.preview(" + sql_literal(run.policy.name) + ", ARRAY['{}'" +
                       (k && *k > 2 ? ", '{\"k\": " + std::to_string((*k + 1) / 2) + "}'" : "") +
                       (fewer ? ", '{\"max_suppressed\": 0.01}'" : "") + "]::jsonb[]); compares.";
  if (run.method.refines) return coarser + ": " + compare;
  if (run.policy.version <= 1) return coarser + back + " Where none is kept, as after ROLLBACK, " + compare;
  return coarser + ", in another policy: what was promised stays.";
}

void tell_same_for_all(PublishRun const& run, std::vector<ColumnDetail> const& columns, std::int64_t persons) {
  std::vector<ColumnDetail const*> lost;
  std::vector<std::string> names;
  for (auto const& column : columns)
    if (is_lost(column)) lost.push_back(&column), names.push_back(column.column);
  if (!lost.empty()) notice(quasi_columns(names) + ": everybody shows the same value", advice(run, lost, persons));
}

// Detail is 1 - ncp. Columns that show one value are told of already.
void tell_less_than_before(PublishRun const& run, std::vector<ColumnDetail> const& columns) {
  if (!run.last.measures) return;
  auto const before = parse_json(*run.last.measures, "measures");
  constexpr double kAsMuch = 1e-9;  // ncp is noted to ten digits
  std::vector<std::string> names;
  std::vector<std::string> shares;
  for (auto const& column : columns) {
    auto const ncp = measured(before, column_metric().name + column.column);
    if (is_lost(column) || !ncp) continue;
    double const was = 1 - std::strtod(ncp->c_str(), nullptr), is = 1 - column.ncp;
    if (!(2 * is < was - kAsMuch)) continue;
    names.push_back(column.column);
    shares.push_back(std::to_string(std::lround(100 * is / was)) + " %");
  }
  if (names.empty()) return;
  notice(quasi_columns(names) + ": only " + some_of(shares) + " of the detail of the version before",
         "Detail is 1 - ncp: SELECT * FROM anon_seq.measure(" +
             sql_literal(run.policy.name + "/" + std::to_string(run.policy.version - 1)) +
             "); has it for each column. A version that nobody has read yet can be taken back by withdraw_release().");
}

// A version that is measured against the earlier ones of its policy leaves one more for the next.
void tell_cost(Draft const& draft, Release const& release) {
  if (draft.heeded() == nullptr) return;
  Release const* first = nullptr;
  std::int64_t earlier = 0;
  for (auto const& other : *draft.heeded())
    if (other.ledger == release.ledger) {
      ++earlier;
      if (first == nullptr || other.version < first->version) first = &other;
    }
  if (first == nullptr) return;
  auto const next = std::to_string(release.version + 1);
  notice("version " + std::to_string(release.version) + " was measured against " + std::to_string(earlier) +
             (earlier == 1 ? " earlier version" : " earlier versions") + ", and has " +
             std::to_string(release.classes) + " classes; version " + std::to_string(first->version) + " had " +
             std::to_string(first->classes),
         "Version " + next + " will be measured against " + std::to_string(earlier + 1) +
             ", each of which may cost detail. Tables that change often are for create_incremental_policy().");
}

}  // namespace

void tell_lost(PublishRun const& run, Draft& draft, Release const& release) {
  auto const columns = draft.columns();
  tell_same_for_all(run, columns, draft.content().persons);
  tell_less_than_before(run, columns);
  tell_cost(draft, release);
}

}  // namespace anon_seq::release
