// Local recoding against the join by enumeration, on the random instances of the sequential method: boxes are a
// division of the space, keep all rules, lose no more than global recoding, and none can be cut further.
#include "core/sequential/local_recoding.h"

#include "core/sequential/k_descent.h"
#include "core/sequential/loss.h"
#include "random_instance.h"
#include "runs.h"

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

// Four ages of three nurses each, and clerks of all ages: a cut of age for all would leave a clerk alone.
Rows nurses_and_clerks() {
  Rows rows;
  for (int i = 0; i < 12; ++i) rows.push_back({"nurse", std::to_string(20 + i % 4 * 10), i % 3 == 0 ? "flu" : "cold"});
  for (auto const* age : {"22", "41", "58"}) rows.push_back({"clerk", age, "flu"});
  return rows;
}

void declare(Case& c, Rows const& rows) {
  add_flat(c, "job", {"nurse", "clerk"});
  c.add_table({"job", "age", "illness"}, rows);
  c.generalize("job");
  c.generalize("age");
  c.anonymity({"T1.job", "T1.age"}, {}, {0}, 3);
}

SequentialOutcome recoded(Case& c) {
  NoCheckpoint checkpoint;
  return recode_locally(c.problem, c.run(), {}, checkpoint);
}

TEST(LocalRecoding, CutsOneBoxAndNotAnother) {
  Case c;
  declare(c, nurses_and_clerks());
  auto const global = c.run();
  auto const local = recoded(c);
  EXPECT_EQ(global.classes.count(), 2);
  EXPECT_EQ(local.classes.count(), 5);
  EXPECT_LT(ncp_of(c.problem, local), ncp_of(c.problem, global));
  expect_count(local.rules[0].reached, 3);
  std::set<std::pair<Rank, Rank>> of_clerks;
  for (std::size_t row = 12; row < 15; ++row) {
    auto const& age = shown(local, local.classes.class_of(row), 1);
    of_clerks.emplace(age.ranks.begin, age.ranks.end);
  }
  EXPECT_EQ(of_clerks.size(), 1U);
}

// A rule whose groups are of several boxes, beside one about what is sensitive.
TEST(LocalRecoding, TheOrderOfRowsPlaysNoPart) {
  using Shown = std::multiset<std::pair<Row, std::vector<Rank>>>;
  auto const shown_by = [](Rows const& rows) {
    Case c;
    declare(c, rows);
    c.linkability({"T1.job"}, {"T1.illness"}, {3, 4});
    c.linkability({"T1.job", "T1.age"}, {"T1.illness"}, {1, 1}, {{"flu"}});
    c.anonymity({"T1.age"}, {}, {0}, 4);
    auto const local = recoded(c);
    Shown all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::vector<Rank> box;
      for (std::size_t a = 0; a < 2; ++a) {
        auto const& value = shown(local, local.classes.class_of(row), a);
        box.insert(box.end(), {value.ranks.begin, value.ranks.end});
      }
      all.emplace(rows[row], box);
    }
    return all;
  };
  Rows rows = nurses_and_clerks();
  rows.push_back({"clerk", "30", "cold"});
  rows.push_back({"nurse", "", "cold"});
  rows.push_back({"nurse", "", "flu"});
  for (auto const* illness : {"flu", "cold", "pox", "cold"}) rows.push_back({"nurse", "", illness});
  auto const first = shown_by(rows);
  std::set<std::vector<Rank>> boxes;
  for (auto const& [row, box] : first) boxes.insert(box);
  EXPECT_GT(boxes.size(), 1U);
  std::mt19937_64 random(7);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(rows.begin(), rows.end(), random);
    EXPECT_EQ(shown_by(rows), first);
  }
}

TEST(LocalRecoding, IsNotOfferedWithSimulatableDecisions) {
  Case c;
  declare(c, nurses_and_clerks());
  auto const global = c.run();
  c.problem.simulatable = true;
  NoCheckpoint checkpoint;
  EXPECT_THROW(recode_locally(c.problem, global, {}, checkpoint), Error);
}

TEST(LocalRecoding, AgreesWithTheJoinByEnumeration) {
  auto const [seed, instances] = runs(20261120, 1000);
  int gains = 0;
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("instance " + std::to_string(i));
    Instance instance(seed * 1000003 + static_cast<std::uint64_t>(i));
    instance.check_local();
    if (HasFailure()) FAIL() << "seed " << seed << ", instance " << i << "\n" << instance.text();
    gains += instance.local_gains();
  }
  std::printf("less lost than by global recoding: %d\n", gains);
  if (std::getenv("ANON_SEQ_INSTANCES") == nullptr) {
    EXPECT_GT(gains, 0);
  }
}

}  // namespace anon_seq::testing
