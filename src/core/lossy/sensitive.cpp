#include "core/lossy/sensitive.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/table/row_groups.h"

namespace anon_seq {
namespace {

void check(SensitiveColumn const& column, std::size_t rows, std::size_t columns) {
  auto const refuse = [&](char const* what) {
    throw Error(Fault::kParameter, "sensitive column " + quoted(column.name) + ": " + what);
  };
  auto const in_range = [](Ratio alpha) { return alpha.num > 0 && alpha.num <= alpha.den; };
  if (column.codes.size() != rows) throw Error(Fault::kInternal, "a sensitive column has another number of rows");
  if (!in_range(column.alpha)) refuse("alpha is not above 0 and at most 1");
  for (auto const& [code, alpha] : column.own)
    if (!in_range(alpha)) refuse("the alpha of a value is not above 0 and at most 1");
  if (column.listing == Listing::kAny && !column.own.empty())
    refuse("listed values that are bounded together have one alpha");
  if (!column.near) return;
  if (!(*column.near >= 0) || std::isinf(*column.near)) refuse("a width of near values is a finite number from 0 on");
  if (column.listing != Listing::kEvery || !column.own.empty()) refuse("near values are of a column without a list");
  if (column.positions.size() < static_cast<std::size_t>(column.distinct)) refuse("near values are numbers");
  if (columns > 1)
    throw Error(Fault::kUnsupported, "near values are offered for one sensitive column, not beside others");
}

Ratio smaller(Ratio a, Ratio b) { return wide_mul(a.num, b.den) <= wide_mul(b.num, a.den) ? a : b; }

// Code -> alpha.
Vector<Ratio> alphas_of(SensitiveColumn const& column) {
  Vector<Ratio> alphas(static_cast<std::size_t>(column.distinct), column.alpha);
  for (auto own = column.own.rbegin(); own != column.own.rend(); ++own)  // the first of a code holds
    if (own->first < column.distinct) alphas[static_cast<std::size_t>(own->first)] = own->second;
  return alphas;
}

// Which set of a disjoint union an item is in.
std::int32_t find_root(Vector<std::int32_t>& parent, std::int32_t item) {
  auto const at = [&](std::int32_t i) -> std::int32_t& { return parent[static_cast<std::size_t>(i)]; };
  while (at(item) != item) item = at(item) = at(at(item));
  return item;
}

}  // namespace

// Joint values in the order of their codes, before blocks order them.
struct Sensitive::Raw {
  std::size_t columns;
  RowGroups groups;
  Vector<std::int32_t> sorted;  // of the groups
  Vector<Code> codes;           // group * columns + column
  Vector<std::int64_t> counts;
  Vector<std::int32_t> bounds;  // group * columns + column
  std::size_t size() const { return counts.size(); }
  std::span<Code const> codes_of(std::int32_t group) const {
    return {codes.data() + static_cast<std::size_t>(group) * columns, columns};
  }
  std::span<std::int32_t> bounds_of(std::int32_t group) {
    return {bounds.data() + static_cast<std::size_t>(group) * columns, columns};
  }
};

Sensitive::Sensitive(std::size_t rows, std::span<SensitiveColumn const> columns, Checkpoint& checkpoint)
    : columns_(columns.size()) {
  if (columns.empty()) throw Error(Fault::kParameter, "there is no sensitive column");
  for (auto const& column : columns) check(column, rows, columns_);
  std::vector<KeyColumn> keys;
  for (auto const& column : columns) keys.push_back({column.codes, column.distinct});
  Raw raw{columns_, group_rows(rows, keys, checkpoint), {}, {}, {}, {}};
  raw.counts.resize(raw.groups.count());
  for (auto const group : raw.groups.of_row) ++raw.counts[static_cast<std::size_t>(group)];
  for (auto const row : raw.groups.first_row)
    for (auto const& column : columns) raw.codes.push_back(column.codes[row]);
  raw.sorted.resize(raw.size());
  std::iota(raw.sorted.begin(), raw.sorted.end(), 0);
  std::sort(raw.sorted.begin(), raw.sorted.end(),
            [&](auto a, auto b) { return std::ranges::lexicographical_compare(raw.codes_of(a), raw.codes_of(b)); });
  find_bounds(columns, raw);
  merge_blocks(raw);
  take_order(raw, checkpoint);
  for (auto const& column : columns)
    if (column.near && column.alpha.num < column.alpha.den) find_windows(column);
}

Sensitive Sensitive::narrowed(std::span<std::uint32_t const> rows, std::span<Ratio const> alphas) const {
  if (!reach_.empty()) throw Error(Fault::kInternal, "near values cannot be narrowed");
  Sensitive other;
  other.columns_ = columns_;
  other.codes_ = codes_;
  other.bounds_of_ = bounds_of_;
  other.block_of_ = block_of_;
  other.bounds_ = bounds_;
  other.blocks_ = blocks_;
  other.counts_.resize(counts_.size());
  other.joint_of_.reserve(rows.size());
  for (auto const row : rows) {
    other.joint_of_.push_back(joint_of_[row]);
    ++other.counts_[static_cast<std::size_t>(joint_of_[row])];
  }
  for (auto& block : other.blocks_) {
    block.count = 0;
    block.alpha = {1, 1};
  }
  for (std::size_t b = 0; b < bounds_.size(); ++b) {
    auto& bound = other.bounds_[b];
    auto& block = other.blocks_[static_cast<std::size_t>(bound.block)];
    bound.count = 0;
    bound.alpha = alphas[b];
    block.alpha = smaller(block.alpha, bound.alpha);
  }
  for (JointValue joint = 0; joint < joints(); ++joint) {
    for (auto const bound : bounds_of(joint))
      if (bound != kNoBound) other.bounds_[static_cast<std::size_t>(bound)].count += other.count(joint);
    if (auto const block = block_of(joint); block >= 0)
      other.blocks_[static_cast<std::size_t>(block)].count += other.count(joint);
  }
  return other;
}

void Sensitive::find_bounds(std::span<SensitiveColumn const> columns, Raw& raw) {
  raw.bounds.assign(raw.size() * columns_, kNoBound);
  std::int32_t merged = kNoBound;
  for (std::size_t c = 0; c < columns_; ++c) {
    auto const& column = columns[c];
    Vector<char> listed(static_cast<std::size_t>(column.distinct), column.listing == Listing::kEvery);
    for (Code const code : column.listed)
      if (code < column.distinct) listed[static_cast<std::size_t>(code)] = 1;
    auto const alphas = alphas_of(column);
    Vector<std::int32_t> bound_of(static_cast<std::size_t>(column.distinct), kNoBound);
    for (auto const group : raw.sorted) {
      Code const code = raw.codes_of(group)[c];
      Ratio const alpha = alphas[static_cast<std::size_t>(code)];
      if (listed[static_cast<std::size_t>(code)] == 0 || alpha.num == alpha.den) continue;  // 1 bounds nothing
      bool const together = column.listing == Listing::kAny;
      auto& bound = together ? merged : bound_of[static_cast<std::size_t>(code)];
      if (bound == kNoBound) {
        bound = static_cast<std::int32_t>(bounds_.size());
        bounds_.push_back({alpha, c, together ? kNoCode : code});
      }
      auto& least = bounds_[static_cast<std::size_t>(bound)].alpha;
      least = smaller(least, alpha);
      auto const row = raw.bounds_of(group);
      if (std::ranges::find(row, bound) != row.end()) continue;  // a row with two listed values counts once
      row[c] = bound;
      bounds_[static_cast<std::size_t>(bound)].count += raw.counts[static_cast<std::size_t>(group)];
    }
  }
}

void Sensitive::merge_blocks(Raw& raw) {
  Vector<std::int32_t> parent(bounds_.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (std::int32_t group = 0; group < static_cast<std::int32_t>(raw.size()); ++group) {
    std::int32_t met = kNoBound;
    for (auto const bound : raw.bounds_of(group)) {
      if (bound == kNoBound) continue;
      auto const root = find_root(parent, bound);
      if (met != kNoBound) parent[static_cast<std::size_t>(root)] = find_root(parent, met);
      met = root;
    }
  }
  Vector<std::int32_t> block_of(bounds_.size(), -1);
  for (std::int32_t b = 0; b < static_cast<std::int32_t>(bounds_.size()); ++b) {
    auto& block = block_of[static_cast<std::size_t>(find_root(parent, b))];
    auto& bound = bounds_[static_cast<std::size_t>(b)];
    if (block < 0) {
      block = static_cast<std::int32_t>(blocks_.size());
      blocks_.push_back({bound.alpha, 0, 0, b, 0, 0});
    }
    bound.block = block;
    auto& merged = blocks_[static_cast<std::size_t>(block)];
    merged.alpha = smaller(merged.alpha, bound.alpha);
    ++merged.bounds;
  }
}

void Sensitive::take_order(Raw& raw, Checkpoint& checkpoint) {
  auto const block_of = [&](std::int32_t group) {
    for (auto const bound : raw.bounds_of(group))
      if (bound != kNoBound) return bounds_[static_cast<std::size_t>(bound)].block;
    return kNoBound;
  };
  std::stable_sort(raw.sorted.begin(), raw.sorted.end(), [&](auto a, auto b) {
    return static_cast<std::uint32_t>(block_of(a)) < static_cast<std::uint32_t>(block_of(b));  // none: last
  });
  Vector<JointValue> joint_of(raw.size());
  for (auto const group : raw.sorted) {
    auto const joint = static_cast<JointValue>(counts_.size());
    joint_of[static_cast<std::size_t>(group)] = joint;
    counts_.push_back(raw.counts[static_cast<std::size_t>(group)]);
    codes_.insert(codes_.end(), raw.codes_of(group).begin(), raw.codes_of(group).end());
    bounds_of_.insert(bounds_of_.end(), raw.bounds_of(group).begin(), raw.bounds_of(group).end());
    block_of_.push_back(block_of(group));
    if (block_of_.back() < 0) continue;
    auto& block = blocks_[static_cast<std::size_t>(block_of_.back())];
    if (block.count == 0) block.begin = joint;
    block.end = joint + 1;
    block.count += counts_.back();
  }
  joint_of_.swap(raw.groups.of_row);
  for (auto& joint : joint_of_) {
    checkpoint.tick();
    joint = joint_of[static_cast<std::size_t>(joint)];
  }
}

// The window of v ends at the first value beyond v + near. Places and widths are the doubles next to what they mean:
// four roundings, so that a window rather holds one too many.
void Sensitive::find_windows(SensitiveColumn const& column) {
  auto const place = [&](JointValue joint) {
    return column.positions[static_cast<std::size_t>(codes_[static_cast<std::size_t>(joint)])];
  };
  auto const end_of = [&](double at) {
    double const rounding = 4 * std::numeric_limits<double>::epsilon() * (std::abs(at) + *column.near);
    return at + *column.near + rounding;
  };
  reach_.resize(counts_.size());
  JointValue end = 0;
  for (JointValue joint = 0; joint < joints(); ++joint) {
    end = std::max(end, joint + 1);
    bool const null = code(joint, 0) == kNull;
    double const last = null ? 0 : end_of(place(joint));
    while (!null && end < joints() && place(end) <= last) ++end;
    reach_[static_cast<std::size_t>(joint)] = end;
  }
  near_alpha_ = column.alpha;
}

}  // namespace anon_seq
