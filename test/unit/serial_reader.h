// The reader who knows the code, of serial releases: all of lossy_reader.h, and every earlier release, from which he
// knows what everybody has met. Of rows that a version withholds he knows nothing: each may hold anything.
#pragma once

#include <memory>

#include "lossy_reader.h"
#include "serial_fixture.h"

namespace anon_seq::testing {

// What he sees of a version: who is in a class, what the class shows, what it has.
struct SeenClass {
  std::vector<std::size_t> rows;
  std::vector<std::int32_t> shown;
  Bag bag;
  auto operator<=>(SeenClass const&) const = default;
};
using SeenVersion = std::vector<SeenClass>;  // sorted
inline SeenVersion refused_version() { return {{{~std::size_t{0}}, {}, {}}}; }

inline SeenVersion seen_of(Classes const& classes, Arrangement const& held, Seen seen) {
  SeenVersion version;
  auto const members = members_of(classes);
  for (std::size_t id = 0; id < members.size(); ++id) {
    SeenClass one{members[id], {}, bag_of(held, members[id], seen)};
    for (std::size_t a = 0; a < classes.attributes(); ++a)
      for (auto const& extent : classes.region(static_cast<ClassId>(id), a)) {
        one.shown.push_back(static_cast<std::int32_t>(a));
        one.shown.push_back(extent.begin);
        one.shown.push_back(extent.end);
      }
    version.push_back(std::move(one));
  }
  std::sort(version.begin(), version.end());
  return version;
}

// Arrangements of a version's values, with the chance that they give what he saw.
struct World {
  Arrangement held;
  double weight = 0;
};

// A version's every outcome: what is seen -> the worlds in which it is seen.
using Outcomes = std::map<SeenVersion, std::vector<World>>;

// All arrangements of the tuples of rows that are shown, times any tuple at all for those that are withheld.
inline std::vector<Arrangement> serial_worlds(LossyTable const& table, std::vector<char> const& withheld,
                                              std::vector<Tuple> const& any, std::size_t most) {
  Arrangement shown;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (withheld[row] == 0) shown.push_back(table.tuples[row]);
  auto const orders = arrangements_of(shown, most);
  std::vector<Arrangement> worlds;
  for (auto const& order : orders) {
    std::vector<Arrangement> some(1);
    std::size_t next = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      std::vector<Arrangement> more;
      for (auto const& begun : some)
        for (auto const& tuple : withheld[row] != 0 ? any : std::vector<Tuple>{order[next]}) {
          more.push_back(begun);
          more.back().push_back(tuple);
        }
      next += withheld[row] == 0;
      some = std::move(more);
    }
    if (worlds.size() + some.size() > most) return {};
    worlds.insert(worlds.end(), some.begin(), some.end());
  }
  return worlds;
}

// make(held, draws) -> Classes; throws kData where it refuses. Every draw of chance is gone through.
template <class Make>
Outcomes outcomes_of(std::vector<Arrangement> const& worlds, Seen seen, Make make) {
  Outcomes outcomes;
  for (auto const& held : worlds) {
    AllDraws draws;
    do {
      SeenVersion version;
      double chance = 1;
      try {
        version = seen_of(make(held, draws), held, seen);
        chance = draws.chance();
      } catch (Error const& error) {
        EXPECT_EQ(error.fault(), Fault::kData) << error.what();
        version = refused_version();
      }
      auto& given = outcomes[version];
      if (!given.empty() && given.back().held == held)
        given.back().weight += chance;
      else
        given.push_back({held, chance});
    } while (draws.next());
  }
  return outcomes;
}

// The chance that a row holds it, among these worlds.
inline double chance_of(std::vector<World> const& worlds, std::size_t row,
                        std::vector<SensitiveColumn> const& statement, ListedBound bound) {
  double all = 0, held = 0;
  for (auto const& world : worlds) {
    all += world.weight;
    if (holds(statement, bound, world.held[row])) held += world.weight;
  }
  return held / all;
}

}  // namespace anon_seq::testing
