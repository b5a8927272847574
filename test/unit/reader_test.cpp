// What a reader concludes who knows how a release was made, besides what its rows say.
#include <gtest/gtest.h>

#include "sequential_fixture.h"

namespace anon_seq::testing {
namespace {

// Two nurses, four clerks, two of the six have HIV: k = 2, and a link to HIV of 1/2 at most. Of the 15 ways to place
// the two, one alone is not cut: that both are nurses. The release then shows 2 in 6, and everybody who knows the rule
// knows who they are. doc/semantics.md, "What a reader who knows the code concludes".
TEST(Reader, WhatWasNotCutTellsWhoItIs) {
  int placements = 0, uncut = 0;
  for (std::size_t one = 0; one < 6; ++one)
    for (std::size_t other = one + 1; other < 6; ++other) {
      Case c;
      add_flat(c, "job", {"nurse", "clerk"});
      Rows rows;
      for (std::size_t i = 0; i < 6; ++i)
        rows.push_back({i < 2 ? "nurse" : "clerk", i == one || i == other ? "HIV" : "flu"});
      c.add_table({"job", "illness"}, rows);
      c.generalize("job");
      c.anonymity({"T1.job"}, {}, {0}, 2);
      c.linkability({"T1.job"}, {"T1.illness"}, {1, 2}, {{"HIV"}});
      auto const outcome = c.run();
      ASSERT_TRUE(outcome.feasible);
      ++placements;
      if (outcome.classes.count() > 1) continue;
      ++uncut;
      EXPECT_EQ(one, 0U);
      EXPECT_EQ(other, 1U);
      expect_share(outcome.rules[1].reached, 1, 3);
    }
  EXPECT_EQ(placements, 15);
  EXPECT_EQ(uncut, 1);
}

}  // namespace
}  // namespace anon_seq::testing
