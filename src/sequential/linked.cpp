#include "sequential/linked.h"

#include <algorithm>

#include "core/table/functional_dependency.h"
#include "core/text/some_of.h"
//
#include "pg/json_object.h"
#include "release/followable.h"

namespace anon_seq::sequential {
namespace {

using Groups = std::vector<std::vector<std::string>>;

std::size_t group_of(Groups const& groups, std::string const& column) {
  auto const found = std::find_if(groups.begin(), groups.end(), [&](auto const& group) {
    return std::find(group.begin(), group.end(), column) != group.end();
  });
  return static_cast<std::size_t>(found - groups.begin());
}

// The groups, with two columns in one.
void link(Groups& groups, std::string const& a, std::string const& b) {
  auto const put = [&](std::string const& column) {
    auto const at = group_of(groups, column);
    if (at == groups.size()) groups.push_back({column});
    return at;
  };
  auto const one = put(a), other = put(b);
  if (one == other) return;
  auto const first = std::min(one, other), second = std::max(one, other);
  groups[first].insert(groups[first].end(), groups[second].begin(), groups[second].end());
  groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(second));
}

}  // namespace

KDemands search_demands(Policy const& policy, SequentialPolicy const& demands, std::int64_t k, std::int64_t most_out) {
  KDemands search{k, most_out, {}};
  std::vector<std::string> quasi;  // in the order of attributes
  for (auto const& ours : policy.columns)
    if (ours.is_quasi()) quasi.push_back(ours.column);
  for (auto const& column : quasi) {
    auto const weight = demands.weights.find(column);
    auto const group = group_of(demands.linked, column);
    auto const share = group == demands.linked.size() ? 1 : static_cast<std::int64_t>(demands.linked[group].size());
    search.weights.push_back(kLossUnit * (weight != demands.weights.end() ? weight->second : 1) / share);
  }
  for (auto const& group : demands.linked) {
    search.linked.emplace_back();
    for (auto const& column : group)
      search.linked.back().push_back(
          static_cast<std::size_t>(std::find(quasi.begin(), quasi.end(), column) - quasi.begin()));
  }
  return search;
}

std::vector<LinkNotice> link_notices(Policy const& policy, SequentialPolicy const& demands, SourceTable const& source,
                                     Checkpoint& checkpoint) {
  if (!demands.k) return {};  // no search would heed it
  std::vector<std::size_t> columns;
  for (auto const& ours : policy.columns)
    if (ours.is_quasi()) columns.push_back(source.column(ours.column));
  auto const name = [&](std::size_t column) { return source.table.columns[column].name; };
  Groups groups = demands.linked;
  std::vector<std::pair<std::string, std::vector<std::string>>> said;  // column, those that it decides
  for (auto const& found : functional_dependencies(source.table, columns, checkpoint)) {
    auto const from = name(found.from), to = name(found.to);
    auto const at = group_of(demands.linked, from);
    if (at < demands.linked.size() && at == group_of(demands.linked, to)) continue;
    link(groups, from, to);
    if (said.empty() || said.back().first != from)
      said.emplace_back(from, std::vector{quoted(to)});
    else
      said.back().second.push_back(quoted(to));
  }
  auto const json = json_array(groups, [](auto const& group) { return json_array(group, json_string); });
  if (said.empty()) return {};
  std::vector<std::string> each;
  for (auto const& [from, decided] : said)
    each.push_back("of " + quoted(from) + " with one of " +
                   (decided.size() == 1 ? decided.front() : std::to_string(decided.size()) + " others"));
  auto const& [from, decided] = said.front();
  return {{said.size() == 1
               ? "each value of quasi column " + quoted(from) + " stands with one value of " + some_of(decided)
               : "each value of some quasi columns stands with one value of others: " + some_of(each, "; "),
           alter_statement(policy, "\"options\": {\"linked\": " + json + "}") +
               " lets them be generalized together; preview() tells what that changes."}};
}

}  // namespace anon_seq::sequential
