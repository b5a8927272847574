#include "core/attack/thin_point.h"

namespace anon_seq {

// Appends what `own` and `other` have in common, in pieces counted within `own`.
void ThinPointSearch::make_local_runs(std::span<PieceRun const> own, std::span<PieceRun const> other) {
  std::int32_t before = 0;  // pieces of own before the i-th run
  for (std::size_t i = 0, j = 0; i < own.size() && j < other.size();) {
    PieceRun const common{std::max(own[i].first, other[j].first), std::min(own[i].last, other[j].last)};
    if (common.first <= common.last)
      local_.push_back({common.first - own[i].first + before, common.last - own[i].first + before});
    if (own[i].last < other[j].last)
      before += own[i].last - own[i].first + 1, ++i;
    else
      ++j;
  }
}

void ThinPointSearch::make_local(BoxId box, std::span<BoxId const> others) {
  width_ = boxes_.attributes();
  local_.clear();
  starts_.assign(1, 0);
  for (BoxId const other : others)
    for (std::size_t a = 0; a < width_; ++a) {
      auto const& sets = boxes_.sets_of(a);
      make_local_runs(sets[boxes_[box][a]], sets[boxes_[other][a]]);
      starts_.push_back(static_cast<std::uint32_t>(local_.size()));
    }
  runs_.clear();
  for (std::size_t a = 0; a < width_; ++a) {
    std::int32_t pieces = 0;
    for (PieceRun const run : boxes_.sets_of(a)[boxes_[box][a]]) pieces += run.last - run.first + 1;
    runs_.push_back({0, pieces - 1});
  }
}

// `parts`: attributes in which it covers only a part of the region.
ThinPointSearch::Relation ThinPointSearch::compare(std::uint32_t other, std::size_t& parts) const {
  parts = 0;
  for (std::size_t a = 0; a < width_; ++a) {
    auto const runs = local(other, a);
    std::size_t i = 0;
    while (i < runs.size() && runs[i].last < now_[a].first) ++i;
    if (i == runs.size() || runs[i].first > now_[a].last) return Relation::kApart;
    parts += runs[i].first > now_[a].first || runs[i].last < now_[a].last;
  }
  return parts == 0 ? Relation::kHolds : Relation::kPart;
}

// Cuts now_, the region's runs, along a face of the pivot; what is outside of the pivot comes last, to be next.
void ThinPointSearch::cut(Region const& region, std::uint32_t pivot) {
  std::size_t a = 0;
  PieceRun met{};
  for (;; ++a) {
    auto const runs = local(pivot, a);
    std::size_t i = 0;
    while (runs[i].last < now_[a].first) ++i;
    met = runs[i];
    if (met.first > now_[a].first || met.last < now_[a].last) break;
  }
  PieceRun inside = now_[a], outside = now_[a];
  if (met.first > now_[a].first) {
    inside.first = met.first;
    outside.last = met.first - 1;
  } else {
    inside.last = met.last;
    outside.first = met.last + 1;
  }
  for (PieceRun const side : {inside, outside}) {
    now_[a] = side;
    todo_.push_back({runs_.size(), region.begin, region.end, region.held});
    runs_.insert(runs_.end(), now_.begin(), now_.end());
  }
}

// Looks at the boxes that are listed for the region: those that hold all of it become part of its weight, those that
// meet a part of it are listed anew, as its own, and the pivot is the one of these with the fewest faces inside.
// Returns the weight that all of them together may put on one point, or nothing if the region is too thick to matter.
std::optional<std::int64_t> ThinPointSearch::narrow(Region& region, std::int64_t thick, std::uint32_t& pivot) {
  std::size_t const mine = listed_.size();
  std::size_t fewest = width_ + 1;
  std::int64_t partial = 0;
  for (std::size_t i = region.begin; i < region.end; ++i) {
    ++spent_;
    std::size_t parts = 0;
    std::uint32_t const other = listed_[i];
    auto const relation = compare(other, parts);
    if (relation == Relation::kApart) continue;
    if (relation == Relation::kHolds) {
      region.held += weights_[other];
      if (region.held >= thick) return std::nullopt;
      continue;
    }
    partial += weights_[other];
    listed_.push_back(other);
    if (parts < fewest) fewest = parts, pivot = other;
  }
  region.begin = mine;
  region.end = listed_.size();
  return region.held + partial;
}

ThinPoint ThinPointSearch::find(BoxId box, std::span<BoxId const> others, std::span<std::int64_t const> weights,
                                std::int64_t enough, std::int64_t& budget, Checkpoint& checkpoint) {
  constexpr std::int64_t kPolish = 20000;  // spent on a still thinner point once there is one
  make_local(box, others);
  weights_ = weights;
  listed_.clear();
  for (std::uint32_t i = 0; i < others.size(); ++i) listed_.push_back(i);
  todo_.assign(1, {0, 0, others.size(), 0});
  ThinPoint found{enough, true};
  spent_ = 0;
  std::int64_t limit = budget;
  while (!todo_.empty() && found.decided) {
    checkpoint.tick();
    Region region = todo_.back();
    todo_.pop_back();
    listed_.resize(region.end);
    now_.assign(runs_.begin() + static_cast<std::ptrdiff_t>(region.runs),
                runs_.begin() + static_cast<std::ptrdiff_t>(region.runs + width_));
    runs_.resize(region.runs);
    if (region.held >= found.cover) continue;
    std::uint32_t pivot = 0;
    auto const most = narrow(region, found.cover, pivot);
    if (!most) continue;
    if (region.begin == region.end || spent_ >= limit) {
      found.decided = region.begin == region.end;
      found.cover = std::min(found.cover, *most);
      limit = std::min(limit, spent_ + kPolish);
    } else {
      cut(region, pivot);
    }
  }
  budget -= spent_;
  return found;
}

}  // namespace anon_seq
