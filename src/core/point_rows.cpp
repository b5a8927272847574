#include "core/point_rows.h"

namespace anon_seq {

PointRows::PointRows(Vector<std::int32_t>& points, std::span<std::int32_t> ids, std::span<Scale const> scales,
                     Checkpoint& checkpoint)
    : axes_(scales.size()), ids_(ids) {
  if (points.size() == ids.size() * axes_ && std::is_sorted(ids.begin(), ids.end())) {
    ranks_ = std::move(points);
  } else {
    ranks_.reserve(ids.size() * axes_);
    for (auto const id : ids) {
      checkpoint.tick();
      auto const begin = points.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(id) * axes_);
      ranks_.insert(ranks_.end(), begin, begin + static_cast<std::ptrdiff_t>(axes_));
    }
  }
  for (std::size_t a = 0; a < axes_; ++a) {
    if (scales[a].is_line()) continue;
    for (std::size_t i = a; i < ranks_.size(); i += axes_) {
      checkpoint.tick();
      ranks_[i] = scales[a].rank_of(ranks_[i]);
    }
  }
}

void PointRows::extents(Slice slice, std::span<std::int32_t> low, std::span<std::int32_t> high) const {
  std::int32_t const* row = ranks_.data() + slice.begin * axes_;
  std::copy(row, row + axes_, low.begin());
  std::copy(row, row + axes_, high.begin());
  for (std::int32_t const* const end = ranks_.data() + slice.end * axes_; row < end; row += axes_)
    for (std::size_t a = 0; a < axes_; ++a) {
      low[a] = std::min(low[a], row[a]);
      high[a] = std::max(high[a], row[a]);
    }
}

std::size_t PointRows::split(Slice slice, std::size_t axis, std::int32_t at) {
  std::size_t left = slice.begin, right = slice.end;
  for (;;) {
    while (left < right && rank(left, axis) < at) ++left;
    while (left < right && rank(right - 1, axis) >= at) --right;
    if (left == right) return left;
    swap_rows(left++, --right);
  }
}

}  // namespace anon_seq
