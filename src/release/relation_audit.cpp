// Checks of one release that any method has: its relations, and its ledger.
#include <algorithm>

#include "catalog/ledger.h"
#include "pg/progress.h"
#include "pg/sql_text.h"
#include "pg/strong_random.h"
#include "release/relations.h"
#include "release/release_audit.h"

namespace anon_seq::release {
namespace {

struct Compared {
  std::int64_t differing = 0;  // cells
  std::string rows;            // of the relation
};

// Cells that the ledger has and the relation has not, or not as often, put together by its columns, or the other way
// round; and the rows of the relation. NULL is a value here, as EXCEPT takes it.
Compared compare(SpiSession& session, Release const& release, ReleaseRelation const& relation) {
  std::string cells, names, shown, groups;
  for (std::size_t const i : relation.columns) {
    // Values published as they are compare by their bytes, whatever their collation takes for equal.
    auto const& column = release.columns[i - 1];
    std::string const exact = column.is_quasi() ? "" : "::text COLLATE \"C\"";
    std::string const c = "c" + std::to_string(i);
    cells += c + exact + " AS " + c + ", ";
    names += c + ", ";
    shown += quote_name(column.column) + exact + ", ";
    groups += (groups.empty() ? "" : ", ") + std::to_string(std::count(names.begin(), names.end(), ','));
  }
  auto const planning = Settings::for_counting();
  bool const all = relation.columns.size() == release.columns.size();
  auto const sql = sql_text(R"(
WITH l AS MATERIALIZED (
  SELECT {cells}{sum} AS n
  FROM {cell}
  WHERE version = {version}{together}
),
r ({names}n) AS MATERIALIZED (
  SELECT {shown}{count}
  FROM {relation}
  GROUP BY {groups}
)
SELECT (SELECT count(*) FROM (SELECT * FROM l EXCEPT ALL SELECT * FROM r) AS x)
       + (SELECT count(*) FROM (SELECT * FROM r EXCEPT ALL SELECT * FROM l) AS x),
       (SELECT coalesce(sum(n), 0) FROM r))",
                            {{"cells", cells},
                             {"sum", all ? "n" : "sum(n)::bigint"},
                             {"cell", ledger_table(release.ledger, "cell")},
                             {"version", std::to_string(release.version)},
                             {"together", all ? "" : "\n  GROUP BY " + groups},
                             {"names", names},
                             {"shown", shown},
                             {"count", relation.counted ? "sum(n)::bigint" : "count(*)"},
                             {"relation", relation.name},
                             {"groups", groups}});
  auto const rows = session.execute(sql, {}, true);
  return {rows.integer(0, 1), rows.get(0, 2)};
}

// A column as its values are told apart here: by their bytes, whatever their type takes for equal.
std::string exact(PublishedColumn const& column, std::string const& value) {
  bool const plain = column.type == "integer" || column.type == "bigint" || column.type == "boolean";
  return plain ? value : "(" + value + ")::text COLLATE \"C\"";
}

// A hash of a row. The server's own of a record adds up those of its columns, so that rows which swap values have the
// same sum: it is hashed once more. Seeded afresh each time: nobody can choose rows that agree.
std::string hash_of_row(std::vector<std::string> const& values, std::string const& seed) {
  return "hashtextextended(hash_record_extended(ROW(" + joined(values, ", ") + "), " + seed +
         ")::text COLLATE \"C\", " + seed + ")";
}

// Sums over rows of a hash of theirs, one for each relation, and how many rows each shows.
struct Sums {
  std::vector<std::string> sums, rows;
};

Sums sums_of_ledger(SpiSession& session, Release const& release, std::string const& seed) {
  std::string sums;
  std::string const times = release.is_projected() ? "" : "::numeric * n";  // else cells are rows
  int relations = 0;
  for (auto const& relation : release.relations) {
    if (relation.is_joined()) continue;
    std::vector<std::string> values;
    for (std::size_t const i : relation.columns)
      values.push_back(exact(release.columns[i - 1], "c" + std::to_string(i)));
    sums += "sum(" + hash_of_row(values, seed) + times + "), sum(n), ";
    ++relations;
  }
  auto const rows = session.execute(sql_text("SELECT {sums}NULL FROM {cell} WHERE version = {version}",
                                             {{"sums", sums},
                                              {"cell", ledger_table(release.ledger, "cell")},
                                              {"version", std::to_string(release.version)}}),
                                    {}, true);
  Sums found;
  for (int i = 0; i < relations; ++i) {
    found.sums.push_back(rows.text(0, 2 * i + 1).value_or(""));
    found.rows.push_back(rows.text(0, 2 * i + 2).value_or("0"));
  }
  return found;
}

Sums sums_of_relations(SpiSession& session, Release const& release, std::string const& seed) {
  Sums found;
  for (auto const& relation : release.relations) {
    if (relation.is_joined()) continue;
    std::vector<std::string> values;
    for (std::size_t const i : relation.columns)
      values.push_back(exact(release.columns[i - 1], quote_name(release.columns[i - 1].column)));
    std::string const n = relation.counted ? "n" : "1";
    auto const rows = session.execute(sql_text("SELECT sum({hash}{times}), sum({n}) FROM {relation}",
                                               {{"hash", hash_of_row(values, seed)},
                                                {"times", relation.counted ? "::numeric * n" : ""},
                                                {"n", n},
                                                {"relation", relation.name}}),
                                      {}, true);
    found.sums.push_back(rows.text(0, 1).value_or(""));
    found.rows.push_back(rows.text(0, 2).value_or("0"));
  }
  return found;
}

// Relations that hold what the cells say: in their order, or by sums. Else nothing.
std::vector<Compared> found_equal(SpiSession& session, Release const& release, RowVisitor* visitor) {
  std::vector<Compared> all;
  if (auto const shown = rows_in_step(session, release, visitor)) {
    for (auto const rows : *shown) all.push_back({0, std::to_string(rows)});
    return all;
  }
  auto const seed = std::to_string(static_cast<std::int64_t>(StrongRandom().next() >> 1));
  auto const ledger = sums_of_ledger(session, release, seed), shown = sums_of_relations(session, release, seed);
  auto const published = std::to_string(release.published);
  if (ledger.sums == shown.sums && ledger.rows == shown.rows &&
      std::ranges::all_of(shown.rows, [&](auto const& rows) { return rows == published; }))
    for (auto const& rows : shown.rows) all.push_back({0, rows});
  return all;
}

// Of projections, and where classes are small, hardly two rows are equal: one look at each of them, and none is kept.
// Only where something differs, the cells are counted that do.
std::vector<Compared> compare_all(SpiSession& session, Release const& release, RowVisitor* visitor) {
  std::vector<Compared> all;
  constexpr std::int64_t kSmall = 64;  // rows of a class, on average
  if (release.is_projected() || release.published < kSmall * release.classes)
    all = found_equal(session, release, visitor);
  if (all.empty())
    for (auto const& relation : release.relations)
      if (!relation.is_joined()) all.push_back(compare(session, release, relation));
  return all;
}

}  // namespace

Check rows_check(SpiSession& session, Release const& release, RowVisitor* visitor) {
  Progress::at("rows");
  Check check{"rows", release.reference(), "relation equals ledger", "", false, 0, "{}"};
  if (release.retired || release.is_registered()) {
    check.observed = release.retired ? "retired" : "registered";
    check.ok = true;
    return check;
  }
  if (!has_own_relations(session, release)) {
    check.observed = "no relation of the owner's";
    check.offending = 1;
    return check;
  }
  check.ok = true;
  for (auto const& [differing, rows] : compare_all(session, release, visitor)) {
    check.offending += differing;
    check.ok &= differing == 0 && rows == std::to_string(release.published);
    check.observed +=
        (check.observed.empty() ? "" : "; ") + rows + " rows, " + std::to_string(differing) + " cells differ";
  }
  return check;
}

Check ledger_check(SpiSession& session, Release const& release) {
  Check check{"ledger", release.reference(), "closed to all but the owner", "closed", true, 0, "{}"};
  try {
    require_closed(session, release.ledger);
  } catch (Error const& open) {
    check.observed = "open";
    check.ok = false;
    check.offending = 1;
    check.detail = "{\"message\": " + json_string(open.what()) + ", \"hint\": " + json_string(open.hint()) + "}";
  }
  return check;
}

void add_left_out(std::string const& what, Release const& release, Checks& checks) {
  checks.push_back({"unguarded", release.reference(),
                    "every release of population " + release.population + " is heeded", what + " is left out", false, 1,
                    "{}"});
}

void add_unguarded(Demands const& demands, Release const& release, Checks& checks) {
  for (auto const& name : demands.unguarded)
    add_left_out(name == "*" ? "what no joint guarantee is known with" : name, release, checks);
}

}  // namespace anon_seq::release
