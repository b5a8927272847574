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

// A class's bounds, how many of its rows hold each, and what that leaves.
struct Shares {
  Vector<std::int32_t> bounds;
  Vector<std::int64_t> held;
  Vector<Ratio> kept;
  Vector<std::size_t> begins;  // class -> its first one
};

Shares shares_of(Sensitive const& sensitive, Classes const& classes, Checkpoint& checkpoint) {
  auto const sizes = classes.sizes();
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
    for (auto i = shares.kept.size(); i < shares.held.size(); ++i)
      shares.kept.push_back(kept_after(kUntouched, shares.held[i], sizes[static_cast<std::size_t>(id)]));
  }
  shares.begins.push_back(shares.bounds.size());
  return shares;
}

}  // namespace

Vector<Met> charges_of(Sensitive const& sensitive, Classes const& classes, Checkpoint& checkpoint) {
  auto const shares = shares_of(sensitive, classes, checkpoint);
  Vector<Met> charges;
  for (std::size_t row = 0; row < classes.rows(); ++row) {
    checkpoint.tick();
    if (classes.class_of(row) == kWithheld) continue;
    auto const id = static_cast<std::size_t>(classes.class_of(row));
    for (auto i = shares.begins[id]; i < shares.begins[id + 1]; ++i)
      charges.push_back({static_cast<std::int32_t>(row), shares.bounds[i], 1, shares.kept[i]});
  }
  return charges;
}

Vector<Met> paid(std::span<Met const> before, std::span<Met const> charges, Checkpoint& checkpoint) {
  auto const is_before = [](Met const& a, Met const& b) { return a.row != b.row ? a.row < b.row : a.bound < b.bound; };
  Vector<Met> after;
  after.reserve(before.size());
  auto next = before.begin();
  for (auto const& charge : charges) {
    checkpoint.tick();
    while (next != before.end() && is_before(*next, charge)) after.push_back(*next++);
    after.push_back(charge);
    if (next == before.end() || is_before(charge, *next)) continue;
    after.back().times += next->times;
    after.back().kept = times(next->kept, charge.kept);
    ++next;
  }
  after.insert(after.end(), next, before.end());
  return after;
}

}  // namespace anon_seq
