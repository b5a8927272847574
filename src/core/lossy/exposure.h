// How sure a reader is of what is bounded, from the arrangements of a class's values that he thinks possible
// (attack/minimality.h): for each person and each bound, in how many of them the person holds it.
#pragma once

#include <optional>

#include "core/base/checkpoint.h"
#include "core/lossy/sensitive.h"
#include "core/table/classes.h"

namespace anon_seq {

struct Exposure {
  // Largest chance that a person holds what is bounded; and what it is at least, five standard errors aside (Wilson).
  double worst = 0, at_least = 0;
  std::int64_t above = 0;  // persons with a chance that is surely above the bound
};

// Values of the rows, by number, and what is bounded of them.
struct BoundedValues {
  Vector<JointValue> of_row;
  std::vector<Vector<std::int32_t>> bounds_of;  // value -> the bounds that it adds to
  Vector<Ratio> most;                           // bound -> the share that it allows
};

BoundedValues bounded_values(Sensitive const& sensitive);

class ExposureCounts {
 public:
  // REQUIRES: all outlive it; every row has a class. Cost: 4 bytes for each row and bound that its class holds.
  ExposureCounts(BoundedValues const& values, Classes const& classes, Checkpoint& checkpoint);

  // An arrangement inside the classes: row -> joint value.
  void add(std::span<JointValue const> values);

  // `all`: every arrangement is possible, whether added or not, so that a chance is a share of the class. `exact`: all
  // that are possible were added. Else those added are a sample. Nothing if none was added, or a sample of fewer than
  // kFewest.
  std::optional<Exposure> exposure(bool all, bool exact) const;
  static constexpr std::int64_t kFewest = 30;

 private:
  struct Share {
    std::int32_t bound;
    std::int64_t rows;
  };
  std::span<Share const> shares(std::size_t row) const {
    auto const id = static_cast<std::size_t>(classes_.class_of(row));
    return {shares_.data() + begins_[id], begins_[id + 1] - begins_[id]};
  }

  Vector<std::int32_t> const& bounds_of(JointValue value) const {
    return bounded_.bounds_of[static_cast<std::size_t>(value)];
  }

  BoundedValues const& bounded_;
  Classes const& classes_;
  Checkpoint& checkpoint_;
  Vector<std::int64_t> sizes_;
  Vector<std::size_t> begins_;   // class -> its first entry of shares_
  Vector<Share> shares_;         // by class, ascending bounds
  Vector<std::size_t> first_;    // row -> its first entry of counts_: one for each share of its class
  Vector<std::int32_t> counts_;  // arrangements
  std::int64_t added_ = 0;
};

}  // namespace anon_seq
