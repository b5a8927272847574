// Dealing at size: an attacker who knows the rule and in which order classes were made, and plays it through with
// chance of his own, names holders no more often than their share; where rows of a value were dealt in an order that he
// knows, nearly always.
#include "core/serial/serial_classes.h"
#include "serial_fixture.h"

namespace anon_seq::testing {
namespace {

// Classes keep the order in which they were made: he is given more than any reader has.
class OrderedDraws final : public Draws {
 public:
  explicit OrderedDraws(std::uint64_t seed)
      : Draws([random = std::make_shared<std::mt19937_64>(seed)] { return (*random)(); }) {}
  Vector<std::int32_t> permutation(std::size_t n, Checkpoint&) override {
    Vector<std::int32_t> ids(n);
    for (std::size_t i = 0; i < n; ++i) ids[i] = static_cast<std::int32_t>(i);
    return ids;
  }
};

struct Population {
  int rows, holders;
  std::vector<Code> held;  // 0: listed; of the others 60, 30 and 10 %

  Population(int n, int c, std::uint64_t seed) : rows(n), holders(c), held(static_cast<std::size_t>(n)) {
    for (int row = 0; row < n; ++row)
      held[static_cast<std::size_t>(row)] = row < c ? 0 : row % 10 < 6 ? 1 : row % 10 < 9 ? 2 : 3;
    std::mt19937_64 random(seed);
    std::shuffle(held.begin(), held.end(), random);
  }
};

constexpr std::int64_t kRows = 4;  // of a class: one of four, or fewer, is a holder

Members by_the_rule(Population const& of, bool line, std::uint64_t seed) {
  NoCheckpoint checkpoint;
  SensitiveColumn column;
  column.name = "s";
  column.codes = of.held;
  column.distinct = 4;
  column.listing = Listing::kEach;
  column.listed.push_back(0);
  column.alpha = {1, kRows};
  Sensitive const sensitive(of.held.size(), std::vector{column}, checkpoint);
  Purses purses;
  purses.bounds = 1;
  purses.classes_of.push_back(kRows);
  purses.of_row.assign(of.held.size(), 0);
  purses.rows.push_back(of.rows);
  auto const cohorts = make_cohorts(purses, sensitive, {true, 1, 1, true}, checkpoint);
  Vector<Code> places;
  for (int row = 0; row < of.rows; ++row) places.push_back(row + 1);
  QuasiAxis axis;
  axis.codes = places;
  axis.distinct = of.rows + 1;
  OrderedDraws draws(seed);
  return members_of(dealt_classes(std::span(&axis, line ? 1 : 0), sensitive, cohorts, 1, draws, checkpoint));
}

// The same turns, but rows of a value in their own order.
Members in_order(Population const& of) {
  Members classes(static_cast<std::size_t>(of.rows / kRows));
  std::size_t turn = 0;
  for (Code value = 0; value < 4; ++value)
    for (std::size_t row = 0; row < of.held.size(); ++row)
      if (of.held[row] == value) classes[turn++ % classes.size()].push_back(row);
  return classes;
}

bool has_holder(Population const& of, std::vector<std::size_t> const& rows) {
  return std::ranges::any_of(rows, [&](auto row) { return of.held[row] == 0; });
}

// For each class with a holder, the row that he names.
using Guesses = std::map<std::size_t, std::size_t>;

// If rows of a value were dealt in their order, the t-th of n that have it would lie near t/n of all rows. He weighs
// every way to give a class's values to its rows by that, and names the row that is most likely to be the holder.
Guesses by_order(Population const& of, Members const& classes) {
  std::vector<std::vector<double>> centre(classes.size()), spread(classes.size());  // holders come first
  std::size_t turn = 0;
  for (Code value = 0; value < 4; ++value) {
    auto const n = std::ranges::count(of.held, value);
    for (std::int64_t t = 0; t < n; ++t, ++turn) {
      double const at = (static_cast<double>(t) + 0.5) / static_cast<double>(n);
      centre[turn % classes.size()].push_back(at);
      spread[turn % classes.size()].push_back(at * (1 - at) / static_cast<double>(n) + 1e-6);
    }
  }
  Guesses guesses;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (!has_holder(of, classes[c])) continue;
    auto order = classes[c];
    std::sort(order.begin(), order.end());
    std::map<std::size_t, double> weights;
    do {
      double weight = 0;
      for (std::size_t i = 0; i < order.size(); ++i) {
        double const off = (static_cast<double>(order[i]) + 0.5) / of.rows - centre[c][i];
        weight -= off * off / spread[c][i] / 2;
      }
      weights[order[0]] += std::exp(weight);
    } while (std::next_permutation(order.begin(), order.end()));
    guesses[c] = std::ranges::max_element(weights, {}, [](auto const& one) { return one.second; })->first;
  }
  return guesses;
}

// He plays the rule with values that he shuffles, and names the row that was most often a holder in a class of that
// number.
template <class Play>
Guesses by_replay(Population const& of, Members const& classes, int plays, std::uint64_t seed, Play play) {
  std::vector<std::vector<int>> often(classes.size(), std::vector<int>(of.held.size()));
  for (int i = 0; i < plays; ++i) {
    Population const other(of.rows, of.holders, seed + static_cast<std::uint64_t>(i));
    auto const played = play(other, seed + static_cast<std::uint64_t>(i));
    for (std::size_t c = 0; c < std::min(played.size(), classes.size()); ++c)
      for (auto const row : played[c]) often[c][row] += other.held[row] == 0;
  }
  Guesses guesses;
  for (std::size_t c = 0; c < classes.size(); ++c)
    if (has_holder(of, classes[c]))
      guesses[c] = *std::ranges::max_element(classes[c], {}, [&](auto row) { return often[c][row]; });
  return guesses;
}

struct Score {
  int named = 0, classes = 0;
  double share() const { return static_cast<double>(named) / classes; }
  // Five standard errors above one of kRows.
  double at_most() const { return 1.0 / kRows + 5 * std::sqrt(3.0 / 16 / classes); }
  void add(Population const& of, Guesses const& guesses) {
    for (auto const& [c, row] : guesses) {
      ++classes;
      named += of.held[row] == 0;
    }
  }
};

class SerialDealing : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(SerialDealing, HoldersAreNamedNoMoreThanByChance) {
  auto const [rows, percent] = GetParam();
  auto const [seed, times] = runs(1441, rows > 1000 ? 1 : 8);
  Score order, replay, regions, control, replayed_control;
  for (int i = 0; i < times; ++i) {
    auto const at = seed * 1000 + static_cast<std::uint64_t>(i);
    Population const of(rows, rows * percent / 100, at);
    auto const plain = by_the_rule(of, false, at), ordered = in_order(of);
    order.add(of, by_order(of, plain));
    control.add(of, by_order(of, ordered));
    int const plays = rows > 1000 ? 30 : 100;
    replay.add(of, by_replay(of, plain, plays, at + 7919,
                             [](auto const& other, auto s) { return by_the_rule(other, false, s); }));
    regions.add(of, by_replay(of, by_the_rule(of, true, at), plays, at + 7919,
                              [](auto const& other, auto s) { return by_the_rule(other, true, s); }));
    replayed_control.add(
        of, by_replay(of, ordered, plays, at + 7919, [](auto const& other, auto) { return in_order(other); }));
  }
  std::printf(
      "n %d, %d %% holders, 1 of %d allowed: by order %.3f, by replay %.3f, in regions %.3f; control %.3f, %.3f\n",
      rows, percent, static_cast<int>(kRows), order.share(), replay.share(), regions.share(), control.share(),
      replayed_control.share());
  EXPECT_LE(order.share(), order.at_most());
  EXPECT_LE(replay.share(), replay.at_most());
  EXPECT_LE(regions.share(), regions.at_most());
  EXPECT_GE(std::max(control.share(), replayed_control.share()), 0.7);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SerialDealing,
                         ::testing::Values(std::pair(300, 5), std::pair(300, 20), std::pair(3000, 5),
                                           std::pair(3000, 20)));

}  // namespace
}  // namespace anon_seq::testing
