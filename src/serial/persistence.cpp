#include "serial/persistence.h"

#include <algorithm>
#include <map>
#include <optional>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/report.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "release/ledger_format.h"
#include "serial/terms.h"

namespace anon_seq::serial {
namespace {

constexpr std::int64_t kMostCompared = 20000;

using Values = std::vector<std::optional<std::string>>;

// The last version that shows all sensitive columns of this one, whichever policy of the owner's in the population made
// it, and these columns: of the source, and their numbers in the release. Never that of somebody else: whose values
// stayed would tell what they are.
struct LastVersion {
  Release const* release = nullptr;
  std::vector<Column const*> columns;
  std::vector<std::size_t> numbers;
};

LastVersion last_version(PublishRun const& run, SourceTable const& source) {
  for (auto release = run.population.rbegin(); release != run.population.rend(); ++release) {
    if (release->method != run.policy.method || release->withdrawn) continue;
    if (!has_rights_of(run.session, ledger_owner(run.session, release->ledger))) continue;
    LastVersion last{&*release, {}, {}};
    for (auto const& column : release->columns) {
      if (column.role != Role::kSensitive) continue;
      if (std::ranges::find(run.policy.sensitive, column.column) == run.policy.sensitive.end()) continue;
      last.columns.push_back(&source.table.columns[source.column(column.column)]);
      last.numbers.push_back(release->number_of(column));
    }
    if (last.columns.size() == run.policy.sensitive.size()) return last;
  }
  return {};
}

// The sensitive values of the first cells of a version: classes are numbered at random.
std::map<std::int32_t, Values> last_values(PublishRun const& run, LastVersion const& last) {
  std::string values;
  for (auto const number : last.numbers) values += ", c" + std::to_string(number) + "::text";
  auto const rows = run.session.execute("SELECT cell" + values + " FROM " + ledger_table(last.release->ledger, "cell") +
                                            " WHERE version = " + std::to_string(last.release->version) +
                                            " AND cell <= " + std::to_string(kMostCompared),
                                        {}, true);
  std::map<std::int32_t, Values> found;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto& of = found[rows.int32(row, 1)];
    for (std::size_t i = 0; i < last.numbers.size(); ++i) of.push_back(rows.text(row, static_cast<int>(i) + 2));
  }
  return found;
}

// Persons of these cells: a row of the ledger has those of one cell, or one of each cell from the first on.
std::string select_persons_of(Release const& release, bool one_each) {
  auto const number = one_each ? "place" : "cell";
  return sql_text("SELECT {number}, persons FROM {table} WHERE version = {version} AND {number} <= {most}",
                  {{"number", number},
                   {"table", ledger_table(release.ledger, one_each ? "member" : "person")},
                   {"version", std::to_string(release.version)},
                   {"most", std::to_string(kMostCompared)}});
}

// Values of a row of the source, compared with those of then.
bool are_same(std::vector<Column const*> const& columns, std::size_t row, Values const& then) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Code const now = columns[i]->codes[row];
    if (then[i] ? now == kNull || columns[i]->values[now] != *then[i] : now != kNull) return false;
  }
  return true;
}

}  // namespace

Persistence measure_persistence(PublishRun const& run, SourceTable const& source, PersonCodes& persons) {
  Persistence found;
  auto const last = last_version(run, source);
  if (last.release == nullptr) return found;
  found.of_another = last.release->ledger != run.policy.ledger();
  std::optional<OwnLedger> owner;
  if (found.of_another) owner.emplace(run.session, *last.release);
  bool const one_each = !terms_of(*last.release).generalized;
  auto const values = last_values(run, last);
  auto const& person = source.table.columns[source.person];
  Vector<std::int32_t> row_of(static_cast<std::size_t>(person.values.size()), -1);
  for (std::size_t row = 0; row < person.codes.size(); ++row)
    row_of[static_cast<std::size_t>(person.codes[row])] = static_cast<std::int32_t>(row);
  DatumCursor cursor(run.session, select_persons_of(*last.release, one_each));
  while (cursor.next())
    for (std::size_t i = 0; i < cursor.rows(); ++i) {
      auto const first = cursor.integer(i, 0);
      auto const of_cell = cursor.elements(i, 1, persons.array_type());
      for (std::size_t p = 0; p < of_cell.count && found.compared < kMostCompared; ++p) {
        run.checkpoint.tick();
        auto const then = values.find(one_each ? first + static_cast<std::int32_t>(p) : first);
        if (of_cell.nulls[p] || then == values.end()) continue;
        Code const code = persons.find(of_cell.values[p]);
        if (code == kNoCode || row_of[static_cast<std::size_t>(code)] < 0) continue;
        ++found.compared;
        found.unchanged +=
            are_same(last.columns, static_cast<std::size_t>(row_of[static_cast<std::size_t>(code)]), then->second);
      }
    }
  return found;
}

void tell_persistence(SerialPolicy const& demands, Persistence const& found) {
  if (found.compared == 0 || demands.permanent) return;
  auto const share = static_cast<double>(found.unchanged) / static_cast<double>(found.compared);
  auto const told = std::to_string(found.unchanged) + " of " + std::to_string(found.compared) +
                    " persons of the last version" +
                    (found.of_another ? ", which another policy of the population made," : "") +
                    " have the same sensitive values now";
  if (share <= demands.stale_share) return notice(told);
  warning(told + ": the guarantee is for values that are drawn anew",
          "Who knows that values stay may find out more than 1/l from several versions: see audit_breach(...,"
          " model => 'permanent'). A policy with persistence => 'permanent' is for values that stay.");
}

}  // namespace anon_seq::serial
