#include "core/attack/arrivals.h"

namespace anon_seq {
namespace {

// Sets of objects, each known by its groups and cohort.
class Tally {
 public:
  void count(BoxId from, BoxId to, std::int32_t cohort = -1) {
    std::int32_t const set = sets_.intern(groups_.intern(from, to), cohort + 1);
    if (static_cast<std::size_t>(set) == found_.size()) found_.push_back({from, to, cohort, 0});
    ++found_[static_cast<std::size_t>(set)].objects;
  }

  template <class Counts>
  ArrivalFinding sum_up(ArrivalCheck check, std::int32_t release, Counts counts) const {
    ArrivalFinding sum;
    sum.check = check;
    sum.release = release;
    for (auto const& set : found_) {
      if (!counts(set.from)) continue;
      ++sum.groups;
      sum.objects += set.objects;
      if (sum.smallest != 0 && sum.smallest <= set.objects) continue;
      sum.smallest = set.objects;
      sum.from = set.from;
      sum.to = set.to;
      sum.cohort = set.cohort;
    }
    return sum;
  }

  // How many sets there are of each `from`, by box.
  Vector<std::int32_t> sides() const {
    Vector<std::int32_t> sides;
    for (auto const& set : found_) {
      auto const from = static_cast<std::size_t>(set.from);
      if (sides.size() <= from) sides.resize(from + 1, 0);
      ++sides[from];
    }
    return sides;
  }

 private:
  struct Set {
    BoxId from, to;
    std::int32_t cohort;
    std::int64_t objects;
  };
  Interner groups_, sets_;
  Vector<Set> found_;
};

void compare(PublishedObjects const& published, Vector<std::int32_t> const& cohorts, std::size_t release,
             std::vector<ArrivalFinding>& findings, Checkpoint& checkpoint) {
  auto const &before = published.releases[release - 1], &after = published.releases[release];
  auto const now = static_cast<std::int32_t>(release);
  Tally newcomers, leavers, cut, forward, cross, backward;
  for (std::size_t object = 0; object < published.objects; ++object) {
    checkpoint.tick();
    BoxId const from = before[object], to = after[object];
    std::int32_t const cohort = cohorts[object];
    if (from == kAbsent && to != kAbsent) newcomers.count(kAbsent, to);
    if (from != kAbsent && to == kAbsent) leavers.count(from, kAbsent);
    if (from != kAbsent && to != kAbsent) {
      cut.count(from, to);
      forward.count(from, to, cohort);
    }
    if (to != kAbsent) (cohort == now ? backward : cross).count(kAbsent, to, cohort);
  }
  auto const every = [](BoxId) { return true; };
  auto const sides = cut.sides();
  auto const is_cut = [&](BoxId from) { return sides[static_cast<std::size_t>(from)] > 1; };
  findings.push_back(newcomers.sum_up(ArrivalCheck::kNewcomers, now, every));
  findings.push_back(leavers.sum_up(ArrivalCheck::kLeavers, now, every));
  findings.push_back(cut.sum_up(ArrivalCheck::kCut, now, is_cut));
  findings.push_back(forward.sum_up(ArrivalCheck::kForward, now, every));
  findings.push_back(cross.sum_up(ArrivalCheck::kCross, now, every));
  findings.push_back(backward.sum_up(ArrivalCheck::kBackward, now, every));
}

}  // namespace

char const* arrival_check_name(ArrivalCheck check) {
  constexpr char const* kNames[kArrivalChecks] = {"newcomers", "leavers", "cut", "forward", "cross", "backward"};
  return kNames[static_cast<int>(check)];
}

std::vector<ArrivalFinding> find_arrivals(PublishedObjects const& published, Checkpoint& checkpoint) {
  Vector<std::int32_t> cohorts(published.objects, -1);
  std::vector<ArrivalFinding> findings;
  for (std::size_t release = 0; release < published.releases.size(); ++release) {
    for (std::size_t object = 0; object < published.objects; ++object)
      if (cohorts[object] < 0 && published.releases[release][object] != kAbsent)
        cohorts[object] = static_cast<std::int32_t>(release);
    if (release > 0) compare(published, cohorts, release, findings, checkpoint);
  }
  return findings;
}

}  // namespace anon_seq
