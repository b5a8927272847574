// Population-relatedness (Section 4 of the paper): every record of each table must be in some match, when T1 is as
// specific as its cuts allow.
#include <algorithm>
#include <set>

#include "core/sequential/matcher.h"
#include "core/sequential/rule_plan.h"
#include "core/sequential/specialize.h"

namespace anon_seq {
namespace {

class DanglingCounter {
 public:
  DanglingCounter(Problem const& problem, JoinModel const& model, Checkpoint& checkpoint)
      : problem_(problem),
        model_(model),
        checkpoint_(checkpoint),
        t1_matched_(problem.table->rows(), 1),
        counts_(problem.tables(), 0) {
    for (auto const& attribute : problem.attributes) finest_.push_back(finest_cells(attribute));
  }

  // Adds what component `tables` leaves unmatched.
  void count(std::vector<std::size_t> tables);
  Vector<std::int64_t> finish();

 private:
  struct Combination {
    BlockId block;
    std::uint32_t row;  // one of T1's rows with these join values
    std::int32_t group;
  };
  Vector<Extent> finest_cells(Attribute const& attribute) const;
  Extent raw_value(JoinColumn const& column, Code code) const;
  void refine(Matcher& matcher, std::size_t column, std::vector<Combination>& combinations);
  bool descend(Matcher const& matcher, BlockId block, std::size_t t);

  Problem const& problem_;
  JoinModel const& model_;
  Checkpoint& checkpoint_;
  std::vector<Vector<Extent>> finest_;  // continuous attribute -> code -> ranks
  Vector<std::uint8_t> t1_matched_;
  Vector<std::int64_t> counts_;
  std::vector<Vector<std::uint8_t>> matched_;  // table of the component -> signature
  Vector<Signature> chosen_;
};

// Of a continuous attribute: which codes no cut can tell from a code. Where nothing can be cut, NULL is none of the
// others' either, as the first cut sets it apart.
Vector<Extent> DanglingCounter::finest_cells(Attribute const& attribute) const {
  Vector<Extent> cells;
  if (attribute.taxonomy != nullptr) return cells;
  auto const distinct = problem_.table->columns[attribute.column].distinct();
  bool cut = false;
  for (Code code = 2; code < distinct; ++code)
    cut = cut || attribute.barred.empty() || attribute.barred[static_cast<std::size_t>(code)] == 0;
  if (!cut) {
    cells.assign(static_cast<std::size_t>(distinct), {0, distinct});
    return cells;
  }
  for (Code code = 0; code < distinct; ++code) {
    bool const apart = code <= 1 || attribute.barred.empty() || attribute.barred[static_cast<std::size_t>(code)] == 0;
    if (apart)
      cells.push_back({code, code + 1});
    else
      cells.push_back({cells.back().begin, code + 1});
  }
  for (Code code = distinct - 1; code > 1; --code) {
    auto const& next = cells[static_cast<std::size_t>(code)];
    auto& cell = cells[static_cast<std::size_t>(code) - 1];
    if (next.begin < code) cell.end = next.end;
  }
  return cells;
}

Extent DanglingCounter::raw_value(JoinColumn const& column, Code code) const {
  if (column.generalized == kNoColumn) return column.extents[static_cast<std::size_t>(code)];
  auto const& attribute = problem_.attributes[column.generalized];
  if (attribute.taxonomy == nullptr)
    return model_.place(column, finest_[column.generalized][static_cast<std::size_t>(code)], kNoNode);
  Node const leaf = code == kNull ? kNoNode : attribute.leaves[static_cast<std::size_t>(code)];
  return model_.place(column, ranks_of(*attribute.taxonomy, leaf), leaf);
}

void DanglingCounter::refine(Matcher& matcher, std::size_t column, std::vector<Combination>& combinations) {
  auto const& join = model_.columns(0)[column];
  auto const& codes = problem_.table->columns[join.column].codes;
  auto value = [&](Combination const& c) { return raw_value(join, codes[c.row]); };
  std::sort(combinations.begin(), combinations.end(), [&](auto const& a, auto const& b) {
    checkpoint_.tick();
    if (a.block != b.block) return a.block < b.block;
    auto const x = value(a), y = value(b);
    return x.begin != y.begin ? x.begin < y.begin : codes[a.row] < codes[b.row];
  });
  for (std::size_t i = 0; i < combinations.size();) {
    std::size_t end = i;
    Vector<Extent> children;
    for (; end < combinations.size() && combinations[end].block == combinations[i].block; ++end)
      if (end == i || codes[combinations[end].row] != codes[combinations[end - 1].row])
        children.push_back(value(combinations[end]));
    auto const blocks = matcher.refined(combinations[i].block, column, children, 1);
    std::size_t child = 0;
    Code previous = codes[combinations[i].row];
    for (; i < end; ++i) {
      if (codes[combinations[i].row] != previous) ++child;
      previous = codes[combinations[i].row];
      combinations[i].block = blocks[child];
    }
  }
}

// Marks the signatures of table t that are in a match with the chosen ones; whether there is one.
// Recursion over releases, not over data.
bool DanglingCounter::descend(Matcher const& matcher, BlockId block, std::size_t t) {
  if (t == matcher.tables().size()) return true;
  bool any = false;
  for (Signature s : matcher.list(block, t)) {
    checkpoint_.tick();
    bool fits = true;
    for (std::size_t u = 0; u < t && fits; ++u) {
      if (!matcher.linked(u, t)) continue;
      auto const partners = matcher.partners(u, chosen_[u], t);
      fits = std::binary_search(partners.begin(), partners.end(), s);
    }
    if (!fits) continue;
    chosen_[t] = s;
    if (!descend(matcher, block, t + 1)) continue;
    matched_[t][static_cast<std::size_t>(s)] = 1;
    any = true;
  }
  return any;
}

void DanglingCounter::count(std::vector<std::size_t> tables) {
  Matcher matcher(problem_, model_, std::move(tables), checkpoint_);
  std::vector<KeyColumn> keys;
  for (std::size_t c = 0; c < model_.columns(0).size(); ++c) {
    if (!matcher.concerns(c)) continue;
    auto const& column = problem_.table->columns[model_.columns(0)[c].column];
    keys.push_back({column.codes, column.distinct()});
  }
  RowGroups const groups = group_rows(problem_.table->rows(), keys, checkpoint_);
  std::vector<Combination> combinations;
  for (std::size_t g = 0; g < groups.count(); ++g)
    combinations.push_back({matcher.root(), groups.first_row[g], static_cast<std::int32_t>(g)});
  for (std::size_t c = 0; c < model_.columns(0).size(); ++c)
    if (matcher.concerns(c)) refine(matcher, c, combinations);

  matched_.clear();
  for (std::size_t t = 0; t < matcher.tables().size(); ++t) matched_.emplace_back(matcher.signatures(t), 0);
  chosen_.assign(matcher.tables().size(), 0);
  Vector<std::uint8_t> found(groups.count(), 0);
  for (auto const& combination : combinations)
    found[static_cast<std::size_t>(combination.group)] = descend(matcher, combination.block, 0);
  for (std::size_t row = 0; row < t1_matched_.size(); ++row)
    t1_matched_[row] = t1_matched_[row] & found[static_cast<std::size_t>(groups.of_row[row])];
  for (std::size_t t = 0; t < matcher.tables().size(); ++t) {
    std::size_t const index = matcher.tables()[t];
    auto const& signatures = matcher.signature_of(t);
    std::int64_t unmatched = 0;
    for (std::size_t row = 0; row < signatures.size(); ++row)
      if (matched_[t][static_cast<std::size_t>(signatures[row])] == 0)
        unmatched = checked_add(unmatched, problem_.at(index).weight(row));
    counts_[index] = std::max(counts_[index], unmatched);  // it may stand in the components of several rules
  }
}

Vector<std::int64_t> DanglingCounter::finish() {
  for (std::size_t row = 0; row < t1_matched_.size(); ++row)
    if (t1_matched_[row] == 0) counts_[0] = checked_add(counts_[0], problem_.table->weight(row));
  return std::move(counts_);
}

}  // namespace

Vector<std::int64_t> count_dangling(Problem const& problem, Checkpoint& checkpoint) {
  JoinModel const model(problem);
  DanglingCounter counter(problem, model, checkpoint);
  std::vector<std::size_t> all;
  for (std::size_t i = 1; i < problem.tables(); ++i) all.push_back(i);
  std::set<std::vector<std::size_t>> parts;  // what some rule joins, each component once
  for (auto const& rule : problem.rules)
    for (auto& part : components(model, rule.tables.value_or(all))) parts.insert(std::move(part));
  for (auto const& tables : parts) counter.count(tables);
  return counter.finish();
}

}  // namespace anon_seq
