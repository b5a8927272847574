#include "audit/exclusion.h"

#include <algorithm>
#include <set>

namespace anon_seq::audit {
namespace {

struct Rectangle {
  Span a, b;
};

bool overlap(Span s, Span t) { return s.first <= t.last && t.first <= s.last; }

// Whether intervals cover all of `whole`.
bool covers(std::vector<Span> intervals, Span whole) {
  std::sort(intervals.begin(), intervals.end(), [](Span s, Span t) { return s.first < t.first; });
  std::int32_t next = whole.first;  // not yet covered
  for (Span const s : intervals)
    if (s.first <= next) next = std::max(next, s.last + 1);
  return next > whole.last;
}

// Whether rectangles cover a x b: strip by strip between the borders of the rectangles within a.
bool covered(std::vector<Rectangle> const& all, Span a, Span b) {
  std::vector<Rectangle> near;
  std::set<std::int32_t> starts{a.first};
  for (auto const& r : all) {
    if (!overlap(r.a, a) || !overlap(r.b, b)) continue;
    near.push_back(r);
    for (auto const border : {r.a.first, r.a.last + 1})
      if (a.first < border && border <= a.last) starts.insert(border);
  }
  if (near.empty()) return false;
  return std::all_of(starts.begin(), starts.end(), [&](std::int32_t start) {
    std::vector<Span> intervals;
    for (auto const& r : near)
      if (overlap(r.a, {start, start})) intervals.push_back(r.b);
    return covers(std::move(intervals), b);
  });
}

// The stated pairs of two attributes, whichever way round they were declared.
std::vector<Rectangle> rectangles(std::vector<DeclaredInconsistency> const& all, LeafSpans const& leaves,
                                  std::string const& a, std::string const& b) {
  std::vector<Rectangle> found;
  auto add = [&](std::string const& value_a, std::string const& value_b) {
    auto const in_a = leaves.find(a), in_b = leaves.find(b);
    if (in_a == leaves.end() || in_b == leaves.end()) return;
    auto const left = in_a->second.find(value_a), right = in_b->second.find(value_b);
    if (left != in_a->second.end() && right != in_b->second.end()) found.push_back({left->second, right->second});
  };
  for (auto const& i : all) {
    if (i.attribute_a == a && i.attribute_b == b) add(i.value_a, i.value_b);
    if (i.attribute_a == b && i.attribute_b == a) add(i.value_b, i.value_a);
  }
  return found;
}

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;  // excluded labels, by number in MatchPlan::labels

Pairs excluded_labels(MatchPlan const& plan, std::size_t a, std::size_t b, std::vector<Rectangle> const& stated,
                      LeafSpans const& leaves) {
  auto const near = [&](std::size_t of, bool left) {
    std::vector<std::pair<std::size_t, Span>> labels;
    auto const& spans = leaves.at(plan.columns[of].attribute);
    for (std::size_t i = 0; i < plan.labels.size(); ++i) {
      auto const& label = plan.labels[i];
      auto const leaves_of_label = spans.find(label.key.value_or(kNullLabel));
      if (label.column != static_cast<int>(of) || leaves_of_label == spans.end()) continue;
      Span const span = leaves_of_label->second;
      if (std::any_of(stated.begin(), stated.end(), [&](auto const& r) { return overlap(left ? r.a : r.b, span); }))
        labels.emplace_back(i, span);
    }
    return labels;
  };
  Pairs pairs;
  auto const right = near(b, false);
  for (auto const& [i, span] : near(a, true))
    for (auto const& [j, other] : right)
      if (covered(stated, span, other)) pairs.emplace(i, j);
  return pairs;
}

}  // namespace

std::vector<std::string> stated_values(std::vector<DeclaredInconsistency> const& all, std::string const& attribute) {
  std::set<std::string> values;
  for (auto const& i : all) {
    if (i.attribute_a == attribute) values.insert(i.value_a);
    if (i.attribute_b == attribute) values.insert(i.value_b);
  }
  return {values.begin(), values.end()};
}

void exclude(MatchPlan& plan, std::vector<DeclaredInconsistency> const& all, LeafSpans const& leaves) {
  std::vector<Pairs> found;
  std::vector<std::set<std::pair<std::size_t, std::size_t>>> patterns(plan.labels.size());  // exclusion, partner
  for (std::size_t a = 0; a < plan.columns.size(); ++a)
    for (std::size_t b = 0; b < plan.columns.size(); ++b) {
      if (plan.columns[a].table >= plan.columns[b].table) continue;
      auto const stated = rectangles(all, leaves, plan.columns[a].attribute, plan.columns[b].attribute);
      if (stated.empty()) continue;
      auto pairs = excluded_labels(plan, a, b, stated, leaves);
      if (pairs.empty()) continue;
      for (auto const& [i, j] : pairs) {
        patterns[i].emplace(found.size(), j);
        patterns[j].emplace(found.size(), i);
      }
      plan.columns[a].by_group = plan.columns[b].by_group = true;
      plan.exclusions.push_back({a, b, {}});
      found.push_back(std::move(pairs));
    }
  std::map<std::pair<std::int32_t, std::set<std::pair<std::size_t, std::size_t>>>, std::int32_t> groups;
  for (std::size_t i = 0; i < plan.labels.size(); ++i)
    if (!patterns[i].empty())
      plan.labels[i].group =
          groups.try_emplace({plan.labels[i].column, patterns[i]}, static_cast<std::int32_t>(groups.size()) + 1)
              .first->second;
  for (std::size_t e = 0; e < found.size(); ++e) {
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (auto const& [i, j] : found[e]) pairs.emplace(plan.labels[i].group, plan.labels[j].group);
    plan.exclusions[e].groups.assign(pairs.begin(), pairs.end());
  }
}

}  // namespace anon_seq::audit
