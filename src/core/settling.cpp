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

std::size_t count_of(std::span<std::int32_t const> rows, Objects const& objects) {
  auto const counts = [&](auto row) { return !objects.has_moved(static_cast<std::size_t>(row)); };
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), counts));
}

// Who has gone gives way to who is the same person, and leaves if he is of no use; of the rest the first stay, as many
// as must.
void let_leave(Crowd& crowd, Objects const& objects, std::size_t k) {
  std::erase_if(crowd.gone, [&](auto row) {
    bool const leaves = objects.has_moved(static_cast<std::size_t>(row)) || twin_of(row, crowd, objects) >= 0;
    if (leaves) crowd.left.push_back(row);
    return leaves;
  });
  std::size_t const others = count_of(crowd.there, objects) + count_of(crowd.newcomers, objects);
  std::size_t const stay = std::min(crowd.gone.size(), others < k ? k - others : 0);
  crowd.left.insert(crowd.left.end(), crowd.gone.begin() + static_cast<std::ptrdiff_t>(stay), crowd.gone.end());
  crowd.gone.resize(stay);
}

void let_join_in_groups(Crowd& crowd, Objects const& objects, std::size_t k) {
  std::size_t const counting = count_of(crowd.newcomers, objects), moved = crowd.newcomers.size() - counting;
  std::erase_if(crowd.newcomers, [&](auto row) {
    bool const waits = (objects.has_moved(static_cast<std::size_t>(row)) ? moved : counting) < k;
    if (waits) crowd.waiting.push_back(row);
    return waits;
  });
}

// How many of those who arrived together, `gone` of whom are gone, may leave a leaf of `all`.
std::size_t leaving(std::size_t there, std::size_t gone, std::size_t all, std::size_t k) {
  if (gone < k || all < 2 * k) return 0;
  if ((there == 0 || there >= k) && all - gone >= k) return gone;
  std::size_t const some = std::min({gone, there + gone < k ? 0 : there + gone - k, all - k});
  return some < k ? 0 : some;
}

// Those who are in the source with other values will be seen again: they are no cover for who has left.
void let_leave_in_groups(Crowd& crowd, Objects const& objects, std::size_t k) {
  enum Kind { kLeft = 0, kElsewhere = 1 };
  auto const cohort_of = [&](std::int32_t row) {
    auto const i = static_cast<std::size_t>(row);
    return std::pair(objects.since[i], objects.has_moved(i));
  };
  auto const kind_of = [&](std::int32_t row) {
    return objects.successor[static_cast<std::size_t>(row)] >= 0 ? kElsewhere : kLeft;
  };
  struct Counts {
    std::size_t there = 0, gone[2] = {0, 0};
  };
  std::map<std::pair<std::int32_t, bool>, Counts> cohorts;
  for (auto const row : crowd.there) ++cohorts[cohort_of(row)].there;
  for (auto const row : crowd.gone) ++cohorts[cohort_of(row)].gone[kind_of(row)];
  std::size_t all = crowd.counting(objects);
  for (auto& [cohort, counts] : cohorts)
    for (auto const kind : {kLeft, kElsewhere}) {
      bool const moved = cohort.second;
      std::size_t const there = counts.there + counts.gone[1 - kind], gone = counts.gone[kind];
      // Those who moved leave the k of a leaf as it is.
      std::size_t const leave = leaving(there, gone, moved ? there + gone + 2 * k : all, k);
      counts.gone[kind] -= leave;  // from here on: how many of them stay
      if (!moved) all -= leave;
    }
  std::erase_if(crowd.gone, [&](auto row) {
    auto& staying = cohorts[cohort_of(row)].gone[kind_of(row)];
    if (staying > 0) {
      --staying;
      return false;
    }
    crowd.left.push_back(row);
    return true;
  });
}

}  // namespace

std::size_t Crowd::counting(Objects const& objects) const {
  return count_of(there, objects) + count_of(gone, objects) + count_of(newcomers, objects);
}

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
