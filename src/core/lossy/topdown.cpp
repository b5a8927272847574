#include "core/lossy/topdown.h"

#include <array>

#include "core/lossy/infeasible.h"
#include "core/lossy/level_step.h"
#include "core/lossy/taxonomy_steps.h"

namespace anon_seq {
namespace {

constexpr std::size_t kManyRows = 10000;

template <class Rank>
class TopDown {
 public:
  TopDown(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Decisions decisions,
          Draws& draws, Checkpoint& checkpoint)
      : sensitive_(sensitive),
        k_(k),
        simulatable_(decisions == Decisions::kSimulatable),
        draws_(draws),
        checkpoint_(checkpoint),
        tally_(sensitive, k),
        values_(static_cast<std::size_t>(sensitive.joints())),
        local_(static_cast<std::size_t>(sensitive.joints())),
        rows_(axes, sensitive, checkpoint) {
    for (auto const& axis : axes) steps_.emplace_back(axis);
    sizes_.resize(axes.size());
    least_class_ = least_possible();
  }

  Recoding run(FixedGroups const& groups) {
    auto& grouping = made_.grouping;
    Part const whole{0, rows_.size()};
    if (!is_ok(whole)) throw not_one_class(sensitive_, k_, tally_.most_near(rows_.values(whole), checkpoint_));
    grouping.classes.assign(rows_.size(), kWithheld);
    begin(groups);
    nodes_.assign(steps_.size() * todo_.size(), kRoot);
    while (!todo_.empty()) {
      Part const part = todo_.back();
      todo_.pop_back();
      node_.assign(nodes_.end() - static_cast<std::ptrdiff_t>(steps_.size()), nodes_.end());
      nodes_.resize(nodes_.size() - steps_.size());
      part.size() > kManyRows ? checkpoint_.poll() : checkpoint_.tick();
      if (auto const step = choose(part))
        take(part, *step);
      else
        add_class(part);
    }
    grouping.rows.swap(rows_.rows());
    return std::move(made_);
  }

 private:
  bool is_ok(Part part) {
    return tally_.rows_needed(rows_.values(part), checkpoint_) <= static_cast<std::int64_t>(part.size());
  }

  void begin(FixedGroups const& groups) {
    if (groups.count == 0) return todo_.push_back({0, rows_.size()});
    Vector<std::size_t> sizes(groups.count);
    for (auto const group : groups.of_row) ++sizes[static_cast<std::size_t>(group)];
    rows_.arrange(
        {0, rows_.size()}, sizes,
        [&](std::size_t place) { return static_cast<std::size_t>(groups.of_row[rows_.row(place)]); }, checkpoint_);
    std::size_t end = 0, refused = 0;
    for (auto const size : sizes) {
      todo_.push_back({end, end + size});
      end += size;
      refused += !is_ok(todo_.back());
    }
    if (refused > 0) throw not_each_group(groups.count, refused);
  }

  // The step that specializes most rows, if one specializes any.
  std::optional<LevelStep> choose(Part part) {
    std::int64_t least = 0;
    if (simulatable_) {
      made_.grouping.tested.push_back(part);
      least = tally_.rows_needed(rows_.values(part), checkpoint_);
    }
    count_children(part);
    return simulatable_ ? choose_by_size(least) : choose_by_paper(part);
  }

  std::optional<LevelStep> choose_by_size(std::int64_t least) const {
    std::optional<LevelStep> best;
    for (std::size_t const a : active_) {
      LevelStep step = step_by_size(a, sizes_[a], least);
      if (step.leaving > 0 && (!best || step.is_before(*best))) best = std::move(step);
    }
    return best;
  }

  // Steps that could not come first are not worked out.
  std::optional<LevelStep> choose_by_paper(Part part) {
    std::vector<LevelStep> cases;
    for (std::size_t const a : active_) cases.push_back(best_case(a, sizes_[a], least_class_));
    std::sort(cases.begin(), cases.end(), [](auto const& a, auto const& b) { return a.is_before(b); });
    std::optional<LevelStep> best;
    for (auto const& best_case : cases) {
      if (best && best->is_before(best_case)) break;
      if (best_case.stay >= static_cast<std::int64_t>(part.size())) break;
      LevelStep step = by_paper(part, best_case.axis);
      if (step.leaving > 0 && (!best || step.is_before(*best))) best = std::move(step);
    }
    return best;
  }

  // The fewest rows of a class, whatever it holds.
  std::int64_t least_possible() const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (JointValue value = 0; value < sensitive_.joints(); ++value) {
      std::int64_t rows = k_;
      for (auto const bound : sensitive_.bounds_of(value))
        if (bound != kNoBound)
          rows = std::max(rows, rows_for(1, sensitive_.bounds()[static_cast<std::size_t>(bound)].alpha));
      least = std::min(least, rows);
    }
    return least;
  }

  void count_children(Part part) {
    active_.clear();
    tables_.clear();
    for (std::size_t a = 0; a < steps_.size(); ++a) {
      if (!steps_[a].has_children(node_[a])) continue;
      sizes_[a].assign(steps_[a].count_children(node_[a]), 0);
      active_.push_back(a);
      tables_.push_back(steps_[a].step(node_[a]));
    }
    for (std::size_t place = part.begin; place < part.end; ++place) {
      checkpoint_.tick();
      Rank const* const ranks = rows_.ranks_at(place);
      for (std::size_t i = 0; i < active_.size(); ++i)
        ++sizes_[active_[i]][tables_[i][static_cast<std::size_t>(ranks[active_[i]])]];
    }
  }

  std::size_t child(std::size_t place, std::size_t axis) const {
    return steps_[axis].step(node_[axis])[rows_.rank(place, axis)];
  }

  LevelStep by_paper(Part part, std::size_t axis) {
    auto const& sizes = sizes_[axis];
    LevelStep step{axis, sizes, Vector<char>(sizes.size()), 0, 1, {}};
    if (std::ranges::count(sizes, 0) + 1 == std::ssize(sizes)) return step;  // to one child, which is as ok as the part
    number_values(part);
    branches_.counts.assign(branches_.values * sizes.size(), 0);
    auto const* const child_of = steps_[axis].step(node_[axis]);
    for (std::size_t place = part.begin; place < part.end; ++place) {
      checkpoint_.tick();
      ++branches_.counts[child_of[rows_.rank(place, axis)] * branches_.values + local(place)];
    }
    step.sent = send_back(sensitive_, branches_, k_, checkpoint_);
    step.stays = step.sent.whole;
    step.stay = step.sent.stay;
    step.leaving = step.sent.leaving;
    return step;
  }

  // Once per part.
  void number_values(Part part) {
    if (numbered_.begin == part.begin && numbered_.end == part.end) return;
    numbered_ = part;
    values_.count(rows_.values(part), checkpoint_);
    branches_.values = values_.distinct().size();
    branches_.joint = values_.distinct();
    for (std::size_t v = 0; v < branches_.values; ++v)
      local_[static_cast<std::size_t>(branches_.joint[v])] = static_cast<std::int32_t>(v);
  }

  std::size_t local(std::size_t place) const {
    return static_cast<std::size_t>(local_[static_cast<std::size_t>(rows_.value(place))]);
  }

  // Children that go on come first, in their order, then those that return whole.
  void take(Part part, LevelStep const& step) {
    std::size_t const n = step.sizes.size();
    Vector<std::size_t> order, turn(n), sizes;
    for (char const stays : {0, 1})
      for (std::size_t c = 0; c < n; ++c)
        if (step.stays[c] == stays) {
          turn[c] = order.size();
          order.push_back(c);
          sizes.push_back(static_cast<std::size_t>(step.sizes[c]));
        }
    rows_.arrange(
        part, sizes, [&](std::size_t place) { return turn[child(place, step.axis)]; }, checkpoint_);
    ClassId const rest = step.stay > 0 ? add_class({part.end, part.end}) : kWithheld;
    auto const children = steps_[step.axis].children(node_[step.axis]);
    std::size_t begin = part.begin;
    for (auto const c : order) {
      Part whole{begin, begin + static_cast<std::size_t>(step.sizes[c])};
      begin = whole.end;
      if (step.stays[c] != 0) {
        fill(whole, rest);
      } else if (whole.size() > 0) {
        std::size_t const end = simulatable_ ? whole.end : part_taken(whole, step, c);
        fill({end, whole.end}, rest);
        todo_.push_back({whole.begin, end});
        nodes_.insert(nodes_.end(), node_.begin(), node_.end());
        nodes_[nodes_.size() - steps_.size() + step.axis] = children[c];
      }
    }
  }

  // Moves the rows that return to the end of their child, at random among those of a value. Returns where they begin.
  std::size_t part_taken(Part whole, LevelStep const& step, std::size_t child) {
    std::size_t const values = values_of(step);
    std::span<std::int32_t const> const wanted(step.sent.taken.data() + child * values, values);
    std::int64_t taken = 0;
    for (auto const count : wanted) taken += count;
    if (taken == 0) return whole.end;
    Vector<std::int32_t> left(wanted.begin(), wanted.end()), rows(values);
    for (std::size_t place = whole.begin; place < whole.end; ++place) ++rows[local(place)];
    std::size_t end = whole.end;
    // Each row of a value is met once; it is taken with the chance of those still wanted among those not yet met.
    for (std::size_t place = whole.begin; place < end;) {
      checkpoint_.tick();
      std::size_t const v = local(place);
      bool const takes =
          left[v] > 0 && (left[v] == rows[v] ||
                          static_cast<std::int64_t>(draws_.below(static_cast<std::uint64_t>(rows[v]))) < left[v]);
      --rows[v];
      left[v] -= takes;
      takes ? rows_.swap(place, --end) : static_cast<void>(++place);
    }
    return end;
  }

  static std::size_t values_of(LevelStep const& step) { return step.sent.taken.size() / step.sizes.size(); }

  ClassId add_class(Part part) {
    made_.nodes.insert(made_.nodes.end(), node_.begin(), node_.end());
    ClassId const id = made_.grouping.count++;
    fill(part, id);
    return id;
  }

  void fill(Part part, ClassId id) {
    std::fill(made_.grouping.classes.begin() + static_cast<std::ptrdiff_t>(part.begin),
              made_.grouping.classes.begin() + static_cast<std::ptrdiff_t>(part.end), id);
  }

  Sensitive const& sensitive_;
  std::int64_t k_;
  bool simulatable_;
  Draws& draws_;
  Checkpoint& checkpoint_;
  Tally tally_;
  ValueCounts values_;
  Vector<std::int32_t> local_;  // joint value -> its number among those of the part at hand
  std::vector<TaxonomySteps> steps_;
  QuasiRows<Rank> rows_;
  Recoding made_;
  Vector<Part> todo_;
  Vector<Node> nodes_;  // of the parts to do, one per axis
  Vector<Node> node_;   // of the part at hand
  std::int64_t least_class_ = 1;
  Branches branches_;
  Part numbered_;
  std::vector<Vector<std::int64_t>> sizes_;  // axis -> sizes of the children, if it is active
  Vector<std::size_t> active_;               // axes with a level left
  std::vector<std::uint16_t const*> tables_;
};

}  // namespace

Recoding recode(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Decisions decisions,
                Draws& draws, Checkpoint& checkpoint, FixedGroups const& groups) {
  for (auto const& axis : axes)
    if (axis.taxonomy == nullptr) throw Error(Fault::kInternal, "an attribute has no taxonomy to be specialized in");
  if (decisions == Decisions::kPaper && !sensitive.reach().empty())
    throw Error(Fault::kUnsupported, "near values are not offered with the decisions of the paper", {},
                "Use simulatable decisions.");
  return with_rank_type(axes, [&]<class Rank>(Rank) {
    return TopDown<Rank>(axes, sensitive, k, decisions, draws, checkpoint).run(groups);
  });
}

Classes shown_classes(Recoding made, std::span<QuasiAxis const> axes, Draws& draws, Checkpoint& checkpoint,
                      std::size_t rows) {
  auto const ids = renumber(made.grouping, draws, checkpoint);
  Vector<ClassId> old(ids.size());
  for (std::size_t id = 0; id < ids.size(); ++id) old[static_cast<std::size_t>(ids[id])] = static_cast<ClassId>(id);
  Classes classes(std::max(rows, made.grouping.rows.size()), axes.size());
  for (ClassId const id : old) {
    classes.add_class();
    for (std::size_t a = 0; a < axes.size(); ++a) {
      Node const node = made.nodes[static_cast<std::size_t>(id) * axes.size() + a];
      if (node == kNoNode)
        classes.add_region({});
      else
        classes.add_region(std::array{Extent{node, axes[a].taxonomy->end(node)}});
    }
  }
  for (std::size_t place = 0; place < made.grouping.rows.size(); ++place)
    classes.assign(made.grouping.rows[place], made.grouping.classes[place]);
  return classes;
}

Classes topdown(std::span<QuasiAxis const> axes, Sensitive const& sensitive, std::int64_t k, Decisions decisions,
                Draws& draws, Checkpoint& checkpoint, FixedGroups const& groups) {
  Recoding made = recode(axes, sensitive, k, decisions, draws, checkpoint, groups);
  if (decisions == Decisions::kSimulatable) check_one_rule(made.grouping);
  check_classes(sensitive, made.grouping, k, checkpoint);
  return shown_classes(std::move(made), axes, draws, checkpoint);
}

}  // namespace anon_seq
