#include "core/sequential/loss.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/numbers/line_place.h"
#include "core/sequential/cut_classes.h"

namespace anon_seq {
namespace {

// Share of the domain that a region covers; of NULL, none.
double share(LossAxis const& axis, std::span<Extent const> region) {
  double covered = 0;
  if (axis.taxonomy != nullptr) {
    double const all = axis.taxonomy->leaves(kRoot);
    for (Extent extent : region)
      for (Node n = extent.begin; n < extent.end; n = axis.taxonomy->end(n)) covered += axis.taxonomy->leaves(n);
    return covered <= 1 || all <= 1 ? 0 : covered / all;
  }
  double const width = axis.upper - axis.lower;
  for (Extent extent : region)
    covered += axis.bounds[static_cast<std::size_t>(extent.end)] - axis.bounds[static_cast<std::size_t>(extent.begin)];
  return width > 0 ? covered / width : 0;
}

// Where a class is on an attribute, for its rows come in no order.
struct Shown {
  double share = 0;
  std::int32_t depth = kNothing;  // of the node
  static constexpr std::int32_t kNothing = -1;
};

Shown shown_by(LossAxis const& axis, std::span<Extent const> region) {
  bool const is_node = axis.taxonomy != nullptr && !region.empty();
  return {share(axis, region), is_node ? axis.taxonomy->depth(region.front().begin) : Shown::kNothing};
}

// Levels from a record's leaf up to the node shown. NULL is a leaf of its own under the root.
double climbed(LossAxis const& axis, Shown shown, Code code) {
  if (shown.depth == Shown::kNothing) return 0;
  if (code == kNull) return 1;
  return axis.taxonomy->depth(axis.leaves[static_cast<std::size_t>(code)]) - shown.depth;
}

struct BySpan {
  bool operator()(std::span<Extent const> one, std::span<Extent const> other) const {
    return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end(), [](Extent a, Extent b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
  }
};

std::int64_t values_shown(Classes const& classes, std::size_t a, Checkpoint& checkpoint) {
  std::set<std::span<Extent const>, BySpan> regions;
  for (ClassId c = 0; c < classes.count(); ++c) {
    checkpoint.tick();
    regions.insert(classes.region(c, a));
  }
  return static_cast<std::int64_t>(regions.size());
}

void add_rows(CodedTable const& table, Classes const& classes, LossAxis const& axis, std::size_t a,
              std::int64_t published, Loss& loss, Checkpoint& checkpoint) {
  Vector<Shown> of_class;
  for (ClassId c = 0; c < classes.count(); ++c) of_class.push_back(shown_by(axis, classes.region(c, a)));
  AxisLoss lost{0, values_shown(classes, a, checkpoint), 0, false};
  Code first = kNoCode;
  double climbed_sum = 0, share_sum = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    checkpoint.tick();
    ClassId const c = classes.class_of(row);
    if (c == kWithheld) continue;
    auto const weight = static_cast<double>(table.weight(row));
    auto const shown = of_class[static_cast<std::size_t>(c)];
    share_sum += weight * shown.share;
    Code const code = table.columns[axis.column].codes[row];
    if (code == kNull) lost.unknown += table.weight(row);
    lost.several = lost.several || (first != kNoCode && code != first);
    first = code;
    if (axis.taxonomy != nullptr) climbed_sum += weight * climbed(axis, shown, code);
  }
  double const n = published > 0 ? static_cast<double>(published) : 1;
  lost.ncp = share_sum / n;
  loss.ncp += lost.ncp;
  loss.axes.push_back(lost);
  auto& distortion = axis.taxonomy != nullptr ? loss.distortion_categorical : loss.distortion_continuous;
  distortion = distortion.value_or(0) + (axis.taxonomy != nullptr ? climbed_sum : share_sum) / n;
}

}  // namespace

Loss measure_loss(CodedTable const& table, Classes const& classes, std::span<LossAxis const> axes, std::int64_t k,
                  Checkpoint& checkpoint) {
  Loss loss;
  std::int64_t const total = table.total_weight();
  std::int64_t published = 0;
  for (auto size : classes.sizes(table.weights)) {
    published += size;
    loss.discernibility += static_cast<double>(size) * static_cast<double>(size);
  }
  loss.discernibility += static_cast<double>(total - published) * static_cast<double>(total);
  if (classes.count() > 0 && k > 0)
    loss.c_avg = static_cast<double>(published) / static_cast<double>(classes.count()) / static_cast<double>(k);
  loss.suppression = total > 0 ? static_cast<double>(total - published) / static_cast<double>(total) : 0;
  for (std::size_t a = 0; a < axes.size(); ++a) add_rows(table, classes, axes[a], a, published, loss, checkpoint);
  if (!axes.empty()) loss.ncp /= static_cast<double>(axes.size());
  return loss;
}

void add_withheld(Loss& loss, std::int64_t withheld, std::int64_t published) {
  if (withheld == 0) return;
  auto const out = static_cast<double>(withheld), all = static_cast<double>(withheld + published);
  loss.discernibility += out * all;
  loss.suppression = out / all;
  if (loss.blanked) *loss.blanked *= 1 - loss.suppression;  // of all records
}

// A bound is published where a cut lies, which may be beyond everybody who is: nothing is shown there.
LossAxis line_axis(Attribute const& attribute, Column const& column, Extent codes, Vector<CutValue> const& cut) {
  LossAxis axis;
  axis.column = attribute.column;
  auto place = [&](Code code) { return column.positions[static_cast<std::size_t>(code)]; };
  axis.lower = std::isnan(attribute.lower) ? place(codes.begin) : attribute.lower;
  axis.upper = std::isnan(attribute.upper) ? place(std::max(codes.end - 1, 0)) : attribute.upper;
  axis.bounds.push_back(axis.lower);
  for (Code code : published_cuts(cut)) axis.bounds.push_back(std::max(axis.lower, std::min(place(code), axis.upper)));
  axis.bounds.push_back(axis.upper);
  double const unit = line_unit(axis.lower, axis.upper);
  for (auto& bound : axis.bounds) bound *= unit;
  axis.lower *= unit;
  axis.upper *= unit;
  return axis;
}

std::vector<LossAxis> loss_axes(Problem const& problem, std::vector<Vector<CutValue>> const& cut) {
  std::vector<LossAxis> axes;
  for (std::size_t a = 0; a < problem.attributes.size(); ++a) {
    auto const& attribute = problem.attributes[a];
    auto const& column = problem.table->columns[attribute.column];
    if (attribute.taxonomy == nullptr) {
      Extent shown{0, 0};
      for (Code code : column.codes)
        if (code != kNull) {
          shown.begin = shown.begin == 0 ? code : std::min(shown.begin, code);
          shown.end = std::max(shown.end, code + 1);
        }
      axes.push_back(line_axis(attribute, column, shown, cut[a]));
      continue;
    }
    LossAxis axis;
    axis.column = attribute.column;
    axis.taxonomy = attribute.taxonomy;
    axis.leaves = attribute.leaves;
    axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace anon_seq
