// The incremental method: from a policy to the next version, and what the ledger shall remember of it.
#pragma once

#include "release/incremental_state.h"
#include "release/release_cells.h"

namespace anon_seq::pg {

// What regions show, as the output functions of the published types print it.
class RegionTexts {
 public:
  explicit RegionTexts(IncrementalState const& state);

  // One per quasi column; nullopt is NULL.
  std::vector<std::optional<std::string>> of(std::vector<Shown> const& shown);
  // The bound of a cut at a code of a line.
  std::string const& bound(std::size_t attribute, Code at);

 private:
  std::optional<std::string> value(std::size_t attribute, Shown const& shown);
  std::string least(std::size_t attribute) const;
  std::string within_type(std::size_t attribute, Code at, std::string text) const;
  std::string quoted(std::size_t attribute, std::string const& text) const;

  IncrementalState const& state_;
  std::vector<std::map<Code, std::string>> bounds_;  // per quasi column
};

// The leaves that a version shows, in the order of what they show.
struct ShownRegions {
  std::vector<RegionId> regions;
  Vector<std::int32_t> place;                     // region -> its place above, -1: not shown
  std::vector<std::optional<std::string>> texts;  // place * quasi columns + column
  double lost = 0;                                // ncp, summed over rows
};

// Refines the regions and places everybody. `independent`: as if nothing had been published before.
void solve(IncrementalState& state, Checkpoint& checkpoint);

ShownRegions shown_regions(IncrementalState const& state, RegionTexts& texts, Checkpoint& checkpoint);

// Cells of the release, kept objects that have gone from the source included.
ReleaseCells cells_of(IncrementalState const& state, ShownRegions const& shown, Checkpoint& checkpoint);

// Json: metric -> value.
std::string measures_json(IncrementalState const& state, ShownRegions const& shown);

// What the user should know: other sensitive values, what arrivals tell.
std::vector<std::string> notices(IncrementalState const& state);

// Writes the regions that were made, ended or opened.
void write_regions(SpiSession& session, IncrementalState const& state, ShownRegions const& shown, RegionTexts& texts);

// Gives new objects their ids and writes what changed, regions included, and only that.
void write_version(SpiSession& session, IncrementalState& state, ShownRegions const& shown, RegionTexts& texts,
                   Checkpoint& checkpoint);

}  // namespace anon_seq::pg
