// The incremental method: from a policy to the next version, and what the ledger shall remember of it.
#pragma once

#include <functional>

#include "incremental/state.h"
#include "release/release_cells.h"

namespace anon_seq::incremental {

// What regions show, as the output functions of the published types print it. Many regions show the same in an
// attribute: what they show is numbered there.
class RegionTexts {
 public:
  explicit RegionTexts(IncrementalState const& state);

  // The numbers of what a region shows, one per quasi column; worked out once. Valid until the next call.
  std::span<std::int32_t const> numbers_of(RegionId region);
  // nullopt is NULL.
  std::optional<std::string> const& text(std::size_t attribute, std::int32_t number) const {
    return entries_[attribute][static_cast<std::size_t>(number)].text;
  }
  // How much of the data's reach is covered: 0 says it exactly, 1 nothing.
  double penalty(std::size_t attribute, std::int32_t number) const {
    return entries_[attribute][static_cast<std::size_t>(number)].penalty;
  }
  // Number -> place among all of an attribute, in the order in which releases show them.
  Vector<std::int32_t> ranks(std::size_t attribute) const;
  // The bound of a cut at a code of a line.
  std::string const& bound(std::size_t attribute, Code at);

 private:
  struct InOrder {
    bool operator()(Shown const& a, Shown const& b) const;
  };
  struct Entry {
    std::optional<std::string> text;
    double penalty;
  };
  std::optional<std::string> value(std::size_t attribute, Shown const& shown);
  std::string within_type(std::size_t attribute, Code at, std::string text) const;
  std::string quoted(std::size_t attribute, std::string const& text) const;

  IncrementalState const& state_;
  Vector<std::int32_t> first_;  // region -> its place in shown_, -1: not asked for yet
  Vector<std::int32_t> shown_;
  // Per quasi column:
  std::vector<std::map<Code, std::string>> bounds_;
  std::vector<std::map<Shown, std::int32_t, InOrder>> numbers_;
  std::vector<std::vector<Entry>> entries_;
};

// The leaves that a version shows, in the order of what they show.
struct ShownRegions {
  std::vector<RegionId> regions;
  Vector<std::int32_t> place;   // region -> its place above, -1: not shown
  Vector<std::int32_t> values;  // place * quasi columns + column -> number of RegionTexts
  std::vector<double> lost;     // per quasi column: ncp, summed over rows
};

// Refines the regions and places everybody.
void solve(IncrementalState& state, Checkpoint& checkpoint);

// Where each of some regions stands among them: numbers in `regions`, in the order of what these show.
Vector<std::uint32_t> order_of_shown(std::vector<RegionId> const& regions, std::size_t width, RegionTexts& texts,
                                     Checkpoint& checkpoint);

ShownRegions shown_regions(IncrementalState const& state, RegionTexts& texts, Checkpoint& checkpoint);

// Cells of the release, kept objects that have gone from the source included.
ReleaseCells cells_of(IncrementalState const& state, ShownRegions const& shown, RegionTexts const& texts,
                      Checkpoint& checkpoint);

// Json: metric -> value.
std::string measures_json(IncrementalState const& state, ShownRegions const& shown);
// Of a version that is not in memory as a whole: what counts tell.
std::string measures_json(IncrementalState const& state, CellCounts const& counts);
std::vector<ColumnDetail> column_details(IncrementalState const& state, ShownRegions const& shown);

// What the user should know: other sensitive values, what arrivals tell. Of arrivals and departures only what is news:
// was_told(what, n) says whether an earlier version had "smallest_arrival" or "smallest_departure" of at most n.
using WasTold = std::function<bool(char const* what, std::int64_t n)>;
std::vector<std::string> notices(IncrementalState const& state, WasTold const& was_told);

// Writes the regions that were made, ended or opened.
void write_regions(SpiSession& session, IncrementalState const& state, RegionTexts& texts, Checkpoint& checkpoint);

// Closes the rows of regions, an array as text: from this version on others stand for them, or none.
void close_rows(SpiSession& session, Policy const& policy, std::string const& regions);

// Gives new objects their ids and writes what changed, regions included, and only that.
void write_version(SpiSession& session, IncrementalState& state, RegionTexts& texts, Checkpoint& checkpoint);

#ifdef ANON_SEQ_SELFTEST
// For tests that compare two policies: from now on in this session ids of objects follow from key and version, as who
// stays of those who have gone depends on them.
void foresee_objects(bool all);
#endif

}  // namespace anon_seq::incremental
