#include "core/lossy/findings.h"

#include "core/lossy/tally.h"

namespace anon_seq {
namespace {

using Kind = Finding::Kind;

Vector<std::int64_t> counts_of(SensitiveColumn const& column, Checkpoint& checkpoint) {
  Vector<std::int64_t> counts(static_cast<std::size_t>(column.distinct));
  for (auto const code : column.codes) {
    checkpoint.tick();
    ++counts[static_cast<std::size_t>(code)];
  }
  return counts;
}

// The most rows whose values lie within a hundredth of the range.
std::int64_t most_near(SensitiveColumn const& column, Vector<std::int64_t> const& counts) {
  auto const& places = column.positions;
  std::size_t first = 1, last = counts.size();
  while (first < last && counts[first] == 0) ++first;
  while (last > first && counts[last - 1] == 0) --last;
  if (last - first < 2) return 0;
  double const width = (places[last - 1] - places[first]) / 100;
  std::int64_t most = 0, inside = 0;
  for (std::size_t begin = first, end = first; begin < last; inside -= counts[begin++]) {
    while (end < last && places[end] <= places[begin] + width) inside += counts[end++];
    most = std::max(most, inside);
  }
  return most;
}

void look_at(std::size_t c, SensitiveColumn const& column, std::int64_t rows, Checkpoint& checkpoint,
             std::vector<Finding>& found) {
  auto const counts = counts_of(column, checkpoint);
  for (Code const code : column.listed)
    if (code >= column.distinct || counts[static_cast<std::size_t>(code)] == 0)
      found.push_back({Kind::kAbsent, c, code, 0});
  if (rows > 0 && std::ranges::find(counts, rows) != counts.end()) found.push_back({Kind::kAllEqual, c, kNoCode, rows});
  if (column.positions.empty() || column.near || column.listing != Listing::kEvery) return;
  std::int64_t const near = most_near(column, counts);
  if (near > *std::ranges::max_element(counts) && !at_most(near, rows, column.alpha))
    found.push_back({Kind::kNear, c, kNoCode, near});
}

}  // namespace

namespace {

// Blocks are what is dealt, if the table can be at all.
bool is_dealt(Sensitive const& sensitive, std::int64_t k, Checkpoint& checkpoint) {
  if (sensitive.blocks().size() == sensitive.bounds().size()) return true;
  Tally tally(sensitive, k);
  auto const least = static_cast<Wide>(tally.least_class());
  return least * static_cast<Wide>(tally.classes_needed(sensitive.joint_values(), checkpoint)) <= sensitive.rows();
}

bool has_half(std::int64_t count, std::int64_t rows, Ratio alpha) {
  return !at_most(checked_mul(2, count), rows, alpha);
}

}  // namespace

std::vector<Finding> findings_of(Sensitive const& sensitive, std::span<SensitiveColumn const> columns,
                                 std::optional<std::int64_t> k, Checkpoint& checkpoint) {
  std::vector<Finding> found;
  auto const rows = static_cast<std::int64_t>(sensitive.rows());
  auto const& bounds = sensitive.bounds();
  if (k && is_dealt(sensitive, *k, checkpoint)) {
    Tally const tally(sensitive, *k);
    for (std::size_t b = 0; b < sensitive.blocks().size(); ++b) {
      auto const& block = sensitive.blocks()[b];
      auto const& bound = bounds[static_cast<std::size_t>(block.first)];
      auto const kind = has_half(block.count, rows, block.alpha) ? Kind::kHalfShare : Kind::kHalfDealt;
      if (has_half(block.count, rows, {tally.most_in_class(b), tally.least_class()}))
        found.push_back({kind, bound.column, block.bounds == 1 ? bound.code : kNoCode, block.count});
    }
  } else {
    for (auto const& bound : bounds)
      if (has_half(bound.count, rows, bound.alpha))
        found.push_back({Kind::kHalfShare, bound.column, bound.code, bound.count});
  }
  if (!sensitive.reach().empty()) {
    std::int64_t const near = Tally(sensitive, 1).most_near(sensitive.joint_values(), checkpoint);
    if (has_half(near, rows, sensitive.near_alpha())) found.push_back({Kind::kHalfShare, 0, kNoCode, near});
  }
  for (std::size_t c = 0; c < columns.size(); ++c) look_at(c, columns[c], rows, checkpoint, found);
  return found;
}

}  // namespace anon_seq
