#include "core/sequential/rule_plan.h"

#include <algorithm>

namespace anon_seq {
namespace {

bool in_x(Rule const& rule, std::size_t table) {
  return std::any_of(rule.x.begin(), rule.x.end(), [&](auto const& ref) { return ref.table == table; });
}

bool holds(std::vector<ColumnRef> const& refs, ColumnRef ref) {
  return std::find(refs.begin(), refs.end(), ref) != refs.end();
}

// Whether every column by which table i meets one of `others` is in X.
bool ties_in_x(JoinModel const& model, Rule const& rule, std::size_t i, std::vector<std::size_t> const& others) {
  for (std::size_t c = 0; c < model.columns(i).size(); ++c)
    for (std::size_t j : others)
      if (i != j && model.concerns(i, c, j) && !holds(rule.x, {i, model.columns(i)[c].column})) return false;
  return true;
}

void split_t1(Problem const& problem, Rule const& rule, RulePlan& plan) {
  for (auto const& ref : rule.x) {
    if (ref.table != 0) continue;
    std::size_t const attribute = problem.generalizes(ref.column);
    if (attribute != kNoColumn)
      plan.x_attributes.push_back(attribute);
    else
      plan.x_columns.push_back(ref.column);
  }
  std::sort(plan.x_attributes.begin(), plan.x_attributes.end());
  std::sort(plan.x_columns.begin(), plan.x_columns.end());
  for (std::size_t i = 0; i < rule.y.size(); ++i) {
    if (rule.y[i].table != 0) continue;
    plan.y_columns.push_back(rule.y[i].column);
    if (auto const a = problem.generalizes(rule.y[i].column); a != kNoColumn) plan.y_shown.push_back({i, a});
  }
  plan.y_persons = std::find(rule.y_keys.begin(), rule.y_keys.end(), 0U) != rule.y_keys.end();
}

struct Facts {
  bool has_x = false, has_y = false, separable = false, own_ties_in_x = true;
};

Facts facts_of(JoinModel const& model, Rule const& rule, std::vector<std::size_t> const& component,
               std::vector<std::size_t> const& every) {
  Facts facts;
  facts.separable = ties_in_x(model, rule, 0, component);
  for (std::size_t i : component) {
    facts.has_x |= in_x(rule, i);
    facts.has_y |= in_y(rule, i);
    facts.own_ties_in_x &= ties_in_x(model, rule, i, every);
  }
  return facts;
}

}  // namespace

bool in_y(Rule const& rule, std::size_t table) {
  return std::find(rule.y_keys.begin(), rule.y_keys.end(), table) != rule.y_keys.end() ||
         std::any_of(rule.y.begin(), rule.y.end(), [&](auto const& ref) { return ref.table == table; });
}

std::vector<std::vector<std::size_t>> components(JoinModel const& model, std::vector<std::size_t> tables) {
  std::vector<std::vector<std::size_t>> found;
  while (!tables.empty()) {
    std::vector<std::size_t> component{tables.front()};
    tables.erase(tables.begin());
    for (std::size_t next = 0; next < component.size(); ++next)
      for (std::size_t j = 0; j < tables.size();)
        if (model.linked(component[next], tables[j])) {
          component.push_back(tables[j]);
          tables.erase(tables.begin() + static_cast<std::ptrdiff_t>(j));
        } else {
          ++j;
        }
    std::sort(component.begin(), component.end());
    found.push_back(std::move(component));
  }
  return found;
}

RulePlan plan_rule(Problem const& problem, JoinModel const& model, Rule const& rule, bool general) {
  RulePlan plan;
  split_t1(problem, rule, plan);
  bool const anonymity = rule.kind == Rule::Kind::kAnonymity;
  bool const y_in_t1 = in_y(rule, 0);
  std::vector<std::size_t> every;
  for (std::size_t i = 0; i < problem.tables(); ++i)
    if (rule.joins(i)) every.push_back(i);
  for (std::size_t i : every) plan.join_attribute_missing |= !ties_in_x(model, rule, i, every);

  bool const shortcuts = problem.dangling != Dangling::kInner;
  bool constant = true;  // case (iii) of every factor: its join attributes are all in X
  auto const parts = components(model, {every.begin() + 1, every.end()});
  for (auto const& component : parts) {
    Facts const facts = facts_of(model, rule, component, every);
    bool const all_y_here =
        facts.has_y && std::all_of(every.begin(), every.end(), [&](auto i) {
          return !in_y(rule, i) || std::find(component.begin(), component.end(), i) != component.end();
        });
    if (shortcuts && !facts.has_y && (facts.separable || (anonymity && !facts.has_x))) continue;
    if (problem.dangling == Dangling::kError && facts.separable && (anonymity || all_y_here)) {
      plan.factors.push_back(component);
      constant &= facts.own_ties_in_x;
      if (!anonymity) {  // everything else divides out
        plan.core.clear();
        break;
      }
      continue;
    }
    plan.core.insert(plan.core.end(), component.begin(), component.end());
  }
  std::sort(plan.core.begin(), plan.core.end());
  // Cases (i) and (ii): nothing but T1 is left. Case (iii): nothing but constants.
  bool const t1_alone = plan.factors.empty(), releases_alone = !y_in_t1 && constant;
  plan.monotone = shortcuts && plan.core.empty() && (t1_alone || releases_alone);
  plan.join_plays_no_part = plan.monotone && !parts.empty();
  plan.proof_at_root = plan.monotone || (anonymity && problem.dangling == Dangling::kError && plan.x_columns.empty());
  // What is published of y changes with every specialization of it.
  if (!plan.y_shown.empty()) plan.monotone = plan.join_plays_no_part = plan.proof_at_root = false;
  if (general) {
    plan.factors.clear();
    plan.core.assign(every.begin() + 1, every.end());
  }
  return plan;
}

}  // namespace anon_seq
