#include "core/serial/charge.h"

#include <algorithm>

namespace anon_seq {
namespace {

struct Share {
  ClassId id;
  std::int32_t bound;
  bool operator<(Share const& other) const { return id != other.id ? id < other.id : bound < other.bound; }
  bool operator==(Share const&) const = default;
};

// A class's bounds, and how many of its rows hold each.
struct Shares {
  Vector<std::int32_t> bounds;
  Vector<std::int64_t> held;
  Vector<std::size_t> begins;  // class -> its first one
};

Shares shares_of(Sensitive const& sensitive, Classes const& classes, Checkpoint& checkpoint) {
  Vector<Share> all;
  for (std::size_t row = 0; row < classes.rows(); ++row) {
    if (classes.class_of(row) == kWithheld) continue;
    for (auto const bound : sensitive.bounds_of(sensitive.joint_of(row)))
      if (bound != kNoBound) all.push_back({classes.class_of(row), bound});
  }
  std::sort(all.begin(), all.end(), [&](auto const& a, auto const& b) {
    checkpoint.tick();
    return a < b;
  });
  Shares shares;
  std::size_t next = 0;
  for (ClassId id = 0; id < classes.count(); ++id) {
    shares.begins.push_back(shares.bounds.size());
    for (; next < all.size() && all[next].id == id; ++next) {
      if (next > 0 && all[next - 1] == all[next]) {
        ++shares.held.back();
        continue;
      }
      shares.bounds.push_back(all[next].bound);
      shares.held.push_back(1);
    }
  }
  shares.begins.push_back(shares.bounds.size());
  return shares;
}

}  // namespace

Vector<Met> charged(std::span<Met const> met, Sensitive const& sensitive, Classes const& classes,
                    Checkpoint& checkpoint) {
  auto const sizes = classes.sizes();
  auto const shares = shares_of(sensitive, classes, checkpoint);
  Vector<Met> after;
  after.reserve(met.size());
  auto next = met.begin();
  for (std::size_t row = 0; row < classes.rows(); ++row) {
    checkpoint.tick();
    auto const is_mine = [&] { return next != met.end() && static_cast<std::size_t>(next->row) == row; };
    ClassId const id = classes.class_of(row);
    if (id != kWithheld)
      for (auto i = shares.begins[static_cast<std::size_t>(id)]; i < shares.begins[static_cast<std::size_t>(id) + 1];
           ++i) {
        while (is_mine() && next->bound < shares.bounds[i]) after.push_back(*next++);
        Met mine{static_cast<std::int32_t>(row), shares.bounds[i]};
        if (is_mine() && next->bound == shares.bounds[i]) mine = *next++;
        ++mine.times;
        mine.kept = kept_after(mine.kept, shares.held[i], sizes[static_cast<std::size_t>(id)]);
        after.push_back(mine);
      }
    while (is_mine()) after.push_back(*next++);
  }
  return after;
}

}  // namespace anon_seq
