#include "core/lossy/tally.h"

#include <algorithm>

namespace anon_seq {

Tally::Tally(Sensitive const& sensitive, std::int64_t k)
    : sensitive_(sensitive),
      k_(k),
      least_class_(k),
      near_(sensitive.reach().empty() ? 0 : static_cast<std::size_t>(sensitive.joints())) {
  if (k < 1) throw Error(Fault::kParameter, "k is less than 1");
  for (auto const& block : sensitive.blocks()) least_class_ = std::max(least_class_, rows_for(1, block.alpha));
  for (auto const& block : sensitive.blocks()) most_.push_back(most_of(least_class_, block.alpha));
  if (!sensitive.reach().empty()) most_near_ = most_of(least_class_, sensitive.near_alpha());
  counts_.resize(sensitive.bounds().size());  // there are no more blocks than bounds
}

std::int64_t Tally::classes_needed(std::span<JointValue const> values, Checkpoint& checkpoint) {
  std::int64_t classes = 1;
  for (JointValue const value : values) {
    checkpoint.tick();
    auto const block = static_cast<std::size_t>(sensitive_.block_of(value));
    if (block < most_.size() && ++counts_[block] > classes * most_[block]) ++classes;
  }
  for (JointValue const value : values)
    if (auto const block = sensitive_.block_of(value); block >= 0) counts_[static_cast<std::size_t>(block)] = 0;
  if (most_near_ > 0) classes = std::max(classes, (most_near(values, checkpoint) + most_near_ - 1) / most_near_);
  return classes;
}

std::int64_t Tally::rows_needed(std::span<JointValue const> values, Checkpoint& checkpoint) {
  std::int64_t needed = k_;
  auto const each_bound = [&](auto visit) {
    for (JointValue const value : values) {
      checkpoint.tick();
      for (auto const bound : sensitive_.bounds_of(value))
        if (bound != kNoBound) visit(static_cast<std::size_t>(bound));
    }
  };
  each_bound([&](std::size_t bound) { ++counts_[bound]; });
  each_bound([&](std::size_t bound) {
    if (counts_[bound] > 0) needed = std::max(needed, rows_for(counts_[bound], sensitive_.bounds()[bound].alpha));
    counts_[bound] = 0;
  });
  if (most_near_ > 0) needed = std::max(needed, rows_for(most_near(values, checkpoint), sensitive_.near_alpha()));
  return needed;
}

std::int64_t Tally::most_near(std::span<JointValue const> values, Checkpoint& checkpoint) {
  if (most_near_ == 0) return 0;
  near_.count(values, checkpoint);
  auto const& distinct = near_.distinct();
  std::int64_t most = 0, inside = 0;
  for (std::size_t begin = 0, end = 0; begin < distinct.size(); ++begin) {
    checkpoint.tick();
    JointValue const beyond = sensitive_.reach()[static_cast<std::size_t>(distinct[begin])];
    while (end < distinct.size() && distinct[end] < beyond) inside += near_.of(distinct[end++]);
    most = std::max(most, inside);
    inside -= near_.of(distinct[begin]);
  }
  return most;
}

}  // namespace anon_seq
