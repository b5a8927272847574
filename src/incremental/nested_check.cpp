#include "incremental/nested_check.h"

#include <algorithm>
#include <map>

#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/progress.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {
namespace {

std::string table(Release const& release, char const* name) { return ledger_table(release.ledger, name); }

// SQL: whether what region i shows of a column lies in what region o shows of it. NULL is the unknown value.
std::string lies_in(PublishedColumn const& column, std::string const& c) {
  if (column.taxonomy.empty())  // a range: unknown lies in (,) only
    return sql_text(R"(
      CASE WHEN i.{c} IS NULL THEN coalesce(lower_inf(o.{c}) AND upper_inf(o.{c}), true)
           ELSE coalesce(i.{c} <@ o.{c}, false) END)",
                    {{"c", c}});
  // Nodes: most are there themselves; of the others some node above must be. Unknown lies below the root only.
  auto const nodes = [&](std::string const& region) {
    return column.type == "text[]" ? region + "." + c : "ARRAY[" + region + "." + c + "]";
  };
  return sql_text(R"(
      ({inner} = {outer} OR NOT EXISTS (
        SELECT
        FROM unnest({inner}) AS x (v)
        LEFT JOIN unnest({outer}) AS y (v) ON y.v = x.v
        WHERE y.v IS NULL
          AND NOT coalesce(
            CASE WHEN x.v IS NULL THEN
                   array_position({outer}, NULL) IS NOT NULL OR anon_seq.generalize({taxonomy}, NULL, 1) = ANY ({outer})
                 ELSE EXISTS (
                   SELECT
                   FROM generate_series(1, 64) AS l
                   WHERE anon_seq.generalize({taxonomy}, x.v, l) = ANY ({outer})) END,
            false))))",
                  {{"inner", nodes("i")}, {"outer", nodes("o")}, {"taxonomy", sql_literal(column.taxonomy)}});
}

// Rows of a table by what they are compared with, found by its index: these are few, whatever the planner thinks.
std::string found(std::string const& columns, std::string const& table, std::string const& where) {
  return "CROSS JOIN LATERAL (SELECT " + columns + " FROM " + table + " AS r WHERE " + where + " OFFSET 0)";
}

// Common table expressions pair: a region shown since, and the one of version `since` that it was cut from; wrong: of
// these, those that show more than the earlier one did, or are shown beside it.
std::string cut_regions(Release const& release, std::string const& since) {
  std::vector<std::string> contained;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    if (release.columns[i].is_quasi()) contained.push_back(lies_in(release.columns[i], "c" + std::to_string(i + 1)));
  auto const region = table(release, "region"), version = std::to_string(release.version);
  return sql_text(
      R"(RECURSIVE up (region, parent) AS (
  SELECT region, parent
  FROM {region}
  WHERE since > {since} AND since <= {version} AND (until IS NULL OR until > {version})
  UNION ALL  -- one publish may cut several times: what stands between was not shown then
  SELECT up.region, r.parent
  FROM up
  {between} AS r
),
pair AS MATERIALIZED (
  SELECT up.region, up.parent
  FROM up
  {earlier} AS r
),
wrong AS (
  SELECT p.region
  FROM pair AS p
  {inner} AS i
  {outer} AS o
  WHERE NOT ({contained})
     OR coalesce(o.until, {version} + 1) > {version}
))",
      {{"region", region},
       {"since", since},
       {"version", version},
       {"between", found("r.parent", region, "r.region = up.parent AND (r.since IS NULL OR r.since > " + since + ")")},
       {"earlier", found("", region, "r.region = up.parent AND r.since <= " + since)},
       {"inner", found("r.*", region, "r.region = p.region")},
       {"outer", found("r.*", region, "r.region = p.parent")},
       {"contained", joined(contained, " AND ")}});
}

// Which region of an earlier version each region of this one was cut from, and how many of these are wrong.
struct CutRegions {
  std::map<std::int32_t, std::int32_t> from;
  std::int64_t outside = 0;
};
CutRegions read_cut_regions(SpiSession& session, Release const& release, std::int32_t since) {
  CutRegions cut;
  DatumCursor cursor(session, "WITH " + cut_regions(release, std::to_string(since)) + R"(
SELECT p.region, p.parent, EXISTS (SELECT FROM wrong AS w WHERE w.region = p.region)
FROM pair AS p)");
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      cut.from[cursor.integer(row, 0)] = cursor.integer(row, 1);
      cut.outside += cursor.boolean(row, 2);
    }
  return cut;
}

using Place = MemberRecount::Place;

// Where people were who are not there any more: in regions that ended or were written anew since, or gone from any.
// Ascending by object.
Vector<Place> former_places(SpiSession& session, Release const& release, MemberRecount const& members) {
  Vector<Place> former(members.left().begin(), members.left().end());
  DatumCursor cursor(session, sql_text(R"(
SELECT u.object, m.region
FROM {member} AS m
CROSS JOIN LATERAL unnest(m.objects) AS u (object)
WHERE m.since <= {since} AND m.until > {since} AND m.until <= {version}
UNION ALL
SELECT g.object, g.region
FROM {gone} AS g
WHERE g.since > {since} AND g.until <= {version})",
                                       {{"member", table(release, "member")},
                                        {"gone", table(release, "gone")},
                                        {"since", std::to_string(members.since())},
                                        {"version", std::to_string(release.version)}}));
  while (cursor.next())
    for (std::size_t row = 0; row < cursor.rows(); ++row) {
      make_room(former, 1);
      former.push_back({cursor.bigint(row, 0), cursor.integer(row, 1)});
    }
  std::ranges::sort(former, {}, &Place::object);
  return former;
}

// How many persons who were there then are in a region now that is neither theirs of then nor cut from it.
std::int64_t persons_elsewhere(SpiSession& session, Release const& release, MemberRecount const& members,
                               CutRegions const& cut) {
  if (members.written_again().empty()) return 0;
  auto const former = former_places(session, release, members);
  std::int64_t elsewhere = 0;
  for (auto const& now : members.written_again()) {
    auto const from = cut.from.find(now.region);
    elsewhere +=
        std::ranges::none_of(std::ranges::equal_range(former, now.object, {}, &Place::object), [&](Place const& was) {
          return was.region == now.region || (from != cut.from.end() && was.region == from->second);
        });
  }
  return elsewhere;
}

}  // namespace

Check nested_check(SpiSession& session, Release const& release, MemberRecount const& members) {
  Progress::at("nested");
  auto const cut = read_cut_regions(session, release, members.since());
  auto const elsewhere = persons_elsewhere(session, release, members, cut);
  Check check{"nested", release.reference(), "regions only refined", "", false, cut.outside + elsewhere, "{}"};
  check.observed = std::to_string(cut.from.size()) + " regions cut out of earlier ones, " +
                   std::to_string(cut.outside) + " not inside, " + std::to_string(elsewhere) + " persons elsewhere";
  check.ok = check.offending == 0;
  return check;
}

}  // namespace anon_seq::incremental
