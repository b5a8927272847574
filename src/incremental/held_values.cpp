#include "incremental/held_values.h"

#include "catalog/ledger_sums.h"
#include "pg/array_text.h"
#include "pg/datum_cursor.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {
namespace {

Error damaged(Policy const& policy) {
  return Error(Fault::kDamaged, "the ledger of policy " + quoted(policy.name) + " is damaged",
               "Its counts of values do not agree with its values.");
}

}  // namespace

std::vector<Vector<std::int64_t>> held_values(IncrementalState const& state) {
  auto const& policy = *state.policy;
  std::vector<Vector<std::int64_t>> held;
  std::vector<Vector<Code>> to_column;
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    held.emplace_back(static_cast<std::size_t>(state.column(i).distinct()), 0);
    to_column.push_back(state.values->to_column(i, state.column(i)));
  }
  DatumCursor cursor(state.run.session, "SELECT attribute, code, n FROM " + ledger_table(policy.ledger(), "held"));
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      auto const column = static_cast<std::size_t>(cursor.integer(row, 0)) - 1;
      auto const code = static_cast<std::size_t>(cursor.integer(row, 1));
      if (column >= held.size() || code >= to_column[column].size() || cursor.bigint(row, 2) < 0) throw damaged(policy);
      Code const own = to_column[column][code];
      if (own == kNoCode) throw damaged(policy);
      held[column][static_cast<std::size_t>(own)] += cursor.bigint(row, 2);
    }
  return held;
}

void write_held(SpiSession& session, IncrementalState& state, Checkpoint& checkpoint) {
  auto const& policy = *state.policy;
  auto const table = ledger_table(policy.ledger(), "held");
  if (!state.partial) clear_table(session, policy.ledger(), "held");
  std::string attributes = "{", codes = "{", counts = "{";
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    auto const& column = state.column(i);
    auto now =
        state.partial ? state.elsewhere[i] : Vector<std::int64_t>(static_cast<std::size_t>(column.distinct()), 0);
    for (std::size_t row = 0; row < state.objects.rows(); ++row) {
      checkpoint.tick();
      if (state.objects.gone[row] != 0 || state.refined.region[row] == kNoRegion) continue;
      ++now[static_cast<std::size_t>(i < state.axis_count() ? state.codes.at(row, i) : column.codes[row])];
    }
    for (Code code = 0; code < column.distinct(); ++code) {
      auto const n = now[static_cast<std::size_t>(code)];
      if (n == (state.partial ? state.held[i][static_cast<std::size_t>(code)] : 0)) continue;
      append_element(attributes, static_cast<std::int64_t>(i) + 1);
      append_element(codes, std::int64_t{state.values->of(i, column, code)});
      append_element(counts, n);
    }
  }
  session.execute(sql_text(R"(
INSERT INTO {table} AS h (attribute, code, n)
SELECT * FROM unnest($1::int4[], $2::int4[], $3::int8[])
ON CONFLICT (attribute, code) DO UPDATE SET n = excluded.n)",
                           {{"table", table}}),
                  {attributes + "}", codes + "}", counts + "}"});
}

}  // namespace anon_seq::incremental
