// Random small releases against the join by enumeration: every level that is met, the result's validity and
// local maximality, infeasibility proofs, and the cases in which the join plays no part.
#include "random_instance.h"
#include "runs.h"

namespace anon_seq::testing {

std::string Instance::show(std::size_t a, std::string const& label, Vector<CutValue> const& cut) const {
  Attribute const& attribute = case_.problem.attributes[a];
  if (attribute.taxonomy != nullptr) {
    auto const& shape =
        *std::find_if(shapes_.begin(), shapes_.end(), [&](auto const& s) { return s.column == generalized_[a]; });
    for (auto const& value : cut) {
      if (value.node == kNoNode) {
        if (label.empty()) return label;
        continue;
      }
      std::string const node(attribute.taxonomy->label(value.node));
      if (label.empty() ? node == shape.tree.root : shape.tree.above(node, label)) return node;
    }
    ADD_FAILURE() << "not in the cut";
    return label;
  }
  Column const& column = case_.column({0, attribute.column});
  Code const code = label.empty() ? kNull : column.values.find(label);
  for (auto const& value : cut) {
    if (code < value.ranks.begin || code >= value.ranks.end) continue;
    bool const nulls = std::find(column.codes.begin(), column.codes.end(), kNull) != column.codes.end();
    bool const domain = !std::isnan(attribute.lower);
    if (value.ranks == Extent{0, column.distinct()} && (nulls || !domain)) return "any";
    if (code == kNull) return "";
    auto bound = [&](Code at) { return std::to_string(column.positions[static_cast<std::size_t>(at)]); };
    auto end = [&](double declared, char const* none) { return domain ? std::to_string(declared) : none; };
    return (value.ranks.begin <= 1 ? end(attribute.lower, "-inf") : bound(value.ranks.begin)) + " " +
           (value.ranks.end >= column.distinct() ? end(attribute.upper, "inf") : bound(value.ranks.end));
  }
  ADD_FAILURE() << "not in the cut";
  return label;
}

// The tables as enumerated.
void Instance::fill_world() {
  for (std::size_t t = 0; t < rows_.size(); ++t) {
    base_.tables.emplace_back();
    base_.weights.emplace_back(weights_[t].begin(), weights_[t].end());
    for (auto const& row : rows_[t]) {
      brute::Record record;
      for (std::size_t c = 0; c < row.size(); ++c) record[names_[t][c]] = row[c];
      base_.tables.back().push_back(std::move(record));
    }
  }
}

brute::World const& Instance::published(std::vector<Vector<CutValue>> const& cut) {
  for (std::size_t a = 0; a < cut.size(); ++a) {
    std::size_t const c = case_.problem.attributes[a].column;
    for (std::size_t r = 0; r < rows_[0].size(); ++r)
      base_.tables[0][r][names_[0][c]] = show(a, rows_[0][r][c], cut[a]);
  }
  return base_;
}

brute::X Instance::x_of(Rule const& rule) const {
  brute::X x;
  for (auto const& ref : rule.x) x.push_back({ref.table, names_[ref.table][ref.column]});
  return x;
}

brute::Y Instance::y_of(Rule const& rule) const {
  brute::Y y;
  y.nulls = rule.nulls;
  for (auto const& ref : rule.y) {
    auto const& name = names_[ref.table][ref.column];
    y.columns.push_back({ref.table, name});
    auto const tree = base_.trees.find(name);
    bool const labels = tree != base_.trees.end();
    y.nothing.push_back(labels ? tree->second->root : name == "N" ? "any" : "");
  }
  y.keys.insert(rule.y_keys.begin(), rule.y_keys.end());
  if (case_.problem.person != kNoColumn) y.person = "P";
  return y;
}

// The labels that have a listed part; below a node of what T1 generalizes, all that may be published there.
std::set<std::string> Instance::labels_of(ColumnRef ref, ListedY::Part const& part) const {
  std::set<std::string> labels;
  for (Code code : part.codes) labels.emplace(case_.column(ref).values[code]);
  if (ref.table > 0 || case_.problem.generalizes(ref.column) == kNoColumn) return labels;
  if (part.null) labels.emplace();
  auto const* const tree = case_.problem.attributes[case_.problem.generalizes(ref.column)].taxonomy;
  for (Node node = 0; tree != nullptr && node < tree->size(); ++node)
    if (Extent const ranks = ranks_of(*tree, node); part.ranks.begin <= ranks.begin && ranks.end <= part.ranks.end)
      labels.emplace(tree->label(node));
  return labels;
}

std::vector<brute::Set> Instance::sets_of(Rule const& rule) const {
  std::vector<brute::Set> sets;
  for (auto const& sensitive : rule.sensitive) {
    brute::Set set{{}, sensitive.max.num, sensitive.max.den};
    for (auto const& value : sensitive.values) {
      auto& parts = set.listed.emplace_back();
      for (std::size_t i = 0; i < rule.y.size(); ++i) parts.push_back(labels_of(rule.y[i], value.parts[i]));
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

bool Instance::check_levels(brute::World const& world, std::vector<Level> const& levels, char const* when) {
  auto const matches = brute::join(world);
  for (std::size_t r = 0; r < levels.size(); ++r) {
    Rule const& rule = case_.problem.rules[r];
    Level const level = levels[r];
    if (rule.kind == Rule::Kind::kAnonymity) {
      auto const truth = brute::anonymity(world, matches, x_of(rule), y_of(rule));
      EXPECT_EQ(level.measured(), truth.has_value()) << when << ", rule " << r;
      if (truth) {
        EXPECT_EQ(level.num, *truth) << when << ", rule " << r;
      }
    } else {
      bool within = false;
      auto const truth = brute::linkability(world, matches, x_of(rule), y_of(rule), sets_of(rule), within,
                                            {rule.max.num, rule.max.den});
      EXPECT_EQ(level.measured(), truth.has_value()) << when << ", rule " << r;
      if (truth && level.measured()) {
        Ratio const k = rule.sensitive.empty() ? rule.max : rule.sensitive[static_cast<std::size_t>(level.set)].max;
        EXPECT_EQ(level.num * k.den * truth->den, truth->num * level.den * k.num)
            << when << ", rule " << r << ": " << level.num << "/" << level.den << ", enumerated " << truth->num << "/"
            << truth->den;
      }
      EXPECT_EQ(Judge(rule).violates(level), !within) << when << ", rule " << r;
    }
  }
  return !::testing::Test::HasFailure();
}

bool Instance::valid(brute::World const& world) {
  auto const matches = brute::join(world);
  for (auto const& rule : case_.problem.rules) {
    if (rule.kind == Rule::Kind::kAnonymity) {
      auto const truth = brute::anonymity(world, matches, x_of(rule), y_of(rule));
      if (truth && *truth < rule.min) return false;
    } else {
      bool within = true;
      brute::linkability(world, matches, x_of(rule), y_of(rule), sets_of(rule), within, {rule.max.num, rule.max.den});
      if (!within) return false;
    }
  }
  return true;
}

void Instance::check_maximal(SequentialOutcome const& outcome) {
  for (std::size_t a = 0; a < outcome.cut.size(); ++a) {
    bool const continuous = case_.problem.attributes[a].taxonomy == nullptr;
    bool const any_split = case_.problem.valid_split && case_.problem.objective != Objective::kEntropy;
    for (std::size_t i = 0; i < outcome.cut[a].size(); ++i) {
      if (outcome.cut[a][i].weight == 0) continue;
      for (auto const& children : splits(case_, a, outcome.cut[a][i])) {
        if (continuous && !any_split) continue;
        EXPECT_FALSE(valid(replaced(outcome.cut, a, i, children))) << "not locally maximal in attribute " << a;
      }
    }
  }
}

// A proof of infeasibility must hold against every state.
void Instance::check_infeasible(SequentialOutcome const& outcome) {
  if (!outcome.proof) return;
  std::vector<std::vector<Vector<CutValue>>> open{start()};
  for (int states = 0; !open.empty() && states < 20; ++states) {
    auto const cut = open.back();
    open.pop_back();
    EXPECT_FALSE(valid(cut)) << "a state is valid after all";
    for (std::size_t a = 0; a < cut.size(); ++a)
      for (std::size_t i = 0; i < cut[a].size(); ++i)
        for (auto const& children : splits(case_, a, cut[a][i])) open.push_back(replaced(cut, a, i, children));
  }
}

// doc/semantics.md, "What the join adds": persons in Y, every join attribute in X: plain k-anonymity of T1 on X1.
void Instance::check_identity(SequentialOutcome const& outcome) {
  for (std::size_t r = 0; r < case_.problem.rules.size(); ++r) {
    Rule const& rule = case_.problem.rules[r];
    RulePlan const& plan = outcome.rules[r].plan;
    bool const persons =
        rule.y.empty() && rule.y_keys == std::vector<std::size_t>{0} && case_.problem.person == kNoColumn;
    if (!persons || plan.join_attribute_missing || case_.problem.dangling == Dangling::kInner) continue;
    EXPECT_TRUE(plan.monotone);
    auto const& world = published(outcome.cut);
    std::map<std::vector<std::string>, std::int64_t> sizes;
    for (std::size_t row = 0; row < rows_[0].size(); ++row) {
      std::vector<std::string> x;
      for (auto const& ref : rule.x)
        if (ref.table == 0) x.push_back(world.tables[0][row].at(names_[0][ref.column]));
      sizes[x] += weights_[0][row];
    }
    std::int64_t least = sizes.begin()->second;
    for (auto const& each : sizes) least = std::min(least, each.second);
    EXPECT_EQ(outcome.rules[r].reached.num, least);
  }
}

void Instance::check() {
  if (case_.problem.rules.empty()) return;
  NoCheckpoint checkpoint;
  // Records without a match, by enumeration of the join of what T1 holds.
  {
    std::vector<Vector<CutValue>> finest;
    for (std::size_t a = 0; a < case_.problem.attributes.size(); ++a) {
      Vector<CutValue> values;
      Vector<CutValue> open{root()[a][0]};
      while (!open.empty()) {
        CutValue const value = open.back();
        open.pop_back();
        auto const children = splits(case_, a, value, false);
        if (children.empty()) {
          values.push_back(value);
        } else {
          open.insert(open.end(), children.front().begin(), children.front().end());
        }
      }
      finest.push_back(values);
    }
    bool const outer = std::exchange(base_.outer, false);
    auto const matches = brute::join(published(finest));
    base_.outer = outer;
    Vector<std::int64_t> dangling(rows_.size(), 0);
    for (std::size_t t = 0; t < rows_.size(); ++t)
      for (std::size_t row = 0; row < rows_[t].size(); ++row)
        if (std::none_of(matches.begin(), matches.end(),
                         [&](auto const& match) { return match[t] == static_cast<int>(row); }))
          dangling[t] += weights_[t][row];
    auto const counted = count_dangling(case_.problem, checkpoint);
    bool const all = std::all_of(dangling.begin(), dangling.end(), [](auto n) { return n == 0; });
    EXPECT_EQ(std::all_of(counted.begin(), counted.end(), [](auto n) { return n == 0; }), all);
    if (rows_.size() > 1) {
      EXPECT_EQ(counted[0], dangling[0]);
    }
    if (case_.problem.dangling == Dangling::kError && !all) {
      EXPECT_THROW(case_.run(), Error);
      case_.problem.dangling = Dangling::kOuter;
      base_.outer = true;
    }
  }
  auto const outcome = case_.run();
  auto cut = start();
  std::vector<Level> levels;
  for (auto const& rule : outcome.rules) levels.push_back(rule.root);
  if (!check_levels(cut, levels, "root")) return;
  for (auto const& step : outcome.trace) {
    auto& values = cut[step.attribute];
    auto const at = std::find_if(values.begin(), values.end(), [&](auto const& v) {
      return v.ranks == step.value.ranks && v.node == step.value.node;
    });
    ASSERT_NE(at, values.end());
    cut = replaced(cut, step.attribute, static_cast<std::size_t>(at - values.begin()), step.children);
    if (!check_levels(cut, step.after, "after a step")) return;
  }
  check_levels(cut, measure_rules(case_.problem, cut, true, checkpoint), "general method");
  check_levels(cut, measure_rules(case_.problem, cut, false, checkpoint), "fast method");
  check_blanked();
  if (!outcome.feasible) {
    EXPECT_FALSE(valid(start()));
    check_infeasible(outcome);
    return;
  }
  EXPECT_TRUE(valid(outcome.cut));
  check_limits(outcome.cut);
  outcome.classes.check();
  check_maximal(outcome);
  check_identity(outcome);
  check_simulatable();
  check_led();
}

// The same where a search for k leads the way: rules hold, and nothing more is allowed.
void Instance::check_led() {
  auto& problem = case_.problem;
  problem.objective = Objective::kDistortion;
  problem.valid_split = true;
  lead(problem, 1 + draw(2));
  if (!problem.order) return;
  auto const outcome = case_.run();
  ASSERT_TRUE(outcome.feasible);
  EXPECT_TRUE(valid(outcome.cut)) << "led by k";
  check_limits(outcome.cut);
  check_maximal(outcome);
  led_ = outcome.classes.count() > 1;
}

// The same, with what linkability bounds of T1 secret: at worst is at least as bad as it is, and every rule holds.
void Instance::check_simulatable() {
  NoCheckpoint checkpoint;
  Problem problem = case_.problem;
  problem.simulatable = true;
  problem.search = false;
  std::set<std::size_t> secret;
  for (auto const& rule : problem.rules)
    for (auto const& ref : rule.y)
      if (rule.kind == Rule::Kind::kLinkability && ref.table == 0 && problem.generalizes(ref.column) == kNoColumn)
        secret.insert(ref.column);
  problem.secret.assign(secret.begin(), secret.end());
  if (secret.empty()) return;
  SequentialOutcome outcome;
  try {
    outcome = specialize(problem, checkpoint);
  } catch (Error const& error) {
    EXPECT_TRUE(error.fault() == Fault::kUnsupported || error.fault() == Fault::kParameter) << error.what();
    return;
  }
  if (!outcome.feasible) return;
  simulatable_ = outcome.classes.count() > 1;
  EXPECT_TRUE(valid(outcome.cut)) << "by simulatable decisions";
  auto const levels = measure_rules(case_.problem, outcome.cut, true, checkpoint);
  for (std::size_t r = 0; r < levels.size(); ++r)
    EXPECT_FALSE(Judge(problem.rules[r]).worse(levels[r], outcome.rules[r].reached)) << "rule " << r;
}

TEST(SequentialProperty, AgreesWithTheJoinByEnumeration) {
  auto const [seed, instances] = runs(20060820, 1500);
  int simulatable = 0, led = 0;
  for (int i = 0; i < instances; ++i) {
    std::uint64_t const own = seed * 1000003 + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("instance " + std::to_string(i));
    Instance instance(own);
    instance.check();
    if (HasFailure()) FAIL() << "seed " << seed << ", instance " << i << "\n" << instance.text();
    simulatable += instance.simulatable();
    led += instance.led();
  }
  std::printf("releases of several classes by simulatable decisions: %d\n", simulatable);
  if (std::getenv("ANON_SEQ_INSTANCES") == nullptr) {
    EXPECT_GT(simulatable, 0);
    EXPECT_GT(led, 100);
  }
}

}  // namespace anon_seq::testing
