// How random instances are made, and how they are told.
#include "random_instance.h"

#include "core/sequential/blanked.h"

namespace anon_seq::testing {
namespace {

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

}  // namespace

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
  auto place = [](double halves) { return static_cast<Place>(halves * 2); };
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
            holder.intervals.push_back({kBelowAll, kAboveAll, true});
          else
            holder.intervals.push_back({place(std::stod(label.substr(0, label.find(' ')))),
                                        place(std::stod(label.substr(label.find(' ') + 1)))});
        }
      } else {
        auto& attribute = case_.problem.attributes[case_.problem.generalizes(holder.column)];
        for (double position : case_.column(case_.at(0, "N")).positions) attribute.cuts.push_back(place(position));
        if (!std::isnan(attribute.lower))
          attribute.first = place(attribute.lower), attribute.end = place(attribute.upper);
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

// One or two values of a column; a node of one that T1 generalizes.
ListedY::Part Instance::listed(ColumnRef ref) {
  ListedY::Part part;
  std::size_t const a = ref.table == 0 ? case_.problem.generalizes(ref.column) : kNoColumn;
  if (a == kNoColumn) {
    std::set<Code> codes{draw(case_.column(ref).distinct()), draw(case_.column(ref).distinct())};
    part.codes.assign(codes.begin(), codes.end());
  } else if (auto const* const tree = case_.problem.attributes[a].taxonomy; tree != nullptr) {
    part.null = chance(20);
    part.ranks = ranks_of(*tree, draw(tree->size()));
  }
  return part;
}

Vector<Code> Instance::nothing(ColumnRef ref) const {
  auto const& name = names_[ref.table][ref.column];
  auto const shape = std::find_if(shapes_.begin(), shapes_.end(), [&](auto const& s) { return s.column == name; });
  Code const code = case_.column(ref).values.find(shape != shapes_.end() ? shape->tree.root : "any");
  return code == kNoCode ? Vector<Code>() : Vector<Code>{code};
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
      rule.nulls = chance(40);
      for (int sets = chance(70) ? 1 + draw(2) : 0; sets > 0; --sets) {
        SensitiveSet set;
        set.max = chance(70) ? rule.max : Ratio{1 + draw(4), 4};
        for (int values = draw(3); values > 0; --values) {
          auto& parts = set.values.emplace_back().parts;
          for (auto const& ref : rule.y) parts.push_back(listed(ref));
        }
        rule.sensitive.push_back(std::move(set));
      }
    }
    for (auto const& ref : rule.y) rule.nothing.push_back(nothing(ref));
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
      if (name == "N" && chance(40)) {
        auto const distinct = case_.column(case_.at(0, name)).distinct();
        for (Code code = 0; code < distinct; ++code) case_.problem.attributes.back().barred.push_back(chance(30));
      }
      if (name == "N" && chance(40)) {  // no published bound of the others is one of these
        case_.problem.attributes.back().lower = 4.5 - draw(20);
        case_.problem.attributes.back().upper = 45.5 + draw(3);
      }
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
  if (chance(30)) add_limits();
}

// Floors and ceilings of detail.
void Instance::add_limits() {
  for (auto& attribute : case_.problem.attributes) {
    DetailLimits limits;
    auto const& column = case_.column({0, attribute.column});
    Vector<std::int64_t> holders(static_cast<std::size_t>(column.distinct()), 0);
    for (Code code : column.codes) ++holders[static_cast<std::size_t>(code)];
    if (attribute.taxonomy != nullptr) {
      if (chance(50)) limits.finest = draw(4);
      if (chance(50)) limits.coarsest = draw(limits.finest ? static_cast<int>(*limits.finest) + 1 : 3);
      limit_depth(attribute, limits);
    } else {
      if (chance(50)) limits.finest = 1 + draw(20);
      if (chance(50)) limits.coarsest = 1 + draw(40);
      Attribute const before = attribute;
      if (!limit_width(attribute, column, holders, limits)) attribute = before, limits = {};
    }
    limits_.push_back(limits);
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
  for (auto const& attribute : case_.problem.attributes)
    if (!std::isnan(attribute.lower))
      text += "domain " + std::to_string(attribute.lower) + " to " + std::to_string(attribute.upper) + "\n";
  text += "generalized:";
  for (auto const& name : generalized_) text += " " + name;
  return text + "; dangling " + std::to_string(static_cast<int>(case_.problem.dangling)) + ", person " +
         (case_.problem.person == kNoColumn ? "row" : "P") + ", objective " +
         std::to_string(static_cast<int>(case_.problem.objective));
}

// Some rows, none of whose values are shown: a table of roots, by enumeration.
void Instance::check_blanked() {
  Vector<char> blank(rows_[0].size(), 0);
  for (auto& each : blank) each = static_cast<char>(draw(2));
  blank[static_cast<std::size_t>(draw(static_cast<int>(blank.size())))] = 1;
  brute::World world = base_;
  world.tables[0].clear();
  world.weights[0].clear();
  for (std::size_t row = 0; row < blank.size(); ++row) {
    if (blank[row] == 0) continue;
    world.tables[0].push_back(base_.tables[0][row]);
    world.weights[0].push_back(weights_[0][row]);
    for (auto const& attribute : case_.problem.attributes) {
      auto const* const tree = attribute.taxonomy;
      auto const& name = names_[0][attribute.column];
      world.tables[0].back()[name] = tree != nullptr ? std::string(tree->label(kRoot)) : "any";
    }
  }
  NoCheckpoint checkpoint;
  check_levels(world, measure_blanked(case_.problem, case_.problem.table->rows_where(blank, true), checkpoint),
               "blanked");
}

}  // namespace anon_seq::testing
