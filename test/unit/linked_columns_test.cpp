// Columns that go together, in a search for k.
#include <gtest/gtest.h>

#include "core/sequential/finest_cut.h"
#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

// Columns that go together are one dimension of the lattice: what was too much to look at is looked at, and the splits
// that cost nothing are taken at once.
TEST(LinkedColumns, AreLessToSearch) {
  constexpr int kGroups = 4, kColumns = 3, kDepth = 4;
  auto const search = [&](bool linked) {
    Case c;
    std::vector<std::string> names;
    for (int g = 0; g < kGroups; ++g)
      for (int i = 0; i < kColumns; ++i) {
        std::string const name = std::string(1, static_cast<char>('a' + g)) + std::to_string(i);
        std::vector<std::pair<std::string, std::string>> edges;
        for (int level = 1; level <= kDepth; ++level)
          for (int n = 0; n < 1 << level; ++n)
            edges.emplace_back(std::to_string(level) + "." + std::to_string(n),
                               level == 1 ? "ANY" : std::to_string(level - 1) + "." + std::to_string(n / 2));
        c.add_taxonomy(name, edges);
        names.push_back(name);
      }
    Rows rows;
    for (int i = 0; i < 4096; ++i) {
      rows.emplace_back();
      for (int g = 0; g < kGroups; ++g)
        for (int j = 0; j < kColumns; ++j)
          rows.back().push_back(std::to_string(kDepth) + "." + std::to_string(i * (g + 3) / (g + 1) % 16));
    }
    c.add_table(names, rows);
    for (auto const& name : names) c.generalize(name);
    KDemands demands{100, 0, Vector<std::int64_t>(names.size(), kLossUnit / kColumns)};
    for (std::size_t g = 0; linked && g < kGroups; ++g) {
      demands.linked.emplace_back();
      for (std::size_t j = 0; j < kColumns; ++j) demands.linked.back().push_back(g * kColumns + j);
    }
    NoCheckpoint none;
    std::vector<AttributeCut> root;
    for (std::size_t a = 0; a < names.size(); ++a) root.emplace_back(c.problem, a, none);
    KTable const table(c.problem, root, none);
    auto const nodes =
        best_full_domain(table, demands, root, std::numeric_limits<std::int64_t>::max(), 1'000'000'000, none);
    auto const found = find_finest_cut(c.problem, demands, none);
    for (int g = 0; linked && g < kGroups; ++g)
      for (std::size_t j = 1; j < kColumns; ++j)
        EXPECT_EQ(pieces_of(found.cuts[static_cast<std::size_t>(g) * kColumns]),
                  pieces_of(found.cuts[static_cast<std::size_t>(g) * kColumns + j]));
    return std::pair(nodes, found.loss);
  };
  auto const [apart, loss_apart] = search(false);
  auto const [together, loss_together] = search(true);
  EXPECT_FALSE(apart.exhaustive);
  EXPECT_TRUE(together.exhaustive);
  EXPECT_LE(together.loss, apart.loss);
  EXPECT_LE(loss_together, loss_apart);
}

}  // namespace
}  // namespace anon_seq::testing
