#include "serial/spending.h"

#include "core/serial/charge.h"
#include "core/serial/serial_classes.h"

namespace anon_seq::serial {
namespace {

// person -> row, -1 where he has none.
Vector<std::int32_t> rows_of_persons(SourceTable const& source) {
  auto const& person = source.table.columns[source.person];
  Vector<std::int32_t> row_of(static_cast<std::size_t>(person.values.size()), -1);
  for (std::size_t row = 0; row < person.codes.size(); ++row)
    row_of[static_cast<std::size_t>(person.codes[row])] = static_cast<std::int32_t>(row);
  return row_of;
}

// Accounts of those who are there, in the order of rows; bounds renumbered, those of -1 left out.
Vector<Met> met_by_row(Vector<Account> const& accounts, Vector<std::int32_t> const& row_of,
                       std::span<std::int32_t const> bound_of, std::size_t rows, Checkpoint& checkpoint) {
  Vector<std::size_t> begins(rows + 1);
  auto const is_there = [&](Account const& account) {
    return row_of[static_cast<std::size_t>(account.person)] >= 0 &&
           bound_of[static_cast<std::size_t>(account.bound)] >= 0;
  };
  for (auto const& account : accounts)
    if (is_there(account)) ++begins[static_cast<std::size_t>(row_of[static_cast<std::size_t>(account.person)]) + 1];
  for (std::size_t row = 0; row < rows; ++row) begins[row + 1] += begins[row];
  Vector<Met> met(begins.back());
  for (auto const& account : accounts) {
    checkpoint.tick();
    if (!is_there(account)) continue;
    auto const row = row_of[static_cast<std::size_t>(account.person)];
    met[begins[static_cast<std::size_t>(row)]++] = {row, bound_of[static_cast<std::size_t>(account.bound)],
                                                    account.times, account.kept};
  }
  for (std::size_t begin = 0, end; begin < met.size(); begin = end) {
    for (end = begin; end < met.size() && met[end].row == met[begin].row; ++end) continue;
    std::sort(met.begin() + static_cast<std::ptrdiff_t>(begin), met.begin() + static_cast<std::ptrdiff_t>(end),
              [](Met const& a, Met const& b) { return a.bound < b.bound; });
  }
  return met;
}

Spending spending_of(SerialPolicy const& demands) { return {demands.plan, demands.least(), demands.largest_m}; }

bool is_listed(SerialPolicy const& demands, BoundName const& name) {
  return demands.each ? demands.listed.contains(name.column) : name.value == merged_name(demands);
}

BoundName name_of(lossy_join::LossyProblem const& problem, SourceTable const& source, SerialPolicy const& demands,
                  Bound const& bound) {
  auto const& column = problem.columns()[bound.column];
  if (bound.code == kNoCode) return {"", merged_name(demands)};
  auto const& values = source.table.columns[source.column(column.name)].values;
  return {column.name, std::string(values[bound.code])};
}

}  // namespace

Vector<char> exhausted_rows(SerialPolicy const& demands, SourceTable const& source, Budget const& budget,
                            Checkpoint& checkpoint) {
  std::size_t const rows = source.table.rows();
  std::vector<std::int32_t> same(budget.names.size());
  for (std::size_t b = 0; b < same.size(); ++b)  // those of other policies' columns are not shown here
    same[b] = is_listed(demands, budget.names[b]) ? static_cast<std::int32_t>(b) : -1;
  auto const met = met_by_row(budget.all, rows_of_persons(source), same, rows, checkpoint);
  auto const purses = make_purses(rows, budget.names.size(), met, spending_of(demands), checkpoint);
  Vector<char> out(rows);
  for (std::size_t row = 0; row < rows; ++row) out[row] = purses.of_row[row] == Purses::kWithheld;
  return out;
}

void take_out(SourceTable& source, Vector<char> const& rows, Checkpoint& checkpoint) {
  for (auto& column : source.table.columns) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      checkpoint.tick();
      if (rows[row] == 0) column.codes[kept++] = column.codes[row];
    }
    column.codes.resize(kept);
  }
  source.persons = static_cast<std::int64_t>(source.table.rows());
}

SpentVersion spend(SerialPolicy const& demands, SourceTable const& source, Budget& budget,
                   lossy_join::LossyProblem const& problem, Draws& draws, Checkpoint& checkpoint) {
  std::size_t const rows = problem.rows();
  Sensitive const sensitive(rows, problem.columns(), checkpoint);
  std::size_t const bounds = sensitive.bounds().size();
  std::vector<std::int32_t> number_of(bounds);
  for (std::size_t b = 0; b < bounds; ++b)
    number_of[b] = budget.number_of(name_of(problem, source, demands, sensitive.bounds()[b]));
  std::vector<std::int32_t> bound_of(budget.names.size(), -1);
  for (std::size_t b = 0; b < bounds; ++b)
    bound_of[static_cast<std::size_t>(number_of[b])] = static_cast<std::int32_t>(b);

  auto const row_of = rows_of_persons(source);
  auto const met = met_by_row(budget.all, row_of, bound_of, rows, checkpoint);
  auto const purses = make_purses(rows, bounds, met, spending_of(demands), checkpoint);
  auto const cohorts = make_cohorts(purses, sensitive, demands.cohorts, checkpoint);
  auto const make = demands.generalized ? recoded_classes : dealt_classes;
  SpentVersion spent;
  spent.classes = make(problem.axes(), sensitive, cohorts, demands.k, draws, checkpoint);
  spent.cohorts = cohorts.parts.size();
  for (auto const m : cohorts.classes_of) spent.rows_for_one = std::max(spent.rows_for_one, m);

  bool const apart = demands.plan.kind == PlanKind::kWindow;  // each version's charges by themselves
  auto const own = apart ? Vector<Met>() : met_by_row(budget.own, row_of, bound_of, rows, checkpoint);
  auto const& persons = source.table.columns[source.person].codes;
  for (auto const& account : charged(own, sensitive, spent.classes, checkpoint))
    spent.after.push_back({persons[static_cast<std::size_t>(account.row)],
                           number_of[static_cast<std::size_t>(account.bound)], account.times, account.kept});
  if (!apart)
    for (auto const& account : budget.own)
      if (row_of[static_cast<std::size_t>(account.person)] < 0 || bound_of[static_cast<std::size_t>(account.bound)] < 0)
        spent.after.push_back(account);
  return spent;
}

}  // namespace anon_seq::serial
