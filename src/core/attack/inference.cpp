#include "core/attack/inference.h"

#include "core/attack/box_tree.h"
#include "core/attack/thin_point.h"

namespace anon_seq {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

RowGroups group_histories(Boxes const& boxes, PublishedObjects const& published, Checkpoint& checkpoint) {
  std::vector<KeyColumn> keys;
  for (auto const& release : published.releases) keys.push_back({{release.data(), release.size()}, boxes.size()});
  if (!published.points.empty()) keys.push_back({{published.points.data(), published.points.size()}, boxes.size()});
  return group_rows(published.objects, keys, checkpoint);
}

// One call of infer(): histories of objects, and what is known of each from the subset at hand.
class Attack {
 public:
  Attack(Boxes& boxes, PublishedObjects const& published, InferenceDemands const& demands, Checkpoint& checkpoint)
      : boxes_(boxes), published_(published), demands_(demands), checkpoint_(checkpoint), thin_(boxes) {}

  Inference run() {
    result_.histories = group_histories(boxes_, published_, checkpoint_);
    std::size_t const histories = result_.histories.count();
    objects_.assign(histories, 0);
    for (auto const history : result_.histories.of_row) ++objects_[at(history)];
    result_.findings.assign(histories, {});
    undecided_.assign(histories, 0);
    contradicted_.assign(histories, 0);
    result_.subsets = subsets_to_examine(published_.releases.size(), demands_, only_grows(), result_.sampled);
    left_ = demands_.whole_budget;
    if (demands_.reading == Reading::kCover) set_targets();
    for (std::size_t i = 0; i < result_.subsets.size(); ++i) {
      intersect(i);
      weigh();
      judge(i);
    }
    sum_up();
    return std::move(result_);
  }

 private:
  BoxId box_of(std::size_t history, std::int32_t release) const {
    return published_.releases[at(release)][result_.histories.first_row[history]];
  }

  bool only_grows() const {
    for (std::size_t history = 0; history < result_.histories.count(); ++history)
      for (std::size_t r = 1; r < published_.releases.size(); ++r) {
        auto const release = static_cast<std::int32_t>(r);
        if (box_of(history, release) == kAbsent && box_of(history, release - 1) != kAbsent) return false;
      }
    return true;
  }

  // What the boxes of others have to hold under cover: the true point, or all that the true point may be.
  void set_targets() {
    if (published_.points.empty()) {
      std::vector<std::int32_t> all;
      for (std::size_t r = 0; r < published_.releases.size(); ++r) all.push_back(static_cast<std::int32_t>(r));
      known_.assign(result_.histories.count(), kAbsent);
      add_releases(all);
      targets_ = known_;
      known_.clear();
    } else {
      for (auto const row : result_.histories.first_row) targets_.push_back(published_.points[row]);
    }
  }

  void add_releases(std::span<std::int32_t const> releases) {
    for (auto const release : releases)
      for (std::size_t history = 0; history < known_.size(); ++history) {
        checkpoint_.tick();
        known_[history] = boxes_.meet(known_[history], box_of(history, release));
      }
  }

  // I of each history in the i-th subset, from that of the one before if it extends that by one release.
  void intersect(std::size_t i) {
    std::span<std::int32_t const> subset = result_.subsets[i];
    if (i > 0 && result_.subsets[i - 1].size() + 1 == subset.size() &&
        std::equal(subset.begin(), subset.end() - 1, result_.subsets[i - 1].begin())) {
      add_releases(subset.last(1));
    } else {
      known_.assign(result_.histories.count(), kAbsent);
      add_releases(subset);
    }
  }

  // The distinct I, and how many objects have each.
  void weigh() {
    place_.assign(at(boxes_.size()), -1);
    listed_.clear();
    weights_.clear();
    for (std::size_t history = 0; history < known_.size(); ++history) {
      BoxId const box = known_[history];
      if (box == kAbsent || boxes_.is_contradiction(box)) continue;
      if (place_[at(box)] < 0) {
        place_[at(box)] = static_cast<std::int32_t>(listed_.size());
        listed_.push_back(box);
        weights_.push_back(0);
      }
      weights_[at(place_[at(box)])] += objects_[history];
      checkpoint_.tick();
    }
  }

  void judge(std::size_t subset) {
    std::optional<BoxTree> tree;
    if (demands_.reading != Reading::kEqual) tree.emplace(boxes_, listed_, weights_, checkpoint_);
    counted_.assign(at(boxes_.size()), -1);
    open_.assign(at(boxes_.size()), 0);
    for (std::size_t history = 0; history < known_.size(); ++history) {
      BoxId const box = known_[history];
      if (box == kAbsent) continue;
      checkpoint_.tick();
      std::int64_t group = 0;
      if (place_[at(box)] < 0) {
        contradicted_[history] = 1;
      } else if (group = weights_[at(place_[at(box)])]; tree) {
        group = std::min(group, demands_.k);
        if (group < demands_.k) group = count(*tree, history);
      }
      note(history, {group, box, static_cast<std::int32_t>(subset)});
    }
  }

  // Objects that are as good as those of a history, no more than k; once for all with the same question.
  std::int64_t count(BoxTree const& tree, std::size_t history) {
    BoxId const target = targets_.empty() ? known_[history] : targets_[history];
    auto& counted = counted_[at(target)];
    if (boxes_.is_contradiction(target)) return 0;
    if (counted < 0) {
      counted = tree.weight_holding(target, demands_.k);
      bool const thin = published_.points.empty() || !published_.vague.empty();
      if (counted < demands_.k && demands_.reading == Reading::kCover && thin) counted = thinnest(tree, target);
    }
    undecided_[history] |= open_[at(target)];
    return counted;
  }

  std::int64_t thinnest(BoxTree const& tree, BoxId target) {
    numbers_.clear();
    tree.meeting(target, numbers_);
    others_.clear();
    other_weights_.clear();
    for (auto const number : numbers_) {
      others_.push_back(listed_[number]);
      other_weights_.push_back(weights_[number]);
    }
    std::int64_t const allowed = std::max<std::int64_t>(0, std::min(demands_.object_budget, left_));
    std::int64_t budget = allowed;
    auto const found = thin_.find(target, others_, other_weights_, demands_.k, budget, checkpoint_);
    left_ -= allowed - budget;
    if (found.decided || found.cover < demands_.k) return found.cover;
    open_[at(target)] = 1;
    return demands_.k - 1;  // not decided counts as unsafe
  }

  // Keeps the worst: fewest objects, then most releases, then the first in order.
  void note(std::size_t history, Finding finding) {
    Finding& worst = result_.findings[history];
    auto const releases = [&](Finding const& of) { return result_.subsets[at(of.subset)].size(); };
    if (worst.inferred == kAbsent || finding.group < worst.group ||
        (finding.group == worst.group && releases(finding) > releases(worst)))
      worst = finding;
  }

  void sum_up() {
    for (std::size_t history = 0; history < result_.findings.size(); ++history) {
      auto const group = result_.findings[history].group;
      if (group < demands_.k) result_.at_risk += objects_[history];
      if (contradicted_[history] != 0) result_.contradictions += objects_[history];
      if (undecided_[history] != 0) result_.undecided += objects_[history];
      result_.smallest = history == 0 ? group : std::min(result_.smallest, group);
    }
    result_.sampled = result_.sampled || result_.undecided > 0;
  }

  Boxes& boxes_;
  PublishedObjects const& published_;
  InferenceDemands const& demands_;
  Checkpoint& checkpoint_;
  ThinPointSearch thin_;
  Inference result_;
  Vector<std::int64_t> objects_;  // of a history
  Vector<char> undecided_, contradicted_;
  Vector<BoxId> known_, targets_;  // history -> I, what must be held
  Vector<std::int32_t> place_;     // box -> into listed_, -1: no I of this subset, or a contradiction
  Vector<BoxId> listed_, others_;
  Vector<std::int64_t> weights_, other_weights_, counted_;
  Vector<char> open_;
  Vector<std::uint32_t> numbers_;
  std::int64_t left_ = 0;
};

}  // namespace

Inference infer(Boxes& boxes, PublishedObjects const& published, InferenceDemands const& demands,
                Checkpoint& checkpoint) {
  return Attack(boxes, published, demands, checkpoint).run();
}

}  // namespace anon_seq
