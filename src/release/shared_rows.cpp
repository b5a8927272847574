#include "release/shared_rows.h"

#include "catalog/ledger.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "release/digest.h"
#include "release/relations.h"
#include "release/swap.h"

extern "C" {
#include "access/relation.h"
#include "access/tableam.h"
#include "catalog/pg_am_d.h"
}

namespace anon_seq::release {
namespace {

std::string fenced(std::string const& select) { return select + " OFFSET 0"; }

std::string current(std::string const& ledger) { return ledger_table(ledger, "current"); }

}  // namespace

std::vector<LedgerRelation> shown_relations(std::string const& ledger, SelectCells const& cells) {
  return {{.name = "current", .columns = "one boolean PRIMARY KEY DEFAULT true CHECK (one), version int NOT NULL"},
          {.name = "shown", .query = fenced(cells("(SELECT version FROM " + current(ledger) + ")")), .fenced = true}};
}

std::string create_shared(SpiSession& session, Policy const& policy, RelationShape const& relation,
                          SelectCells const& cells) {
  auto const of_version = shown_cells(policy.ledger(), policy.version);
  create_ledger_view(session, of_version, fenced(cells(std::to_string(policy.version))), true);
  auto const name = relation_name(policy, relation.suffix);
  session.execute("CREATE VIEW " + name + " AS " +
                  select_expanded(policy.columns, relation.columns, of_version + " AS c"));
  return name;
}

namespace {

Oid current_part(SpiSession& session, std::string const& ledger) { return ledger_part(session, ledger, "current"); }

// The first row's `version`, under the active snapshot.
std::optional<std::int32_t> first_version(Oid table) {
  std::optional<std::int32_t> version;
  call_pg([&]() noexcept {
    Relation const relation = try_relation_open(table, AccessShareLock);
    if (relation == nullptr) return;
    AttrNumber const column = get_attnum(table, "version");
    bool const is_number = column > 0 && TupleDescAttr(RelationGetDescr(relation), column - 1)->atttypid == INT4OID;
    if (is_number && relation->rd_rel->relkind == RELKIND_RELATION && relation->rd_rel->relam == HEAP_TABLE_AM_OID) {
      TupleTableSlot* const slot = table_slot_create(relation, nullptr);
      TableScanDesc const scan = table_beginscan(relation, GetActiveSnapshot(), 0, nullptr);
      if (table_scan_getnextslot(scan, ForwardScanDirection, slot)) {
        bool is_null = false;
        Datum const value = slot_getattr(slot, column, &is_null);
        if (!is_null) version = DatumGetInt32(value);
      }
      table_endscan(scan);
      ExecDropSingleTupleTableSlot(slot);
    }
    relation_close(relation, AccessShareLock);
  });
  return version;
}

}  // namespace

std::optional<std::int32_t> version_shown(SpiSession& session, std::string const& ledger, bool now) {
  Oid const table = current_part(session, ledger);
  if (!OidIsValid(table)) return std::nullopt;
  std::optional<FreshSnapshot> newest;
  if (now) newest.emplace();
  return first_version(table);
}

void show_version(SpiSession& session, std::string const& ledger, std::optional<std::int32_t> version) {
  LedgerPen const pen;
  if (!version) {
    if (OidIsValid(current_part(session, ledger))) session.execute("DELETE FROM " + current(ledger));
    return;
  }
  session.execute(sql_text(R"(
INSERT INTO {current} AS c (version)
VALUES ($1)
ON CONFLICT (one) DO UPDATE SET version = excluded.version
WHERE c.version <> excluded.version)",
                           {{"current", current(ledger)}}),
                  {*version});
}

bool name_shows(SpiSession& session, std::string const& view, Release const& release, ReleaseRelation const& relation) {
  if (!relation.is_shared()) return reads(session, view, relation.name);
  return reads(session, view, shown_part(session, release.ledger)) &&
         version_shown(session, release.ledger) == release.version;
}

std::optional<Release> release_shown(SpiSession& session, std::string const& ledger) {
  if (!is_ledger_name(ledger)) return std::nullopt;
  auto const version = version_shown(session, ledger);
  return version ? version_of(session, ledger, *version) : std::nullopt;
}

Oid relation_shown(SpiSession& session, std::string const& ledger) {
  auto const release = release_shown(session, ledger);
  if (!release || release->relations.empty()) return InvalidOid;
  return session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {release->relations.front().name}, true)
      .oid(0, 1);
}

namespace {

// Whether a view of a ledger's cells is what create_shared() made, as far as that keeps readers out; whatever it reads
// is the ledger's.
bool is_fence(SpiSession& session, Oid cells, std::string const& ledger) {
  return session.exists(R"(
SELECT
FROM pg_class AS c
WHERE c.oid = $1
  AND 'security_barrier=true' = ANY (c.reloptions)
  AND pg_get_viewdef(c.oid) ~ ' OFFSET 0;$'
  AND NOT EXISTS (
    SELECT
    FROM pg_rewrite AS w
    JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
                       AND d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass)
    LEFT JOIN pg_class AS t ON d.refclassid = 'pg_class'::regclass AND t.oid = d.refobjid
                           AND t.relkind = 'r' AND t.relowner = c.relowner
                           AND t.relnamespace = 'anon_seq_ledger'::regnamespace AND starts_with(t.relname, $2 || '_')
    WHERE w.ev_class = c.oid AND d.refobjid <> c.oid AND t.oid IS NULL))",
                        {SqlValue::oid(cells), ledger});
}

// Whether a view of the owner's reads those cells, and no other relation or function of anybody's.
bool stands_on(SpiSession& session, std::string const& view, Oid cells) {
  return reads(session, view, cells) && !session.exists(R"(
SELECT
FROM pg_rewrite AS w
JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
                   AND d.refclassid IN ('pg_class'::regclass, 'pg_proc'::regclass)
WHERE w.ev_class = to_regclass($1) AND d.refobjid NOT IN (w.ev_class, $2))",
                                                        {view, SqlValue::oid(cells)});
}

}  // namespace

namespace {

// The words of a definition without the space between them.
std::string packed(std::string const& definition) {
  std::string words;
  bool quoted = false;
  for (char const c : definition) {
    if (c == '"') quoted = !quoted;
    if (quoted || (c != ' ' && c != '\n')) words += c;
  }
  return words;
}

}  // namespace

bool repeats_cells(SpiSession& session, Release const& release, ReleaseRelation const& relation) {
  if (!relation.is_shared()) return false;
  auto const is = packed(session.execute("SELECT pg_get_viewdef(to_regclass($1), false)", {relation.name}).get(0, 1));
  std::string names, cells;
  for (std::size_t const i : relation.columns) {
    auto const name = packed(quote_name(release.columns[i - 1].column));
    names += (names.empty() ? "s." : ",s.") + name;
    cells += "c.c" + std::to_string(i) + "AS" + name + ",";
  }
  auto const begin = "SELECT" + names + "FROM(SELECT" + cells + "generate_series((1)::bigint,c.n)AS",
             end = "FROM" + shown_cells(release.ledger, release.version) + "c)s;";
  if (!is.starts_with(begin) || !is.ends_with(end) || is.size() <= begin.size() + end.size()) return false;
  auto const number = is.substr(begin.size(), is.size() - begin.size() - end.size());  // what the copies are called
  return number.find_first_not_of("copy_") == std::string::npos;
}

Check digest_check(SpiSession& session, Release const& release) {
  Check check{"digest", release.reference(), "as published", "as published", true, 0, "{}"};
  check.ok = !release.relations.empty() && digest_of_shown(session, release) == release.digest;
  if (check.ok) return check;
  check.observed = "differs";
  check.offending = 1;
  return check;
}

Check fence_check(SpiSession& session, Release const& release) {
  Check check{"fence", release.reference(), "no reader gets below the cells", "fenced", true, 0, "{}"};
  Oid const of_version = shown_part(session, release.ledger, release.version),
            shown = shown_part(session, release.ledger);
  std::string open;
  auto const require = [&](bool holds, std::string const& name) {
    if (holds) return;
    open += (open.empty() ? "" : ", ") + name;
    ++check.offending;
  };
  require(is_fence(session, of_version, release.ledger), shown_cells(release.ledger, release.version));
  require(is_fence(session, shown, release.ledger), shown_cells(release.ledger));
  for (auto const& relation : release.relations) {
    if (!relation.is_shared()) continue;
    require(stands_on(session, relation.name, of_version), relation.name);
    auto const view = stable_view(session, release, relation);
    if (!view.empty() && reads(session, view, shown)) require(stands_on(session, view, shown), view);
  }
  check.ok = check.offending == 0;
  if (!check.ok) check.observed = "altered: " + open;
  return check;
}

}  // namespace anon_seq::release
