// Checks of one release that any method has: its relation, and its ledger.
#include "catalog/ledger.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "release/release_audit.h"

namespace anon_seq::release {
namespace {

// Cells that are in the ledger and not, or not as often, in the relation, or the other way round; and the rows of the
// relation. NULL is a value here, as EXCEPT takes it.
std::string compare_sql(Release const& release) {
  std::string cells, names, shown;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < release.columns.size(); ++i) {
    // Values published as they are compare by their bytes, whatever their collation takes for equal.
    std::string const exact = release.columns[i].role == "quasi" ? "" : "::text COLLATE \"C\"";
    numbers.push_back(std::to_string(i + 1));
    std::string const c = "c" + numbers.back();
    cells += c + exact + " AS " + c + ", ";
    names += c + ", ";
    shown += quote_name(release.columns[i].column) + exact + ", ";
  }
  return sql_text(R"(
WITH l AS MATERIALIZED (
  SELECT {cells}n
  FROM {cell}
  WHERE version = {version}
),
r ({names}n) AS MATERIALIZED (
  SELECT {shown}count(*)
  FROM {relation}
  GROUP BY {numbers}
)
SELECT (SELECT count(*) FROM (SELECT * FROM l EXCEPT ALL SELECT * FROM r) AS x)
       + (SELECT count(*) FROM (SELECT * FROM r EXCEPT ALL SELECT * FROM l) AS x),
       (SELECT coalesce(sum(n), 0) FROM r))",
                  {{"cells", cells},
                   {"cell", ledger_table(release.ledger, "cell")},
                   {"version", std::to_string(release.version)},
                   {"names", names},
                   {"shown", shown},
                   {"relation", release.relation()},
                   {"numbers", joined(numbers, ", ")}});
}

}  // namespace

bool is_own_relation(SpiSession& session, Release const& release) {
  lock_shared(release.relation());
  return session.exists(R"(
SELECT
FROM pg_class AS c
WHERE c.oid = to_regclass($1)
  AND c.relkind = 'm'
  AND c.relowner = anon_seq.ledger_owner($2))",
                        {release.relation(), release.ledger});
}

Check rows_check(SpiSession& session, Release const& release) {
  Check check{"rows", release.reference(), "relation equals ledger", "", false, 0, "{}"};
  if (release.retired || release.version == 0) {
    check.observed = release.retired ? "retired" : "registered";
    check.ok = true;
    return check;
  }
  if (!is_own_relation(session, release)) {
    check.observed = "no relation of the owner's";
    check.offending = 1;
    return check;
  }
  auto const planning =
      Settings::for_counting();  // guesses of row counts over nine columns would have it sort a whole release
  auto const rows = session.execute(compare_sql(release), {}, true);
  check.offending = rows.integer(0, 1);
  check.ok = check.offending == 0 && rows.get(0, 2) == std::to_string(release.published);
  check.observed = rows.get(0, 2) + " rows, " + rows.get(0, 1) + " cells differ";
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

void add_withdrawn(SpiSession& session, std::string const& population, std::vector<Check>& checks) {
  for (auto const& withdrawn : withdrawals_of(session, population))
    checks.push_back({"withdrawn", withdrawn.reference, "for information",
                      "withdrawn by " + withdrawn.by + ": " + withdrawn.reason, true, 0,
                      "{\"at\": " + json_string(withdrawn.at) + "}"});
}

void require_all(std::vector<Check> const& checks, Release const& release) {
  for (auto const& check : checks)
    if (!check.ok && check.name != "unguarded" && check.name != "waived")
      throw Error(
          Fault::kBroken, "audit of release " + quoted(release.reference()) + " failed: " + check.name,
          check.scope + ": required " + check.required + ", observed " + check.observed + ".",
          "Nothing was published. Please report this with the policy, described by anon_seq.describe_policy().");
}

}  // namespace anon_seq::release
