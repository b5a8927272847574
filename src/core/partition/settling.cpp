#include "core/partition/settling.h"

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

// Who moved may come with k others, or with k like him.
void let_join_in_groups(Crowd& crowd, Objects const& objects, std::size_t k) {
  std::size_t const counting = count_of(crowd.newcomers, objects), moved = crowd.newcomers.size() - counting;
  std::erase_if(crowd.newcomers, [&](auto row) {
    bool const joins = counting >= k || (objects.has_moved(static_cast<std::size_t>(row)) && moved >= k);
    if (!joins) crowd.waiting.push_back(row);
    return !joins;
  });
}

// Of those who arrived together: who left for good, who is in the source with other values, and who had moved.
// The second will be seen again: they are no cover for the first.
struct Cohort {
  enum Kind { kLeft, kElsewhere, kMoved };
  std::size_t there = 0, moved_there = 0, gone[3] = {0, 0, 0};

  // Whether so many of the gone may leave a leaf in which `all` count.
  bool may_leave(std::size_t const (&leave)[3], std::size_t all, std::size_t k) const {
    auto const none_or_k = [&](std::size_t n) { return n == 0 || n >= k; };
    std::size_t const counting = leave[kLeft] + leave[kElsewhere];
    std::size_t const stay = there + gone[kLeft] + gone[kElsewhere] - counting;
    return none_or_k(leave[kLeft]) && none_or_k(counting + leave[kMoved]) && none_or_k(stay) &&
           none_or_k(stay + moved_there + gone[kMoved] - leave[kMoved]) && all >= counting + k;
  }

  // How many of them leave: first of those who left, as many as can be.
  void choose(std::size_t (&leave)[3], std::size_t all, std::size_t k) const {
    std::size_t const counting = there + gone[kLeft] + gone[kElsewhere];
    auto const some = [&](std::size_t of, std::size_t before) {  // so that k stay
      std::size_t const least = k + before;
      return std::min({of, counting < least ? 0 : counting - least, all < least ? 0 : all - least});
    };
    for (auto const left : {gone[kLeft], some(gone[kLeft], 0), std::size_t{0}})
      for (auto const elsewhere : {gone[kElsewhere], some(gone[kElsewhere], left), std::size_t{0}})
        for (auto const moved : {gone[kMoved], std::size_t{0}}) {
          leave[kLeft] = left;
          leave[kElsewhere] = elsewhere;
          leave[kMoved] = moved;
          if (may_leave(leave, all, k)) return;
        }
    std::fill(std::begin(leave), std::end(leave), 0);
  }
};

void let_leave_in_groups(Crowd& crowd, Objects const& objects, std::size_t k) {
  auto const at = [](std::int32_t row) { return static_cast<std::size_t>(row); };
  auto const kind_of = [&](std::int32_t row) {
    if (objects.has_moved(at(row))) return Cohort::kMoved;
    return objects.successor[at(row)] >= 0 ? Cohort::kElsewhere : Cohort::kLeft;
  };
  std::map<std::int32_t, Cohort> cohorts;
  for (auto const row : crowd.there) {
    auto& cohort = cohorts[objects.since[at(row)]];
    ++(objects.has_moved(at(row)) ? cohort.moved_there : cohort.there);
  }
  for (auto const row : crowd.gone) ++cohorts[objects.since[at(row)]].gone[kind_of(row)];
  std::size_t all = crowd.counting(objects);
  for (auto& [version, cohort] : cohorts) {
    std::size_t leave[3];
    cohort.choose(leave, all, k);
    all -= leave[Cohort::kLeft] + leave[Cohort::kElsewhere];
    for (std::size_t kind = 0; kind < 3; ++kind) cohort.gone[kind] -= leave[kind];  // from here on: who stays
  }
  std::erase_if(crowd.gone, [&](auto row) {
    auto& staying = cohorts[objects.since[at(row)]].gone[kind_of(row)];
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
