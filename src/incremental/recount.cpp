#include "incremental/recount.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/progress.h"
#include "pg/reading.h"
#include "pg/sql_text.h"
#include "release/relations.h"
#include "release/shared_rows.h"

namespace anon_seq::incremental {
namespace {

struct Recount {
  std::int64_t rows = 0, wrong = 0, classes = 0, smallest = 0, short_classes = 0;
};

// What regions show, by their ids.
class RegionValues {
 public:
  RegionValues(SpiSession& session, Release const& release) {
    std::string columns;
    for (std::size_t i = 0; i < release.columns.size(); ++i)
      if (release.columns[i].is_quasi()) columns += ", c" + std::to_string(i + 1);
    auto const sql = sql_text(R"(
SELECT region{columns}
FROM {region}
WHERE since <= {version} AND (until IS NULL OR until > {version})
ORDER BY place)",
                              {{"columns", columns},
                               {"region", ledger_table(release.ledger, "region")},
                               {"version", std::to_string(release.version)}});
    DatumCursor cursor(session, sql, DatumCursor::Form::kPacked);
    texts_.resize(static_cast<std::size_t>(std::count(columns.begin(), columns.end(), ',')));
    while (cursor.next())
      for (std::size_t row = 0; row < cursor.rows(); ++row) {
        places_.push_back({cursor.integer(row, 0), static_cast<std::int32_t>(places_.size())});
        in_order_.push_back(cursor.integer(row, 0));
        for (std::size_t i = 0; i < texts_.size(); ++i)
          values_.push_back(cursor.is_null(row, i + 1) ? kNoCode : texts_[i].intern(cursor.bytes(row, i + 1)));
      }
    std::sort(places_.begin(), places_.end());
  }

  std::size_t width() const { return texts_.size(); }
  // All of them, in the order in which they are shown.
  Vector<std::int32_t> const& in_order() const { return in_order_; }
  // Numbers of what a region shows; equal values have one. Empty for a region that the ledger lacks.
  std::span<Code const> operator[](std::int32_t region) const {
    auto const known = std::lower_bound(places_.begin(), places_.end(), std::pair(region, std::int32_t{0}));
    if (known == places_.end() || known->first != region) return {};
    return std::span(values_).subspan(static_cast<std::size_t>(known->second) * width(), width());
  }
  bool is(std::size_t column, Code code, std::optional<std::string_view> value) const {
    return value ? code != kNoCode && texts_[column][code] == *value : code == kNoCode;
  }

 private:
  std::vector<Dictionary> texts_;
  Vector<std::int32_t> in_order_;
  Vector<std::pair<std::int32_t, std::int32_t>> places_;  // (region, its place in values_), ascending
  Vector<Code> values_;
};

// Compares the rows of a release with the cells of its ledger, one after the other.
class RowRecount {
 public:
  RowRecount(SpiSession& session, Release const& release, MemberRecount const& members, std::int64_t k)
      : regions_(session, release), k_(k) {
    std::size_t quasi_count = 0, plain_count = 0;
    for (auto const& column : release.columns)
      columns_.push_back({column.is_quasi(), column.is_quasi() ? quasi_count++ : plain_count++});
    read_rows(session, release);
    cells_ =
        release.relations.front().is_shared() ? members.cells(regions_.in_order()) : counted_cells(session, release);
    left_ = repeats();
  }

  Recount run() {
    std::vector<Code> last;
    std::int64_t in_class = 0;
    for (; cells_->more(); cells_->step()) {
      auto const shown = regions_[cells_->region()];
      if (shown.empty()) {
        ++found_.wrong;
        continue;
      }
      if (!std::equal(last.begin(), last.end(), shown.begin(), shown.end())) close(std::exchange(in_class, 0));
      last.assign(shown.begin(), shown.end());
      std::int64_t wanted = cells_->count();
      while (wanted > 0 && rows_->more() && is_of_cell(shown)) {
        std::int64_t const taken = std::min(wanted, left_);
        wanted -= taken;
        in_class += taken;
        take(taken);
      }
      found_.wrong += wanted > 0;
    }
    close(in_class);
    while (rows_->more()) found_.wrong += left_, take(left_);
    return found_;
  }

 private:
  struct Place {
    bool quasi;
    std::size_t at;  // among what a region shows, or among the other columns
  };

  // Rows of the relation; where it is cells, each repeated as often as it counts, the cells that it is made of.
  void read_rows(SpiSession& session, Release const& release) {
    auto const& relation = release.relations.front();
    by_cell_ = repeats_cells(session, release, relation);
    std::string shown;
    for (std::size_t i = 0; i < release.columns.size(); ++i)
      shown += by_cell_ ? "c" + std::to_string(i + 1) + ", " : quote_name(release.columns[i].column) + ", ";
    if (by_cell_)
      rows_.emplace(session, "SELECT " + shown + "n FROM " + shown_cells(release.ledger, release.version),
                    DatumCursor::Form::kPacked);
    else
      rows_.emplace(session, "SELECT " + shown.substr(0, shown.size() - 2) + " FROM " + relation.name,
                    DatumCursor::Form::kRuns);
  }
  // How many rows the one at hand stands for.
  std::int64_t repeats() const {
    if (!rows_->more()) return 0;
    return by_cell_ ? std::max<std::int64_t>(rows_->bigint(columns_.size()), 0) : rows_->repeats();
  }

  bool is_of_cell(std::span<Code const> shown) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      auto const value = rows_->value(i);
      auto const [quasi, at] = columns_[i];
      if (quasi ? !regions_.is(at, shown[at], value) : value != cells_->value(at)) return false;
    }
    return true;
  }
  // Rows of the run at hand.
  void take(std::int64_t rows) {
    checkpoint_.tick();
    found_.rows += rows;
    left_ -= rows;
    if (left_ > 0) return;
    rows_->step();
    left_ = repeats();
  }
  void close(std::int64_t size) {
    if (size == 0) return;
    found_.smallest = ++found_.classes == 1 ? size : std::min(found_.smallest, size);
    found_.short_classes += size < k_;
  }

  RegionValues regions_;
  std::int64_t k_;
  std::vector<Place> columns_;  // of the release
  std::optional<RowStream> rows_;
  std::unique_ptr<CellStream> cells_;
  bool by_cell_ = false;
  std::int64_t left_ = 0;  // of the run of rows at hand
  Recount found_;
  InterruptCheckpoint checkpoint_;
};

// Whether the counts of a version's regions are those of its members; how many of them are not.
std::int64_t counted_otherwise(SpiSession& session, Release const& release, MemberRecount const& members) {
  auto const planning = Settings::for_arrays();
  RowStream counts(session, select_of_version(release, "count", R"(
SELECT x.region, sum(x.n)::bigint
FROM {table} AS x
{of_version}
GROUP BY x.region
HAVING sum(x.n) <> 0
ORDER BY x.region)"),
                   DatumCursor::Form::kWhole);
  std::int64_t wrong = 0;
  for (auto const& of : members.regions()) {
    wrong += !counts.more() || counts.integer(0) != of.region || counts.bigint(1) != of.members;
    if (counts.more()) counts.step();
  }
  return wrong + (counts.more() ? 1 : 0);
}

}  // namespace

std::vector<Check> recount_rows(SpiSession& session, Release const& release, MemberRecount const& members,
                                std::int64_t k) {
  Progress::at("rows");
  Check rows{"rows", release.reference(), "relation equals ledger", "retired", true, 0, "{}"};
  Check classes{
      "classes", release.reference(), "at least " + std::to_string(k) + " rows of equal values", "retired", true, 0,
      "{}"};
  if (release.retired) return {rows, classes};
  if (!has_own_relations(session, release)) {
    rows.observed = classes.observed = "no relation of the owner's";
    rows.ok = classes.ok = false;
    rows.offending = classes.offending = 1;
    return {rows, classes};
  }
  auto const planning = Settings::for_arrays();
  auto const found = RowRecount(session, release, members, k).run();
  rows.observed = std::to_string(found.rows) + " rows, " + std::to_string(found.wrong) + " cells differ";
  rows.offending = found.wrong;
  rows.ok = found.wrong == 0 && found.rows == release.published;
  classes.observed = std::to_string(found.smallest) + " at least, in " + std::to_string(found.classes) + " classes";
  classes.offending = found.short_classes;
  classes.ok = found.short_classes == 0 && found.classes == release.classes;
  return {rows, classes};
}

std::vector<Check> recount_touched(SpiSession& session, Release const& release, MemberRecount const& members,
                                   std::int64_t k, TouchedRegions const& of) {
  Vector<std::int32_t> in_order;
  for (auto const& region : members.regions()) in_order.push_back(region.region);
  auto const counted = counted_cells(session, release, of.all), of_members = members.cells(std::move(in_order));
  std::size_t const plain = static_cast<std::size_t>(
      std::count_if(release.columns.begin(), release.columns.end(), [](auto const& of) { return !of.is_quasi(); }));
  std::int64_t wrong = 0, all = 0, small = 0;
  while (counted->more() && of_members->more()) {
    bool same = counted->region() == of_members->region() && counted->count() == of_members->count();
    for (std::size_t i = 0; i < plain; ++i) same &= counted->value(i) == of_members->value(i);
    wrong += !same;
    all += counted->count();
    counted->step();
    of_members->step();
  }
  wrong += counted->more() || of_members->more();
  auto const regions = static_cast<std::int64_t>(members.regions().size());
  wrong += regions_shown(session, release, of.shown) != regions;
  for (auto const& region : members.regions()) small += region.members < k;
  auto const found = std::to_string(all) + " rows of " + std::to_string(regions) + " regions that changed, ";
  return {{"rows", release.reference(), "what changed equals ledger", found + std::to_string(wrong) + " cells differ",
           wrong == 0 && all == of.rows, wrong, "{}"},
          {"classes", release.reference(), "at least " + std::to_string(k) + " rows of equal values",
           found + std::to_string(small) + " with fewer", small == 0, small, "{}"}};
}

Check recount_persons(SpiSession& session, Release const& release, MemberRecount const& members, std::int64_t k,
                      PersonScope scope) {
  Progress::at("persons");
  std::int64_t smallest = 0, rows = 0, moved = 0, wrong = 0;
  for (auto const& of : members.regions()) {
    auto const staying = of.persons - of.elsewhere;
    wrong += staying < k || of.persons != of.members;
    smallest = &of == members.regions().data() ? staying : std::min(smallest, staying);
    rows += of.members;
    moved += of.elsewhere;
  }
  if (scope.compare_counts) wrong += counted_otherwise(session, release, members);
  bool const all = !scope.all || (rows == release.published &&
                                  static_cast<std::int64_t>(members.regions().size()) == release.classes);
  return {"anonymity",
          release.reference(),
          "at least " + std::to_string(k) + " persons in each region who did not move",
          std::to_string(smallest) + " at least, " + std::to_string(rows) + " in all" +
              (moved > 0 ? ", " + std::to_string(moved) + " of them moved" : ""),
          wrong == 0 && all,
          wrong,
          "{}"};
}

}  // namespace anon_seq::incremental
