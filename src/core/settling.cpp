#include "core/settling.h"

#include <algorithm>
#include <map>

namespace anon_seq {
namespace {

// The newcomer that is the same person, or -1.
std::int32_t twin_of(std::int32_t row, Crowd const& crowd, Objects const& objects) {
  std::int32_t const twin = objects.successor[static_cast<std::size_t>(row)];
  return std::binary_search(crowd.newcomers.begin(), crowd.newcomers.end(), twin) ? twin : -1;
}

void move_all(Vector<std::int32_t>& from, Vector<std::int32_t>& to) {
  to.insert(to.end(), from.begin(), from.end());
  from.clear();
}

// Who has gone gives way to who is the same person; of the rest the first stay, as many as must.
void let_leave(Crowd& crowd, Objects const& objects, std::size_t k) {
  std::erase_if(crowd.gone, [&](auto row) {
    bool const leaves = twin_of(row, crowd, objects) >= 0;
    if (leaves) crowd.left.push_back(row);
    return leaves;
  });
  std::size_t const others = crowd.there.size() + crowd.newcomers.size();
  std::size_t const stay = std::min(crowd.gone.size(), others < k ? k - others : 0);
  crowd.left.insert(crowd.left.end(), crowd.gone.begin() + static_cast<std::ptrdiff_t>(stay), crowd.gone.end());
  crowd.gone.resize(stay);
}

void let_join_in_groups(Crowd& crowd, Objects const& objects, std::size_t k) {
  Vector<std::int32_t> twins;
  for (auto const row : crowd.gone)
    if (auto const twin = twin_of(row, crowd, objects); twin >= 0) twins.push_back(twin);
  std::sort(twins.begin(), twins.end());
  std::erase_if(crowd.newcomers, [&](auto row) { return std::binary_search(twins.begin(), twins.end(), row); });
  twins.erase(std::unique(twins.begin(), twins.end()), twins.end());
  crowd.waiting.insert(crowd.waiting.end(), twins.begin(), twins.end());
  if (crowd.newcomers.size() < k) move_all(crowd.newcomers, crowd.waiting);
}

// How many of those who arrived together, `gone` of whom are gone, may leave a leaf of `all`.
std::size_t leaving(std::size_t there, std::size_t gone, std::size_t all, std::size_t k) {
  if (gone < k || all < 2 * k) return 0;
  if ((there == 0 || there >= k) && all - gone >= k) return gone;
  std::size_t const some = std::min({gone, there + gone < k ? 0 : there + gone - k, all - k});
  return some < k ? 0 : some;
}

void let_leave_in_groups(Crowd& crowd, Objects const& objects, std::size_t k) {
  auto const since = [&](std::int32_t row) { return objects.since[static_cast<std::size_t>(row)]; };
  struct Counts {
    std::size_t there = 0, gone = 0;
  };
  std::map<std::int32_t, Counts> cohorts;
  for (auto const row : crowd.there) ++cohorts[since(row)].there;
  for (auto const row : crowd.gone) ++cohorts[since(row)].gone;
  std::size_t all = crowd.published();
  for (auto& [version, counts] : cohorts) {
    std::size_t const leave = leaving(counts.there, counts.gone, all, k);
    counts.gone -= leave;  // from here on: how many of them stay
    all -= leave;
  }
  std::erase_if(crowd.gone, [&](auto row) {
    auto& staying = cohorts[since(row)].gone;
    if (staying > 0) {
      --staying;
      return false;
    }
    crowd.left.push_back(row);
    return true;
  });
}

}  // namespace

void settle(Crowd& crowd, Objects const& objects, IncrementalDemands const& demands) {
  auto const k = static_cast<std::size_t>(demands.k);
  if (demands.erase_at_once) move_all(crowd.gone, crowd.left);
  if (demands.arrivals_known) {
    let_join_in_groups(crowd, objects, k);
    let_leave_in_groups(crowd, objects, k);
  } else {
    let_leave(crowd, objects, k);
  }
}

}  // namespace anon_seq
