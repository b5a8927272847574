#include "release/earlier_table.h"

#include <cmath>

#include "pg/ledger.h"
#include "pg/reading.h"

namespace anon_seq::pg {
namespace {

// Reading a relation of somebody else must not run code of his: no view, no row security, no inheritance, no types
// of his making but enums and domains, which compare and print as the server does.
// It is locked before it is looked at: a name that comes to mean another relation meanwhile is not found by the query.
bool may_read(SpiSession& session, std::string const& ledger, std::string const& relation) {
  lock_shared(relation);
  auto const rows = session.execute(
      "SELECT pg_catalog.has_table_privilege(c.oid, 'SELECT') AND (anon_seq.ledger_owner($2) ="
      "   current_user::pg_catalog.regrole OR c.relkind IN ('r', 'm') AND NOT c.relrowsecurity AND NOT c.relhassubclass"
      "   AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
      "     LEFT JOIN pg_catalog.pg_type AS b ON b.oid = t.typbasetype"
      "    WHERE a.attrelid = c.oid AND NOT a.attisdropped"
      "      AND 'pg_catalog'::pg_catalog.regnamespace NOT IN (t.typnamespace, coalesce(b.typnamespace, 0))"
      "      AND (t.typtype <> 'e' OR EXISTS (SELECT FROM pg_catalog.pg_cast AS x WHERE x.castsource = t.oid))))"
      " FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($1)",
      {relation, ledger}, true);
  return rows.count() == 1 && rows.get(0, 1) == "t";
}

// Bounds of the ranges of one column, from the helper columns that read their ends. Codes of `text` are the
// ranges; any row with a code tells its bounds.
Vector<Interval> intervals_of(Column const& text, Column const& lower, Column const& upper) {
  double const infinite = INFINITY;
  Vector<Interval> intervals(static_cast<std::size_t>(text.distinct()), Interval{1, 0, true});
  for (std::size_t row = 0; row < text.codes.size(); ++row) {
    if (text.codes[row] == kNull) continue;
    Code const from = lower.codes[row], to = upper.codes[row];
    intervals[static_cast<std::size_t>(text.codes[row])] = {
        from == kNull ? -infinite : lower.positions[static_cast<std::size_t>(from)],
        to == kNull ? infinite : upper.positions[static_cast<std::size_t>(to)], from == kNull && to == kNull};
  }
  return intervals;
}

}  // namespace

bool is_range(PublishedColumn const& column) { return column.type.ends_with("range"); }

std::string select_cells(SpiSession& session, Release const& release) {
  auto const cell = ledger_table(release.ledger, "cell");
  std::string columns;
  if (may_read(session, release.ledger, cell)) {
    for (std::size_t i = 1; i <= release.columns.size(); ++i) columns += "c" + std::to_string(i) + ", ";
    return "SELECT " + columns + "n FROM " + cell + " WHERE version = " + std::to_string(release.version);
  }
  if (release.relations.size() != 1 || !may_read(session, release.ledger, release.relations.front()))
    throw Error(Fault::kPrivilege, "release " + quoted(release.reference()) + " of this population cannot be read",
                "It counts, but neither its ledger nor its relation is open to you.",
                "Ask its owner for SELECT on the release, or publish as a member of the owner's role.");
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    columns += quote_name(release.columns[i].column) + " AS c" + std::to_string(i + 1) + ", ";
  std::string numbers;
  for (std::size_t i = 1; i <= release.columns.size(); ++i) numbers += (i == 1 ? "" : ", ") + std::to_string(i);
  return "SELECT " + columns + "pg_catalog.count(*) AS n FROM " + release.relations.front() + " GROUP BY " + numbers;
}

EarlierTable read_earlier(SpiSession& session, Release const& release, Checkpoint& checkpoint) {
  EarlierTable earlier{release, {}, {}};
  std::string list;
  std::size_t const width = release.columns.size();
  for (std::size_t i = 1; i <= width; ++i) {
    std::string const c = "c" + std::to_string(i);
    list += (is_range(release.columns[i - 1]) ? c + "::pg_catalog.text AS " + c : c) + ", ";
  }
  for (std::size_t i = 1; i <= width; ++i)
    if (is_range(release.columns[i - 1])) {
      std::string const c = "c" + std::to_string(i);
      list += "pg_catalog.lower(" + c + ") AS l" + std::to_string(i) + ", pg_catalog.upper(" + c + ") AS u" +
              std::to_string(i) + ", ";
    }
  RowReader reader(session, "SELECT " + list + "n FROM (" + select_cells(session, release) + ") AS cells",
                   "release " + quoted(release.reference()), "n");
  earlier.table = reader.finish(checkpoint);
  auto& columns = earlier.table.columns;
  earlier.intervals.resize(width);
  for (std::size_t i = 0, bound = width; i < width; ++i)
    if (is_range(release.columns[i])) {
      earlier.intervals[i] = intervals_of(columns[i], columns[bound], columns[bound + 1]);
      bound += 2;
    }
  columns.resize(width);
  for (std::size_t i = 0; i < width; ++i) columns[i].name = release.columns[i].column;
  return earlier;
}

}  // namespace anon_seq::pg
