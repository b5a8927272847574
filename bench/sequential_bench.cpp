// Timings of the core on Adult: sequential_bench FILE.csv TAXONOMY_DIR CASE...
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>

#include "core/specialize.h"

using namespace anon_seq;

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<std::string> split(std::string const& line) {
  std::vector<std::string> parts;
  std::stringstream in(line);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

std::map<std::string, Column> read(char const* file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  auto const names = split(line);
  std::vector<Column> columns(names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    columns[c].name = names[c];
    columns[c].values.add_hidden("");
  }
  while (std::getline(in, line)) {
    std::size_t c = 0, at = 0;
    for (; c < names.size(); ++c) {
      auto const end = std::min(line.find(',', at), line.size());
      columns[c].codes.push_back(columns[c].values.intern(std::string_view(line).substr(at, end - at)));
      at = end + 1;
    }
  }
  std::map<std::string, Column> result;
  for (auto& column : columns) {
    bool numbers = true;
    for (Code code = 1; code < column.distinct() && numbers; ++code)
      numbers = column.values[code].find_first_not_of("0123456789") == std::string_view::npos;
    Vector<Code> order;
    for (Code code = 1; code < column.distinct(); ++code) order.push_back(code);
    auto value = [&](Code code) { return std::stod(std::string(column.values[code])); };
    if (numbers) {
      column.positions.push_back(0);
      for (Code code : order) column.positions.push_back(value(code));
      std::sort(order.begin(), order.end(), [&](Code a, Code b) {
        return column.positions[static_cast<std::size_t>(a)] < column.positions[static_cast<std::size_t>(b)];
      });
    } else {
      std::sort(order.begin(), order.end(), [&](Code a, Code b) { return column.values[a] < column.values[b]; });
    }
    Dictionary const labels = column.values;
    if (numbers) column.positions.clear();
    renumber(column, order, labels);
    if (numbers) {
      column.positions.assign(1, 0);
      for (Code code = 1; code < column.distinct(); ++code) column.positions.push_back(value(code));
    }
    column.codes.shrink_to_fit();
    result[column.name] = std::move(column);
  }
  return result;
}

Taxonomy taxonomy(std::string const& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  Dictionary labels;
  Vector<Node> parents;
  labels.intern("ANY");
  parents.push_back(kNoNode);
  while (std::getline(in, line)) {
    auto const path = split(line);
    for (std::size_t i = path.size() - 1; i-- > 0;) {
      if (path[i] == path[i + 1]) continue;
      Node const known = labels.size();
      if (labels.intern(path[i]) == known) parents.push_back(labels.find(path[i + 1]));
    }
  }
  return Taxonomy(labels, parents);
}

struct Bench {
  std::map<std::string, Column> data;
  std::map<std::string, Taxonomy> trees;
  std::string directory;
  std::deque<CodedTable> tables;
  Problem problem;

  void table(std::vector<std::string> const& names) {
    tables.emplace_back();
    for (auto const& name : names) tables.back().columns.push_back(data.at(name));
    if (problem.table == nullptr)
      problem.table = &tables.back();
    else
      problem.earlier.push_back(&tables.back());
  }
  std::size_t column(std::size_t t, std::string const& name) {
    auto const& columns = problem.at(t).columns;
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (columns[c].name == name) return c;
    std::abort();
  }
  Vector<Node> nodes(Column const& column, Taxonomy const& tree) {
    Vector<Node> nodes{kNoNode};
    for (Code code = 1; code < column.distinct(); ++code) nodes.push_back(tree.find(column.values[code]));
    return nodes;
  }
  Taxonomy const& tree(std::string const& name) {
    auto found = trees.find(name);
    if (found == trees.end()) found = trees.emplace(name, taxonomy(directory + "/" + name + ".csv")).first;
    return found->second;
  }
  void generalize(std::string const& name) {
    Attribute attribute;
    attribute.column = column(0, name);
    auto const& source = problem.table->columns[attribute.column];
    if (source.positions.empty()) {
      attribute.taxonomy = &tree(name);
      attribute.leaves = nodes(source, *attribute.taxonomy);
    }
    problem.attributes.push_back(std::move(attribute));
  }
  void join(std::string const& name) {
    JoinAttribute attribute;
    attribute.name = name;
    attribute.taxonomy = &tree(name);
    for (std::size_t t = 0; t < problem.tables(); ++t) {
      JoinAttribute::Holder holder;
      holder.table = t;
      holder.column = column(t, name);
      holder.nodes = nodes(problem.at(t).columns[holder.column], *attribute.taxonomy);
      attribute.holders.push_back(std::move(holder));
    }
    problem.join.push_back(std::move(attribute));
  }
  Rule& rule(std::vector<std::pair<std::size_t, std::string>> const& x) {
    problem.rules.emplace_back();
    problem.rules.back().allow_partial_x = true;
    for (auto const& [t, name] : x) problem.rules.back().x.push_back({t, column(t, name)});
    return problem.rules.back();
  }
};

std::vector<std::string> const kT1{"marital_status", "relationship", "sex", "education", "occupation", "workclass"};
std::vector<std::string> const kT2{"marital_status", "relationship", "sex", "native_country", "race"};
std::vector<std::string> const kCommon{"marital_status", "relationship", "sex"};
std::vector<std::string> const kEight{"age",        "workclass",    "education", "marital_status",
                                      "occupation", "relationship", "sex",       "hours_per_week"};

void set_a(Bench& b) {
  auto with_label = kT1;
  with_label.push_back("income");
  b.table(with_label);
  b.table(kT2);
  for (auto const& name : kT1) b.generalize(name);
  for (auto const& name : kCommon) b.join(name);
  b.problem.label = 6;
}

void run(Bench& b, std::string const& name) {
  b.tables.clear();
  b.problem = {};
  std::vector<std::pair<std::size_t, std::string>> x;
  auto top = [&](std::size_t n, bool all_of_t2) {
    for (std::size_t i = 0; i < n; ++i) x.push_back({0, kT1[i]});
    for (auto const& column : kT2)
      if (all_of_t2) x.push_back({1, column});
  };
  if (name == "top6_k1" || name == "top6_k1k2" || name == "top6_entropy" || name == "top6_discern") {
    set_a(b);
    top(6, true);
    auto& rule = b.rule(x);
    rule.y_keys = name == "top6_k1k2" ? std::vector<std::size_t>{0, 1} : std::vector<std::size_t>{0};
    rule.min = 40;
    if (name == "top6_entropy") b.problem.objective = Objective::kEntropy;
    if (name == "top6_discern") b.problem.objective = Objective::kDiscernibility;
  } else if (name == "lossy_k1k2" || name == "lossy_k1" || name == "lossy_k2") {  // relationship is not in X
    set_a(b);
    for (auto const& column : kT1)
      if (column != "relationship") x.push_back({0, column});
    for (auto const& column : kT2)
      if (column != "relationship") x.push_back({1, column});
    auto& rule = b.rule(x);
    rule.y_keys = name == "lossy_k1"   ? std::vector<std::size_t>{0}
                  : name == "lossy_k2" ? std::vector<std::size_t>{1}
                                       : std::vector<std::size_t>{0, 1};
    rule.min = std::getenv("MIN") != nullptr ? std::atoi(std::getenv("MIN")) : 40;
  } else if (name == "lossy_link") {  // race of T2, 90 %, relationship not in X
    set_a(b);
    for (auto const& column : kT1)
      if (column != "relationship") x.push_back({0, column});
    for (auto const* column : {"marital_status", "sex", "native_country"}) x.push_back({1, column});
    auto& rule = b.rule(x);
    rule.kind = Rule::Kind::kLinkability;
    rule.y = {{1, b.column(1, "race")}, {0, b.column(0, "income")}};
    rule.max = {999, 1000};
  } else if (name == "link_top1") {  // Y = marital_status of T1, 90 %
    set_a(b);
    for (auto const& column : kT1)
      if (column != "marital_status") x.push_back({0, column});
    for (auto const* column : {"relationship", "sex"}) x.push_back({1, column});
    b.problem.attributes.erase(b.problem.attributes.begin());
    auto& rule = b.rule(x);
    rule.kind = Rule::Kind::kLinkability;
    rule.y = {{0, 0}};
    rule.max = {9, 10};
    for (auto const* value : {"Married-AF-spouse", "Married-spouse-absent", "Widowed"}) {
      SensitiveSet set;
      set.max = rule.max;
      set.tuples.push_back(b.problem.table->columns[0].values.find(value));
      rule.sensitive.push_back(std::move(set));
    }
  } else if (name == "eight" || name == "eight_distortion" || name == "eight_valid") {
    auto with_label = kEight;
    with_label.push_back("income");
    b.table(with_label);
    for (auto const& column : kEight) {
      b.generalize(column);
      x.push_back({0, column});
    }
    b.problem.label = 8;
    b.problem.objective = name == "eight" ? Objective::kEntropy : Objective::kDistortion;
    if (name == "eight_valid") {
      b.problem.objective = Objective::kEntropy;
      b.problem.valid_split = true;
    }
    auto& rule = b.rule(x);
    rule.y_keys = {0};
    rule.min = 10;
  } else {
    std::printf("unknown case %s\n", name.c_str());
    return;
  }
  NoCheckpoint checkpoint;
  heap_meter.reset_peak();
  std::size_t const before = heap_meter.used;
  double const start = now();
  SequentialOutcome const outcome = specialize(b.problem, checkpoint);
  double const seconds = now() - start;
  std::printf("%-18s %7.3f s  %5.1f bytes/row more  %s  steps %zu  classes %d  level %lld/%lld\n", name.c_str(),
              seconds, static_cast<double>(heap_meter.peak - before) / static_cast<double>(b.problem.table->rows()),
              outcome.feasible ? "feasible" : "infeasible", outcome.trace.size(), outcome.classes.count(),
              static_cast<long long>(outcome.rules[0].reached.num),
              static_cast<long long>(outcome.rules[0].reached.den));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 1;
  Bench b;
  b.directory = argv[2];
  b.data = read(argv[1]);
  for (int i = 3; i < argc; ++i) run(b, argv[i]);
}
