#include "incremental/version_rows.h"

#include <algorithm>
#include <numeric>

#include "catalog/ledger.h"
#include "incremental/member_format.h"
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

// The values of a column that the ledger has, in the order in which rows are.
class OrderedValues {
 public:
  static constexpr std::int32_t kNull = -1;  // comes first

  OrderedValues(SpiSession& session, Release const& release, std::size_t column) {
    auto const& type = release.columns[column].type;
    auto const value = "v.value::" + type;
    DatumCursor cursor(
        session,
        sql_text("SELECT v.code, {value} FROM {values} AS v WHERE v.attribute = {column} ORDER BY {order}",
                 {{"value", value},
                  {"values", table(release, "value")},
                  {"column", std::to_string(column + 1)},
                  {"order", order_of(release.columns[column], "(" + value + ")")}}),
        DatumCursor::Form::kPacked);
    Vector<std::int32_t> codes;  // by rank
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) {
        auto const code = cursor.integer(row, 0);
        if (code < 1 || cursor.is_null(row, 1)) throw_damaged(release, "It has a value that is none.");
        codes.push_back(code);
        values_.emplace_back(cursor.bytes(row, 1));
      }
    ranks_.assign(codes.size() + 1, kNoRank);
    for (std::size_t rank = 0; rank < codes.size(); ++rank) {
      auto const code = static_cast<std::size_t>(codes[rank]);
      if (code > codes.size()) throw_damaged(release, "It lacks a value.");
      ranks_[code] = static_cast<std::int32_t>(rank);
    }
  }

  // The place of a value, by its code.
  std::int32_t rank(Release const& release, std::int32_t code) const {
    if (code == 0) return kNull;
    auto const known = static_cast<std::size_t>(code);  // a negative one is beyond all
    if (known >= ranks_.size() || ranks_[known] == kNoRank)
      throw_damaged(release, "Its members have a value that it lacks.");
    return ranks_[known];
  }
  std::optional<std::string_view> operator[](std::int32_t rank) const {
    if (rank == kNull) return std::nullopt;
    return values_[static_cast<std::size_t>(rank)];
  }

 private:
  static constexpr std::int32_t kNoRank = -2;

  Vector<std::int32_t> ranks_;  // by code
  std::vector<std::string> values_;
};

class CellsOfMembers : public CellStream {
 public:
  CellsOfMembers(SpiSession& session, Release const& release, Regions const& of)
      : release_(release),
        format_(release.columns),
        left_(session, release, of),
        members_(session,
                 select_of_version(release, "member", R"(
SELECT x.region, x.since, x.objects, x.codes
FROM {table} AS x
{of_version}
ORDER BY r.place, x.region)",
                                   of),
                 DatumCursor::Form::kWhole) {
    for (std::size_t i = 0; i < release.columns.size(); ++i)
      if (!release.columns[i].is_quasi()) values_.emplace_back(session, release, i);
    read_region();
  }

  bool more() const override { return at_ < order_.size(); }
  void step() override {
    at_ = end_;
    if (more())
      find_end();
    else
      read_region();
  }
  std::int32_t region() const override { return region_; }
  std::int64_t count() const override { return static_cast<std::int64_t>(end_ - at_); }
  std::optional<std::string_view> value(std::size_t i) const override {
    return values_[i][ranks_[order_[at_] * values_.size() + i]];
  }

 private:
  std::span<std::int32_t const> ranks_of(std::size_t member) const {
    return std::span(ranks_).subspan(member * values_.size(), values_.size());
  }

  // The next region with anybody in it: its members, in the order of what they show.
  void read_region() {
    std::size_t count = 0;
    order_.clear();
    ranks_.clear();
    at_ = 0;
    while (count == 0 && members_.more()) {
      region_ = members_.integer(0);
      for (; members_.more() && members_.integer(0) == region_; members_.step()) count += add_members();
    }
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      checkpoint_.tick();
      auto const x = ranks_of(a), y = ranks_of(b);
      return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
    });
    if (count > 0) find_end();
  }

  // Those of a row who are there; returns how many.
  std::size_t add_members() {
    auto const objects = members_.integers(2);
    auto const codes = members_.array<std::int32_t>(3);
    if (codes.size() != objects.size() * format_.codes())
      throw_damaged(release_, "Its members have not as many values as objects.");
    std::size_t count = 0;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      checkpoint_.tick();
      if (left_.has_left(region_, objects[i], members_.integer(1))) continue;
      ++count;
      auto const* const of = format_.codes_of(codes, i) + 1;  // behind his arrival
      for (std::size_t j = 0; j < values_.size(); ++j) ranks_.push_back(values_[j].rank(release_, of[j]));
    }
    return count;
  }

  // Of the members who show the same as the one at hand.
  void find_end() {
    auto const shown = ranks_of(order_[at_]);
    for (end_ = at_ + 1; end_ < order_.size(); ++end_) {
      auto const next = ranks_of(order_[end_]);
      if (!std::equal(shown.begin(), shown.end(), next.begin())) return;
    }
  }

  Release const& release_;
  MemberFormat format_;
  Departures left_;
  RowStream members_;
  std::vector<OrderedValues> values_;  // of the columns published as they are
  std::int32_t region_ = 0;
  Vector<std::int32_t> ranks_;  // member * columns + column -> place of his value
  Vector<std::size_t> order_;   // of the members of the region at hand
  std::size_t at_ = 0, end_ = 0;
  InterruptCheckpoint checkpoint_;
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

std::unique_ptr<CellStream> cells_of_members(SpiSession& session, Release const& release, Regions const& of) {
  return std::make_unique<CellsOfMembers>(session, release, of);
}

}  // namespace anon_seq::incremental
