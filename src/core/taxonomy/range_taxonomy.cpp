// Intervals over numbers: make_range_rule and RangeRule of open_taxonomy.h.
#include <algorithm>
#include <tuple>

#include "core/base/error.h"
#include "core/numbers/decimal.h"
#include "core/taxonomy/open_taxonomy.h"

namespace anon_seq {
namespace {

std::int64_t on_grid(std::string_view number, int scale) {
  auto const units = decimal_floor(number, scale);
  if (!units) throw Error(Fault::kLimit, "number " + std::string(number) + " is too large for a range taxonomy");
  return *units;
}

int scale_of(std::string_view number) {
  auto const scale = decimal_scale(number);
  if (!scale) throw Error(Fault::kParameter, "bounds and widths of a range taxonomy must be finite numbers");
  if (*scale > kMaxScale)
    throw Error(Fault::kLimit, "number " + std::string(number) + " has too many digits after the point",
                "At most " + std::to_string(kMaxScale) + " are allowed.");
  return *scale;
}

// The two bounds of "[a,b)", nothing if the text has another form.
std::optional<std::pair<std::int64_t, std::int64_t>> parse_interval(std::string_view text, int scale) {
  auto const comma = text.find(',');
  if (text.size() < 5 || text.front() != '[' || text.back() != ')' || comma == std::string_view::npos)
    return std::nullopt;
  auto const begin = decimal_floor(text.substr(1, comma - 1), scale);
  auto const end = decimal_floor(text.substr(comma + 1, text.size() - comma - 2), scale);
  if (!begin || !end) return std::nullopt;
  return std::pair(*begin, *end);
}

}  // namespace

RangeRule make_range_rule(std::string_view lower, std::string_view upper, std::vector<std::string> const& widths) {
  RangeRule rule;
  rule.scale = std::max(scale_of(lower), scale_of(upper));
  for (auto const& width : widths) rule.scale = std::max(rule.scale, scale_of(width));
  rule.lower = on_grid(lower, rule.scale);
  rule.upper = on_grid(upper, rule.scale);
  if (rule.lower >= rule.upper)
    throw Error(Fault::kParameter,
                "lower bound " + std::string(lower) + " is not below upper bound " + std::string(upper));
  std::int64_t span = 0;
  if (__builtin_sub_overflow(rule.upper, rule.lower, &span))
    throw Error(Fault::kLimit, "the range from " + std::string(lower) + " to " + std::string(upper) + " is too wide");
  if (widths.empty()) throw Error(Fault::kParameter, "a range taxonomy needs at least one width");
  for (auto const& width : widths) {
    std::int64_t const units = on_grid(width, rule.scale);
    if (units <= 0) throw Error(Fault::kParameter, "width " + width + " is not positive");
    if (!rule.widths.empty() && (units <= rule.widths.back() || units % rule.widths.back() != 0))
      throw Error(Fault::kParameter,
                  "width " + widths[rule.widths.size() - 1] + " does not divide the next width " + width, "",
                  "Give widths from narrow to wide, each a multiple of the one before, such as '{5,10,20}'.");
    rule.widths.push_back(units);
  }
  return rule;
}

std::string RangeRule::interval(std::int64_t begin, std::int64_t end) const {
  return "[" + decimal_text(begin, scale) + "," + decimal_text(end, scale) + ")";
}

std::optional<Path> RangeRule::path(std::string_view value) const {
  std::int64_t begin = 0, end = 0;  // what the value covers; a number covers less than a unit
  bool is_node = true;              // an interval must be one of ours
  if (auto const bounds = parse_interval(value, scale)) {
    std::tie(begin, end) = *bounds;
    if (begin >= end || interval(begin, end) != value) return std::nullopt;
    is_node = false;
  } else if (auto const units = decimal_floor(value, scale)) {
    begin = end = *units;
  } else {
    return std::nullopt;
  }
  if (begin < lower || begin >= upper) return std::nullopt;
  Path path{std::string(value)};
  auto step = [&](std::int64_t from, std::int64_t to) {
    is_node |= from == begin && to == end;
    if (end <= to && std::pair(from, to) != std::pair(begin, end)) path.push_back(interval(begin = from, end = to));
  };
  for (std::int64_t width : widths) {
    std::int64_t const from = begin - (begin - lower) % width;
    step(from, upper - from < width ? upper : from + width);
  }
  step(lower, upper);
  if (!is_node) return std::nullopt;
  return path;
}

void list_intervals(RangeRule const& rule, Checkpoint& checkpoint, VisitInterval const& visit) {
  std::vector<std::int64_t> const widths(rule.widths.rbegin(), rule.widths.rend());
  struct Interval {
    std::int64_t begin, end;
    int depth;
  };
  std::vector<Interval> open{{rule.lower, rule.upper, 0}};  // the root, then one interval of each width
  auto label = [&](Interval const& i) { return rule.interval(i.begin, i.end); };
  auto descend = [&](std::int64_t begin) {
    while (open.size() <= widths.size()) {
      Interval const parent = open.back();
      std::int64_t const width = widths[open.size() - 1];
      std::int64_t const end = parent.end - begin < width ? parent.end : begin + width;
      bool const is_node = begin != parent.begin || end != parent.end;  // else it is its own parent
      open.push_back({begin, end, parent.depth + is_node});
      if (is_node) visit(open.back().depth, label(open.back()), label(parent));
    }
  };
  for (descend(rule.lower); !open.empty();) {
    checkpoint.tick();
    std::int64_t const begin = open.back().end;
    open.pop_back();
    if (!open.empty() && begin < open.back().end) descend(begin);
  }
}

}  // namespace anon_seq
