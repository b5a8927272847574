#include "core/sequential/attribute_cut.h"

#include <algorithm>
#include <cmath>

#include "core/numbers/line_place.h"

namespace anon_seq {
namespace {

constexpr double kTie = 1e-9;

bool clearly_more(double a, double b) { return a - b > kTie * std::max(1.0, std::abs(b)); }

}  // namespace

AttributeCut::AttributeCut(Problem const& problem, std::size_t index, Checkpoint& checkpoint)
    : taxonomy_(problem.attributes[index].taxonomy), objective_(problem.objective), checkpoint_(&checkpoint) {
  auto const& attribute = problem.attributes[index];
  auto const& column = problem.table->columns[attribute.column];
  auto const distinct = static_cast<std::size_t>(column.distinct());
  if (taxonomy_ != nullptr) {
    leaf_ranks_.assign(distinct, 0);
    for (std::size_t code = 1; code < distinct; ++code)
      leaf_ranks_[code] = taxonomy_->leaf_rank(attribute.leaves[code]) + 1;
    mass_.assign(static_cast<std::size_t>(taxonomy_->leaves(kRoot)) + 1, 0);
  } else {
    mass_.assign(distinct, 0);
    places_.assign(column.positions.begin(), column.positions.end());
    barred_ = attribute.barred;
    barred_.resize(distinct, 0);
  }
  fixed_ = attribute.fixed;
  whole_ = attribute.whole;
  start_depth_ = attribute.start_depth;
  start_ = attribute.start;
  floor_ = attribute.floor;
  bounds_ = attribute.bounds;
  bool const labelled = objective_ == Objective::kEntropy;
  auto const* label = labelled ? &problem.table->columns[problem.label] : nullptr;
  labels_ = labelled ? static_cast<std::size_t>(label->distinct()) : 0;
  label_mass_.assign(mass_.size() * labels_, 0);
  for (std::size_t row = 0; row < problem.table->rows(); ++row) {
    checkpoint_->tick();
    auto const rank = static_cast<std::size_t>(rank_of(column.codes[row]));
    mass_[rank] += problem.table->weight(row);
    if (labelled && (problem.informs.empty() || problem.informs[row] != 0))
      label_mass_[rank * labels_ + static_cast<std::size_t>(label->codes[row])] += problem.table->weight(row);
  }
  below_.push_back(0);
  for (auto mass : mass_) below_.push_back(below_.back() + mass);
  has_domain_ = !std::isnan(attribute.lower);
  if (taxonomy_ == nullptr) {
    auto occurs = [](std::int64_t mass) { return mass > 0; };
    auto const first = std::find_if(mass_.begin() + 1, mass_.end(), occurs);
    auto const last = std::find_if(mass_.rbegin(), mass_.rend() - 1, occurs);
    bool const any = first != mass_.end();
    lower_ = !std::isnan(attribute.lower) ? attribute.lower
             : any                        ? places_[static_cast<std::size_t>(first - mass_.begin())]
                                          : 0;
    upper_ = !std::isnan(attribute.upper) ? attribute.upper
             : any                        ? places_[static_cast<std::size_t>(mass_.rend() - last) - 1]
                                          : 0;
    double const unit = line_unit(lower_, upper_);
    for (auto& place : places_) place *= unit;
    lower_ *= unit;
    upper_ *= unit;
    if (!has_domain_) window_ = attribute.window;
  }
  child_of_.assign(mass_.size(), 0);
  value_at_.assign(mass_.size(), 0);
  values_.push_back({{0, ranks()}, taxonomy_ != nullptr ? kRoot : kNoNode, below_.back()});
  current_.push_back(0);
}

std::int64_t AttributeCut::weight(Extent ranks) const {
  return below_[static_cast<std::size_t>(ranks.end)] - below_[static_cast<std::size_t>(ranks.begin)];
}

double AttributeCut::entropy(std::span<std::int64_t const> counts, std::int64_t total) const {
  double sum = 0;
  for (auto count : counts)
    if (count > 0 && count < total) {
      double const share = static_cast<double>(count) / static_cast<double>(total);
      sum -= share * std::log2(share);
    }
  return sum;
}

// Equation 2 of the paper, over the informing records.
double AttributeCut::entropy_gain(Extent parent, std::span<Extent const> children) const {
  auto read = [&](Extent ranks, Vector<std::int64_t>& counts) {
    std::fill(counts.begin(), counts.end(), 0);
    std::int64_t total = 0;
    for (Rank rank = ranks.begin; rank < ranks.end; ++rank)
      for (std::size_t label = 0; label < labels_; ++label) {
        auto const mass = label_mass_[static_cast<std::size_t>(rank) * labels_ + label];
        counts[label] += mass;
        total += mass;
      }
    return total;
  };
  Vector<std::int64_t> counts(labels_);
  std::int64_t const total = read(parent, counts);
  if (total == 0) return 0;
  double gain = entropy(counts, total);
  for (Extent child : children) {
    std::int64_t const part = read(child, counts);
    if (part > 0) gain -= static_cast<double>(part) / static_cast<double>(total) * entropy(counts, part);
  }
  return std::max(gain, 0.0);
}

double AttributeCut::place(Rank rank) const {
  if (rank <= 1) return lower_;
  if (rank >= ranks()) return upper_;
  // Where a finest cut is given it may lie beyond everybody who is in.
  return std::max(lower_, std::min(places_[static_cast<std::size_t>(rank)], upper_));
}

// Up to the window's ends nothing but the window is counted, whatever gap follows: whoever is beyond may be left out.
double AttributeCut::window_share(Extent ranks) const {
  double const lower = places_[static_cast<std::size_t>(window_.begin)];
  double const upper = places_[static_cast<std::size_t>(window_.end) - 1];
  double const from = ranks.begin == window_.begin ? lower : place(std::max(ranks.begin, 1));
  double const to = ranks.end == window_.end ? upper : place(ranks.end);
  return upper > lower ? std::min((to - from) / (upper - lower), 1.0) : 0;
}

double AttributeCut::width_share(Extent ranks) const {
  if (window_.end > 0) return window_share(ranks);
  double const width = upper_ - lower_;
  return width > 0 ? (place(ranks.end) - place(std::max(ranks.begin, 1))) / width : 0;
}

double AttributeCut::share(CutValue const& value) const {
  if (value.ranks.end <= 1) return 0;
  if (taxonomy_ == nullptr) return width_share(value.ranks);
  auto const leaves = taxonomy_->leaves(value.node);
  return leaves <= 1 ? 0 : static_cast<double>(leaves) / taxonomy_->leaves(kRoot);
}

template <class Visit>
void AttributeCut::each_split(CutValue const& value, Visit visit) const {
  Extent const numbers = numbers_of(value);
  bool const null_apart = sets_null_apart(value);
  double const width = upper_ - lower_, a = place(numbers.begin), b = place(numbers.end), whole = width_share(numbers);
  Vector<std::int64_t> left(labels_, 0), right(labels_, 0), all(labels_, 0);
  std::int64_t informing = 0, left_informing = 0, nulls = 0;
  for (Rank rank = numbers.begin; rank < numbers.end; ++rank)
    for (std::size_t label = 0; label < labels_; ++label)
      right[label] += label_mass_[static_cast<std::size_t>(rank) * labels_ + label];
  all = right;
  double of_nulls = 0;
  if (null_apart && labels_ > 0) {
    Vector<std::int64_t> const apart(label_mass_.begin(), label_mass_.begin() + static_cast<std::ptrdiff_t>(labels_));
    for (std::size_t label = 0; label < labels_; ++label) all[label] += apart[label], nulls += apart[label];
    of_nulls = static_cast<double>(nulls) * entropy(apart, nulls);
  }
  for (auto count : all) informing += count;
  double const before = informing > 0 ? entropy(all, informing) - of_nulls / static_cast<double>(informing) : 0;
  for (Rank m = numbers.begin; m < numbers.end; ++m) {
    checkpoint_->tick();
    auto const n1 = weight({numbers.begin, m}), n2 = weight({m, numbers.end});
    if ((fixed_ ? m > numbers.begin : n1 > 0) && may_cut(numbers, m)) {
      double gain = 0;
      if (objective_ == Objective::kDiscernibility)
        gain = static_cast<double>(n1) * static_cast<double>(n2);
      else if (objective_ == Objective::kDistortion && window_.end > 0)
        gain = static_cast<double>(n1) * (whole - width_share({numbers.begin, m})) +
               static_cast<double>(n2) * (whole - width_share({m, numbers.end})) +
               static_cast<double>(null_apart ? mass_[0] : 0);
      else if (objective_ == Objective::kDistortion)  // Equation 3; NULL, set apart, is told exactly
        gain =
            (width > 0 ? (static_cast<double>(n1) * (b - place(m)) + static_cast<double>(n2) * (place(m) - a)) / width
                       : 0) +
            static_cast<double>(null_apart ? mass_[0] : 0);
      else if (informing > 0) {
        auto const rest = informing - nulls - left_informing;
        gain = before;
        if (left_informing > 0)
          gain -= static_cast<double>(left_informing) / static_cast<double>(informing) * entropy(left, left_informing);
        if (rest > 0) gain -= static_cast<double>(rest) / static_cast<double>(informing) * entropy(right, rest);
      }
      visit(static_cast<Code>(m), gain);
    }
    for (std::size_t label = 0; label < labels_; ++label) {
      auto const mass = label_mass_[static_cast<std::size_t>(m) * labels_ + label];
      left[label] += mass;
      right[label] -= mass;
      left_informing += mass;
    }
  }
}

double AttributeCut::gain_of(CutValue const& value, std::span<CutValue const> children) const {
  if (objective_ == Objective::kDiscernibility) return 0;
  if (objective_ == Objective::kDistortion) return static_cast<double>(value.weight);  // Equation 3
  Vector<Extent> extents;
  for (auto const& child : children) extents.push_back(child.ranks);
  return entropy_gain(value.ranks, extents);
}

void AttributeCut::set_children(ValueId id, std::span<CutValue const> children, double gain) {
  CutValue& value = values_[static_cast<std::size_t>(id)];
  value.first_child = static_cast<ValueId>(values_.size());
  value.children = static_cast<std::int32_t>(children.size());
  value.gain = gain;
  std::int32_t ordinal = 0;
  for (auto const& child : children) {
    for (Rank rank = child.ranks.begin; rank < child.ranks.end; ++rank)
      child_of_[static_cast<std::size_t>(rank)] = ordinal;
    ++ordinal;
  }
  values_.insert(values_.end(), children.begin(), children.end());
}

bool AttributeCut::split(ValueId id) {
  CutValue const value = (*this)[id];
  if (taxonomy_ != nullptr) {
    if (value.node == kNoNode || taxonomy_->is_leaf(value.node)) return false;
    if (!whole_.empty() && whole_[static_cast<std::size_t>(value.node)] != 0) return false;
    Vector<CutValue> children;
    if (sets_null_apart(value)) children.push_back({{0, 1}, kNoNode, mass_[0]});
    for (Node c = value.node + 1; c < taxonomy_->end(value.node); c = taxonomy_->end(c))
      children.push_back({ranks_of(*taxonomy_, c), c, weight(ranks_of(*taxonomy_, c))});
    set_children(id, children, gain_of(value, children));
    return true;
  }
  Gain best{0, -1};
  each_split(value, [&](Code m, double gain) {
    if (best.m == 0 || clearly_more(gain, best.gain)) best = {m, gain};
  });
  if (best.m == 0 || (objective_ == Objective::kEntropy && best.gain <= kTie)) return false;
  split_at(id, best.m);
  return true;
}

Vector<Code> AttributeCut::splits_by_gain(ValueId id) const {
  Vector<Gain> gains;
  each_split((*this)[id], [&](Code m, double gain) {
    if (objective_ != Objective::kEntropy || gain > kTie) gains.push_back({m, gain});
  });
  std::stable_sort(gains.begin(), gains.end(), [](Gain const& a, Gain const& b) { return a.gain > b.gain; });
  Vector<Code> order;
  for (auto const& gain : gains) order.push_back(gain.m);
  return order;
}

void AttributeCut::split_at(ValueId id, Code m) {
  CutValue const value = (*this)[id];
  double found = 0;
  each_split(value, [&](Code at, double gain) {
    if (at == m) found = gain;
  });
  Extent const left{numbers_of(value).begin, m}, right{m, value.ranks.end};
  Vector<CutValue> children;
  if (sets_null_apart(value)) children.push_back({{0, 1}, kNoNode, mass_[0]});
  children.push_back({left, kNoNode, weight(left)});
  children.push_back({right, kNoNode, weight(right)});
  set_children(id, children, found);
}

AttributeCut::Forced AttributeCut::next_to_start() const {
  for (ValueId id : current_) {
    CutValue const& value = (*this)[id];
    if (value.weight == 0) continue;
    if (taxonomy_ != nullptr) {
      if (value.node != kNoNode && taxonomy_->depth(value.node) < start_depth_ && !taxonomy_->is_leaf(value.node))
        return {id, kNull};
      continue;
    }
    auto const first = std::upper_bound(start_.begin(), start_.end(), std::max(value.ranks.begin, 1));
    auto const last = std::lower_bound(first, start_.end(), value.ranks.end);
    if (first < last) return {id, *(first + (last - first) / 2)};
  }
  return {};
}

void AttributeCut::to_start() {
  for (Forced next = next_to_start(); next.value >= 0; next = next_to_start()) {
    if (taxonomy_ == nullptr)
      split_at(next.value, next.m);
    else if (!split(next.value))
      throw Error(Fault::kInternal, "a floor of detail is above the ceiling");
    specialize(next.value);
  }
}

void AttributeCut::specialize(ValueId id) {
  auto const at = std::find(current_.begin(), current_.end(), id);
  CutValue const& value = (*this)[id];
  Vector<ValueId> replaced(current_.begin(), at);
  for (std::int32_t i = 0; i < value.children; ++i) {
    ValueId const child = value.first_child + i;
    replaced.push_back(child);
    for (Rank rank = (*this)[child].ranks.begin; rank < (*this)[child].ranks.end; ++rank)
      value_at_[static_cast<std::size_t>(rank)] = child;
  }
  replaced.insert(replaced.end(), at + 1, current_.end());
  current_.swap(replaced);
}

}  // namespace anon_seq
