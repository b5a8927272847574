// A label in a list of sensitive values is one value: the algorithm sees the first of the codes below it, the release
// shows each as it is. What a reader who knows the code learns of the label, by enumeration of small tables.
#include "lossy_reader.h"

namespace anon_seq::testing {
namespace {

// A random table of one sensitive column, of which codes 1 and 2 are below the label that is listed.
struct Labelled {
  LossyTable table;
  std::vector<Arrangement> arrangements;

  explicit Labelled(std::uint64_t seed) {
    RandomTable random(seed);
    random.make(table, 2 + random.draw(4), true, 1);
    arrangements = arrangements_of(table.tuples, 200);
    auto& column = table.statement.front();
    column.listing = Listing::kEach;
    column.listed = {1};
    column.own.clear();
    column.near.reset();
  }

  static bool is_below(Tuple const& tuple) { return tuple[0] == 1 || tuple[0] == 2; }
  Sensitive bounded(Arrangement held) const {
    for (auto& tuple : held)
      if (is_below(tuple)) tuple[0] = 1;
    return table.sensitive(held);
  }
};

// Every release of every arrangement, and what it leaves; empty if there is none.
std::map<Release, Beliefs> releases_of(Labelled const& labelled) {
  auto const& table = labelled.table;
  std::map<Release, Beliefs> releases;
  for (auto const& held : labelled.arrangements) {
    auto const sensitive = labelled.bounded(held);
    AllDraws draws;
    do {
      auto const made =
          deal(find_regions(table.axes, sensitive, table.k, table.checkpoint), sensitive, draws, table.checkpoint);
      releases[release_of(shape_of(made), held, Seen::kTuples)].weights.push_back({&held, draws.chance()});
    } while (draws.next());
  }
  return releases;
}

TEST(LossyReader, ALabelIsBoundedAsOneValue) {
  auto const [seed, instances] = runs(4720, 80);
  int judged = 0;
  for (int i = 0; i < instances && !HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    Labelled const labelled(seed * 1000003 + static_cast<std::uint64_t>(i));
    auto const alpha = labelled.table.statement.front().alpha;
    double const bound = static_cast<double>(alpha.num) / static_cast<double>(alpha.den);
    Thing const label{alpha, Labelled::is_below, "label"};
    std::map<Release, Beliefs> releases;
    try {
      releases = releases_of(labelled);
    } catch (Error const& error) {
      EXPECT_EQ(error.fault(), Fault::kData) << error.what();
      continue;
    }
    for (auto const& [release, beliefs] : releases)
      for (auto const& c : release.first)
        for (auto const row : c.rows) {
          ++judged;
          EXPECT_LE(beliefs.chance(row, label), bound + 1e-9);
        }
  }
  EXPECT_GT(judged, 0);
}

}  // namespace
}  // namespace anon_seq::testing
