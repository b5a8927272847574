#include "core/sequential/k_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace anon_seq {
namespace {

template <class T>
T& at(Vector<T>& values, std::size_t i) {
  if (i >= values.size()) values.resize(i + 1);
  return values[i];
}

// n persons of a group of `all`: what telling them apart costs, as whole numbers of 1/16 bits.
std::int64_t bits(std::int64_t n, std::int64_t all) {
  if (n == 0 || n == all) return 0;
  return std::llround(16 * static_cast<double>(n) * std::log2(static_cast<double>(all) / static_cast<double>(n)));
}

constexpr double kFavour = 4;
constexpr std::int64_t kMostWork = 10'000'000;  // values and places of lines looked at: then a descent ends where it is

}  // namespace

std::vector<std::size_t> const* KDemands::linked_with(std::size_t attribute) const {
  for (auto const& group : linked)
    if (std::find(group.begin(), group.end(), attribute) != group.end()) return &group;
  return nullptr;
}

Vector<std::int32_t> pieces_of(AttributeCut const& cut) {
  Vector<std::int32_t> pieces(static_cast<std::size_t>(cut.ranks()), 0);
  std::int32_t piece = 0;
  for (ValueId v : cut.current()) {
    Extent const ranks = cut[v].ranks;
    for (Rank rank = ranks.begin; rank < ranks.end; ++rank) pieces[static_cast<std::size_t>(rank)] = piece;
    ++piece;
  }
  return pieces;
}

Pieces pieces_of(std::vector<AttributeCut> const& cuts) {
  Pieces pieces;
  for (auto const& cut : cuts) pieces.push_back(pieces_of(cut));
  return pieces;
}

KDescent::KDescent(KTable const& table, KDemands const& demands, std::vector<AttributeCut> cuts, Preference preference,
                   Checkpoint& checkpoint)
    : table_(table),
      demands_(demands),
      cuts_(std::move(cuts)),
      preference_(preference),
      checkpoint_(checkpoint),
      worths_(cuts_.size()),
      sums_(cuts_.size()),
      lines_(cuts_.size()),
      values_(cuts_.size()),
      met_(cuts_.size()),
      vetoed_(cuts_.size()) {
  for (auto weight : demands_.weights) all_ += weight;
  for (std::size_t a = 0; a < cuts_.size(); ++a) {
    if (cuts_[a].continuous()) {
      auto const size = static_cast<std::size_t>(cuts_[a].ranks()) + 1;
      auto& line = lines_[a];
      for (auto* values : {&line.left, &line.right, &line.out, &line.saved, &line.bits, &line.divided})
        values->assign(size, 0);
    }
    find_splits(a);
  }
  // Groups of what is current already: by value, attribute after attribute.
  auto const along = cells_along_longest_line();
  std::vector<KeyColumn> keys;
  std::vector<Vector<std::int32_t>> value_at(cuts_.size());
  for (std::size_t a = 0; a < cuts_.size(); ++a) {
    ValueId last = 0;
    for (Rank rank = 0; rank < cuts_[a].ranks(); ++rank)
      value_at[a].push_back(cuts_[a].value_at(rank)), last = std::max(last, value_at[a].back());
    keys.push_back({table_.ranks(a), last + 1, value_at[a]});
  }
  auto const groups = group_rows(table_.cells(), keys, checkpoint_);
  Vector<std::uint32_t> begin(groups.count() + 1, 0);
  for (auto group : groups.of_row) ++begin[static_cast<std::size_t>(group) + 1];
  for (std::size_t g = 0; g < groups.count(); ++g) begin[g + 1] += begin[g];
  Vector<std::uint32_t> next = begin;
  order_.resize(along.size());
  for (auto const cell : along) order_[next[static_cast<std::size_t>(groups.of_row[cell])]++] = cell;
  for (std::size_t g = 0; g < groups.count(); ++g) {
    std::vector<ValueId> values;
    for (auto const& key : keys) values.push_back(key.of(groups.first_row[g]));
    add_group(begin[g], begin[g + 1], values);
  }
}

// By the ranks of the attribute that has most of them: within a group they stay so, and need not be sorted.
Vector<std::uint32_t> KDescent::cells_along_longest_line() const {
  Vector<std::uint32_t> cells(table_.cells());
  for (std::uint32_t cell = 0; cell < cells.size(); ++cell) cells[cell] = cell;
  std::size_t longest = kNoColumn;
  for (std::size_t a = 0; a < cuts_.size(); ++a)
    if (cuts_[a].continuous() && (longest == kNoColumn || cuts_[a].ranks() > cuts_[longest].ranks())) longest = a;
  if (longest == kNoColumn) return cells;
  auto const& ranks = table_.ranks(longest);
  Vector<std::uint32_t> next(static_cast<std::size_t>(cuts_[longest].ranks()) + 1, 0);
  for (auto const rank : ranks) ++next[static_cast<std::size_t>(rank) + 1];
  for (std::size_t rank = 1; rank < next.size(); ++rank) next[rank] += next[rank - 1];
  for (std::uint32_t cell = 0; cell < ranks.size(); ++cell) cells[next[static_cast<std::size_t>(ranks[cell])]++] = cell;
  return cells;
}

std::int64_t KDescent::worth(std::size_t a, double share) const {
  return std::llround(static_cast<double>(demands_.weights[a]) * share);
}

void KDescent::find_splits(std::size_t a) {
  Vector<ValueId> const current = cuts_[a].current();
  for (ValueId v : current) {
    if (char& met = at(met_[a], static_cast<std::size_t>(v)); std::exchange(met, 1) != 0) continue;
    at(worths_[a], static_cast<std::size_t>(v)) = worth(a, cuts_[a].share(cuts_[a][v]));
    at(vetoed_[a], static_cast<std::size_t>(v)) = 0;
    if (cuts_[a][v].first_child < 0) cuts_[a].split(v);
    auto const& value = cuts_[a][v];
    for (std::int32_t i = 0; i < value.children && !cuts_[a].continuous(); ++i)
      at(worths_[a], static_cast<std::size_t>(value.first_child + i)) =
          worth(a, cuts_[a].share(cuts_[a][value.first_child + i]));
    at(sums_[a], static_cast<std::size_t>(v)) = {};
  }
}

void KDescent::add_group(std::uint32_t begin, std::uint32_t end, std::vector<ValueId> const& values) {
  std::int64_t size = 0, cost = 0;
  for (std::uint32_t i = begin; i < end; ++i) size += table_.persons()[order_[i]];
  for (std::size_t a = 0; a < cuts_.size(); ++a) cost += worth(a, values[a]);
  if (size < demands_.k) {
    out_ += size;
    return;  // out, whatever happens next
  }
  begins_.push_back(begin);
  ends_.push_back(end);
  sizes_.push_back(size);
  costs_.push_back(cost);
  for (std::size_t a = 0; a < cuts_.size(); ++a) values_[a].push_back(values[a]);
  count(begins_.size() - 1, 1);
}

void KDescent::count(std::size_t g, int sign) {
  for (std::size_t a = 0; a < cuts_.size(); ++a) {
    if (!is_candidate(a, values_[a][g])) continue;
    if (cuts_[a].continuous())
      count_line(g, a, sign);
    else
      count_children(g, a, sign);
  }
}

void KDescent::count_children(std::size_t g, std::size_t a, int sign) {
  ValueId const v = values_[a][g];
  auto const& cut = cuts_[a];
  auto const& ranks = table_.ranks(a);
  counts_.assign(static_cast<std::size_t>(cut[v].children), 0);
  for (std::uint32_t i = begins_[g]; i < ends_[g]; ++i) {
    checkpoint_.tick();
    counts_[static_cast<std::size_t>(cut.child_of(ranks[order_[i]]))] += table_.persons()[order_[i]];
  }
  Sum& sum = sums_[a][static_cast<std::size_t>(v)];
  if (counts_.size() - static_cast<std::size_t>(std::count(counts_.begin(), counts_.end(), 0)) > 1) sum.divided += sign;
  for (std::size_t c = 0; c < counts_.size(); ++c) {
    auto const n = counts_[c];
    if (n == 0) continue;
    bool const stays = n >= demands_.k;
    sum.shown += sign * n;
    sum.out += sign * (stays ? 0 : n);
    sum.saved +=
        sign * n * (stays ? worth(a, v) - worth(a, cut[v].first_child + static_cast<ValueId>(c)) : costs_[g] - all_);
    if (preference_.thrifty) sum.bits += sign * bits(n, sizes_[g]);
  }
}

// For all m at once: what is left and right of m changes only at the ranks that the group has.
void KDescent::count_line(std::size_t g, std::size_t a, int sign) {
  ValueId const v = values_[a][g];
  Extent const range = cuts_[a][v].ranks;
  Line& line = lines_[a];
  ranked_.clear();
  std::int64_t nulls = 0;
  for (std::uint32_t i = begins_[g]; i < ends_[g]; ++i) {
    checkpoint_.tick();
    Rank const rank = table_.ranks(a)[order_[i]];
    if (rank == 0)
      nulls += table_.persons()[order_[i]];
    else
      ranked_.emplace_back(rank, table_.persons()[order_[i]]);
  }
  if (!std::is_sorted(ranked_.begin(), ranked_.end(), [](auto const& x, auto const& y) { return x.first < y.first; }))
    std::sort(ranked_.begin(), ranked_.end());
  std::int64_t const known = sizes_[g] - nulls;
  auto put = [&](Rank from, Rank to, std::int64_t left) {  // for m in [from, to)
    if (from >= to) return;
    auto const b = static_cast<std::size_t>(from), e = static_cast<std::size_t>(to);
    auto add = [&](Vector<std::int64_t>& values, std::int64_t n) {
      values[b] += sign * n;
      values[e] -= sign * n;
    };
    std::int64_t const right = known - left, k = demands_.k;
    std::int64_t const out = (left < k ? left : 0) + (right < k ? right : 0) + (nulls < k ? nulls : 0);
    if (left >= k) add(line.left, left);
    if (right >= k) add(line.right, right);
    if (out > 0) add(line.out, out);
    if ((left > 0 ? 1 : 0) + (right > 0 ? 1 : 0) + (nulls > 0 ? 1 : 0) > 1) add(line.divided, 1);
    std::int64_t const saved = out * (costs_[g] - all_) + (nulls >= k ? nulls * worth(a, v) : 0);
    if (saved != 0) add(line.saved, saved);
    if (preference_.thrifty) add(line.bits, bits(left, sizes_[g]) + bits(right, sizes_[g]) + bits(nulls, sizes_[g]));
  };
  Rank from = std::max(range.begin, 1) + 1;
  std::int64_t left = 0;
  for (std::size_t i = 0; i < ranked_.size();) {
    Rank const rank = ranked_[i].first;
    put(from, rank + 1, left);
    from = std::max(from, rank + 1);
    for (; i < ranked_.size() && ranked_[i].first == rank; ++i) left += ranked_[i].second;
  }
  put(from, range.end, left);
}

void KDescent::weigh(Step& best, std::size_t a, ValueId v, Code m, Sum sum) const {
  if (out_ + sum.out > demands_.most_out) return;
  if (sum.saved < 0 || (sum.saved == 0 && (sum.out > 0 || sum.shown == 0))) return;
  double score = static_cast<double>(sum.saved);
  if (sum.saved == 0 && m != kNull) score = 1e-9 * static_cast<double>(sum.shown);  // too narrow to count: in halves
  if (preference_.thrifty) score /= static_cast<double>(sum.bits + 16);
  if (preference_.favourite == a) score *= kFavour;
  if (auto const* const group = demands_.linked_with(a)) score *= static_cast<double>(group->size());  // they follow
  if (best.value >= 0 && score <= best.score) return;
  best = {a, v, m, score};
}

void KDescent::weigh_line(Step& best, std::size_t a, bool free) const {
  auto const& cut = cuts_[a];
  Line const& line = lines_[a];
  std::int64_t left = 0, right = 0, out = 0, saved = 0, cost_in_bits = 0, divided = 0;
  Rank rank = 0;
  for (ValueId v : cut.current()) {
    Extent const range = cut[v].ranks;
    bool const open = is_candidate(a, v) && vetoed_[a][static_cast<std::size_t>(v)] == 0;
    for (; rank < range.end; ++rank) {
      auto const m = static_cast<std::size_t>(rank);
      left += line.left[m], right += line.right[m], out += line.out[m], saved += line.saved[m];
      cost_in_bits += line.bits[m], divided += line.divided[m];
      if (!open || rank <= std::max(range.begin, 1) || !cut.may_cut(range, rank)) continue;
      if (free && (divided > 0 || left == 0 || right == 0)) continue;
      std::int64_t const sides = left * (worth(a, v) - worth(a, cut.width_share({range.begin, rank}))) +
                                 right * (worth(a, v) - worth(a, cut.width_share({rank, range.end})));
      weigh(best, a, v, rank, {out, saved + sides, cost_in_bits, std::min(left, right), divided});
    }
  }
}

void KDescent::weigh_attribute(Step& best, std::size_t a, bool free) const {
  if (cuts_[a].continuous()) return weigh_line(best, a, free);
  for (ValueId v : cuts_[a].current()) {
    Sum const& sum = sums_[a][static_cast<std::size_t>(v)];
    if (is_candidate(a, v) && vetoed_[a][static_cast<std::size_t>(v)] == 0 && !(free && sum.divided > 0))
      weigh(best, a, v, kNull, sum);
  }
}

KDescent::Step KDescent::best() const {
  auto among = [&](auto wanted) {
    Step best;
    for (std::size_t a = 0; a < cuts_.size(); ++a)
      if (wanted(a)) weigh_attribute(best, a, false);
    return best;
  };
  auto const turn = [&](std::size_t a) { return a == preference_.last ? 2 : cuts_[a].continuous() ? 1 : 0; };
  for (int now = 0; preference_.every && now <= 2; ++now)
    if (Step const step = among([&](std::size_t a) { return turn(a) == now && shows_one(a); }); step.value >= 0)
      return step;
  return among([](std::size_t) { return true; });
}

// Nobody is left out by them, and nobody told apart.
void KDescent::take_free(std::size_t a) {
  auto const* const group = demands_.linked_with(a);
  if (group == nullptr) return;
  for (bool any = true; any;) {
    any = false;
    checkpoint_.poll();
    for (std::size_t other : *group) {
      Step next;
      weigh_attribute(next, other, true);
      if (next.value < 0) continue;
      step(next.attribute, next.value, next.m);
      any = true;
    }
  }
}

void KDescent::step(std::size_t a, ValueId v, Code m) {
  path_.push_back({a, cuts_[a][v].ranks, m});
  Vector<std::uint32_t> touched;
  for (std::uint32_t g = 0; g < begins_.size(); ++g)
    if (values_[a][g] == v) touched.push_back(g);
  for (auto g : touched) count(g, -1);
  if (m != kNull) cuts_[a].split_at(v, m);
  CutValue const value = cuts_[a][v];
  auto const children = static_cast<std::size_t>(value.children);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts;
  std::vector<std::vector<ValueId>> shown;
  Vector<std::uint32_t> moved, ends(children);
  for (auto g : touched) {
    ends.assign(children + 1, 0);
    auto child = [&](std::uint32_t cell) { return static_cast<std::size_t>(cuts_[a].child_of(table_.ranks(a)[cell])); };
    for (std::uint32_t i = begins_[g]; i < ends_[g]; ++i) ++ends[child(order_[i]) + 1];
    for (std::size_t c = 0; c < children; ++c) ends[c + 1] += ends[c];
    std::vector<ValueId> values;
    for (auto const& of_group : values_) values.push_back(of_group[g]);
    for (std::size_t c = 0; c < children; ++c) {
      if (ends[c] == ends[c + 1]) continue;
      parts.emplace_back(begins_[g] + ends[c], begins_[g] + ends[c + 1]);
      values[a] = value.first_child + static_cast<ValueId>(c);
      shown.push_back(values);
    }
    moved.resize(ends_[g] - begins_[g]);
    for (std::uint32_t i = begins_[g]; i < ends_[g]; ++i) {
      checkpoint_.tick();
      moved[ends[child(order_[i])]++] = order_[i];
    }
    std::copy(moved.begin(), moved.end(), order_.begin() + begins_[g]);
  }
  for (std::size_t i = touched.size(); i-- > 0;) {  // the groups that were split go
    auto const g = touched[i];
    begins_[g] = begins_.back(), begins_.pop_back();
    ends_[g] = ends_.back(), ends_.pop_back();
    sizes_[g] = sizes_.back(), sizes_.pop_back();
    costs_[g] = costs_.back(), costs_.pop_back();
    for (auto& values : values_) values[g] = values.back(), values.pop_back();
  }
  cuts_[a].specialize(v);
  find_splits(a);
  for (std::size_t i = 0; i < parts.size(); ++i) add_group(parts[i].first, parts[i].second, shown[i]);
}

// Where somebody has several rows sums say too little of who is out: counted anew for the state after the step.
bool KDescent::keeps_limit(Step const& step) const {
  if (!table_.several()) return true;
  Pieces pieces = pieces_of(cuts_);
  AttributeCut after = cuts_[step.attribute];
  if (step.m != kNull) after.split_at(step.value, step.m);
  after.specialize(step.value);
  pieces[step.attribute] = pieces_of(after);
  return table_.left_out(pieces, demands_.k).persons <= demands_.most_out;
}

// What one more step looks at.
std::int64_t KDescent::work() const {
  std::int64_t work = 0;
  for (auto const& cut : cuts_)
    work += static_cast<std::int64_t>(cut.current().size()) + (cut.continuous() ? cut.ranks() : 0);
  return work;
}

void KDescent::run() {
  std::int64_t done = work();
  for (Step next = best(); next.value >= 0 && done <= kMostWork; done += work(), next = best()) {
    checkpoint_.poll();
    if (keeps_limit(next)) {
      step(next.attribute, next.value, next.m);
      take_free(next.attribute);
    } else {
      vetoed_[next.attribute][static_cast<std::size_t>(next.value)] = 1;
    }
  }
}

std::int64_t KDescent::loss() const {
  std::int64_t loss = out_ * all_;
  for (std::size_t g = 0; g < sizes_.size(); ++g) loss += sizes_[g] * costs_[g];
  return loss;
}

bool KDescent::shows_one(std::size_t a) const {
  auto const& values = values_[a];
  return std::all_of(values.begin(), values.end(), [&](ValueId v) { return v == values.front(); });
}

std::size_t KDescent::lost() const {
  std::size_t lost = 0;
  for (std::size_t a = 0; a < cuts_.size(); ++a) {
    auto const& ranks = table_.ranks(a);
    bool const several = std::any_of(ranks.begin(), ranks.end(), [&](Rank rank) { return rank != ranks.front(); });
    lost += several && shows_one(a) ? 1 : 0;
  }
  return lost;
}

}  // namespace anon_seq
