#include "core/sequential/local_recoding.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/sequential/cut_classes.h"
#include "core/sequential/k_descent.h"
#include "core/sequential/local_cuts.h"
#include "core/sequential/local_rules.h"

namespace anon_seq {
namespace {

constexpr std::size_t kPlaces = 16;           // of a line that are tried in a box, with valid_split
constexpr std::size_t kOneDescent = 200'000;  // cells, beyond which one may do

// Boxes on the way down, and how they came about.
struct Descent {
  LocalBoxes boxes;
  std::vector<TraceStep> trace;
  std::int64_t loss = 0;
};

class Recoder {
 public:
  Recoder(Problem const& problem, Vector<std::int64_t> weights, Checkpoint& checkpoint)
      : problem_(problem),
        checkpoint_(checkpoint),
        roots_(roots_of(problem, checkpoint)),
        cuts_(problem, roots_, std::move(weights), checkpoint),
        rules_(problem, roots_, checkpoint) {}

  void run(SequentialOutcome& outcome);

 private:
  static std::vector<AttributeCut> roots_of(Problem const& problem, Checkpoint& checkpoint) {
    std::vector<AttributeCut> roots;
    for (std::size_t a = 0; a < problem.attributes.size(); ++a) roots.emplace_back(problem, a, checkpoint);
    return roots;
  }
  bool holds(LocalBoxes const& boxes);
  std::int64_t loss_of(std::vector<Vector<CutValue>> const& cut) const;
  std::optional<Descent> from_root(LocalBoxes root);
  Descent from_classes(std::vector<Vector<CutValue>> const& cut, LocalBoxes root);
  void divide_by(std::vector<Vector<CutValue>> const& cut, LocalBoxes& boxes);
  void descend(Descent& descent);
  bool cut(Descent& descent, BoxId box, bool& hopeless);
  TraceStep step_of(LocalBoxes const& boxes, BoxId box, LocalCut const& cut, std::span<Side const> parts,
                    std::span<std::uint32_t const> ends) const;
  void write(LocalBoxes const& boxes, SequentialOutcome& outcome);
  void write_cut(LocalBoxes const& boxes, Vector<BoxId> const& order, std::size_t a, Vector<CutValue>& cut) const;

  Problem const& problem_;
  Checkpoint& checkpoint_;
  std::vector<AttributeCut> roots_;
  LocalCuts cuts_;
  LocalRules rules_;
};

CutValue value_of(Side side, std::int64_t rows = 0) { return {.ranks = side.ranks, .node = side.node, .weight = rows}; }

bool Recoder::holds(LocalBoxes const& boxes) {
  rules_.open(boxes);
  auto const levels = rules_.measure(boxes);
  for (std::size_t r = 0; r < levels.size(); ++r)
    if (rules_.violates(r, levels[r])) return false;
  return true;
}

// The classes of a cut of each attribute.
void Recoder::divide_by(std::vector<Vector<CutValue>> const& cut, LocalBoxes& boxes) {
  rules_.open(boxes);
  for (std::size_t a = 0; a < cut.size(); ++a) {
    Vector<Side> parts;
    for (auto const& value : cut[a]) parts.push_back({value.ranks, value.node});
    if (parts.front() == boxes.side(0, a)) continue;  // a divided box keeps its sides
    BoxId const before = boxes.count();
    for (BoxId box = 0; box < before; ++box)
      if (!boxes.is_divided(box)) rules_.divide(boxes, box, a, parts, boxes.deal(box, a, parts));
  }
}

TraceStep Recoder::step_of(LocalBoxes const& boxes, BoxId box, LocalCut const& cut, std::span<Side const> parts,
                           std::span<std::uint32_t const> ends) const {
  TraceStep step;
  step.attribute = cut.attribute;
  step.value = value_of(boxes.side(box, cut.attribute), boxes.rows(box));
  std::uint32_t cell = boxes.begin(box);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    step.children.push_back(value_of(parts[i]));
    for (; cell < ends[i]; ++cell) step.children.back().weight += boxes.cells().weight(cell);
  }
  step.info_gain = static_cast<double>(cut.saved) / static_cast<double>(kLossUnit);
  step.score = std::isfinite(cut.score) ? cut.score / static_cast<double>(kLossUnit) : step.info_gain;
  return step;
}

// Makes the first cut of a box that the rules allow. `hopeless`: there is none left that counts would allow.
bool Recoder::cut(Descent& descent, BoxId box, bool& hopeless) {
  LocalBoxes& boxes = descent.boxes;
  std::size_t const places = rules_.by_counts_alone() || !problem_.valid_split ? 1 : kPlaces;
  auto const found = cuts_.of(boxes, box, rules_.least(), places);
  hopeless = found.empty();
  for (LocalCut const& cut : found) {
    auto const parts = cuts_.parts(boxes.side(box, cut.attribute), cut);
    auto const ends = boxes.deal(box, cut.attribute, parts);
    bool const traced = descent.trace.size() < kLocalTrace;
    TraceStep step = traced ? step_of(boxes, box, cut, parts, ends) : TraceStep{};
    if (!rules_.divide_if_valid(boxes, box, cut.attribute, parts, ends, step.after)) continue;
    if (traced) descent.trace.push_back(std::move(step));
    descent.loss -= cut.saved;
    return true;
  }
  return false;
}

// Box by box, as they come. What refuses a box may change with others only where groups are of several boxes: then
// those are tried again until nothing more can be cut.
void Recoder::descend(Descent& descent) {
  Vector<BoxId> open = descent.boxes.in_order(checkpoint_), refused;
  for (bool any = true; any; open.swap(refused)) {
    any = false;
    refused.clear();
    for (std::size_t next = 0; next < open.size(); ++next) {
      BoxId const first = descent.boxes.count();
      bool hopeless = false;
      if (cut(descent, open[next], hopeless)) {
        any = true;
        for (BoxId part = first; part < descent.boxes.count(); ++part) open.push_back(part);
      } else if (!hopeless && !rules_.boxes_are_apart()) {
        refused.push_back(open[next]);
      }
    }
  }
}

// The places of a continuous attribute that bound a box, as a cut: intervals of loss_axes(). Else what boxes show.
void Recoder::write_cut(LocalBoxes const& boxes, Vector<BoxId> const& order, std::size_t a,
                        Vector<CutValue>& cut) const {
  Vector<Side> shown;
  for (BoxId box : order) shown.push_back(boxes.side(box, a));
  auto const before = [](Side x, Side y) {
    return x.ranks.begin != y.ranks.begin ? x.ranks.begin < y.ranks.begin
           : x.ranks.end != y.ranks.end   ? x.ranks.end < y.ranks.end
                                          : x.node < y.node;
  };
  std::sort(shown.begin(), shown.end(), before);
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  if (!roots_[a].continuous()) {
    for (Side side : shown) cut.push_back(value_of(side));
    return;
  }
  Vector<Rank> places;
  bool null = false;
  for (Side side : shown) {
    bool const is_null = side.ranks.end <= 1;
    null = null || is_null;
    if (is_null) continue;
    if (side.ranks.begin > 1) places.push_back(side.ranks.begin);
    if (side.ranks.end < roots_[a].ranks()) places.push_back(side.ranks.end);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (null) cut.push_back(value_of({{0, 1}, kNoNode}));
  Rank begin = null || !places.empty() ? 1 : 0;
  places.push_back(roots_[a].ranks());
  for (Rank place : places) {
    if (place > begin) cut.push_back(value_of({{begin, place}, kNoNode}));
    begin = place;
  }
}

void Recoder::write(LocalBoxes const& boxes, SequentialOutcome& outcome) {
  auto const order = boxes.in_order(checkpoint_);
  std::size_t const width = boxes.width();
  outcome.cut.assign(width, {});
  std::vector<Vector<Code>> places(width);
  for (std::size_t a = 0; a < width; ++a) {
    write_cut(boxes, order, a, outcome.cut[a]);
    places[a] = published_cuts(outcome.cut[a]);
  }
  auto const interval = [&](std::size_t a, Rank rank) {  // which interval of the cut begins there
    return static_cast<std::int32_t>(std::upper_bound(places[a].begin(), places[a].end(), rank) - places[a].begin());
  };
  outcome.boxes.reserve(order.size() * width);
  outcome.classes = Classes(problem_.table->rows(), width);
  Vector<ClassId> class_of(static_cast<std::size_t>(problem_.table->rows()), kWithheld);  // of a combination
  for (BoxId box : order) {
    ClassId const id = outcome.classes.add_class();
    for (std::size_t a = 0; a < width; ++a) {
      Side const side = boxes.side(box, a);
      outcome.boxes.push_back(value_of(side, boxes.rows(box)));
      auto const* const taxonomy = problem_.attributes[a].taxonomy;
      Extent region{interval(a, side.ranks.begin), interval(a, side.ranks.end - 1) + 1};
      if (taxonomy != nullptr && side.node != kNoNode) region = {side.node, taxonomy->end(side.node)};
      if (side.node == kNoNode && side.ranks.end <= 1)
        outcome.classes.add_region({});
      else
        outcome.classes.add_region({&region, 1});
    }
    for (std::uint32_t cell = boxes.begin(box); cell < boxes.end(box); ++cell)
      class_of[static_cast<std::size_t>(rules_.combination(boxes, cell))] = id;
  }
  auto const& combination = rules_.combination_of();
  for (std::size_t row = 0; row < combination.size(); ++row) {
    checkpoint_.tick();
    outcome.classes.assign(row, class_of[static_cast<std::size_t>(combination[row])]);
  }
}

std::int64_t Recoder::loss_of(std::vector<Vector<CutValue>> const& cut) const {
  std::int64_t loss = 0;
  for (std::size_t a = 0; a < cut.size(); ++a)
    for (auto const& value : cut[a]) loss += value.weight * cuts_.cost(a, {value.ranks, value.node});
  return loss;
}

std::optional<Descent> Recoder::from_root(LocalBoxes root) {
  auto const& all = problem_.attributes;
  if (std::any_of(all.begin(), all.end(), [](auto const& a) { return a.start_depth > 0 || !a.start.empty(); }))
    return std::nullopt;  // ceilings of detail: the classes keep them
  if (!holds(root)) return std::nullopt;
  Descent descent{std::move(root), {}, 0};
  descent.loss = cuts_.loss(descent.boxes);
  descend(descent);
  return descent;
}

Descent Recoder::from_classes(std::vector<Vector<CutValue>> const& cut, LocalBoxes root) {
  Descent descent{std::move(root), {}, loss_of(cut)};
  divide_by(cut, descent.boxes);
  if (!holds(descent.boxes)) throw Error(Fault::kInternal, "the classes of a valid cut break a rule as boxes");
  descend(descent);
  return descent;
}

void Recoder::run(SequentialOutcome& outcome) {
  outcome.classes = Classes(0, 0);  // a number per row: given back
  LocalBoxes root = rules_.root();
  bool const many = rules_.by_counts_alone() && root.cells().size() > kOneDescent;
  auto found = from_root(many ? std::move(root) : root);
  bool const enough = many && found && found->loss <= loss_of(outcome.cut);
  auto other = enough ? std::nullopt : std::optional(from_classes(outcome.cut, many ? rules_.root() : std::move(root)));
  bool const is_from_root = found && (!other || found->loss < other->loss);
  if (is_from_root) outcome.trace.clear();
  Descent const& best = is_from_root ? *found : *other;
  rules_.open(best.boxes);
  auto const reached = rules_.measure(best.boxes);
  for (std::size_t r = 0; r < reached.size(); ++r) {
    outcome.rules[r].reached = reached[r];
    if (rules_.violates(r, reached[r]))
      throw Error(Fault::kInternal, "a cut broke a rule that it had been measured to keep");
  }
  outcome.trace.insert(outcome.trace.end(), best.trace.begin(), best.trace.end());
  write(best.boxes, outcome);
}

}  // namespace

SequentialOutcome recode_locally(Problem const& problem, SequentialOutcome global, Vector<std::int64_t> weights,
                                 Checkpoint& checkpoint) {
  if (problem.simulatable) throw Error(Fault::kUnsupported, "local recoding is not offered with simulatable decisions");
  if (weights.empty()) weights.assign(problem.attributes.size(), kLossUnit);
  Problem by_loss = problem;
  by_loss.objective = Objective::kDistortion;  // a label informs no cut
  Recoder(by_loss, std::move(weights), checkpoint).run(global);
  return global;
}

}  // namespace anon_seq
