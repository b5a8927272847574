#include "core/partition/point_rows.h"

#include <array>

namespace anon_seq {
namespace {

// The least and the greatest of N numbers that stand side by side, in steps of `stride`.
template <std::size_t N>
void extents_of(std::int32_t const* row, std::int32_t const* end, std::size_t stride, std::int32_t* low,
                std::int32_t* high) {
  std::array<std::int32_t, N> least, greatest;
  std::copy_n(row, N, least.begin());
  greatest = least;
  for (; row < end; row += stride)
    for (std::size_t a = 0; a < N; ++a) {
      least[a] = std::min(least[a], row[a]);
      greatest[a] = std::max(greatest[a], row[a]);
    }
  std::copy_n(least.begin(), N, low);
  std::copy_n(greatest.begin(), N, high);
}

}  // namespace

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
  std::int32_t const *const begin = ranks_.data() + slice.begin * axes_, *const end = ranks_.data() + slice.end * axes_;
  std::size_t a = 0;
  for (; a + 4 <= axes_; a += 4) extents_of<4>(begin + a, end, axes_, &low[a], &high[a]);
  for (; a < axes_; ++a) extents_of<1>(begin + a, end, axes_, &low[a], &high[a]);
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
