// Rules about the people whom records may be of: by hand, and random small ones against a count of every class in every
// state that is met, with the result's validity and local maximality, and proofs against all states.
#include "core/sequential/population_levels.h"

#include "random_instance.h"
#include "runs.h"

namespace anon_seq::testing {
namespace {

NoCheckpoint checkpoint;
using Cut = std::vector<Vector<CutValue>>;

Rule& add_rule(Case& c, std::size_t population, Rule::Kind kind, Rule::Side side, std::int64_t min, Ratio max) {
  Rule rule;
  rule.kind = kind;
  rule.population = population;
  rule.side = side;
  rule.min = min;
  rule.max = max;
  for (auto const& axis : c.problem.populations[population].axes)
    rule.x.push_back({0, c.problem.attributes[axis.attribute].column});
  c.problem.rules.push_back(rule);
  return c.problem.rules.back();
}

// Rows of labels of one attribute after the other; "" is NULL, "?" no label at all.
Population people_of(Case const& c, std::vector<std::size_t> const& attributes, Rows const& rows,
                     Vector<std::int64_t> people) {
  Population population;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    auto const& tree = *c.problem.attributes[attributes[i]].taxonomy;
    Population::Axis axis{attributes[i], {}, false, {}};
    for (auto const& row : rows) {
      axis.codes.push_back(static_cast<Code>(axis.values.size()));
      axis.values.push_back(row[i] == "?" ? Extent{0, 0}
                                          : ranks_of(tree, row[i].empty() ? kNoNode : tree.find(row[i])));
    }
    population.axes.push_back(std::move(axis));
  }
  population.people = std::move(people);
  return population;
}

// Two jobs, each of a branch, and people of a town.
struct Town : Case {
  Town() {
    add_taxonomy("J",
                 {{"health", "ANY"}, {"food", "ANY"}, {"nurse", "health"}, {"doctor", "health"}, {"cook", "food"}});
    add_table({"J"}, {{"nurse"}, {"nurse"}, {"doctor"}, {"cook"}});
    generalize("J");
    problem.populations.push_back(
        people_of(*this, {0}, {{"nurse"}, {"doctor"}, {"cook"}, {"health"}, {""}, {"?"}}, {6, 2, 5, 1, 3, 4}));
  }
};

TEST(PopulationLevels, KMapByHand) {
  Town town;
  add_rule(town, 0, Rule::Kind::kAnonymity, Rule::Side::kAtMost, 5, {1, 1});
  auto const outcome = town.run();
  ASSERT_TRUE(outcome.feasible);
  expect_count(outcome.rules[0].root, 17);  // all but who has no label: NULL fits the most general class
  ASSERT_EQ(outcome.trace.size(), 2U);      // of doctors there are 2
  expect_count(outcome.trace[0].after[0], 5);
  EXPECT_EQ(outcome.cut[0].size(), 2U);  // health and cook, as food is nothing else
  town.problem.rules[0].min = 18;
  EXPECT_TRUE(!town.run().feasible && town.run().proof);
}

TEST(PopulationLevels, PresenceByHand) {
  Town town;
  add_rule(town, 0, Rule::Kind::kLinkability, Rule::Side::kAtMost, 1, {1, 3});
  auto outcome = town.run();
  ASSERT_TRUE(outcome.feasible);
  expect_share(outcome.rules[0].root, 4, 17);
  expect_share(outcome.rules[0].reached, 1, 3);  // of 9 of health 3, of 5 cooks one; half of the doctors would be shown
  EXPECT_EQ(outcome.cut[0].size(), 2U);
  town.problem.rules[0].side = Rule::Side::kBelow;
  outcome = town.run();
  ASSERT_TRUE(outcome.feasible);
  EXPECT_EQ(outcome.cut[0].size(), 1U);
  town.problem.rules[0].max = {4, 17};
  EXPECT_TRUE(!town.run().feasible && town.run().proof);
  town.problem.rules[0].side = Rule::Side::kAtMost;
  EXPECT_TRUE(town.run().feasible);
  town.problem.populations[0].people = {0, 0, 0, 0, 0, 4};
  outcome = town.run();
  EXPECT_TRUE(!outcome.feasible && outcome.proof && outcome.rules[0].root.num == kNobodyFits);
}

TEST(PopulationLevels, LeastShareIsOfEverybody) {
  Town town;
  add_rule(town, 0, Rule::Kind::kLinkability, Rule::Side::kAtLeast, 1, {1, 10});
  EXPECT_FALSE(town.run().feasible);  // who has no label fits no class
  town.problem.populations[0].people.back() = 0;
  auto outcome = town.run();
  ASSERT_TRUE(outcome.feasible);
  EXPECT_EQ(outcome.cut[0].size(), 1U);  // below the most general class NULL fits none
  town.problem.populations[0].people[4] = 0;
  outcome = town.run();
  ASSERT_TRUE(outcome.feasible);
  expect_share(outcome.rules[0].reached, 1, 5);
  EXPECT_EQ(outcome.cut[0].size(), 2U);  // somebody of health is neither nurse nor doctor
}

// Persons, not rows.
TEST(PopulationLevels, PersonsWithSeveralRows) {
  Case c;
  add_flat(c, "J", {"a", "b"});
  c.add_table({"J", "P"}, {{"a", "1"}, {"a", "1"}, {"b", "1"}, {"b", "2"}});
  c.generalize("J");
  c.problem.person = 1;
  c.problem.populations.push_back(people_of(c, {0}, {{"a"}, {"b"}}, {2, 4}));
  add_rule(c, 0, Rule::Kind::kLinkability, Rule::Side::kAtMost, 1, {1, 2});
  auto const outcome = c.run();
  ASSERT_TRUE(outcome.feasible);
  expect_share(outcome.rules[0].root, 2, 6);
  expect_share(outcome.rules[0].reached, 1, 2);
  EXPECT_EQ(outcome.cut[0].size(), 2U);
}

// A random source, random people and rules; and what they come to in a state, class by class.
class RandomTown {
 public:
  explicit RandomTown(std::uint64_t seed) : random_(seed) { build(); }
  void check();
  bool several_classes() const { return several_classes_; }
  bool infeasible() const { return infeasible_; }

 private:
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  void build();
  void add_population();
  Extent random_value(std::size_t a, bool by_node);
  Cut root() const;
  Level level(Rule const& rule, Cut const& cut) const;
  bool valid(Cut const& cut) const;
  void expect_levels(Cut const& cut, std::vector<Level> const& levels, char const* when) const;
  void check_result(SequentialOutcome const& outcome) const;
  void check_proof() const;
  void check_some_states();

  std::mt19937_64 random_;
  Case case_;
  bool several_classes_ = false, infeasible_ = false;
};

void RandomTown::build() {
  case_.add_taxonomy(
      "C", {{"c1", "ANY"}, {"c2", "ANY"}, {"c1a", "c1"}, {"c1b", "c1"}, {"c2a", "c2"}, {"c2b", "c2"}, {"c2c", "c2b"}});
  add_flat(case_, "D", {"d1", "d2", "d3"});
  std::vector<std::string> const c{"c1a", "c1b", "c2a", "c2c"}, d{"d1", "d2", "d3"}, n{"10", "20", "30", "40"};
  auto const pick = [&](std::vector<std::string> const& from) {
    return draw(8) == 0 ? std::string() : from[static_cast<std::size_t>(draw(static_cast<int>(from.size())))];
  };
  Rows rows;
  Vector<std::int64_t> weights;
  for (int i = 2 + draw(7); i > 0; --i) {
    rows.push_back({pick(c), pick(d), pick(n), std::to_string(draw(4))});
    weights.push_back(1 + draw(2));
  }
  rows[0][2] = "20";
  bool const several = draw(3) == 0;
  case_.add_table({"C", "D", "N", "P"}, rows, several ? Vector<std::int64_t>() : weights);
  if (several) case_.problem.person = 3;
  std::vector<std::string> columns{"C", "D", "N"};
  std::shuffle(columns.begin(), columns.end(), random_);
  columns.resize(1 + static_cast<std::size_t>(draw(3)));
  for (auto const& column : columns) case_.generalize(column);
  for (auto& attribute : case_.problem.attributes) {
    auto const& column = case_.column({0, attribute.column});
    if (attribute.taxonomy != nullptr || draw(3) > 0) continue;
    attribute.barred.assign(static_cast<std::size_t>(column.distinct()), 0);
    for (auto& barred : attribute.barred) barred = static_cast<char>(draw(4) == 0);
  }
  case_.problem.objective = draw(2) == 0 ? Objective::kDistortion : Objective::kDiscernibility;
  case_.problem.valid_split = draw(2) == 0;
  case_.problem.search = draw(4) == 0;
  for (int i = 1 + draw(2); i > 0; --i) add_population();
  if (draw(2) == 0) {
    std::vector<std::string> x;
    for (auto const& column : columns) x.push_back("T1." + column);
    case_.anonymity(x, {}, {0}, 1 + draw(3));
  }
}

Extent RandomTown::random_value(std::size_t a, bool by_node) {
  auto const& attribute = case_.problem.attributes[a];
  if (draw(12) == 0) return {0, 0};
  if (draw(12) == 0) return {0, 1};
  if (attribute.taxonomy == nullptr) {
    Rank const ranks = case_.column({0, attribute.column}).distinct();
    if (ranks <= 1) return {0, 0};
    Rank const begin = 1 + draw(ranks - 1), more = draw(4) == 0 ? draw(ranks - begin) : 0;
    return {begin, begin + 1 + more};
  }
  Node node = draw(attribute.taxonomy->size());
  while (!attribute.taxonomy->is_leaf(node) && draw(4) > 0) ++node;
  return by_node ? nodes_from(*attribute.taxonomy, node) : ranks_of(*attribute.taxonomy, node);
}

void RandomTown::add_population() {
  Population population;
  std::size_t const width = case_.problem.attributes.size();
  std::vector<std::size_t> x(width);
  for (std::size_t a = 0; a < width; ++a) x[a] = a;
  std::shuffle(x.begin(), x.end(), random_);
  x.resize(1 + static_cast<std::size_t>(draw(static_cast<int>(width))));
  std::size_t const rows = static_cast<std::size_t>(draw(30));
  for (std::size_t a : x) {
    bool const by_node = case_.problem.attributes[a].taxonomy != nullptr && draw(3) == 0;
    population.axes.push_back({a, {}, by_node, {}});
    for (int i = 0; i < 9; ++i) population.axes.back().values.push_back(random_value(a, by_node));
    for (std::size_t i = 0; i < rows; ++i) population.axes.back().codes.push_back(draw(9));
  }
  for (std::size_t i = 0; i < rows; ++i) population.people.push_back(1 + draw(3));
  case_.problem.populations.push_back(std::move(population));
  std::size_t const at = case_.problem.populations.size() - 1;
  for (int i = 1 + draw(3); i > 0; --i)
    if (draw(2) == 0)
      add_rule(case_, at, Rule::Kind::kAnonymity, Rule::Side::kAtMost, 1 + draw(8), {1, 1});
    else
      add_rule(case_, at, Rule::Kind::kLinkability, static_cast<Rule::Side>(draw(3)), 1, {1 + draw(10), 10 + draw(8)});
}

Cut RandomTown::root() const {
  Cut cut;
  for (auto const& attribute : case_.problem.attributes) {
    CutValue value;
    value.ranks = {0, attribute.taxonomy != nullptr ? attribute.taxonomy->leaves(kRoot) + 1
                                                    : case_.column({0, attribute.column}).distinct()};
    value.node = attribute.taxonomy != nullptr ? kRoot : kNoNode;
    cut.push_back({value});
  }
  return cut;
}

// A class is what its rows show; everybody is held against every class.
Level RandomTown::level(Rule const& rule, Cut const& cut) const {
  auto const& problem = case_.problem;
  auto const& population = problem.populations[*rule.population];
  auto const inside = [](Extent value, Extent shown) {
    return value.begin < value.end && shown.begin <= value.begin && value.end <= shown.end;
  };
  std::map<std::vector<Rank>, std::pair<std::vector<Extent>, std::set<std::int64_t>>> classes;
  std::int64_t next = -1;
  for (std::size_t row = 0; row < problem.table->rows(); ++row) {
    std::vector<Extent> shown;
    std::vector<Rank> key;
    for (auto const& axis : population.axes) {
      auto const& attribute = problem.attributes[axis.attribute];
      Code const code = problem.table->columns[attribute.column].codes[row];
      Rank const rank = attribute.taxonomy == nullptr || code == kNull
                            ? code
                            : attribute.taxonomy->leaf_rank(attribute.leaves[static_cast<std::size_t>(code)]) + 1;
      for (auto const& value : cut[axis.attribute])
        if (value.ranks.begin <= rank && rank < value.ranks.end)
          shown.push_back(axis.by_node ? nodes_from(*attribute.taxonomy, value.node) : value.ranks);
      key.push_back(shown.back().begin);
    }
    auto& persons = classes.try_emplace(key, shown, std::set<std::int64_t>()).first->second.second;
    if (problem.person != kNoColumn)
      persons.insert(problem.table->columns[problem.person].codes[row]);
    else
      for (auto i = problem.table->weight(row); i > 0; --i) persons.insert(next--);
  }
  std::vector<std::int64_t> fit(classes.size(), 0);
  std::int64_t left = 0;
  for (std::size_t row = 0; row < population.people.size(); ++row) {
    bool placed = false;
    std::size_t at = 0;
    for (auto const& [key, of] : classes) {
      bool fits = true;
      for (std::size_t i = 0; i < population.axes.size(); ++i) {
        auto const& axis = population.axes[i];
        fits = fits && inside(axis.values[static_cast<std::size_t>(axis.codes[row])], of.first[i]);
      }
      if (fits) fit[at] += population.people[row];
      placed = placed || fits;
      ++at;
    }
    if (!placed) left += population.people[row];
  }
  Judge const judge(rule);
  Level worst;
  std::size_t at = 0;
  for (auto const& [key, of] : classes) {
    auto const f = static_cast<std::int64_t>(of.second.size()), people = fit[at++];
    if (judge.anonymity())
      judge.worsen(worst, {people, 1, -1});
    else if (people > 0)
      judge.worsen(worst, {f, people, -1});
    else
      judge.worsen(worst, {rule.side == Rule::Side::kAtLeast ? 1 : kNobodyFits, 1, -1});
  }
  if (left > 0 && rule.side == Rule::Side::kAtLeast) judge.worsen(worst, {0, 1, -1});
  return worst;
}

bool RandomTown::valid(Cut const& cut) const {
  auto const levels = measure_rules(case_.problem, cut, true, checkpoint);
  for (std::size_t r = 0; r < levels.size(); ++r)
    if (auto const& rule = case_.problem.rules[r]; Judge(rule).violates(rule.population ? level(rule, cut) : levels[r]))
      return false;
  return true;
}

void RandomTown::expect_levels(Cut const& cut, std::vector<Level> const& levels, char const* when) const {
  for (std::size_t r = 0; r < levels.size(); ++r) {
    auto const& rule = case_.problem.rules[r];
    if (!rule.population) continue;
    auto const truth = level(rule, cut);
    EXPECT_FALSE(Judge(rule).worse(truth, levels[r]) || Judge(rule).worse(levels[r], truth))
        << when << ", rule " << r << ": " << levels[r].num << "/" << levels[r].den << ", counted " << truth.num << "/"
        << truth.den;
  }
}

void RandomTown::check_result(SequentialOutcome const& outcome) const {
  EXPECT_TRUE(valid(outcome.cut));
  outcome.classes.check();
  for (std::size_t a = 0; a < outcome.cut.size(); ++a) {
    if (case_.problem.attributes[a].taxonomy == nullptr && !case_.problem.valid_split) continue;
    for (std::size_t i = 0; i < outcome.cut[a].size(); ++i) {
      if (outcome.cut[a][i].weight == 0) continue;
      for (auto const& children : splits(case_, a, outcome.cut[a][i]))
        EXPECT_FALSE(valid(replaced(outcome.cut, a, i, children))) << "not locally maximal in " << a;
    }
  }
}

void RandomTown::check_proof() const {
  std::vector<Cut> open{root()};
  for (int states = 0; !open.empty() && states < 60; ++states) {
    auto const cut = open.back();
    open.pop_back();
    EXPECT_FALSE(valid(cut)) << "a state is valid after all";
    for (std::size_t a = 0; a < cut.size(); ++a)
      for (std::size_t i = 0; i < cut[a].size(); ++i)
        for (auto const& children : splits(case_, a, cut[a][i])) open.push_back(replaced(cut, a, i, children));
  }
}

// States that no rule would let happen, too.
void RandomTown::check_some_states() {
  auto cut = root();
  for (int steps = 0; steps < 5; ++steps) {
    auto const a = static_cast<std::size_t>(draw(static_cast<int>(cut.size())));
    auto const i = static_cast<std::size_t>(draw(static_cast<int>(cut[a].size())));
    auto const found = splits(case_, a, cut[a][i]);
    if (found.empty()) continue;
    cut = replaced(cut, a, i, found[static_cast<std::size_t>(draw(static_cast<int>(found.size())))]);
    expect_levels(cut, measure_rules(case_.problem, cut, false, checkpoint), "some state");
  }
}

void RandomTown::check() {
  auto const outcome = case_.run();
  auto cut = root();
  std::vector<Level> levels;
  for (auto const& rule : outcome.rules) levels.push_back(rule.root);
  expect_levels(cut, levels, "root");
  for (auto const& step : outcome.trace) {
    auto& values = cut[step.attribute];
    auto const at = std::find_if(values.begin(), values.end(), [&](auto const& value) {
      return value.ranks == step.value.ranks && value.node == step.value.node;
    });
    ASSERT_NE(at, values.end());
    cut = replaced(cut, step.attribute, static_cast<std::size_t>(at - values.begin()), step.children);
    expect_levels(cut, step.after, "after a step");
  }
  expect_levels(cut, measure_rules(case_.problem, cut, false, checkpoint), "measured");
  check_some_states();
  infeasible_ = !outcome.feasible;
  if (outcome.feasible)
    check_result(outcome);
  else if (outcome.proof)
    check_proof();
  several_classes_ = outcome.feasible && outcome.classes.count() > 1;
}

TEST(PopulationLevels, AgreeWithACountOfEveryClass) {
  auto const [seed, instances] = runs(20071120, 1500);
  int several = 0, infeasible = 0;
  for (int i = 0; i < instances; ++i) {
    RandomTown town(seed * 1000003 + static_cast<std::uint64_t>(i));
    town.check();
    if (HasFailure()) FAIL() << "seed " << seed << ", instance " << i;
    several += town.several_classes();
    infeasible += town.infeasible();
  }
  std::printf("of several classes: %d, infeasible: %d\n", several, infeasible);
  EXPECT_GT(several, instances / 15);
  EXPECT_GT(infeasible, instances / 15);
}

}  // namespace
}  // namespace anon_seq::testing
