#include "catalog/cell_source.h"

#include <algorithm>
#include <memory>

#include "catalog/ledger.h"
#include "catalog/population.h"
#include "pg/datum_cursor.h"
#include "pg/lock_wait.h"
#include "pg/roles.h"
#include "pg/sql_text.h"

namespace anon_seq::catalog {
namespace {

// SELECT of a release's cells out of its ledger; `type` is what their columns are cast to, `count` their n.
std::string select_cells(Release const& release, char const* type, char const* count) {
  std::string columns;
  for (std::size_t i = 1; i <= release.columns.size(); ++i) columns += "c" + std::to_string(i) + type + ", ";
  return sql_text("SELECT {columns}{count} FROM {cell} WHERE version = {version}",
                  {{"columns", columns},
                   {"count", count},
                   {"cell", ledger_table(release.ledger, "cell")},
                   {"version", std::to_string(release.version)}});
}

// What a text of another role's is read as: types of the server's own, whose input and comparison are nobody's code.
// Others, which are enums, compare as their labels.
std::string read_as(std::string const& type) {
  constexpr std::pair<std::string_view, char const*> kOwn[] = {{"smallint", "int2"},
                                                               {"integer", "int4"},
                                                               {"bigint", "int8"},
                                                               {"real", "float4"},
                                                               {"double precision", "float8"},
                                                               {"boolean", "bool"},
                                                               {"numeric", "numeric"},
                                                               {"date", "date"},
                                                               {"uuid", "uuid"},
                                                               {"text[]", "text[]"},
                                                               {"int4range", "int4range"},
                                                               {"int8range", "int8range"},
                                                               {"numrange", "numrange"},
                                                               {"daterange", "daterange"},
                                                               {"tsrange", "tsrange"},
                                                               {"tstzrange", "tstzrange"}};
  for (auto const& [own, name] : kOwn)
    if (type == own) return std::string("::") + name;
  if (type.starts_with("numeric(")) return "::numeric";
  if (type.starts_with("character(") || type == "character") return "::bpchar";
  if (type.starts_with("timestamp")) return type.ends_with("with time zone") ? "::timestamptz" : "::timestamp";
  return "";
}

// Only where one relation shows all that the cells do: of several nobody but the ledger knows which rows belong
// together.
bool may_read_relation(SpiSession& session, Release const& release, Oid owner) {
  if (release.relations.size() != 1) return false;
  auto const& relation = release.relations.front();
  return relation.columns.size() == release.columns.size() && !relation.counted &&
         session.exists(R"(
SELECT
FROM pg_class AS c
WHERE c.oid = to_regclass($1)
  AND c.relowner = $2
  AND (c.relkind IN ('r', 'm') OR c.relkind = 'v' AND $3 = 'shared')
  AND NOT c.relrowsecurity
  AND has_table_privilege(c.oid, 'SELECT'))",
                        {relation.name, SqlValue::oid(owner), relation.is_shared() ? "shared" : ""});
}

// Who owns the extension may add a row that gives a ledger another population, but not take away the one that was
// there.
bool is_of_one_population(SpiSession& session, Release const& release) {
  CatalogWriter catalog(session);
  auto const others = catalog.execute(R"(
SELECT
FROM anon_seq.release AS r
WHERE r.ledger OPERATOR(pg_catalog.=) $1
  AND r.population OPERATOR(pg_catalog.<>) $2)",
                                      {release.ledger, release.population});
  return others.count() == 0;
}

}  // namespace

bool may_read(SpiSession& session, Release const& release) {
  Oid const owner = ledger_owner(session, release.ledger);
  return OidIsValid(owner) && (has_rights_of(session, owner) ||
                               (!release.is_projected() && is_participant(session, release.population, GetUserId()) &&
                                is_of_one_population(session, release)) ||
                               may_read_relation(session, release, owner));
}

CellSource::CellSource(SpiSession& session, Release const& release) {
  if (!may_read(session, release))
    throw Error(
        Fault::kPrivilege, "release " + quoted(release.reference()) + " of this population cannot be read",
        "It counts, but it is not open to you, or its ledger has gone.",
        "Ask its owner for SELECT on the release, or to let you take part in its population; or leave it out of account, of"
        " which audits will tell: options => '{\"unguarded\": [" +
            json_string(release.name) + "]}'.");
  require_unaltered(release);
  if (ledger_owner(session, release.ledger) != GetUserId()) {
    copy(session, release);
    return;
  }
  query_ = select_cells(release, "", "n");
}

void CellSource::copy(SpiSession& session, Release const& release) {
  std::vector<std::pair<std::string, Oid>> columns;
  for (std::size_t i = 1; i <= release.columns.size(); ++i) columns.emplace_back("c" + std::to_string(i), TEXTOID);
  columns.emplace_back("n", INT8OID);
  copied_.emplace(columns);
  if (Oid const cells = ledger_relation(session, release.ledger); OidIsValid(cells))
    lock(session, Lockable::relation(cells), AccessShareLock);  // who keeps us from reading is named
  {
    ActingAs const owner(ledger_owner(session, release.ledger));
    DatumCursor cursor(session, select_cells(release, "::text", "n::bigint"), DatumCursor::Form::kWhole,
                       "the ledger of a release of another role");
    std::vector<Datum> values(columns.size());
    auto const nulls = std::make_unique<bool[]>(columns.size());
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) {
        for (std::size_t c = 0; c + 1 < values.size(); ++c) {
          nulls[c] = cursor.is_null(row, c);
          if (!nulls[c]) (void)cursor.text(row, c);  // says if it is none
          values[c] = cursor.get(row, c);
        }
        values.back() = Int64GetDatum(cursor.bigint(row, values.size() - 1));
        copied_->add(values.data(), nulls.get());
      }
  }
  copied_->publish();
  std::string list;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    list += columns[i].first + read_as(release.columns[i].type) + " AS " + columns[i].first + ", ";
  query_ = sql_text("SELECT {columns}n FROM {copied}", {{"columns", list}, {"copied", copied_->name()}});
}

}  // namespace anon_seq::catalog
