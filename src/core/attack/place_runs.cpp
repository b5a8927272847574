#include "core/attack/place_runs.h"

#include "core/base/error.h"

namespace anon_seq {

Vector<PieceRun> place_runs(std::span<std::int32_t const> parents) {
  auto const at = [](std::int32_t region) { return static_cast<std::size_t>(region); };
  for (std::size_t region = 0; region < parents.size(); ++region)
    if (parents[region] < -1 || parents[region] >= static_cast<std::int32_t>(region))
      throw Error(Fault::kDamaged, "regions of the ledger are no tree");
  Vector<std::int32_t> leaves(parents.size(), 0);  // below a region
  for (std::size_t region = parents.size(); region-- > 0;) {
    if (leaves[region] == 0) leaves[region] = 1;
    if (parents[region] >= 0) leaves[at(parents[region])] += leaves[region];
  }
  Vector<std::int32_t> next(parents.size(), 0);  // where the next child of a region begins
  Vector<PieceRun> runs(parents.size());
  std::int32_t first_root = kUnknownPiece + 1;
  for (std::size_t region = 0; region < parents.size(); ++region) {
    auto& begin = parents[region] < 0 ? first_root : next[at(parents[region])];
    runs[region] = {begin, begin + leaves[region] - 1};
    next[region] = begin;
    begin += leaves[region];
  }
  return runs;
}

}  // namespace anon_seq
