#include "release/incremental_recount.h"

#include <algorithm>
#include <map>

#include "pg/audit_read.h"
#include "pg/datum_cursor.h"
#include "pg/ledger.h"
#include "pg/region_ledger.h"

namespace anon_seq::pg {
namespace {

// The rows of a cursor one after the other.
class RowStream {
 public:
  RowStream(SpiSession& session, std::string const& query, DatumCursor::Form form) : cursor_(session, query, form) {
    more_ = cursor_.next();
  }
  bool more() const { return more_; }
  void step() {
    if (++row_ < cursor_.rows()) return;
    row_ = 0;
    more_ = cursor_.next();
  }
  std::optional<std::string_view> value(std::size_t column) const {
    if (cursor_.is_null(row_, column)) return std::nullopt;
    return cursor_.bytes(row_, column);
  }
  Datum datum(std::size_t column) const { return cursor_.get(row_, column); }
  std::span<std::int64_t const> integers(std::size_t column) const { return cursor_.array<std::int64_t>(row_, column); }
  DatumCursor::Elements elements(std::size_t column) { return cursor_.elements(row_, column); }

 private:
  DatumCursor cursor_;
  std::size_t row_ = 0;
  bool more_ = false;
};

using Values = std::vector<std::optional<std::string>>;

bool equal(RowStream const& row, Values const& values, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    auto const value = row.value(i);
    if (value.has_value() != values[i].has_value() || (value && *value != *values[i])) return false;
  }
  return true;
}

void copy(RowStream const& row, Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto const value = row.value(i);
    if (value)
      values[i].emplace(*value);
    else
      values[i].reset();
  }
}

struct Recount {
  std::int64_t rows = 0, wrong = 0, classes = 0, smallest = 0, short_classes = 0;
};

class RowRecount {
 public:
  RowRecount(SpiSession& session, Release const& release, std::int64_t k) : release_(release), k_(k) {
    std::string shown, cells;
    for (std::size_t i = 0; i < release.columns.size(); ++i) {
      shown += (i == 0 ? "" : ", ") + quote_name(release.columns[i].column);
      cells += "c" + std::to_string(i + 1) + ", ";
      quasi_ += release.columns[i].role == "quasi";
    }
    rows_.emplace(session, "SELECT " + shown + " FROM " + release.relations.front(), DatumCursor::Form::kPacked);
    cells_.emplace(session,
                   "SELECT " + cells + "n FROM " + ledger_table(release.ledger, "cell") + " AS c WHERE version = " +
                       std::to_string(release.version) + " ORDER BY " + cell_order(release.columns),
                   DatumCursor::Form::kPacked);
  }

  Recount run() {
    std::size_t const width = release_.columns.size();
    Values last(quasi_), cell(width);
    std::int64_t in_class = 0;
    InterruptCheckpoint checkpoint;
    for (; cells_->more(); cells_->step()) {
      copy(*cells_, cell);
      std::int64_t left = DatumGetInt64(cells_->datum(width));
      bool const same_class = in_class > 0 && std::equal(last.begin(), last.end(), cell.begin());
      if (!same_class) close(std::exchange(in_class, 0));
      std::copy_n(cell.begin(), quasi_, last.begin());
      for (; left > 0 && rows_->more() && equal(*rows_, cell, width); --left, rows_->step()) {
        checkpoint.tick();
        ++in_class;
        ++found_.rows;
      }
      found_.wrong += left > 0;
    }
    close(in_class);
    for (; rows_->more(); rows_->step()) ++found_.rows, ++found_.wrong;
    return found_;
  }

 private:
  void close(std::int64_t size) {
    if (size == 0) return;
    found_.smallest = ++found_.classes == 1 ? size : std::min(found_.smallest, size);
    found_.short_classes += size < k_;
  }

  Release const& release_;
  std::int64_t k_;
  std::size_t quasi_ = 0;
  std::optional<RowStream> rows_, cells_;
  Recount found_;
};

// The persons of each region of a version, out of the rows of members that were written.
class PersonRecount {
 public:
  PersonRecount(SpiSession& session, Release const& release) : release_(release) {
    std::string const v = std::to_string(release.version);
    std::string const regions = table("region") + " AS r ON r.region = x.region WHERE x.since <= " + v +
                                " AND r.since <= " + v + " AND (r.until IS NULL OR r.until > " + v + ")";
    read_departures(session, regions);
    members_.emplace(session,
                     "SELECT x.region, x.since, x.persons, x.objects FROM " + table("member") + " AS x JOIN " +
                         regions + " ORDER BY x.region",
                     DatumCursor::Form::kWhole);
    counts_.emplace(session,
                    "SELECT x.region, pg_catalog.sum(x.n)::pg_catalog.int8 FROM " + table("count") + " AS x JOIN " +
                        regions + " GROUP BY x.region HAVING pg_catalog.sum(x.n) <> 0 ORDER BY x.region",
                    DatumCursor::Form::kWhole);
    auto const type = session.execute(
        "SELECT t.typelem FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
        " WHERE a.attrelid = $1::pg_catalog.regclass AND a.attname = 'persons'",
        {table("member")}, true);
    person_ = value_type_of(static_cast<Oid>(std::stoul(type.get(0, 1))), "person");
  }

  // Regions: how many of them; wrong: those with fewer than k persons, or not as many as their counts say.
  struct Found {
    std::int64_t smallest = 0, rows = 0, regions = 0, wrong = 0;
  };
  Found run(std::int64_t k) {
    Found found;
    while (members_->more()) {
      std::int32_t const region = DatumGetInt32(members_->datum(0));
      std::int64_t const forgotten = read_region(region);
      std::int64_t const rows = static_cast<std::int64_t>(keys_.size()) + forgotten;
      if (rows == 0) continue;
      std::sort(keys_.begin(), keys_.end());
      std::int64_t const distinct = std::unique(keys_.begin(), keys_.end()) - keys_.begin() + forgotten;
      found.wrong += distinct < k || distinct != rows || !is_counted(region, rows);
      found.smallest = found.regions++ == 0 ? distinct : std::min(found.smallest, distinct);
      found.rows += rows;
    }
    found.wrong += counts_->more();
    return found;
  }

 private:
  std::string table(char const* name) const { return ledger_table(release_.ledger, name); }

  void read_departures(SpiSession& session, std::string const& regions) {
    RowStream gone(session,
                   "SELECT x.region, x.object, pg_catalog.max(x.since) FROM " + table("gone") + " AS x JOIN " +
                       regions + " GROUP BY x.region, x.object",
                   DatumCursor::Form::kPacked);
    for (; gone.more(); gone.step())
      left_[{DatumGetInt32(gone.datum(0)), DatumGetInt64(gone.datum(1))}] = DatumGetInt32(gone.datum(2));
  }

  // Fills keys_ with the keys of who is in a region; returns how many were forgotten.
  std::int64_t read_region(std::int32_t region) {
    std::int64_t forgotten = 0;
    keys_.clear();
    for (; members_->more() && DatumGetInt32(members_->datum(0)) == region; members_->step()) {
      auto const persons = members_->elements(2);
      auto const objects = members_->integers(3);
      std::int32_t const since = DatumGetInt32(members_->datum(1));
      for (std::size_t i = 0; i < persons.count; ++i) {
        checkpoint_.tick();
        auto const left = left_.empty() ? left_.end() : left_.find({region, objects[i]});
        if (left != left_.end() && left->second > since) continue;
        char buffer[8];
        if (persons.nulls[i])
          ++forgotten;
        else
          keys_.emplace_back(key_of(person_, persons.values[i], buffer, "person"));
      }
    }
    return forgotten;
  }

  bool is_counted(std::int32_t region, std::int64_t rows) {
    if (!counts_->more()) return false;
    bool const is = DatumGetInt32(counts_->datum(0)) == region && DatumGetInt64(counts_->datum(1)) == rows;
    counts_->step();
    return is;
  }

  Release const& release_;
  ValueType person_;
  std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> left_;  // (region, object) -> when last
  std::optional<RowStream> members_, counts_;
  std::vector<std::string> keys_;
  InterruptCheckpoint checkpoint_;
};

}  // namespace

std::vector<Check> recount_rows(SpiSession& session, Release const& release, std::int64_t k) {
  Check rows{"rows", release.reference(), "relation equals ledger", "retired", true, 0, "{}"};
  Check classes{
      "classes", release.reference(), "at least " + std::to_string(k) + " rows of equal values", "retired", true, 0,
      "{}"};
  if (release.retired) return {rows, classes};
  if (!is_own_relation(session, release)) {
    rows.observed = classes.observed = "no relation of the owner's";
    rows.ok = classes.ok = false;
    rows.offending = classes.offending = 1;
    return {rows, classes};
  }
  LocalSettings const planning({{"enable_nestloop", "off"}, {"jit", "off"}, {"work_mem", "64MB"}});
  auto const found = RowRecount(session, release, k).run();
  rows.observed = std::to_string(found.rows) + " rows, " + std::to_string(found.wrong) + " cells differ";
  rows.offending = found.wrong;
  rows.ok = found.wrong == 0 && found.rows == release.published;
  classes.observed = std::to_string(found.smallest) + " at least, in " + std::to_string(found.classes) + " classes";
  classes.offending = found.short_classes;
  classes.ok = found.short_classes == 0 && found.classes == release.classes;
  return {rows, classes};
}

Check recount_persons(SpiSession& session, Release const& release, std::int64_t k) {
  LocalSettings const planning({{"enable_nestloop", "off"}, {"jit", "off"}, {"work_mem", "64MB"}});
  auto const found = PersonRecount(session, release).run(k);
  return {"anonymity",
          release.reference(),
          "at least " + std::to_string(k) + " persons in each region",
          std::to_string(found.smallest) + " at least, " + std::to_string(found.rows) + " in all",
          found.wrong == 0 && found.rows == release.published && found.regions == release.classes,
          found.wrong,
          "{}"};
}

}  // namespace anon_seq::pg
