#include "core/sequential/simulatable.h"

#include <algorithm>

namespace anon_seq {
namespace {

bool is_secret(Problem const& problem, ColumnRef ref) {
  return ref.table == 0 && std::find(problem.secret.begin(), problem.secret.end(), ref.column) != problem.secret.end();
}

bool holds_secret(Problem const& problem, std::vector<ColumnRef> const& refs) {
  return std::any_of(refs.begin(), refs.end(), [&](auto ref) { return is_secret(problem, ref); });
}

[[noreturn]] void refuse(std::string const& what, std::string const& why, std::string const& hint) {
  throw Error(Fault::kUnsupported, what + " is not offered with simulatable decisions", why, hint);
}

constexpr char kPaper[] = "Before the first release, \"decisions\": \"paper\" offers it, as a weaker promise.";

void check_rule(Problem const& problem, Rule const& rule, std::size_t index) {
  std::string const number = std::to_string(index + 1);
  if (holds_secret(problem, rule.x))
    refuse("a sensitive column of this release in x, as in rule " + number + ",",
           "Groups of its values are no classes, and whom a cut puts into them is secret.",
           "Leave it out of x. " + std::string(kPaper));
  if (!holds_secret(problem, rule.y)) return;
  if (rule.kind == Rule::Kind::kAnonymity)
    refuse("counting distinct values of a sensitive column, as in rule " + number + ",",
           "How many a part would have depends on whose they are.",
           "State a linkability rule about the column. " + std::string(kPaper));
  for (auto const& ref : rule.y)
    if (ref.table != 0 || problem.generalizes(ref.column) != kNoColumn)
      refuse("y with a sensitive column of this release beside a column that is known, as in rule " + number + ",",
             "What others show, and quasi columns, are known to the reader.",
             "State a rule about the sensitive column alone: it bounds it together with whatever is known. " +
                 std::string(kPaper));
}

// Who has partners, and how many, would tell his secret.
void check_join(Problem const& problem) {
  for (std::size_t a = 0; a < problem.join.size(); ++a) {
    auto const& holders = problem.join[a].holders;
    auto const ours = std::find_if(holders.begin(), holders.end(), [&](auto const& holder) {
      return is_secret(problem, {holder.table, holder.column});
    });
    if (ours == holders.end()) continue;
    bool const tied = std::any_of(problem.inconsistent.begin(), problem.inconsistent.end(),
                                  [&](auto const& stated) { return stated.a == a || stated.b == a; });
    if (holders.size() == 1 && !tied) continue;
    std::string const column = quoted(problem.table->columns[ours->column].name);
    auto const other =
        std::find_if(holders.begin(), holders.end(), [](auto const& holder) { return holder.table != 0; });
    if (other == holders.end())
      refuse("an inconsistency that speaks of sensitive column " + column, "Who has partners would depend on it.",
             "Take it back by withdraw_inconsistent(). " + std::string(kPaper));
    bool const named = other->table <= problem.names.size(), told = other->table <= problem.ways.size();
    refuse("another release that tells of sensitive column " + column,
           named ? "It is " + problem.names[other->table - 1] + "." : "",
           told ? problem.ways[other->table - 1] : "Serial policies bound values that several releases show.");
  }
}

}  // namespace

bool decided_at_worst(Problem const& problem, Rule const& rule) {
  return problem.simulatable && rule.kind == Rule::Kind::kLinkability && holds_secret(problem, rule.y);
}

void check_simulatable(Problem const& problem) {
  if (!problem.simulatable) return;
  if (problem.search)
    throw Error(Fault::kParameter, "a search below the most general release is not offered with simulatable decisions",
                "Its order would follow sensitive values.", "Leave out one of the two: \"search\": false.");
  if (problem.objective == Objective::kEntropy && is_secret(problem, {0, problem.label}))
    throw Error(Fault::kParameter, "a sensitive label is not offered with simulatable decisions",
                "Cuts follow the label, and would tell of it.", "Leave the label out, or name a quasi column.");
  for (std::size_t i = 0; i < problem.rules.size(); ++i) check_rule(problem, problem.rules[i], i);
  check_join(problem);
}

void WorstShare::begin() {
  for (auto const set : met_) held_[static_cast<std::size_t>(set)] = 0;
  met_.clear();
}

void WorstShare::count(std::int32_t token, std::int64_t rows) {
  if (token == 0) return;  // no value
  for (auto const set : tokens_.sets(token)) {
    auto const at = static_cast<std::size_t>(set);
    if (at >= held_.size()) held_.resize(std::max(at + 1, held_.size() * 2));
    if (held_[at] == 0) met_.push_back(set);
    held_[at] = checked_add(held_[at], rows);
  }
}

// By x, those with most partners first.
void WorstShare::weigh(std::span<AlikeRows> part) {
  weighed_.clear();
  if (core_ == nullptr) {
    weighed_.push_back({0, 1, 0});
    for (auto const& rows : part) weighed_.front().rows = checked_add(weighed_.front().rows, rows.rows);
    return;
  }
  std::sort(part.begin(), part.end(), [](auto const& a, auto const& b) { return a.block < b.block; });
  for (std::size_t i = 0; i < part.size();) {
    AlikeRows alike = part[i];
    for (++i; i < part.size() && part[i].block == alike.block; ++i) alike.rows = checked_add(alike.rows, part[i].rows);
    std::size_t const from = weighed_.size();
    core_->each(alike.block, tokens_.start(), [&](Combination const& found) {
      weighed_.push_back({found.x, found.weight, alike.rows});
    });
    // What a row has of an x, it has together.
    std::sort(weighed_.begin() + static_cast<std::ptrdiff_t>(from), weighed_.end(),
              [](auto const& a, auto const& b) { return a.x < b.x; });
    std::size_t to = from;
    for (std::size_t j = from; j < weighed_.size(); ++j) {
      if (j > from && weighed_[j].x == weighed_[to - 1].x)
        weighed_[to - 1].partners = checked_add(weighed_[to - 1].partners, weighed_[j].partners);
      else
        weighed_[to++] = weighed_[j];
    }
    weighed_.resize(to);
  }
  std::sort(weighed_.begin(), weighed_.end(), [&](auto const& a, auto const& b) {
    checkpoint_.tick();
    return a.x != b.x ? a.x < b.x : a.partners > b.partners;
  });
}

Level WorstShare::of_one(std::span<Weighed const> x) const {
  std::int64_t all = 0;
  for (auto const& some : x) all = checked_add(all, checked_mul(some.partners, some.rows));
  Level worst{0, all, rule_.sensitive.empty() ? -1 : 0};
  for (auto const set : met_) {
    std::int64_t left = held_[static_cast<std::size_t>(set)], share = 0;
    for (std::size_t i = 0; i < x.size() && left > 0; ++i) {
      std::int64_t const taken = std::min(left, x[i].rows);
      share = checked_add(share, checked_mul(taken, x[i].partners));
      left -= taken;
    }
    judge_.worsen(worst, {share, all, set});
  }
  return worst;
}

Level WorstShare::of(std::span<AlikeRows> part) {
  weigh(part);
  Level worst;
  for (std::size_t i = 0; i < weighed_.size();) {
    std::size_t const begin = i;
    while (i < weighed_.size() && weighed_[i].x == weighed_[begin].x) ++i;
    Level const level = of_one(std::span(weighed_).subspan(begin, i - begin));
    if (level.measured()) judge_.worsen(worst, level);
  }
  return worst;
}

void TestedNodes::add(Node node) {
  if (!nodes_.empty() && nodes_.back() == node) return;
  if (nodes_.size() >= full_) tidy();
  nodes_.push_back(node);
}

void TestedNodes::tidy() {
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  full_ = std::max(full_, 2 * nodes_.size());
}

void TestedNodes::check(std::span<Node const> groups) {
  Vector<std::uint32_t> bounds{0};
  for (auto const& group : groups) bounds.push_back(group.end);
  std::sort(bounds.begin(), bounds.end());
  auto const is_bound = [&](std::uint32_t place) { return std::binary_search(bounds.begin(), bounds.end(), place); };
  for (auto const& node : nodes_)
    if (!is_bound(node.begin) || !is_bound(node.end))
      throw Error(Fault::kInternal, "a tested node is no union of classes");
}

}  // namespace anon_seq
