// What published values say on the line that an attribute is compared on, as points that an order has still to settle.
#pragma once

#include "core/numbers/place_order.h"
#include "core/sequential/sequential.h"
//
#include "sequential/earlier_table.h"

namespace anon_seq::sequential {

inline constexpr Interval kNullPlaces{1, 0, true}, kEverything{kBelowAll, kAboveAll, true};

Place place_of(Column const& column, Code code, PlaceOrder& order);

inline constexpr Interval at_point(Place point) { return {point, after(point), false}; }

// What a label of a range taxonomy says; a leaf is a number.
Interval label_interval(std::string_view label, std::string_view root, PlaceOrder& order);

// A range by its text and the codes of its bounds.
Interval shown_range(std::string_view text, RangeBounds const& bounds, std::pair<Code, Code> of, PlaceOrder& order);

// Settles both ends; NULL and everything are no points.
void settle(Interval& interval, PlaceOrder const& order);

}  // namespace anon_seq::sequential
