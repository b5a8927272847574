#include "catalog/release_readers.h"

#include "catalog/ledger.h"
#include "pg/sql_text.h"

namespace anon_seq::catalog {
namespace {

// Relations $1, .., $4 (0: none) and whatever rests on them: number, name, whether it is open to others now, and
// whether anybody has ever changed its rights, which turns them from NULL into a list. Who owns one of them reads all
// of them, so that is the current user, or it is open. A view of somebody who may not read what it stands on shows
// nothing to anybody: making it asks for no right. A materialized view keeps what he could read once.
constexpr char kShown[] = R"(
WITH RECURSIVE shown (oid) AS (
  SELECT x.oid
  FROM unnest(ARRAY[$1, $2, $3, $4]) AS x (oid)
  WHERE x.oid <> 0
  UNION
  SELECT r.ev_class
  FROM shown AS s
  JOIN pg_depend AS d ON d.refobjid = s.oid AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_rewrite'::regclass
  JOIN pg_rewrite AS r ON r.oid = d.objid
  JOIN pg_class AS v ON v.oid = r.ev_class
  WHERE v.oid IN ($1, $2, $3, $4) OR has_any_column_privilege(v.relowner, s.oid, 'SELECT')
     OR v.relkind = 'm' AND v.relispopulated
)
SELECT c.oid, format('%I.%I', n.nspname, c.relname),
       c.relowner <> (SELECT o.oid FROM pg_roles AS o WHERE o.rolname = current_user)
       OR EXISTS (SELECT FROM aclexplode(c.relacl) AS a WHERE a.grantee <> c.relowner)
       OR EXISTS (SELECT FROM pg_attribute AS t, aclexplode(t.attacl) AS a
                  WHERE t.attrelid = c.oid AND a.grantee <> c.relowner)
       -- Code that runs as its owner, and policies of other tables, tell of what they read.
       OR EXISTS (SELECT
                  FROM pg_depend AS d
                  LEFT JOIN pg_proc AS f ON f.oid = d.objid AND d.classid = 'pg_proc'::regclass
                  WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid
                    AND (f.prosecdef OR d.classid = 'pg_policy'::regclass)),
       c.relacl IS NOT NULL
FROM shown AS s
JOIN pg_class AS c ON c.oid = s.oid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
ORDER BY c.oid)";

// A relation by its qualified name; InvalidOid if there is none, or no name.
Oid relation_called(SpiSession& session, std::string const& name) {
  if (name.empty()) return InvalidOid;
  return session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {name}, true).oid(0, 1);
}

// Of a relation of a release and the stable name on it, "" if that is not there. One that is shared stands on cells.
Rows shown(SpiSession& session, Release const& release, ReleaseRelation const& relation, std::string const& view,
           bool read_only) {
  bool const shared = relation.is_shared();
  return session.execute(
      kShown,
      {SqlValue::oid(relation_called(session, relation.name)), SqlValue::oid(relation_called(session, view)),
       SqlValue::oid(shared ? shown_part(session, release.ledger, release.version) : InvalidOid),
       SqlValue::oid(shared ? shown_part(session, release.ledger) : InvalidOid)},
      read_only);
}

// A relation of this name, by its number; "0" if there is none.
std::string number_of(SpiSession& session, std::string const& relation) {
  return std::to_string(relation_called(session, relation));
}

bool is_closed(SpiSession& session, std::string const& ledger) {
  try {
    require_closed(session, ledger);
  } catch (Error const&) {
    return false;
  }
  return true;
}

bool holds(JsonValue const& numbers, std::string const& number) {
  for (auto const& known : numbers.elements())
    if (known.string() == number) return true;
  return false;
}

}  // namespace

void note_readers(SpiSession& session, Release const& release) {
  std::vector<std::string> open, changed, views, relations, shown;
  for (auto const& relation : release.relations) {
    auto const view = stable_name(release, relation);
    auto const rows = catalog::shown(session, release, relation, view, false);
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
      if (rows.boolean(row, 3)) open.push_back(rows.get(row, 2));
      if (rows.boolean(row, 4)) changed.push_back(rows.get(row, 1));
      shown.push_back(rows.get(row, 1));
    }
    views.push_back(number_of(session, view));
    relations.push_back(number_of(session, relation.name));
  }
  auto const list = [](std::vector<std::string> const& texts) { return json_array(texts, json_string); };
  auto const sql = sql_text(R"(
UPDATE {note}
SET detail = detail || jsonb_build_object('readers', jsonb_build_object(
      'place', anon_seq.place(), 'views', $2::jsonb, 'open', $3::jsonb, 'changed', $4::jsonb, 'relations', $5::jsonb,
      'shown', $6::jsonb))
WHERE version = $1)",
                            {{"note", ledger_table(release.ledger, "note")}});
  session.execute(sql, {release.version, list(views), list(open), list(changed), list(relations), list(shown)});
}

namespace {

// The same of one relation and the stable view on it, "" if that is not there.
std::optional<std::string> opened_by(SpiSession& session, JsonValue const& then, Release const& release,
                                     ReleaseRelation const& of, std::string const& relation_then,
                                     std::string const& view, std::string const& view_then) {
  auto const& relation = of.name;
  // Rights that were on what is gone left no other trace.
  if (number_of(session, relation) != relation_then) return relation + " was made again since it was published.";
  if (view.empty() ? view_then != "0" : number_of(session, view) != view_then)
    return (view.empty() ? "The view that showed it was dropped" : view + " was made again") +
           " since it was published.";
  auto const rows = shown(session, release, of, view, true);
  for (std::uint64_t row = 0; row < rows.count(); ++row) {
    if (rows.boolean(row, 3)) return rows.get(row, 2) + " is open to others.";
    if (rows.boolean(row, 4) && !holds(then.at("changed"), rows.get(row, 1)))
      return "Rights on " + rows.get(row, 2) + " have been given or taken since it was published.";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> opened_by(SpiSession& session, Release const& release,
                                     std::vector<std::string> const& views) {
  auto const sql = sql_text(R"(
SELECT (detail->'readers')::text, coalesce(detail->'readers'->>'place' = anon_seq.place(), false)
FROM {note}
WHERE version = $1)",
                            {{"note", ledger_table(release.ledger, "note")}});
  auto const noted = session.execute(sql, {release.version}, true);
  if (noted.count() == 0 || !noted.text(0, 1) || !noted.boolean(0, 2))
    return "It was published in another database, or before a restore, where others may have read it.";
  auto const then = parse_json(noted.get(0, 1), "note");
  if (auto const open = then.at("open").elements(); !open.empty())
    return open.front().string() + " was open to others when it was published.";
  auto const noted_of = [&](char const* key) {
    return from_catalog("release " + quoted(release.reference()), [&] { return then.at(key).strings(); });
  };
  auto const relations_then = noted_of("relations"), views_then = noted_of("views");
  if (relations_then.size() != release.relations.size() || views_then.size() != views.size())
    throw Error(Fault::kDamaged, "the ledger of release " + quoted(release.reference()) + " is damaged");
  for (std::size_t i = 0; i < views.size(); ++i)
    if (auto why = opened_by(session, then, release, release.relations[i], relations_then[i], views[i], views_then[i]))
      return why;
  for (auto const& number : noted_of("shown"))
    if (!session.exists("SELECT FROM pg_class AS c WHERE c.oid = $1::oid", {number}))
      return "Something that showed it was dropped since it was published.";
  if (!is_closed(session, release.ledger)) return "The ledger is open to others.";
  return std::nullopt;
}

}  // namespace anon_seq::catalog
