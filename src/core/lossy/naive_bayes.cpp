#include "core/lossy/naive_bayes.h"

#include <algorithm>
#include <cmath>

namespace anon_seq {
namespace {

constexpr int kRoundsOfScaling = 4;
constexpr float kSmoothing = 0.5F;  // rows with each value of an attribute before any was seen

class Learner {
 public:
  Learner(Classes const& classes, std::span<QuasiCodes const> axes, ClassCounts const& counts, Code distinct,
          Checkpoint& checkpoint)
      : axes_(axes), counts_(counts), values_(static_cast<std::size_t>(distinct)), checkpoint_(checkpoint) {
    begins_.resize(static_cast<std::size_t>(classes.count()) + 1);
    for (std::size_t row = 0; row < classes.rows(); ++row)
      if (auto const id = classes.class_of(row); id != kWithheld) ++begins_[static_cast<std::size_t>(id) + 1];
    for (std::size_t id = 1; id < begins_.size(); ++id) begins_[id] += begins_[id - 1];
    Vector<std::size_t> next(begins_.begin(), begins_.end());
    rows_.resize(begins_.back());
    for (std::size_t row = 0; row < classes.rows(); ++row)
      if (auto const id = classes.class_of(row); id != kWithheld)
        rows_[next[static_cast<std::size_t>(id)]++] = static_cast<std::uint32_t>(row);
    std::size_t size = 0;
    for (auto const& axis : axes) {
      starts_.push_back(size);
      size += static_cast<std::size_t>(axis.distinct) * values_;
    }
    seen_.resize(size);
    logs_.resize(size);
    totals_.resize(values_);
    for (std::size_t i = 0; i < counts.codes.size(); ++i)
      totals_[static_cast<std::size_t>(counts.codes[i])] += static_cast<float>(counts.counts[i]);
  }

  // One pass over the classes: weighs who has what by the model, and sees what a new model follows from.
  template <class Visit>
  void pass(bool learnt, Visit visit) {
    std::fill(seen_.begin(), seen_.end(), kSmoothing);
    for (std::size_t id = 0; id + 1 < begins_.size(); ++id) {
      weigh(id, learnt);
      std::size_t const d = counts_.begins[id + 1] - counts_.begins[id];
      for (std::size_t i = 0; i < begins_[id + 1] - begins_[id]; ++i) {
        checkpoint_.tick();
        std::span<float const> const weights(weights_.data() + i * d, d);
        std::uint32_t const row = rows_[begins_[id] + i];
        visit(row, id, weights);
        for (std::size_t a = 0; a < axes_.size(); ++a) {
          float* const seen = &seen_[place(a, row)];
          for (std::size_t v = 0; v < d; ++v) seen[value(id, v)] += weights[v];
        }
      }
    }
  }

  void fit() {
    for (std::size_t a = 0; a < axes_.size(); ++a)
      for (std::size_t i = 0; i < static_cast<std::size_t>(axes_[a].distinct) * values_; ++i) {
        checkpoint_.tick();
        float const all = totals_[i % values_] + kSmoothing * static_cast<float>(axes_[a].distinct);
        logs_[starts_[a] + i] = std::log(seen_[starts_[a] + i] / all);
      }
  }

 private:
  std::size_t place(std::size_t axis, std::uint32_t row) const {
    return starts_[axis] + static_cast<std::size_t>(axes_[axis].codes[row]) * values_;
  }
  std::size_t value(std::size_t id, std::size_t v) const {
    return static_cast<std::size_t>(counts_.codes[counts_.begins[id] + v]);
  }
  float count(std::size_t id, std::size_t v) const {
    return static_cast<float>(counts_.counts[counts_.begins[id] + v]);
  }

  // weights_[row * d + v]: the chance that the class's row has its v-th value.
  void weigh(std::size_t id, bool learnt) {
    std::size_t const n = begins_[id + 1] - begins_[id], d = counts_.begins[id + 1] - counts_.begins[id];
    weights_.resize(n * d);
    for (std::size_t i = 0; i < n; ++i) {
      checkpoint_.tick();
      float* const weights = weights_.data() + i * d;
      for (std::size_t v = 0; v < d; ++v) weights[v] = learnt ? 0 : count(id, v) / static_cast<float>(n);
      if (!learnt) continue;
      for (std::size_t a = 0; a < axes_.size(); ++a) {
        float const* const logs = &logs_[place(a, rows_[begins_[id] + i])];
        for (std::size_t v = 0; v < d; ++v) weights[v] += logs[value(id, v)];
      }
      float const best = *std::max_element(weights, weights + d);
      for (std::size_t v = 0; v < d; ++v) weights[v] = count(id, v) * std::exp(weights[v] - best);
    }
    if (learnt) scale(id, n, d);
  }

  // Rows sum up to 1, values to their counts: by turns (Sinkhorn).
  void scale(std::size_t id, std::size_t n, std::size_t d) {
    for (int round = 0; round < kRoundsOfScaling; ++round) {
      sums_.assign(d, 0);
      for (std::size_t i = 0; i < n; ++i) {
        checkpoint_.tick();
        float* const weights = weights_.data() + i * d;
        float sum = 0;
        for (std::size_t v = 0; v < d; ++v) sum += weights[v];
        for (std::size_t v = 0; v < d; ++v) sums_[v] += weights[v] /= sum;
      }
      if (round + 1 == kRoundsOfScaling) return;
      for (std::size_t v = 0; v < d; ++v) sums_[v] = sums_[v] > 1e-30F ? count(id, v) / sums_[v] : 1;
      for (std::size_t i = 0; i < n * d; ++i) weights_[i] *= sums_[i % d];
    }
  }

  std::span<QuasiCodes const> axes_;
  ClassCounts const& counts_;
  std::size_t values_;
  Checkpoint& checkpoint_;
  Vector<std::size_t> begins_, starts_;    // class -> first of rows_; axis -> its place in seen_ and logs_
  Vector<std::uint32_t> rows_;             // by class
  Vector<float> seen_, logs_;              // axis, code, value -> rows; the model: log of their share of the value's
  Vector<float> totals_, weights_, sums_;  // value -> rows; of the class at hand
};

}  // namespace

Vector<Code> learn_values(Classes const& classes, std::span<QuasiCodes const> axes, ClassCounts const& counts,
                          Code distinct, int iterations, Checkpoint& checkpoint) {
  Learner learner(classes, axes, counts, distinct, checkpoint);
  Vector<Code> guesses(classes.rows(), kNoCode);
  for (int i = 0; i <= iterations; ++i) {
    learner.pass(i > 0, [&](std::uint32_t row, std::size_t id, std::span<float const> weights) {
      if (i < iterations) return;
      auto const best = std::max_element(weights.begin(), weights.end()) - weights.begin();
      guesses[row] = counts.codes[counts.begins[id] + static_cast<std::size_t>(best)];
    });
    learner.fit();
  }
  return guesses;
}

}  // namespace anon_seq
