// What a release lost: information metrics of its classes.
//
// Discernibility: sum of squared class sizes (Bayardo and Agrawal, ICDE 2005), a withheld record counts as
// if alone with all others. C_avg: records per class over k (LeFevre et al., ICDE 2006). NCP: per record and
// attribute the share of the domain that a value covers (Xu et al., KDD 2006), averaged. Distortion
// (KDD'06, Section 6): taxonomy levels climbed per record, and interval widths per record, kept apart.
#pragma once

#include <optional>
#include <vector>

#include "core/sequential/attribute_cut.h"

namespace anon_seq {

// How a generalized attribute of the classes is to be measured.
struct LossAxis {
  std::size_t column = 0;              // of the table, for the true values
  Taxonomy const* taxonomy = nullptr;  // else continuous
  Vector<Node> leaves;                 // taxonomy: code -> leaf
  Vector<double> bounds;               // continuous: interval i of the regions is [bounds[i], bounds[i+1])
  double lower = 0, upper = 0;         // continuous: the domain, for the share
};

// What is left of one attribute.
struct AxisLoss {
  double ncp = 0;
  std::int64_t shown = 0;    // different values that the classes show, NULL being one
  std::int64_t unknown = 0;  // records published that have no value
  bool several = false;      // they have different values, none being one
};

struct Loss {
  double discernibility = 0, c_avg = 0, ncp = 0;
  std::optional<double> distortion_categorical, distortion_continuous;  // only with such attributes
  double suppression = 0;                                               // share of records withheld
  std::optional<double> blanked;  // share of records that show no quasi value, where there may be such
  std::vector<AxisLoss> axes;     // as they were given
};

// Cost: rows times attributes.
Loss measure_loss(CodedTable const& table, Classes const& classes, std::span<LossAxis const> axes, std::int64_t k,
                  Checkpoint& checkpoint);

// Adds records that were withheld before the classes were made, beside `published` ones. The last to be added.
void add_withheld(Loss& loss, std::int64_t withheld, std::int64_t published);

// The axes of a sequential outcome. Widths use the declared domain or else the data's extremes, and the codes
// at which values were cut.
std::vector<LossAxis> loss_axes(Problem const& problem, std::vector<Vector<CutValue>> const& cut);
// That of a continuous attribute of which these codes are published, the extremes in their rows; none: {0, 0}.
LossAxis line_axis(Attribute const& attribute, Column const& column, Extent codes, Vector<CutValue> const& cut);

}  // namespace anon_seq
