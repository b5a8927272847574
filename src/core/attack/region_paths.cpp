// In three steps: equal tracks become one with a weight; for each release and region it is noted which of these are
// shown there; then each path gathers the tracks that meet it, as pairs of sets of releases, those that show them on
// the path and those that show them elsewhere, and every set of releases is counted over these pairs.
#include "core/attack/region_paths.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace anon_seq {
namespace {

using Mask = std::uint32_t;  // a set of releases

class PathAttacker {
 public:
  PathAttacker(std::span<std::int32_t const> tracks, std::size_t releases, Checkpoint& checkpoint)
      : releases_(releases), checkpoint_(checkpoint) {
    merge(tracks);
    note_regions();
  }

  // How many are left for the worst set of releases, which goes to `worst`.
  std::int64_t fewest(std::span<std::int32_t const> path, Mask& worst) {
    meet(path);
    Mask shown = 0;
    for (std::size_t i = 0; i < releases_; ++i)
      if (path[i] != kNowhere) shown |= Mask{1} << i;
    std::int64_t least = -1;
    for (Mask set = 1; set < Mask{1} << releases_; ++set) {
      if ((set & shown) == 0) continue;
      std::int64_t left = 0;
      for (auto const& [how, n] : met_)
        if ((how.first & set) != 0 && (how.second & set) == 0) left += n;
      if (least >= 0 && left >= least) continue;
      least = left;
      worst = set;
    }
    return least;
  }

 private:
  std::span<std::int32_t const> track(std::size_t i) const { return {tracks_.data() + i * releases_, releases_}; }

  void merge(std::span<std::int32_t const> tracks) {
    auto const row = [&](std::uint32_t i) { return tracks.subspan(i * releases_, releases_); };
    Vector<std::uint32_t> order(tracks.size() / releases_);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      checkpoint_.tick();
      return std::ranges::lexicographical_compare(row(a), row(b));
    });
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      while (end < order.size() && std::ranges::equal(row(order[begin]), row(order[end]))) ++end;
      tracks_.insert(tracks_.end(), row(order[begin]).begin(), row(order[begin]).end());
      weights_.push_back(static_cast<std::int64_t>(end - begin));
    }
  }

  // Tracks by release and region: those of region r in release i are from begins_[i][r] to begins_[i][r + 1].
  void note_regions() {
    begins_.resize(releases_);
    shown_.resize(releases_);
    for (std::size_t i = 0; i < releases_; ++i) {
      std::int32_t regions = 0;
      for (std::size_t t = 0; t < weights_.size(); ++t) regions = std::max(regions, track(t)[i] + 1);
      auto& begins = begins_[i];
      begins.assign(static_cast<std::size_t>(regions) + 1, 0);
      for (std::size_t t = 0; t < weights_.size(); ++t)
        if (auto const at = track(t)[i]; at != kNowhere) ++begins[static_cast<std::size_t>(at) + 1];
      std::partial_sum(begins.begin(), begins.end(), begins.begin());
      shown_[i].resize(begins.back());
      auto next = begins;
      for (std::size_t t = 0; t < weights_.size(); ++t)
        if (auto const at = track(t)[i]; at != kNowhere)
          shown_[i][next[static_cast<std::size_t>(at)]++] = static_cast<std::uint32_t>(t);
    }
    seen_.assign(weights_.size(), 0);
  }

  void meet(std::span<std::int32_t const> path) {
    met_.clear();
    ++paths_;
    for (std::size_t i = 0; i < releases_; ++i) {
      auto const at = static_cast<std::size_t>(path[i]);
      if (path[i] == kNowhere || at + 1 >= begins_[i].size()) continue;
      for (auto next = begins_[i][at]; next < begins_[i][at + 1]; ++next) {
        checkpoint_.tick();
        auto const t = shown_[i][next];
        if (seen_[t] == paths_) continue;
        seen_[t] = paths_;
        Mask hit = 0, missed = 0;
        for (std::size_t j = 0; j < releases_; ++j)
          if (auto const of = track(t)[j]; of != kNowhere) (of == path[j] ? hit : missed) |= Mask{1} << j;
        met_[{hit, missed}] += weights_[t];
      }
    }
  }

  std::size_t releases_;
  Checkpoint& checkpoint_;
  Vector<std::int32_t> tracks_;  // that differ
  Vector<std::int64_t> weights_;
  std::vector<Vector<std::uint32_t>> begins_, shown_;
  Vector<std::uint32_t> seen_;  // the last path that a track was met on
  std::uint32_t paths_ = 0;
  std::map<std::pair<Mask, Mask>, std::int64_t> met_;
};

}  // namespace

PathAttack attack_paths(std::span<std::int32_t const> tracks, std::span<std::int32_t const> paths, std::size_t releases,
                        std::int64_t k, Checkpoint& checkpoint) {
  PathAttack found;
  bool any = false;
  PathAttacker attacker(tracks, releases, checkpoint);
  for (std::size_t begin = 0; begin < paths.size(); begin += releases) {
    Mask worst = 0;
    auto const least = attacker.fewest(paths.subspan(begin, releases), worst);
    if (least < 0) continue;  // nothing is shown there
    found.smallest = any ? std::min(found.smallest, least) : least;
    any = true;
    if (least >= k || ++found.at_risk > 1) continue;
    for (std::size_t i = 0; i < releases; ++i)
      if ((worst >> i & 1) != 0) found.releases.push_back(static_cast<std::int32_t>(i));
  }
  return found;
}

}  // namespace anon_seq
