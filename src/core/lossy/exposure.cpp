#include "core/lossy/exposure.h"

#include <cmath>

namespace anon_seq {
namespace {

// The least chance of which `held` of `of` draws are within z standard errors (Wilson's interval).
double at_least(double held, double of) {
  constexpr double z = 5;
  double const p = held / of, spread = z * std::sqrt(p * (1 - p) / of + z * z / (4 * of * of));
  return std::max(0.0, (p + z * z / (2 * of) - spread) / (1 + z * z / of));
}

}  // namespace

BoundedValues bounded_values(Sensitive const& sensitive) {
  BoundedValues values;
  values.of_row = sensitive.joint_values();
  for (JointValue value = 0; value < sensitive.joints(); ++value) {
    values.bounds_of.emplace_back();
    for (auto const bound : sensitive.bounds_of(value))
      if (bound != kNoBound) values.bounds_of.back().push_back(bound);
  }
  for (auto const& bound : sensitive.bounds()) values.most.push_back(bound.alpha);
  return values;
}

ExposureCounts::ExposureCounts(BoundedValues const& values, Classes const& classes, Checkpoint& checkpoint)
    : bounded_(values), classes_(classes), checkpoint_(checkpoint), sizes_(classes.sizes()) {
  std::size_t const rows = classes.rows(), count = sizes_.size();
  Vector<std::size_t> starts(count + 1), next;
  for (std::size_t id = 0; id < count; ++id) starts[id + 1] = starts[id] + static_cast<std::size_t>(sizes_[id]);
  next.assign(starts.begin(), starts.end());
  Vector<std::uint32_t> by_class(rows);
  for (std::size_t row = 0; row < rows; ++row)
    by_class[next[static_cast<std::size_t>(classes.class_of(row))]++] = static_cast<std::uint32_t>(row);
  Vector<std::int32_t> met;
  for (std::size_t id = 0; id < count; ++id) {
    begins_.push_back(shares_.size());
    met.clear();
    for (std::size_t i = starts[id]; i < starts[id + 1]; checkpoint.tick(), ++i)
      for (auto const bound : bounds_of(values.of_row[by_class[i]])) met.push_back(bound);
    std::sort(met.begin(), met.end());
    for (std::size_t i = 0; i < met.size(); ++i)
      if (i == 0 || met[i] != met[i - 1])
        shares_.push_back({met[i], 1});
      else
        ++shares_.back().rows;
  }
  begins_.push_back(shares_.size());
  std::size_t size = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    first_.push_back(size);
    size += shares(row).size();
  }
  counts_.resize(size);
}

void ExposureCounts::add(std::span<JointValue const> values) {
  ++added_;
  for (std::size_t row = 0; row < values.size(); checkpoint_.tick(), ++row)
    for (auto const bound : bounds_of(values[row])) {
      auto const of_class = shares(row);
      auto const at = std::ranges::lower_bound(of_class, bound, {}, &Share::bound) - of_class.begin();
      ++counts_[first_[row] + static_cast<std::size_t>(at)];
    }
}

std::optional<Exposure> ExposureCounts::exposure(bool all, bool exact) const {
  if (added_ == 0 || (!exact && added_ < kFewest)) return std::nullopt;
  Exposure found;
  for (std::size_t row = 0; row < first_.size(); ++row) {
    checkpoint_.tick();
    auto const of_class = shares(row);
    bool above = false;
    for (std::size_t i = 0; i < of_class.size(); ++i) {
      auto const size = sizes_[static_cast<std::size_t>(classes_.class_of(row))];
      std::int64_t const held = all ? of_class[i].rows : counts_[first_[row] + i], of = all ? size : added_;
      Ratio const alpha = bounded_.most[static_cast<std::size_t>(of_class[i].bound)];
      double const chance = static_cast<double>(held) / static_cast<double>(of);
      bool const sure = all || exact;
      double const least = sure ? chance : anon_seq::at_least(static_cast<double>(held), static_cast<double>(of));
      found.worst = std::max(found.worst, chance);
      found.at_least = std::max(found.at_least, least);
      above |=
          sure ? !at_most(held, of, alpha) : least * static_cast<double>(alpha.den) > static_cast<double>(alpha.num);
    }
    found.above += above;
  }
  return found;
}

}  // namespace anon_seq
