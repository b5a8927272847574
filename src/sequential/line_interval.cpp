#include "sequential/line_interval.h"

#include <algorithm>

#include "core/numbers/line_place.h"
#include "core/text/interval_text.h"

namespace anon_seq::sequential {
namespace {

// A range with these bounds, each of which may be none; `text` tells which are in it.
Interval range_of(std::string_view text, Place lower, Place upper) {
  return {text.front() == '(' && lower != kBelowAll ? after(lower) : lower,
          text.back() == ']' && upper != kAboveAll ? after(upper) : upper, false};
}

}  // namespace

Place place_of(Column const& column, Code code, PlaceOrder& order) {
  return order.add(column.kind, column.values[code], column.positions[static_cast<std::size_t>(code)]);
}

Interval label_interval(std::string_view label, std::string_view root, PlaceOrder& order) {
  if (label == root) return kEverything;
  auto const text = interval_or_point(label);
  if (!text) throw Error(Fault::kInternal, "a label of a range taxonomy is no range");
  auto const comma = text->find(',');
  std::string_view const all(*text), lower = all.substr(1, comma - 1),
                                     upper = all.substr(comma + 1, all.size() - comma - 2);
  auto const bound = [&](std::string_view number, Place none) {
    return number.empty() ? none : order.add(ValueKind::kNumeric, number, number_place(number));
  };
  Place const from = bound(lower, kBelowAll), to = bound(upper, kAboveAll);
  return range_of(all, from, to);
}

Interval shown_range(std::string_view text, RangeBounds const& bounds, std::pair<Code, Code> of, PlaceOrder& order) {
  if (text == "empty") return {kAboveAll, kAboveAll, false};
  if (of.first == kNull && of.second == kNull) return kEverything;
  auto const bound = [&](Column const& column, Code code, Place none) {
    return code == kNull ? none : place_of(column, code, order);
  };
  Place const from = bound(bounds.lower, of.first, kBelowAll), to = bound(bounds.upper, of.second, kAboveAll);
  return range_of(text, from, to);
}

void settle(Interval& interval, PlaceOrder const& order) {
  if (interval.covers_null) return;
  interval.lower = order.settled(interval.lower);
  interval.upper = std::max(interval.lower, order.settled(interval.upper));
}

}  // namespace anon_seq::sequential
