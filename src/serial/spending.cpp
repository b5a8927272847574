#include "serial/spending.h"

#include "core/serial/charge.h"
#include "core/serial/version.h"

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

// Every bounded value that the source has, or that somebody met, and its number in the budget.
struct Listed {
  std::vector<ListedBound> bounds;
  std::vector<std::int32_t> numbers;
  std::set<std::int32_t> known;

  void add(ListedBound bound, std::int32_t number) {
    if (!known.insert(number).second) return;
    bounds.push_back(bound);
    numbers.push_back(number);
  }
};

Listed listed_of(SerialPolicy const& demands, SourceTable const& source, Budget& budget,
                 lossy_join::LossyProblem const& problem) {
  Listed listed;
  if (!demands.each) {
    listed.add({0, kNoCode}, budget.number_of({"", merged_name(demands), problem.below()}));
    return listed;
  }
  auto const columns = problem.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto const& values = source.table.columns[source.column(columns[i].name)].values;
    for (Code const code : columns[i].listed) {
      auto const* const bounded = problem.bounded(i, code);
      auto const name = bounded != nullptr ? BoundName{columns[i].name, bounded->name, bounded->below}
                                           : BoundName{columns[i].name, std::string(values[code]), ""};
      listed.add({i, code}, budget.number_of(name));
    }
  }
  for (std::size_t number = 0; number < budget.names.size(); ++number)
    for (std::size_t i = 0; i < columns.size(); ++i)  // it does not occur now
      if (columns[i].name == budget.names[number].column)
        listed.add({i, columns[i].distinct}, static_cast<std::int32_t>(number));
  return listed;
}

}  // namespace

Vector<char> exhausted_rows(SerialPolicy const& demands, SourceTable const& source, Budget const& budget,
                            Checkpoint& checkpoint) {
  std::size_t const rows = source.table.rows();
  std::vector<std::int32_t> same(budget.names.size());
  for (std::size_t b = 0; b < same.size(); ++b)  // those of other policies' columns are not shown here
    same[b] = is_listed(demands, budget.names[b]) ? static_cast<std::int32_t>(b) : -1;
  auto const met = met_by_row(budget.all, rows_of_persons(source), same, rows, checkpoint);
  // One bound more than anybody met: a list is never empty, and who met nothing of it may still be too tight.
  auto const purses = make_purses(rows, budget.names.size() + 1, met, spending_of(demands), checkpoint);
  Vector<char> out(rows);
  for (std::size_t row = 0; row < rows; ++row) out[row] = purses.of_row[row] == Purses::kWithheld;
  return out;
}

SpentVersion spend(SerialPolicy const& demands, SourceTable const& source, Budget& budget,
                   lossy_join::LossyProblem const& problem, Draws& draws, Checkpoint& checkpoint) {
  std::size_t const rows = problem.rows();
  auto const listed = listed_of(demands, source, budget, problem);
  std::vector<std::int32_t> bound_of(budget.names.size(), -1);
  for (std::size_t b = 0; b < listed.numbers.size(); ++b)
    bound_of[static_cast<std::size_t>(listed.numbers[b])] = static_cast<std::int32_t>(b);
  auto const row_of = rows_of_persons(source);
  auto const met = met_by_row(budget.all, row_of, bound_of, rows, checkpoint);
  auto version = make_version(problem.axes(), problem.columns(), listed.bounds, met,
                              {spending_of(demands), demands.cohorts}, draws, checkpoint);

  if (version.withheld > 0) throw Error(Fault::kInternal, "persons are withheld who were to be shown");
  bool const apart = demands.plan.kind == PlanKind::kWindow;  // each version's charges by themselves
  auto const own = apart ? Vector<Met>() : met_by_row(budget.own, row_of, bound_of, rows, checkpoint);
  SpentVersion spent{std::move(version.classes), version.cohorts, version.rows_for_one, {}};
  auto const& persons = source.table.columns[source.person].codes;
  for (auto const& account : paid(own, version.charges, checkpoint))
    spent.after.push_back({persons[static_cast<std::size_t>(account.row)],
                           listed.numbers[static_cast<std::size_t>(account.bound)], account.times, account.kept});
  if (apart) return spent;
  for (auto const& account : budget.own)  // of who is not there
    if (row_of[static_cast<std::size_t>(account.person)] < 0 || bound_of[static_cast<std::size_t>(account.bound)] < 0)
      spent.after.push_back(account);
  return spent;
}

}  // namespace anon_seq::serial
