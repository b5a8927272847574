// Every kind of classes on random small tables, counted again by other code.
#include "core/lossy/anatomy.h"
#include "core/lossy/regional.h"
#include "core/lossy/topdown.h"
#include "error_of.h"
#include "lossy_fixture.h"

namespace anon_seq::testing {
namespace {

// The smallest number of equal parts that share out all rows of a thing, for the whole table.
bool is_whole_table_ok(LossyTable const& table) {
  auto const n = static_cast<std::int64_t>(table.rows());
  if (n < table.k) return false;
  for (auto const& thing : things_of(table)) {
    std::int64_t count = 0;
    for (auto const& tuple : table.tuples) count += thing.held(tuple);
    if (!within(count, n, thing.alpha)) return false;
  }
  return true;
}

template <class Make>
std::optional<Classes> made(Make make) {
  try {
    return make();
  } catch (Error const& error) {
    EXPECT_EQ(error.fault(), Fault::kData) << error.what();
    return std::nullopt;
  }
}

void check_topdown(std::uint64_t seed, int (&feasible)[4]) {
  RandomTable random(seed);
  LossyTable table;
  random.make(table, 1 + random.draw(30), false, 1 + random.draw(2));
  SCOPED_TRACE(text_of(table));
  Sensitive const sensitive = table.sensitive(table.tuples);
  bool const near = !sensitive.reach().empty();
  for (auto const decisions : {Decisions::kSimulatable, Decisions::kPaper}) {
    if (near && decisions == Decisions::kPaper) continue;
    Draws draws = seeded(seed);
    auto const classes =
        made([&] { return topdown(table.axes, sensitive, table.k, decisions, draws, table.checkpoint); });
    EXPECT_EQ(classes.has_value(), is_whole_table_ok(table));
    if (!classes) continue;
    ++feasible[decisions == Decisions::kPaper];
    classes->check();
    expect_ok(table, members_of(*classes), table.k);
    for (std::size_t row = 0; row < table.rows(); ++row)
      for (std::size_t a = 0; a < table.axes.size(); ++a) {
        auto const region = classes->region(classes->class_of(row), a);
        Code const code = table.quasi[a][row];
        if (region.empty()) {
          EXPECT_EQ(code, kNull);
        } else {
          EXPECT_LE(region[0].begin, code == kNull ? kRoot : table.leaves[a][static_cast<std::size_t>(code)]);
          EXPECT_GT(region[0].end, code == kNull ? kRoot : table.leaves[a][static_cast<std::size_t>(code)]);
        }
      }
  }
}

// Every row lies in what its class shows, and no child of a shown node holds all rows of the class's region.
void check_shown(LossyTable const& table, Classes const& classes) {
  using Shown = std::vector<std::pair<std::int32_t, std::int32_t>>;  // by axis; regions may show the same
  std::map<Shown, std::vector<std::size_t>> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Shown shown;
    for (std::size_t a = 0; a < table.axes.size(); ++a) {
      auto const& axis = table.axes[a];
      auto const region = classes.region(classes.class_of(row), a);
      Code const code = table.quasi[a][row];
      shown.push_back(region.empty() ? std::pair(0, 0) : std::pair(region[0].begin, region[0].end));
      if (region.empty()) {
        EXPECT_EQ(code, kNull);
        continue;
      }
      std::int32_t const at = axis.taxonomy == nullptr ? code
                              : code == kNull          ? kRoot
                                                       : table.leaves[a][static_cast<std::size_t>(code)];
      if (code == kNull)
        EXPECT_EQ(shown.back(), std::pair(axis.taxonomy == nullptr ? 1 : kRoot,
                                          axis.taxonomy == nullptr ? axis.distinct : axis.taxonomy->end(kRoot)));
      else
        EXPECT_TRUE(region[0].begin <= at && at < region[0].end);
    }
    rows[shown].push_back(row);
  }
  for (auto const& [shown, members] : rows)
    for (std::size_t a = 0; a < table.axes.size(); ++a) {
      auto const& axis = table.axes[a];
      std::set<Code> codes;
      for (auto const row : members) codes.insert(table.quasi[a][row]);
      if (codes.contains(kNull)) continue;
      if (axis.taxonomy == nullptr) {
        EXPECT_EQ(shown[a], std::pair(*codes.begin(), *codes.rbegin() + 1));
        continue;
      }
      Node const node = shown[a].first;
      for (Node child = node + 1; child < axis.taxonomy->end(node); child = axis.taxonomy->end(child))
        EXPECT_FALSE(std::ranges::all_of(codes, [&](Code code) {
          return axis.taxonomy->covers(child, table.leaves[a][static_cast<std::size_t>(code)]);
        }));
    }
}

void check_others(std::uint64_t seed, int (&feasible)[4]) {
  RandomTable random(~seed);
  LossyTable table;
  random.make(table, 1 + random.draw(40), true, 1 + random.draw(2));
  SCOPED_TRACE(text_of(table));
  Draws draws = seeded(seed);
  Sensitive const sensitive = table.sensitive(table.tuples);
  auto classes = made([&] { return regional(table.axes, sensitive, table.k, draws, table.checkpoint); });
  feasible[2] += classes.has_value();
  if (classes) expect_ok(table, members_of(*classes), table.k);
  if (classes) {
    classes = regional_shown(table.axes, sensitive, table.k, draws, table.checkpoint);
    classes->check();
    expect_ok(table, members_of(*classes), table.k);
    check_shown(table, *classes);
  }
  std::int64_t const l = 1 + random.draw(4);
  for (auto& column : table.statement) {
    column.alpha = {1, l};
    column.own.clear();
    column.near.reset();
  }
  Sensitive const diverse = table.sensitive(table.tuples);
  classes = made([&] { return anatomy(diverse, l, draws, table.checkpoint); });
  feasible[3] += classes.has_value();
  if (classes) expect_ok(table, members_of(*classes), l);
}

TEST(LossyClasses, EveryClassIsOkAndNobodyIsLost) {
  auto const [seed, instances] = runs(20070409, 10000);
  int feasible[4] = {};
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    check_topdown(seed * 1000003 + static_cast<std::uint64_t>(i), feasible);
    check_others(seed * 1000003 + static_cast<std::uint64_t>(i), feasible);
    if (::testing::Test::HasFailure()) FAIL();
  }
  std::printf("feasible: simulatable %d, paper %d, regional %d, anatomy %d\n", feasible[0], feasible[1], feasible[2],
              feasible[3]);
}

}  // namespace
}  // namespace anon_seq::testing
