// Checks of one release that any method has: its relations, and its ledger.
#include <algorithm>

#include "catalog/ledger.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "release/release_audit.h"

namespace anon_seq::release {
namespace {

// Cells that the ledger has and the relation has not, or not as often, put together by its columns, or the other way
// round; and the rows of the relation. NULL is a value here, as EXCEPT takes it.
Rows compare(SpiSession& session, Release const& release, ReleaseRelation const& relation) {
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
  return session.execute(sql, {}, true);
}

}  // namespace

Check rows_check(SpiSession& session, Release const& release) {
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
  for (auto const& relation : release.relations) {
    if (joins_others(release.columns, relation.is_view)) continue;
    auto const rows = compare(session, release, relation);
    check.offending += rows.integer(0, 1);
    check.ok &= rows.integer(0, 1) == 0 && rows.get(0, 2) == std::to_string(release.published);
    check.observed +=
        (check.observed.empty() ? "" : "; ") + rows.get(0, 2) + " rows, " + rows.get(0, 1) + " cells differ";
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
  for (auto const& name : demands.unguarded) add_left_out(name, release, checks);
}

}  // namespace anon_seq::release
