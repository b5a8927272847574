// Local recoding against the join by enumeration, on the random instances of the sequential method: boxes are a
// division of the space, keep all rules, lose no more than global recoding, and none can be cut further.
#include "core/sequential/local_recoding.h"

#include "core/sequential/k_descent.h"
#include "core/sequential/loss.h"
#include "random_instance.h"

namespace anon_seq::testing {
namespace {

double ncp_of(Problem const& problem, SequentialOutcome const& outcome) {
  NoCheckpoint checkpoint;
  return measure_loss(*problem.table, outcome.classes, loss_axes(problem, outcome.cut), 1, checkpoint).ncp;
}

CutValue const& shown(SequentialOutcome const& outcome, ClassId box, std::size_t a) {
  return outcome.boxes[static_cast<std::size_t>(box) * outcome.cut.size() + a];
}

Rank rank_in(Problem const& problem, std::size_t a, std::size_t row) {
  auto const& attribute = problem.attributes[a];
  Code const code = problem.table->columns[attribute.column].codes[row];
  if (attribute.taxonomy == nullptr || code == kNull) return code;
  return attribute.taxonomy->leaf_rank(attribute.leaves[static_cast<std::size_t>(code)]) + 1;
}

bool covers(CutValue const& value, Rank rank) { return value.ranks.begin <= rank && rank < value.ranks.end; }

}  // namespace

brute::World const& Instance::published(Classes const& classes, Vector<CutValue> const& boxes) {
  for (std::size_t a = 0; a < case_.problem.attributes.size(); ++a) {
    std::size_t const c = case_.problem.attributes[a].column;
    for (std::size_t r = 0; r < rows_[0].size(); ++r)
      base_.tables[0][r][names_[0][c]] =
          show(a, rows_[0][r][c],
               {boxes[static_cast<std::size_t>(classes.class_of(r)) * case_.problem.attributes.size() + a]});
  }
  return base_;
}

void Instance::allow_for_dangling() {
  NoCheckpoint checkpoint;
  auto const dangling = count_dangling(case_.problem, checkpoint);
  bool const all = std::all_of(dangling.begin(), dangling.end(), [](auto n) { return n == 0; });
  if (case_.problem.dangling != Dangling::kError || all) return;
  case_.problem.dangling = Dangling::kOuter;
  base_.outer = true;
}

// Every row is in the one box that covers it; boxes are disjoint, and classes show them.
void Instance::check_boxes(SequentialOutcome const& outcome) {
  Problem const& problem = case_.problem;
  outcome.classes.check();
  std::size_t const width = problem.attributes.size();
  ASSERT_EQ(outcome.boxes.size(), width * static_cast<std::size_t>(outcome.classes.count()));
  std::set<ClassId> met;
  for (std::size_t row = 0; row < rows_[0].size(); ++row)
    for (ClassId box = 0; box < outcome.classes.count(); ++box) {
      bool inside = true;
      for (std::size_t a = 0; a < width; ++a)
        inside = inside && covers(shown(outcome, box, a), rank_in(problem, a, row));
      EXPECT_EQ(inside, outcome.classes.class_of(row) == box) << "row " << row << ", box " << box;
      if (inside) met.insert(box);
    }
  EXPECT_EQ(met.size(), static_cast<std::size_t>(outcome.classes.count())) << "a box without rows";
  for (ClassId x = 0; x < outcome.classes.count(); ++x)
    for (ClassId y = 0; y < x; ++y) {
      bool apart = width == 0;
      for (std::size_t a = 0; a < width; ++a)
        apart = apart || !intersect(shown(outcome, x, a).ranks, shown(outcome, y, a).ranks);
      EXPECT_TRUE(apart) << "boxes " << x << " and " << y;
    }
}

// Whether it is one of the cuts that are looked at: of a line between two values that rows of the box have, as far up
// as may be; NULL alone by itself.
bool Instance::is_tried(SequentialOutcome const& outcome, ClassId box, std::size_t a,
                        Vector<CutValue> const& children) const {
  if (case_.problem.attributes[a].taxonomy != nullptr) return true;
  std::set<Rank> held;
  for (std::size_t row = 0; row < rows_[0].size(); ++row)
    if (outcome.classes.class_of(row) == box) held.insert(rank_in(case_.problem, a, row));
  if (children.size() == 1) return held == std::set<Rank>{0};
  auto const& high = children.back();
  held.erase(0);
  if (held.empty() || *held.begin() >= high.ranks.begin || *held.rbegin() < high.ranks.begin) return false;
  auto const& barred = case_.problem.attributes[a].barred;
  Rank m = *held.lower_bound(high.ranks.begin);
  while (!barred.empty() && barred[static_cast<std::size_t>(m)] != 0) --m;
  return m == high.ranks.begin;
}

void Instance::check_no_cut(SequentialOutcome const& outcome) {
  Problem const& problem = case_.problem;
  for (ClassId box = 0; box < outcome.classes.count(); ++box)
    for (std::size_t a = 0; a < problem.attributes.size(); ++a) {
      bool const continuous = problem.attributes[a].taxonomy == nullptr;
      if (continuous && !problem.valid_split) continue;
      CutValue const value = shown(outcome, box, a);
      auto ways = splits(case_, a, value);
      CutValue null;
      null.ranks = {0, 1};
      if (continuous && value.ranks.begin == 0 && value.ranks.end > 1) ways.push_back({null});
      for (auto const& children : ways) {
        if (!is_tried(outcome, box, a, children)) continue;
        Classes classes(rows_[0].size(), 0);  // one for each row, which shows what it would
        Vector<CutValue> boxes;
        for (std::size_t row = 0; row < rows_[0].size(); ++row) {
          ClassId const of = outcome.classes.class_of(row);
          classes.assign(row, classes.add_class());
          for (std::size_t other = 0; other < problem.attributes.size(); ++other) {
            boxes.push_back(shown(outcome, of, other));
            if (of != box || other != a) continue;
            for (auto const& child : children)
              if (covers(child, rank_in(problem, a, row))) boxes.back() = child;
          }
        }
        EXPECT_FALSE(valid(published(classes, boxes))) << "box " << box << " can be cut in attribute " << a;
      }
    }
}

void Instance::check_local() {
  if (case_.problem.rules.empty()) return;
  NoCheckpoint checkpoint;
  allow_for_dangling();
  auto const global = case_.run();
  if (!global.feasible) return;
  Vector<std::int64_t> weights;
  if (chance(50))
    for (std::size_t a = 0; a < case_.problem.attributes.size(); ++a) weights.push_back(kLossUnit * (1 + draw(3)));
  SequentialOutcome local;
  ASSERT_NO_THROW(local = recode_locally(case_.problem, global, weights, checkpoint));
  check_boxes(local);
  if (::testing::Test::HasFailure()) return;
  std::vector<Level> reached;
  for (auto const& rule : local.rules) reached.push_back(rule.reached);
  auto const& world = published(local.classes, local.boxes);
  EXPECT_TRUE(valid(world));
  check_levels(world, reached, "local");
  if (weights.empty()) {
    EXPECT_LE(ncp_of(case_.problem, local), ncp_of(case_.problem, global) + 1e-9);
  }
  local_gains_ = ncp_of(case_.problem, local) < ncp_of(case_.problem, global) - 1e-9;
  check_no_cut(local);
}

TEST(LocalRecoding, AgreesWithTheJoinByEnumeration) {
  char const* const given = std::getenv("ANON_SEQ_SEED");
  char const* const count = std::getenv("ANON_SEQ_INSTANCES");
  std::uint64_t const seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20261120;
  int const instances = count != nullptr ? std::atoi(count) : 1000;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  int gains = 0;
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    Instance instance(seed * 1000003 + static_cast<std::uint64_t>(i));
    instance.check_local();
    if (HasFailure()) FAIL() << "seed " << seed << ", instance " << i << "\n" << instance.text();
    gains += instance.local_gains();
  }
  std::printf("less lost than by global recoding: %d\n", gains);
  if (count == nullptr) {
    EXPECT_GT(gains, 0);
  }
}

}  // namespace anon_seq::testing
