// What the ledger has of a version, read for its audit: who is in it, and its cells, by two routes.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "catalog/release.h"
#include "pg/datum_cursor.h"

namespace anon_seq::incremental {

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
  std::int64_t repeats() const { return cursor_.repeats(row_); }
  std::int32_t integer(std::size_t column) const { return cursor_.integer(row_, column); }
  std::int64_t bigint(std::size_t column) const { return cursor_.bigint(row_, column); }
  std::span<std::int64_t const> integers(std::size_t column) const { return cursor_.array<std::int64_t>(row_, column); }
  template <class T>
  std::span<T const> array(std::size_t column) const {
    return cursor_.array<T>(row_, column);
  }
  DatumCursor::Elements elements(std::size_t column, Oid type) { return cursor_.elements(row_, column, type); }

 private:
  DatumCursor cursor_;
  std::size_t row_ = 0;
  bool more_ = false;
};

// Which regions of a version are looked at: all, in the order of what they show, or those of an array as text, of the
// newest version, in the order of their numbers.
using Regions = std::optional<std::string>;

// A SELECT of rows x of a table, written up to a version and not closed by then, of the regions r that are shown in it:
// `select` has {table} and {of_version}, which ends in WHERE.
std::string select_of_version(Release const& release, char const* table, char const* select, Regions const& of = {});

// How many of these regions a version, the newest, shows. The others' rows are none of it.
std::int64_t regions_shown(SpiSession& session, Release const& release, std::string const& regions);

// SQL: rows of a table that hold, of an array of regions as text, to be given a name: found by its index whatever the
// planner thinks of how many there are.
std::string looked_up(std::string const& table, std::string const& regions);

[[noreturn]] void throw_damaged(Release const& release, std::string const& why);

// Who has left a region by a version.
class Departures {
 public:
  Departures(SpiSession& session, Release const& release, Regions const& of = {});
  // Whether an object that a row of members of `since` has in a region is not there any more.
  bool has_left(std::int32_t region, std::int64_t object, std::int32_t since) const {
    if (last_.empty()) return false;
    auto const left = last_.find({region, object});
    return left != last_.end() && left->second > since;
  }
  // Calls visit(object, region) for whoever left a region after a version, which goes on.
  template <class Visit>
  void each_after(std::int32_t version, Visit visit) const {
    for (auto const& [of, since] : last_)
      if (since > version) visit(of.second, of.first);
  }

 private:
  std::map<std::pair<std::int32_t, std::int64_t>, std::int32_t> last_;  // (region, object) -> when
};

// The cells of a version, one after the other in the order of its rows.
class CellStream {
 public:
  virtual ~CellStream() = default;
  virtual bool more() const = 0;
  virtual void step() = 0;
  virtual std::int32_t region() const = 0;
  virtual std::int64_t count() const = 0;
  // Of the columns that are published as they are, number `i`, by its representation; nullopt is NULL.
  virtual std::optional<std::string_view> value(std::size_t i) const = 0;
};

// By the ledger's counts, not in the words of create_region_view(), which made the rows.
std::unique_ptr<CellStream> counted_cells(SpiSession& session, Release const& release, Regions const& of = {});

}  // namespace anon_seq::incremental
