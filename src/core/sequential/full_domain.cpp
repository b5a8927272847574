#include "core/sequential/full_domain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace anon_seq {
namespace {

constexpr std::int64_t kMostNodes = 100'000;
constexpr std::size_t kMostInPart = 3, kMostParts = 300;
constexpr std::size_t kMostLevels = 16, kMostBroken = 2'000;

using Levels = std::vector<std::size_t>;

struct Axis {
  std::vector<AttributeCut> cuts;            // per level, as far as the attribute keeps the limit by itself
  std::vector<Vector<std::int32_t>> pieces;  // level, rank
  std::vector<Vector<std::int64_t>> worths;  // level, rank: what it costs a person
  std::vector<std::int64_t> sums;            // level: what it costs all persons
};

// Each value that can be, cut once.
bool next_level(AttributeCut& cut) {
  bool any = false;
  Vector<ValueId> const current = cut.current();
  for (ValueId v : current) {
    if (cut[v].weight == 0 || !cut.split(v)) continue;
    cut.specialize(v);
    any = true;
  }
  return any;
}

// Attributes whose levels go together.
struct Dimension {
  std::vector<std::size_t> attributes;
  std::size_t last = 0;  // level
};

class Lattice {
 public:
  Lattice(KTable const& table, KDemands const& demands, std::vector<AttributeCut> const& root, std::int64_t work,
          Checkpoint& checkpoint)
      : table_(table), demands_(demands), checkpoint_(checkpoint), work_(work) {
    for (auto weight : demands.weights) all_ += weight;
    for (std::size_t a = 0; a < root.size(); ++a) add_axis(a, root[a]);
    for (std::size_t a = 0; a < root.size(); ++a) {
      auto const* const group = demands.linked_with(a);
      if (group == nullptr)
        dimensions_.push_back({{a}, 0});
      else if (a == *std::min_element(group->begin(), group->end()))
        dimensions_.push_back({*group, 0});
    }
    for (auto& dimension : dimensions_)
      for (auto a : dimension.attributes) dimension.last = std::max(dimension.last, axes_[a].cuts.size() - 1);
  }

  FullDomain search(std::int64_t known);

 private:
  struct Small {  // the table at the finest levels that can be: what all nodes are counted on
    std::vector<Vector<Rank>> ranks;
    Vector<std::int64_t> persons;
  };
  struct Look {
    std::int64_t out = 0, loss = 0;
  };
  struct Part {  // a few attributes: where they break the limit, all nodes do that are as fine in them
    std::vector<std::size_t> attributes;
    Small small;
    std::vector<char> state;  // levels: 0 unknown, 1 keeps the limit, 2 breaks it
  };

  void add_axis(std::size_t a, AttributeCut cut);
  bool keeps_limit(std::size_t a, AttributeCut const& cut) const;
  Small project(std::vector<std::size_t> const& attributes, Levels const& levels) const;
  Look look(Small const& on, std::vector<std::size_t> const& attributes, Levels const& levels);
  std::int64_t bound(Levels const& levels) const;
  bool is_broken(Levels const& levels);
  void add_parts(std::vector<std::size_t> const& of, std::size_t from, std::size_t size);
  bool breaks(Part& part, Levels const& levels);
  bool consider(Levels const& levels, FullDomain& best);
  void climb(FullDomain& best);
  Levels of_attributes(Levels const& of_dimensions) const;
  std::vector<Levels> nodes() const;
  std::int64_t count_nodes() const;

  KTable const& table_;
  KDemands const& demands_;
  Checkpoint& checkpoint_;
  std::int64_t work_, all_ = 0;
  std::vector<Axis> axes_;
  std::vector<Dimension> dimensions_;
  std::vector<std::size_t> everything_;
  Small small_;
  std::vector<Part> parts_;  // smaller ones first
  std::vector<Levels> broken_;
};

// Whether a cut of one attribute keeps the limit by itself.
bool Lattice::keeps_limit(std::size_t a, AttributeCut const& cut) const {
  auto const pieces = pieces_of(cut);
  Vector<std::int64_t> size(cut.current().size(), 0);
  for (std::size_t cell = 0; cell < table_.cells(); ++cell) {
    auto const rank = static_cast<std::size_t>(table_.ranks(a)[cell]);
    size[static_cast<std::size_t>(pieces[rank])] += table_.persons()[cell];
  }
  std::int64_t out = 0;
  for (auto n : size) out += n < demands_.k ? n : 0;
  return out <= demands_.most_out;
}

void Lattice::add_axis(std::size_t a, AttributeCut cut) {
  Axis axis;
  do {
    axis.pieces.push_back(pieces_of(cut));
    Vector<std::int64_t> worths;
    for (Rank rank = 0; rank < cut.ranks(); ++rank)
      worths.push_back(std::llround(static_cast<double>(demands_.weights[a]) * cut.share(cut[cut.value_at(rank)])));
    std::int64_t sum = 0;
    for (std::size_t cell = 0; cell < table_.cells(); ++cell)
      sum += table_.persons()[cell] * worths[static_cast<std::size_t>(table_.ranks(a)[cell])];
    axis.worths.push_back(std::move(worths));
    axis.sums.push_back(sum);
    axis.cuts.push_back(cut);
  } while (axis.cuts.size() < kMostLevels && next_level(cut) && keeps_limit(a, cut));
  axes_.push_back(std::move(axis));
  everything_.push_back(a);
}

Lattice::Small Lattice::project(std::vector<std::size_t> const& attributes, Levels const& levels) const {
  std::vector<KeyColumn> keys;
  for (auto a : attributes) {
    auto const& pieces = axes_[a].pieces[levels[a]];
    keys.push_back({table_.ranks(a), pieces.empty() ? 1 : pieces.back() + 1, pieces});
  }
  auto const groups = group_rows(table_.cells(), keys, checkpoint_);
  Small small;
  small.persons.assign(groups.count(), 0);
  for (std::size_t cell = 0; cell < table_.cells(); ++cell)
    small.persons[static_cast<std::size_t>(groups.of_row[cell])] += table_.persons()[cell];
  for (auto a : attributes) {
    Vector<Rank> ranks;
    for (auto cell : groups.first_row) ranks.push_back(table_.ranks(a)[cell]);
    small.ranks.push_back(std::move(ranks));
  }
  return small;
}

Lattice::Look Lattice::look(Small const& on, std::vector<std::size_t> const& attributes, Levels const& levels) {
  std::vector<KeyColumn> keys;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    auto const& pieces = axes_[attributes[i]].pieces[levels[attributes[i]]];
    keys.push_back({on.ranks[i], pieces.empty() ? 1 : pieces.back() + 1, pieces});
  }
  auto const groups = group_rows(on.persons.size(), keys, checkpoint_);
  work_ -= static_cast<std::int64_t>(on.persons.size());
  Vector<std::int64_t> size(groups.count(), 0);
  for (std::size_t cell = 0; cell < on.persons.size(); ++cell)
    size[static_cast<std::size_t>(groups.of_row[cell])] += on.persons[cell];
  Look look;
  for (std::size_t g = 0; g < size.size(); ++g) {
    std::int64_t cost = 0;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      auto const a = attributes[i];
      cost += axes_[a].worths[levels[a]][static_cast<std::size_t>(on.ranks[i][groups.first_row[g]])];
    }
    bool const out = size[g] < demands_.k;
    look.out += out ? size[g] : 0;
    look.loss += size[g] * (out ? all_ : cost);
  }
  return look;
}

std::int64_t Lattice::bound(Levels const& levels) const {
  std::int64_t sum = 0;
  for (std::size_t a = 0; a < levels.size(); ++a) sum += axes_[a].sums[levels[a]];
  return sum;
}

// All parts of `size` attributes that begin as `of` does and go on at `from` or behind.
void Lattice::add_parts(std::vector<std::size_t> const& of, std::size_t from, std::size_t size) {
  if (of.size() == size && parts_.size() < kMostParts) parts_.push_back({of, {}, {}});
  for (std::size_t a = from; of.size() < size && a < axes_.size(); ++a) {
    auto more = of;
    more.push_back(a);
    add_parts(more, a + 1, size);
  }
}

bool Lattice::breaks(Part& part, Levels const& levels) {
  if (part.state.empty()) {
    Levels finest;
    for (auto const& axis : axes_) finest.push_back(axis.cuts.size() - 1);
    part.small = project(part.attributes, finest);
    work_ -= static_cast<std::int64_t>(table_.cells());
    std::size_t nodes = 1;
    for (auto a : part.attributes) nodes *= axes_[a].cuts.size();
    part.state.assign(nodes, 0);
  }
  std::size_t node = 0;
  for (auto a : part.attributes) node = node * axes_[a].cuts.size() + levels[a];
  char& state = part.state[node];
  if (state == 0) state = look(part.small, part.attributes, levels).out > demands_.most_out ? 2 : 1;
  return state == 2;
}

bool Lattice::is_broken(Levels const& levels) {
  for (auto const& known : broken_) {
    bool finer = true;
    for (std::size_t a = 0; a < levels.size() && finer; ++a) finer = levels[a] >= known[a];
    if (finer) return true;
  }
  return std::any_of(parts_.begin(), parts_.end(), [&](Part& part) {
    auto const& of = part.attributes;
    return std::all_of(of.begin(), of.end(), [&](std::size_t a) { return levels[a] > 0; }) && breaks(part, levels);
  });
}

// Whether the node keeps the limit; the best one is kept, of equal ones the first.
bool Lattice::consider(Levels const& levels, FullDomain& best) {
  if (is_broken(levels)) return false;
  auto const seen = look(small_, everything_, levels);
  bool keeps = seen.out <= demands_.most_out;
  if (keeps && table_.several() && (!best.found || seen.loss < best.loss)) {
    Pieces pieces;
    for (std::size_t a = 0; a < levels.size(); ++a) pieces.push_back(axes_[a].pieces[levels[a]]);
    work_ -= static_cast<std::int64_t>(table_.cells());
    keeps = table_.left_out(pieces, demands_.k).persons <= demands_.most_out;
  }
  if (!keeps) {
    if (broken_.size() < kMostBroken) broken_.push_back(levels);
    return false;
  }
  if (!best.found || seen.loss < best.loss) {
    best.found = true;
    best.levels = levels;
    best.loss = seen.loss;
    best.out = seen.out;
  }
  return true;
}

Levels Lattice::of_attributes(Levels const& of_dimensions) const {
  Levels levels(axes_.size(), 0);
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    for (auto a : dimensions_[d].attributes) levels[a] = std::min(of_dimensions[d], axes_[a].cuts.size() - 1);
  return levels;
}

// From the most general node, always to the neighbour that loses least: a first good one.
void Lattice::climb(FullDomain& best) {
  Levels now(dimensions_.size(), 0);
  if (!consider(of_attributes(now), best)) return;
  for (bool on = true; on && work_ > 0;) {
    FullDomain next;
    Levels to;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      Levels up = now;
      if (++up[d] > dimensions_[d].last) continue;
      auto const levels = of_attributes(up);
      if (consider(levels, next) && next.levels == levels) to = up;
    }
    on = next.found;
    if (!on) break;
    now = to;
    if (next.loss < best.loss) best = next;
  }
}

std::int64_t Lattice::count_nodes() const {
  std::int64_t count = 1;
  for (auto const& dimension : dimensions_)
    count = std::min(count * static_cast<std::int64_t>(dimension.last + 1), kMostNodes + 1);
  return count;
}

std::vector<Levels> Lattice::nodes() const {
  std::vector<Levels> nodes;
  Levels levels(dimensions_.size(), 0);
  for (bool more = true; more;) {
    nodes.push_back(of_attributes(levels));
    more = false;
    for (std::size_t d = 0; d < levels.size() && !more; ++d) {
      more = levels[d] < dimensions_[d].last;
      levels[d] = more ? levels[d] + 1 : 0;
    }
  }
  return nodes;
}

FullDomain Lattice::search(std::int64_t known) {
  FullDomain best;
  Levels finest;
  for (auto const& axis : axes_) finest.push_back(axis.cuts.size() - 1);
  small_ = project(everything_, finest);
  for (std::size_t size = 2; size <= kMostInPart; ++size) add_parts({}, 0, size);
  climb(best);
  if (best.found && count_nodes() <= kMostNodes) {
    auto const all = nodes();
    Vector<std::pair<std::int64_t, std::uint32_t>> order;
    for (std::uint32_t i = 0; i < all.size(); ++i) order.emplace_back(bound(all[i]), i);
    std::sort(order.begin(), order.end());
    best.exhaustive = true;
    for (auto const& [least, i] : order) {
      checkpoint_.tick();
      if (least >= std::min(best.loss, known)) break;
      if (work_ <= 0) {
        best.exhaustive = false;
        break;
      }
      consider(all[i], best);
    }
  }
  for (std::size_t a = 0; a < axes_.size() && best.found; ++a) best.cuts.push_back(axes_[a].cuts[best.levels[a]]);
  return best;
}

}  // namespace

FullDomain best_full_domain(KTable const& table, KDemands const& demands, std::vector<AttributeCut> const& root,
                            std::int64_t known, std::int64_t work, Checkpoint& checkpoint) {
  return Lattice(table, demands, root, work, checkpoint).search(known);
}

}  // namespace anon_seq
