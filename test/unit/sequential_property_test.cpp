// Random small releases against the join by enumeration: every level that is met, the result's validity and
// local maximality, infeasibility proofs, and the cases in which the join plays no part.
#include <gtest/gtest.h>

#include <random>

#include "brute_force.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

using Edges = std::vector<std::pair<std::string, std::string>>;

struct Shape {
  std::string column;
  Edges edges;
  brute::Tree tree;
};

Shape make_shape(std::string const& column, Edges const& edges) {
  Shape shape{column, edges, {}};
  shape.tree.root = edges.front().second;
  std::set<std::string> inner;
  for (auto const& [child, parent] : edges) {
    shape.tree.parent[child] = parent;
    inner.insert(parent);
  }
  for (auto const& [child, parent] : edges)
    if (inner.count(child) == 0) shape.tree.leaves.push_back(child);
  return shape;
}

// One random instance: a world for the enumeration, and the same as a problem.
class Instance {
 public:
  explicit Instance(std::uint64_t seed) : random_(seed) { build(); }

  void check();
  std::string text() const;  // for a failure's report

 private:
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return draw(100) < percent; }
  void build();
  std::string generalized(Shape const& shape, std::string label);
  void add_tables();
  void add_join();
  void add_rules();
  void fill_world();
  brute::World const& published(std::vector<Vector<CutValue>> const& cut);
  std::string show(std::size_t a, std::string const& label, Vector<CutValue> const& cut) const;
  bool check_levels(std::vector<Vector<CutValue>> const& cut, std::vector<Level> const& levels, char const* when);
  bool valid(std::vector<Vector<CutValue>> const& cut);
  void check_infeasible(SequentialOutcome const& outcome);
  void check_maximal(SequentialOutcome const& outcome);
  void check_identity(SequentialOutcome const& outcome);
  std::vector<Vector<CutValue>> root() const;
  brute::X x_of(Rule const& rule) const;
  brute::Y y_of(Rule const& rule) const;
  std::vector<brute::Set> sets_of(Rule const& rule) const;

  std::mt19937_64 random_;
  std::vector<Shape> shapes_;
  Case case_;
  std::vector<std::vector<std::string>> names_;  // per table
  std::vector<Rows> rows_;                       // per table
  std::vector<Vector<std::int64_t>> weights_;
  std::vector<std::string> generalized_;
  brute::World base_;
  bool overlap_ = false;
};

std::string Instance::generalized(Shape const& shape, std::string label) {
  if (label.empty()) return chance(30) ? shape.tree.root : label;
  for (int up = draw(3); up > 0; --up) {
    auto const parent = shape.tree.parent.find(label);
    if (parent != shape.tree.parent.end()) label = parent->second;
  }
  return label;
}

void Instance::add_tables() {
  std::vector<std::string> const universe{"C", "D", "E", "N", "S", "U", "P"};
  int const n = 2 + draw(5), nulls = chance(40) ? 15 : 0;
  std::map<std::string, std::vector<std::string>> domain{
      {"N", {"10", "20", "30", "40"}}, {"S", {"s1", "s2", "s3"}}, {"U", {"u1", "u2"}}, {"P", {"1", "2", "3", "4"}}};
  for (auto const& shape : shapes_) domain[shape.column] = shape.tree.leaves;
  Rows people;
  for (int i = 0; i < n; ++i) {
    people.emplace_back();
    for (auto const& column : universe) {
      auto const& values = domain[column];
      people.back().push_back(chance(nulls) ? ""
                                            : values[static_cast<std::size_t>(draw(static_cast<int>(values.size())))]);
    }
  }
  auto place = [&](std::string const& name) {
    return static_cast<std::size_t>(std::find(universe.begin(), universe.end(), name) - universe.begin());
  };
  int const tables = 1 + (chance(85) ? 1 : 0) + (chance(40) ? 1 : 0);
  bool const related = chance(75);
  case_.problem.dangling = related && chance(70) ? Dangling::kError : chance(70) ? Dangling::kOuter : Dangling::kInner;
  overlap_ = chance(30);
  for (int t = 0; t < tables; ++t) {
    std::vector<std::string> names = t == 0 ? std::vector<std::string>{"C", "D", "E", "P"} : std::vector<std::string>{};
    if (t == 0) {
      if (chance(70)) names.push_back("S");
      if (chance(50)) names.push_back("N");
    } else {
      for (auto const* name : {"C", "D", "E", "S", "U"})
        if (chance(std::string(name) == "D" ? 80 : 35)) names.push_back(name);
      if (overlap_ && chance(60)) names.push_back("N");
      if (names.empty()) names.push_back("U");
    }
    int const style = t == 0 ? 0 : draw(3);  // raw, on a cut or locally recoded
    std::map<std::string, std::string> cut;
    Rows rows;
    std::vector<std::size_t> chosen;
    for (std::size_t r = 0; r < people.size(); ++r)
      if (related || chance(80)) chosen.push_back(r);
    if (chosen.empty()) chosen.push_back(0);
    for (std::size_t r : chosen) {
      rows.emplace_back();
      for (auto const& name : names) {
        std::string label = people[r][place(name)];
        for (auto const& shape : shapes_) {
          if (shape.column != name || style == 0) continue;
          if (style == 2)
            label = generalized(shape, label);
          else if (chance(50))
            label = label.empty() ? label : shape.tree.root;
        }
        if (name == "N" && t > 0) {
          if (label.empty())
            label = chance(50) ? "any" : "";
          else {
            int const value = std::stoi(label), low = value - draw(12), high = value + 1 + draw(12);
            label = chance(10) ? "any" : std::to_string(low) + " " + std::to_string(high);
          }
        }
        rows.back().push_back(label);
      }
    }
    Vector<std::int64_t> weights;
    if (chance(30))
      for (std::size_t r = 0; r < rows.size(); ++r) weights.push_back(1 + draw(3));
    case_.add_table(names, rows, weights);
    if (weights.empty()) weights.assign(rows.size(), 1);
    names_.push_back(names);
    rows_.push_back(rows);
    weights_.push_back(weights);
  }
}

void Instance::add_join() {
  auto holds = [&](std::size_t t, std::string const& name) {
    return std::find(names_[t].begin(), names_[t].end(), name) != names_[t].end();
  };
  base_.outer = case_.problem.dangling == Dangling::kOuter;
  std::map<std::string, std::size_t> index;
  for (std::string const name : {"C", "D", "E", "S", "U"}) {
    std::vector<std::size_t> tables;
    for (std::size_t t = 0; t < names_.size(); ++t)
      if (holds(t, name)) tables.push_back(t);
    bool const taxonomy = name == "C" || name == "D" || name == "E";
    if (tables.size() < 2 && !taxonomy) continue;
    if (!taxonomy && chance(50)) continue;  // not taken as common
    if (tables.empty()) continue;
    index[name] = case_.join(name, tables);
    brute::Shared shared;
    shared.column = name;
    for (auto const& shape : shapes_)
      if (shape.column == name) shared.tree = &shape.tree;
    shared.tables.insert(tables.begin(), tables.end());
    base_.shared.push_back(shared);
    base_.holders[name].insert(tables.begin(), tables.end());
    for (std::size_t t : tables)
      for (std::size_t r = 0; r < rows_[t].size(); ++r)
        if (rows_[t][r][case_.at(t, name).column].empty()) base_.with_null.insert(name);
  }
  if (overlap_) {
    JoinAttribute age;
    age.name = "N";
    age.overlap = true;
    brute::Shared shared;
    shared.column = "N";
    shared.intervals = true;
    for (std::size_t t = 0; t < names_.size(); ++t) {
      if (!holds(t, "N") || (t == 0 && case_.problem.generalizes(case_.at(0, "N").column) == kNoColumn)) continue;
      JoinAttribute::Holder holder;
      holder.table = t;
      holder.column = case_.at(t, "N").column;
      if (t > 0) {
        Column const& column = case_.column({t, holder.column});
        holder.intervals.push_back({1, 0, true});
        for (Code code = 1; code < column.distinct(); ++code) {
          std::string const label(column.values[code]);
          if (label == "any")
            holder.intervals.push_back(
                {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), true});
          else
            holder.intervals.push_back(
                {std::stod(label.substr(0, label.find(' '))), std::stod(label.substr(label.find(' ') + 1))});
        }
      }
      age.holders.push_back(std::move(holder));
      shared.tables.insert(t);
    }
    if (!age.holders.empty()) {
      case_.problem.join.push_back(std::move(age));
      base_.shared.push_back(shared);
    }
  }
  if (index.size() >= 2 && chance(35)) {
    for (int i = 1 + draw(3); i > 0; --i) {
      std::vector<std::string> const columns{"C", "D", "E"};
      std::size_t const a = static_cast<std::size_t>(draw(3)), b = (a + 1 + static_cast<std::size_t>(draw(2))) % 3;
      if (index.count(columns[a]) == 0 || index.count(columns[b]) == 0) continue;
      auto pick = [&](Shape const& shape) {
        return shape.edges[static_cast<std::size_t>(draw(static_cast<int>(shape.edges.size())))].first;
      };
      std::string const u = pick(shapes_[a]), v = pick(shapes_[b]);
      case_.exclude(index[columns[a]], u, index[columns[b]], v);
      base_.stated.push_back({columns[a], columns[b], u, v});
    }
  }
  for (auto const& shape : shapes_) base_.trees[shape.column] = &shape.tree;
}

void Instance::add_rules() {
  for (int i = 1 + draw(2); i > 0; --i) {
    Rule rule;
    rule.allow_partial_x = true;
    rule.kind = chance(50) ? Rule::Kind::kAnonymity : Rule::Kind::kLinkability;
    bool const all_joins = chance(40);
    std::vector<ColumnRef> left;
    for (std::size_t t = 0; t < names_.size(); ++t)
      for (std::size_t c = 0; c < names_[t].size(); ++c) {
        std::string const& name = names_[t][c];
        if (name == "P") continue;
        bool const joins = name == "C" || name == "D" || name == "E";
        if (joins ? (all_joins || chance(t == 0 ? 65 : 40)) : chance(t == 0 && name == "N" ? 80 : 15))
          rule.x.push_back({t, c});
        else
          left.push_back({t, c});
      }
    auto const tables = static_cast<int>(names_.size());
    if (rule.kind == Rule::Kind::kAnonymity) {
      rule.min = 1 + draw(3);
      if (chance(60)) rule.y_keys.push_back(0);
      for (int t = 1; t < tables; ++t)
        if (chance(25)) rule.y_keys.push_back(static_cast<std::size_t>(t));
      if (!left.empty() && chance(30))
        rule.y.push_back(left[static_cast<std::size_t>(draw(static_cast<int>(left.size())))]);
      if (rule.y.empty() && rule.y_keys.empty()) rule.y_keys.push_back(static_cast<std::size_t>(draw(tables)));
    } else {
      if (left.empty()) continue;
      std::shuffle(left.begin(), left.end(), random_);
      rule.y.assign(left.begin(), left.begin() + (left.size() > 1 && chance(30) ? 2 : 1));
      rule.max = {1 + draw(4), 4};
      auto codes = [&](ColumnRef ref) { return case_.column(ref).distinct(); };
      for (int sets = chance(70) ? 1 + draw(2) : 0; sets > 0; --sets) {
        SensitiveSet set;
        set.max = chance(70) ? rule.max : Ratio{1 + draw(4), 4};
        for (int tuples = 1 + draw(2); tuples > 0; --tuples)
          for (auto const& ref : rule.y) set.tuples.push_back(draw(codes(ref)));
        rule.sensitive.push_back(std::move(set));
      }
    }
    case_.problem.rules.push_back(std::move(rule));
  }
}

void Instance::build() {
  shapes_.push_back(make_shape("C", {{"c1", "ANY"}, {"c2", "ANY"}}));
  shapes_.push_back(make_shape("D", {{"d12", "ANY"}, {"d1", "d12"}, {"d2", "d12"}, {"d3", "ANY"}}));
  shapes_.push_back(make_shape("E", {{"ex", "ANY"}, {"e12", "ex"}, {"e1", "e12"}, {"e2", "e12"}, {"e3", "ex"}}));
  for (auto const& shape : shapes_) case_.add_taxonomy(shape.column, shape.edges);
  add_tables();
  for (std::string const name : {"C", "D", "E", "N"}) {
    bool const held = std::find(names_[0].begin(), names_[0].end(), name) != names_[0].end();
    // An all-NULL N has no numbers and stays as it is.
    if (!held || (name == "N" && case_.column(case_.at(0, "N")).positions.empty())) continue;
    if (chance(80)) {
      case_.generalize(name);
      generalized_.push_back(name);
    }
  }
  add_join();
  add_rules();
  if (chance(25)) case_.problem.person = case_.at(0, "P").column;
  int const objective = draw(3);
  case_.problem.objective = objective == 0   ? Objective::kDistortion
                            : objective == 1 ? Objective::kDiscernibility
                                             : Objective::kEntropy;
  case_.problem.label = case_.at(0, "P").column;
  case_.problem.valid_split = chance(50);
  case_.problem.search = chance(50);
  fill_world();
}

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
    if (value.ranks == Extent{0, column.distinct()}) return "any";
    if (code == kNull) return "";
    auto bound = [&](Code at) { return std::to_string(column.positions[static_cast<std::size_t>(at)]); };
    return (value.ranks.begin <= 1 ? "-inf" : bound(value.ranks.begin)) + " " +
           (value.ranks.end >= column.distinct() ? "inf" : bound(value.ranks.end));
  }
  ADD_FAILURE() << "not in the cut";
  return label;
}

// The tables as enumerated: T1's records hold their own values too, as "true D" and so on.
void Instance::fill_world() {
  for (std::size_t t = 0; t < rows_.size(); ++t) {
    base_.tables.emplace_back();
    base_.weights.emplace_back(weights_[t].begin(), weights_[t].end());
    for (auto const& row : rows_[t]) {
      brute::Record record;
      for (std::size_t c = 0; c < row.size(); ++c) {
        record[names_[t][c]] = row[c];
        if (t == 0) record["true " + names_[t][c]] = row[c];
      }
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
  // Values of Y in T1 are T1's own, not what is published of them.
  for (auto const& ref : rule.y)
    y.columns.push_back({ref.table, (ref.table == 0 ? "true " : "") + names_[ref.table][ref.column]});
  y.keys.insert(rule.y_keys.begin(), rule.y_keys.end());
  if (case_.problem.person != kNoColumn) y.person = "P";
  return y;
}

std::vector<brute::Set> Instance::sets_of(Rule const& rule) const {
  std::vector<brute::Set> sets;
  for (auto const& sensitive : rule.sensitive) {
    brute::Set set{{}, sensitive.max.num, sensitive.max.den};
    for (std::size_t at = 0; at < sensitive.tuples.size(); at += rule.y.size()) {
      std::vector<std::string> tuple;
      for (std::size_t i = 0; i < rule.y.size(); ++i)
        tuple.emplace_back(case_.column(rule.y[i]).values[sensitive.tuples[at + i]]);
      set.tuples.insert(tuple);
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

bool Instance::check_levels(std::vector<Vector<CutValue>> const& cut, std::vector<Level> const& levels,
                            char const* when) {
  brute::World const& world = published(cut);
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

bool Instance::valid(std::vector<Vector<CutValue>> const& cut) {
  brute::World const& world = published(cut);
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

std::vector<Vector<CutValue>> Instance::root() const {
  std::vector<Vector<CutValue>> cut;
  for (auto const& attribute : case_.problem.attributes) {
    CutValue value;
    value.ranks = {0, attribute.taxonomy != nullptr ? attribute.taxonomy->leaves(kRoot) + 1
                                                    : case_.column({0, attribute.column}).distinct()};
    value.node = attribute.taxonomy != nullptr ? kRoot : kNoNode;
    cut.push_back({value});
  }
  return cut;
}

// Every way to split a value once; children without records included.
std::vector<Vector<CutValue>> splits(Case const& c, std::size_t a, CutValue const& value) {
  std::vector<Vector<CutValue>> found;
  Attribute const& attribute = c.problem.attributes[a];
  auto const& codes = c.column({0, attribute.column}).codes;
  bool const nulls = std::find(codes.begin(), codes.end(), kNull) != codes.end();
  CutValue null;
  null.ranks = {0, 1};
  if (attribute.taxonomy != nullptr) {
    Taxonomy const& taxonomy = *attribute.taxonomy;
    if (value.node == kNoNode || taxonomy.is_leaf(value.node)) return found;
    found.emplace_back();
    if (value.node == kRoot && nulls) found.back().push_back(null);
    for (Node n = value.node + 1; n < taxonomy.end(value.node); n = taxonomy.end(n)) {
      CutValue child;
      child.node = n;
      child.ranks = {taxonomy.leaf_rank(n) + 1, taxonomy.leaf_rank(n) + 1 + taxonomy.leaves(n)};
      found.back().push_back(child);
    }
    return found;
  }
  if (value.ranks.end <= 1) return found;
  CutValue low, high;
  if (value.ranks.begin == 0 && nulls) {
    low.ranks = {1, value.ranks.end};
    return {{null, low}};
  }
  int const begin = std::max(value.ranks.begin, 1);
  for (int m = begin + 1; m < value.ranks.end; ++m) {
    low.ranks = {begin, m};
    high.ranks = {m, value.ranks.end};
    found.push_back({low, high});
  }
  return found;
}

std::vector<Vector<CutValue>> replaced(std::vector<Vector<CutValue>> cut, std::size_t a, std::size_t at,
                                       Vector<CutValue> const& by) {
  cut[a].erase(cut[a].begin() + static_cast<std::ptrdiff_t>(at));
  cut[a].insert(cut[a].begin() + static_cast<std::ptrdiff_t>(at), by.begin(), by.end());
  return cut;
}

void Instance::check_maximal(SequentialOutcome const& outcome) {
  for (std::size_t a = 0; a < outcome.cut.size(); ++a) {
    bool const continuous = case_.problem.attributes[a].taxonomy == nullptr;
    bool const any_split = case_.problem.valid_split && case_.problem.objective != Objective::kEntropy;
    for (std::size_t i = 0; i < outcome.cut[a].size(); ++i) {
      if (outcome.cut[a][i].weight == 0) continue;
      for (auto const& children : splits(case_, a, outcome.cut[a][i])) {
        bool const at_code = continuous && children[0].ranks.begin > 0;
        if (at_code && !any_split) continue;
        EXPECT_FALSE(valid(replaced(outcome.cut, a, i, children))) << "not locally maximal in attribute " << a;
      }
    }
  }
}

// A proof of infeasibility must hold against every state.
void Instance::check_infeasible(SequentialOutcome const& outcome) {
  if (!outcome.proof) return;
  std::vector<std::vector<Vector<CutValue>>> open{root()};
  for (int states = 0; !open.empty() && states < 20; ++states) {
    auto const cut = open.back();
    open.pop_back();
    EXPECT_FALSE(valid(cut)) << "a state is valid after all";
    for (std::size_t a = 0; a < cut.size(); ++a)
      for (std::size_t i = 0; i < cut[a].size(); ++i)
        for (auto const& children : splits(case_, a, cut[a][i])) open.push_back(replaced(cut, a, i, children));
  }
}

// SEMANTICS 1.4: persons in Y, every join attribute in X: plain k-anonymity of T1 on X1.
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

std::string Instance::text() const {
  std::string text;
  for (std::size_t t = 0; t < rows_.size(); ++t) {
    text += "T" + std::to_string(t + 1) + ":";
    for (auto const& name : names_[t]) text += " " + name;
    for (std::size_t r = 0; r < rows_[t].size(); ++r) {
      text += "\n  " + std::to_string(weights_[t][r]) + " x";
      for (auto const& label : rows_[t][r]) text += " " + (label.empty() ? "NULL" : "'" + label + "'");
    }
    text += "\n";
  }
  auto refs = [&](std::vector<ColumnRef> const& list) {
    std::string found;
    for (auto const& ref : list) found += " T" + std::to_string(ref.table + 1) + "." + names_[ref.table][ref.column];
    return found;
  };
  for (auto const& rule : case_.problem.rules) {
    text += (rule.kind == Rule::Kind::kAnonymity ? "anonymity x" : "linkability x") + refs(rule.x) + " y" +
            refs(rule.y) + " keys";
    for (auto key : rule.y_keys) text += " T" + std::to_string(key + 1);
    text += ", sets " + std::to_string(rule.sensitive.size()) + "\n";
  }
  for (auto const& shared : base_.shared)
    text += "shared " + shared.column + " by " + std::to_string(shared.tables.size()) + "\n";
  for (auto const& s : base_.stated) text += s.column + "=" + s.u + " excludes " + s.other + "=" + s.v + "\n";
  text += "generalized:";
  for (auto const& name : generalized_) text += " " + name;
  return text + "; dangling " + std::to_string(static_cast<int>(case_.problem.dangling)) + ", person " +
         (case_.problem.person == kNoColumn ? "row" : "P") + ", objective " +
         std::to_string(static_cast<int>(case_.problem.objective));
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
        auto const children = splits(case_, a, value);
        if (children.empty()) {
          values.push_back(value);
          // A single number is not split, but it is not NULL either.
          if (value.node == kNoNode && value.ranks.begin == 0 && value.ranks.end > 1) values.back().ranks.begin = 1;
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
  auto cut = root();
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
  if (!outcome.feasible) {
    EXPECT_FALSE(valid(root()));
    check_infeasible(outcome);
    return;
  }
  EXPECT_TRUE(valid(outcome.cut));
  outcome.classes.check();
  check_maximal(outcome);
  check_identity(outcome);
}

TEST(SequentialProperty, AgreesWithTheJoinByEnumeration) {
  char const* const given = std::getenv("ANON_SEQ_SEED");
  char const* const count = std::getenv("ANON_SEQ_INSTANCES");
  std::uint64_t const seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20060820;
  int const instances = count != nullptr ? std::atoi(count) : 10000;
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  for (int i = 0; i < instances; ++i) {
    std::uint64_t const own = seed * 1000003 + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("instance " + std::to_string(i));
    Instance instance(own);
    instance.check();
    if (HasFailure()) FAIL() << "seed " << seed << ", instance " << i << "\n" << instance.text();
  }
}

}  // namespace
}  // namespace anon_seq::testing
