#include "serial/persistence.h"

#include <map>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/report.h"
#include "pg/sql_text.h"

namespace anon_seq::serial {
namespace {

constexpr std::int64_t kMostCompared = 20000;

using Values = std::vector<std::optional<std::string>>;

// The sensitive values of the first cells of a version: classes are numbered at random.
std::map<std::int32_t, Values> last_values(PublishRun const& run) {
  auto const& policy = run.policy;
  std::string values;
  int width = 0;
  for (std::size_t i = 0; i < policy.columns.size(); ++i)
    if (policy.columns[i].role == Role::kSensitive) {
      values += ", c" + std::to_string(i + 1) + "::text";
      ++width;
    }
  auto const rows = run.session.execute("SELECT cell" + values + " FROM " + ledger_table(policy.ledger(), "cell") +
                                            " WHERE version = " + std::to_string(policy.version - 1) +
                                            " AND cell <= " + std::to_string(kMostCompared),
                                        {}, true);
  std::map<std::int32_t, Values> found;
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    auto& of = found[rows.int32(row, 1)];
    for (int i = 0; i < width; ++i) of.push_back(rows.text(row, i + 2));
  }
  return found;
}

// Persons of these cells: a row of the ledger has those of one cell, or one of each cell from the first on.
std::string select_persons_of(PublishRun const& run, bool one_each) {
  auto const number = one_each ? "place" : "cell";
  return sql_text("SELECT {number}, persons FROM {table} WHERE version = {version} AND {number} <= {most}",
                  {{"number", number},
                   {"table", ledger_table(run.policy.ledger(), one_each ? "member" : "person")},
                   {"version", std::to_string(run.policy.version - 1)},
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

Persistence measure_persistence(PublishRun const& run, SourceTable const& source) {
  Persistence found;
  if (run.policy.version == 1) return found;
  bool const one_each = !run.demanded<SerialPolicy>().generalized;
  auto const values = last_values(run);
  std::vector<Column const*> columns;
  for (auto const& column : run.policy.columns)
    if (column.role == Role::kSensitive) columns.push_back(&source.table.columns[source.column(column.column)]);
  auto const& person = source.table.columns[source.person];
  Vector<std::int32_t> row_of(static_cast<std::size_t>(person.values.size()), -1);
  for (std::size_t row = 0; row < person.codes.size(); ++row)
    row_of[static_cast<std::size_t>(person.codes[row])] = static_cast<std::int32_t>(row);
  Oid array = InvalidOid;
  call_pg([&]() noexcept { array = get_array_type(source.person_value.type); });
  DatumCursor cursor(run.session, select_persons_of(run, one_each));
  while (cursor.next())
    for (std::size_t i = 0; i < cursor.rows(); ++i) {
      auto const first = cursor.integer(i, 0);
      auto const persons = cursor.elements(i, 1, array);
      for (std::size_t p = 0; p < persons.count && found.compared < kMostCompared; ++p) {
        run.checkpoint.tick();
        auto const then = values.find(one_each ? first + static_cast<std::int32_t>(p) : first);
        if (persons.nulls[p] || then == values.end()) continue;
        char buffer[8];
        Code const code = person.values.find(key_of(source.person_value, persons.values[p], buffer, "person"));
        if (code == kNoCode || row_of[static_cast<std::size_t>(code)] < 0) continue;
        ++found.compared;
        found.unchanged +=
            are_same(columns, static_cast<std::size_t>(row_of[static_cast<std::size_t>(code)]), then->second);
      }
    }
  return found;
}

void tell_persistence(SerialPolicy const& demands, Persistence const& found) {
  if (found.compared == 0 || demands.permanent) return;
  auto const share = static_cast<double>(found.unchanged) / static_cast<double>(found.compared);
  auto const told = std::to_string(found.unchanged) + " of " + std::to_string(found.compared) +
                    " persons of the last version have the same sensitive values now";
  if (share <= demands.stale_share) return notice(told);
  warning(told + ": the guarantee is for values that are drawn anew",
          "Who knows that values stay may find out more than 1/l from several versions: see audit_breach(...,"
          " model => 'permanent'). A policy with persistence => 'permanent' is for values that stay.");
}

}  // namespace anon_seq::serial
