// Points of the line that an attribute is compared on, in exact order: decimals of any length, moments to the
// microsecond. The nearest doubles of two whole numbers beyond 2^53 may be one; the numbers are not.
//
// Add every point, then settle(). Places are whole numbers that order as the points do, and between two points there
// is room: just after p comes after(p).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/table/table.h"

namespace anon_seq {

using Place = std::int64_t;

inline constexpr Place kBelowAll = std::numeric_limits<Place>::min(), kAboveAll = std::numeric_limits<Place>::max();

inline constexpr Place after(Place point) { return point + 1; }

class PlaceOrder {
 public:
  // A value of a continuous kind in any spelling, and the double nearest to its place (Column::positions,
  // cut_position). What comes back stands for the point until settled() tells its place.
  Place add(ValueKind kind, std::string_view text, double near);

  void settle();

  // The place of what add() gave, of what lies just after it, or of what lies beyond all. REQUIRES: settle().
  Place settled(Place added) const;

 private:
  struct Point {
    double near;
    Code exact;  // of exact_; 0: the shortest decimal that is nearest to `near`
  };
  bool before(Point a, Point b) const;
  std::string decimal(Point point) const;

  Vector<Point> points_;
  Dictionary exact_;      // decimals, moments as decimals in microseconds
  Vector<Place> places_;  // point -> place
};

}  // namespace anon_seq
