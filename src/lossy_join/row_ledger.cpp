#include "lossy_join/row_ledger.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/sql_text.h"
#include "pg/writing.h"
#include "release/key_arrays.h"
#include "release/relations.h"

namespace anon_seq::lossy_join {
namespace {

std::string c(std::size_t number) { return "c" + std::to_string(number); }

// Numbers 0, 1, ... in the order of what they count for, each below `bound`: equal ones in theirs.
template <class Of>
Vector<std::uint32_t> counting_order(std::size_t items, std::size_t bound, Of of) {
  Vector<std::uint32_t> next(bound + 1), order(items);
  for (std::size_t i = 0; i < items; ++i) ++next[static_cast<std::size_t>(of(i)) + 1];
  for (std::size_t i = 1; i <= bound; ++i) next[i] += next[i - 1];
  for (std::size_t i = 0; i < items; ++i)
    order[next[static_cast<std::size_t>(of(i))]++] = static_cast<std::uint32_t>(i);
  return order;
}

// Sorts the rows of each class by what NSS shows of them, and `order` with them. Never by a sensitive value, where
// anything that NSS shows is equal: NSS is stored in this order.
void sort_in_classes(Policy const& policy, ReleaseCells& cells, Vector<std::uint32_t>& order, Checkpoint& checkpoint) {
  std::size_t const width = cells.width, rows = order.size();
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < width; ++i)
    if (policy.columns[i].role != Role::kSensitive) shown.push_back(i);
  auto const row_at = [&](std::size_t place) { return std::span(cells.values).subspan(place * width, width); };
  Vector<std::uint32_t> places;
  Vector<Code> sorted;
  Vector<std::uint32_t> moved;
  for (std::size_t begin = 0, end; begin < rows; begin = end) {
    for (end = begin; end < rows && row_at(end).back() == row_at(begin).back(); ++end) checkpoint.tick();
    places.clear();
    sorted.clear();
    moved.clear();
    for (std::size_t place = begin; place < end; ++place) places.push_back(static_cast<std::uint32_t>(place));
    std::sort(places.begin(), places.end(), [&](auto a, auto b) {
      checkpoint.tick();
      for (std::size_t const i : shown)
        if (row_at(a)[i] != row_at(b)[i]) return row_at(a)[i] < row_at(b)[i];
      return false;
    });
    for (auto const place : places) {
      sorted.insert(sorted.end(), row_at(place).begin(), row_at(place).end());
      moved.push_back(order[place]);
    }
    std::copy(sorted.begin(), sorted.end(), row_at(begin).begin());
    std::copy(moved.begin(), moved.end(), order.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

// Lets its index know what was written; else a VACUUM does, and until then each look at a version sees the others'
// rows.
void summarize(SpiSession& session, std::string const& table) {
  Oid relation = InvalidOid;
  bool locked = false;
  call_pg([&]() noexcept {
    relation = lock_for_writing(table.c_str());
    locked = lock_for_summary(relation);
  });
  if (!locked) return;
  session.execute(
      "SELECT pg_catalog.brin_summarize_new_values(indexrelid) FROM pg_catalog.pg_index AS i"
      " JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid"
      " JOIN pg_catalog.pg_am AS a ON a.oid = c.relam AND a.amname = 'brin' WHERE i.indrelid = $1",
      {SqlValue::oid(relation)});
  call_pg([&]() noexcept { unlock_for_summary(relation); });
}

}  // namespace

LedgerSchema row_ledger(Policy const& policy, std::string const& keys) {
  LedgerSchema schema;
  auto const ledger = policy.ledger();
  std::string columns;
  for (std::size_t i = 1; i <= policy.columns.size(); ++i) columns += ", " + c(i);
  schema.relations.push_back(
      {.name = "row",
       .columns =
           "version int NOT NULL, place int NOT NULL" + cell_columns(policy.columns) + ", PRIMARY KEY (version, place)",
       .indexes = {"USING brin (version) WITH (autosummarize = on)"},  // versions stand one behind the other
       .counts_by = "version"});
  schema.relations.push_back(
      {.name = "note",
       .columns = "version int PRIMARY KEY, fingerprint text NOT NULL, cut jsonb, trace jsonb, detail jsonb"});
  schema.relations.push_back(
      {.name = "cell",
       .query = "SELECT version, place AS cell, 1::bigint AS n" + columns + " FROM " + ledger_table(ledger, "row")});
  if (keys.empty()) return schema;
  // The persons of the rows at place, place + 1, ...
  schema.relations.push_back({.name = "member",
                              .columns = "version int NOT NULL, place int NOT NULL, persons " + keys +
                                         "[] NOT NULL, PRIMARY KEY (version, place)",
                              .keys = {"persons"},
                              .packed = {"persons"}});
  schema.relations.push_back({.name = "person",
                              .query = sql_text(R"(
SELECT m.version, m.place + u.i::int - 1 AS cell, ARRAY[u.person] AS persons
FROM {member} AS m
CROSS JOIN LATERAL pg_catalog.unnest(m.persons) WITH ORDINALITY AS u (person, i))",
                                                {{"member", ledger_table(ledger, "member")}})});
  return schema;
}

ReleaseCells take_rows(SourceTable& source, Policy const& policy, Classes const& classes, Checkpoint& checkpoint) {
  std::size_t const rows = classes.rows(), width = policy.columns.size();
  auto const bound = static_cast<std::size_t>(classes.count());
  auto order = counting_order(rows, bound, [&](std::size_t row) { return classes.class_of(row); });
  ReleaseCells cells;
  cells.width = width;
  cells.values.resize(rows * width);
  std::vector<Column*> columns;
  for (std::size_t i = 0; i + 1 < width; ++i)
    columns.push_back(&source.table.columns[source.column(policy.columns[i].column)]);
  for (std::size_t place = 0; place < rows; ++place) {
    checkpoint.tick();
    auto* const values = &cells.values[place * width];
    for (std::size_t i = 0; i + 1 < width; ++i) values[i] = columns[i]->codes[order[place]];
    values[width - 1] = classes.class_of(order[place]) + 1;
  }
  for (auto* const column : columns) {
    give_back(column->codes);
    cells.texts.push_back(std::exchange(column->values, {}));
  }
  auto& numbers = cells.texts.emplace_back();
  numbers.add_hidden("");
  for (std::size_t id = 1; id <= bound; ++id) numbers.add_hidden(std::to_string(id));
  sort_in_classes(policy, cells, order, checkpoint);
  cells.counts.assign(rows, 1);
  cells.cell_of.resize(rows);
  for (std::size_t place = 0; place < rows; ++place) cells.cell_of[order[place]] = static_cast<std::int32_t>(place);
  cells.published = static_cast<std::int64_t>(rows);
  cells.classes = classes.count();
  cells.smallest_class = std::ranges::min(classes.sizes());
  return cells;
}

void write_rows(SpiSession& session, Policy const& policy, SourceTable const& source, ReleaseCells const& cells,
                Checkpoint& checkpoint) {
  constexpr std::size_t kPersonsPerRow = 1000;
  std::vector<std::string> columns{"version", "place"};
  for (std::size_t i = 1; i <= cells.width; ++i) columns.push_back(c(i));
  BulkWriter rows(session, ledger_table(policy.ledger(), "row"), columns, Placement::kAtEnd);
  std::int64_t place = 0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    for (std::int64_t n = cells.counts[cell]; n > 0; --n) {
      rows.put(std::int64_t{policy.version});
      rows.put(++place);
      for (std::size_t i = 0; i < cells.width; ++i)
        rows.put_code(cells.texts[i], cells.values[cell * cells.width + i], ReleaseCells::kNullText);
      rows.end_row();
    }
  rows.finish();
  summarize(session, ledger_table(policy.ledger(), "row"));
  if (source.person == SourceTable::kNoIndex) return;
  auto const order =
      counting_order(cells.cell_of.size(), cells.size(), [&](std::size_t row) { return cells.cell_of[row]; });
  auto const& codes = source.table.columns[source.person].codes;
  Vector<Code> persons;
  for (auto const row : order) persons.push_back(codes[row]);
  KeyArrays keys(source, checkpoint);
  BulkWriter members(session, ledger_table(policy.ledger(), "member"), {"version", "place", "persons"});
  for (std::size_t begin = 0; begin < persons.size(); begin += kPersonsPerRow) {
    members.put(std::int64_t{policy.version});
    members.put(static_cast<std::int64_t>(begin) + 1);
    keys.put(members, persons, begin, std::min(begin + kPersonsPerRow, persons.size()));
    members.end_row();
  }
  members.finish();
}

std::string create_projection(SpiSession& session, Policy const& policy, RelationShape const& relation) {
  std::vector<std::string> shown, groups, order;
  for (std::size_t const i : relation.columns) {
    auto const& column = policy.columns[i - 1];
    shown.push_back(c(i) + " AS " + quote_name(column.column));
    // Values that their type takes for equal, but print otherwise, are different ones.
    groups.push_back(c(i));
    if (column.role == Role::kSensitive) groups.push_back(c(i) + "::pg_catalog.text COLLATE \"C\"");
    order.push_back(order_of(column, c(i)));
  }
  auto const name = relation_name(policy, relation.suffix);
  auto const counted =
      relation.counted ? " GROUP BY " + joined(groups, ", ") + " ORDER BY " + joined(order, ", ") : std::string();
  session.execute("CREATE MATERIALIZED VIEW " + name + " AS SELECT " + joined(shown, ", ") +
                  (relation.counted ? ", pg_catalog.count(*) AS n" : "") + " FROM " +
                  ledger_table(policy.ledger(), "row") + " WHERE version = " + std::to_string(policy.version) +
                  counted + " WITH NO DATA");
  return name;
}

}  // namespace anon_seq::lossy_join
