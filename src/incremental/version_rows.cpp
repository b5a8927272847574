#include "incremental/version_rows.h"

#include "catalog/ledger.h"
#include "pg/reading.h"
#include "pg/sql_text.h"

namespace anon_seq::incremental {
namespace {

std::string table(Release const& release, char const* name) { return ledger_table(release.ledger, name); }

class CountedCells : public CellStream {
 public:
  CountedCells(SpiSession& session, std::string const& query) : rows_(session, query, DatumCursor::Form::kPacked) {}
  bool more() const override { return rows_.more(); }
  void step() override { rows_.step(); }
  std::int32_t region() const override { return rows_.integer(0); }
  std::int64_t count() const override { return rows_.bigint(1); }
  std::optional<std::string_view> value(std::size_t i) const override { return rows_.value(i + 2); }

 private:
  RowStream rows_;
};

}  // namespace

std::string looked_up(std::string const& table, std::string const& regions) {
  return "unnest('" + regions + "'::int4[]) AS o (region) CROSS JOIN LATERAL (SELECT m.* FROM " + table +
         " AS m WHERE m.until IS NULL AND m.region = o.region OFFSET 0)";
}

std::string select_of_version(Release const& release, char const* name, char const* select, Regions const& of) {
  if (of)  // r: only that it is one, see regions_shown()
    return sql_text(select, {{"table", looked_up(table(release, name), *of)},
                             {"of_version", "CROSS JOIN (VALUES (''::bytea)) AS r (place) WHERE true"}});
  auto const regions = sql_text(R"(JOIN {region} AS r ON r.region = x.region
WHERE x.since <= {version} AND (x.until IS NULL OR x.until > {version})
  AND r.since <= {version} AND (r.until IS NULL OR r.until > {version}))",
                                {{"region", table(release, "region")}, {"version", std::to_string(release.version)}});
  return sql_text(select, {{"table", table(release, name)}, {"of_version", regions}});
}

void throw_damaged(Release const& release, std::string const& why) {
  throw Error(Fault::kDamaged, "the ledger of release " + quoted(release.reference()) + " is damaged", why);
}

Departures::Departures(SpiSession& session, Release const& release, Regions const& of) {
  RowStream gone(session,
                 select_of_version(release, "gone", R"(
SELECT x.region, x.object, max(x.since)
FROM {table} AS x
{of_version}
GROUP BY x.region, x.object)",
                                   of),
                 DatumCursor::Form::kPacked);
  for (; gone.more(); gone.step()) last_[{gone.integer(0), gone.bigint(1)}] = gone.integer(2);
}

std::unique_ptr<CellStream> counted_cells(SpiSession& session, Release const& release, Regions const& of) {
  std::string plain;
  for (std::size_t i = 0; i < release.columns.size(); ++i)
    if (!release.columns[i].is_quasi()) plain += ", c.c" + std::to_string(i + 1);
  if (of) {
    auto const touched = "SELECT c.region, sum(c.n)::bigint" + plain + " FROM {table} AS c {of_version}" +
                         " GROUP BY c.region" + plain + " HAVING sum(c.n) > 0 ORDER BY c.region" +
                         plain_order(release.columns);
    return std::make_unique<CountedCells>(session, select_of_version(release, "count", touched.c_str(), of));
  }
  auto const query = sql_text(R"(
SELECT c.region, sum(c.n)::bigint{plain}
FROM {region} AS o
JOIN {count} AS c ON c.region = o.region AND c.since <= {version} AND (c.until IS NULL OR c.until > {version})
WHERE o.since <= {version} AND (o.until IS NULL OR o.until > {version})
GROUP BY o.region, c.region{plain}
HAVING sum(c.n) > 0
ORDER BY o.place{plain_order})",
                              {{"plain", plain},
                               {"region", table(release, "region")},
                               {"count", table(release, "count")},
                               {"version", std::to_string(release.version)},
                               {"plain_order", plain_order(release.columns)}});
  return std::make_unique<CountedCells>(session, query);
}

std::int64_t regions_shown(SpiSession& session, Release const& release, std::string const& regions) {
  return session
      .execute("SELECT count(*) FROM unnest($1::int4[]) AS o (region) CROSS JOIN LATERAL (SELECT FROM " +
                   table(release, "region") +
                   " AS r WHERE r.region = o.region AND r.since <= $2 AND r.until IS NULL OFFSET 0) AS r",
               {regions, release.version}, true)
      .integer(0, 1);
}

}  // namespace anon_seq::incremental
