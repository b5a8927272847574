// Published texts as sets: prefixes, labels, intervals in other spellings; and the sets themselves.
#include "core/attack/label_runs.h"

#include <gtest/gtest.h>

#include "core/attack/line_printer.h"
#include "core/text/interval_text.h"

namespace anon_seq {
namespace {

using Names = std::vector<std::optional<std::string>>;

bool within(PieceRun inner, PieceRun outer) { return outer.first <= inner.first && inner.last <= outer.last; }

TEST(LabelRuns, PrefixesHoldWhatBeginsSo) {
  auto const labels = prefix_runs({"20433", "2043*", "20437", "204**", "*", "21", "2043*", "2", ""});
  auto const run = [&](char const* label) { return labels.run_of(label); };
  for (char const* zip : {"20433", "20437"}) {
    EXPECT_TRUE(within(run(zip), run("2043*"))) << zip;
    EXPECT_EQ(run(zip).first, run(zip).last);
  }
  EXPECT_TRUE(within(run("2043*"), run("204**")));
  EXPECT_NE(run("2043*"), run("204**"));
  EXPECT_FALSE(within(run("21"), run("204**")));
  EXPECT_FALSE(within(run("2"), run("204**")));
  EXPECT_EQ(run("*").first, kUnknownPiece);
  for (char const* label : {"2043*", "21", "2", ""}) EXPECT_TRUE(within(run(label), run("*"))) << label;
}

TEST(LabelRuns, TheNumberOfStarsIsNoMatter) {
  auto const labels = prefix_runs({"204*", "204**", "20433", "*", "*****"});
  EXPECT_EQ(labels.run_of("204*"), labels.run_of("204**"));
  EXPECT_EQ(labels.run_of("*"), labels.run_of("*****"));
  EXPECT_TRUE(within(labels.run_of("20433"), labels.run_of("204*")));
}

TEST(LabelRuns, SetsAreNamedByTheFewestLabels) {
  auto const labels = prefix_runs({"20433", "20437", "2043*", "21", "*"});
  ValueSets sets;
  auto const names = [&](std::vector<std::string> of) {
    Vector<PieceRun> runs;
    for (auto const& label : of) runs.push_back(labels.run_of(label));
    return labels.names_of(sets[sets.add(runs)]);
  };
  EXPECT_EQ(names({"2043*", "20433"}), (Names{"2043*"}));
  EXPECT_EQ(names({"20437", "20433"}), (Names{"20433", "20437"}));
  EXPECT_EQ(names({"21", "20433"}), (Names{"20433", "21"}));
  EXPECT_EQ(names({"*", "21"}), (Names{"*"}));
  EXPECT_EQ(names({}), Names{});
  PieceRun const unknown[] = {{kUnknownPiece, kUnknownPiece}};
  EXPECT_EQ(labels.names_of(unknown), (Names{std::nullopt}));
  Vector<PieceRun> with_unknown{unknown[0], labels.run_of("20433")};
  EXPECT_EQ(labels.names_of(sets[sets.add(with_unknown)]), (Names{std::nullopt, "20433"}));
}

TEST(ValueSets, EqualSetsHaveOneNumber) {
  ValueSets sets;
  PieceRun const apart[] = {{4, 5}, {1, 2}}, touching[] = {{3, 5}, {1, 2}, {2, 4}};
  EXPECT_EQ(sets.add(touching), sets.add({1, 5}));
  SetId const two = sets.add(apart);
  EXPECT_EQ(sets[two].size(), 2u);
  EXPECT_EQ(sets.meet(two, sets.add({2, 4})), sets.add(std::vector<PieceRun>{{2, 2}, {4, 4}}));
  EXPECT_EQ(sets.meet(two, sets.add({3, 3})), kNothing);
  EXPECT_EQ(sets.meet(kAnything, two), two);
  EXPECT_TRUE(sets.holds(kAnything, two));
  EXPECT_TRUE(sets.holds(two, sets.add({4, 5})));
  EXPECT_FALSE(sets.holds(two, sets.add({2, 4})));
  EXPECT_TRUE(sets.holds(two, kNothing));
}

TEST(LinePrinter, RangesPointsAndTheUnknown) {
  ValueSets sets;
  LinePrinter printer(sets, "-infinity");
  printer.set_cut(3, "48", true);
  printer.set_cut(1, "21", false);
  printer.set_cut(2, "48", false);
  auto const shown = [&](std::vector<PieceRun> runs) { return printer.json(sets.add(runs)); };
  EXPECT_EQ(shown({{2, 2}}), "\"[21,48)\"");
  EXPECT_EQ(shown({{2, 3}}), "\"[21,48]\"");
  EXPECT_EQ(shown({{3, 3}}), "\"48\"");
  EXPECT_EQ(shown({{0, 1}}), "\"(,21)\"");
  EXPECT_EQ(shown({{1, 1}}), "\"(,21)\"");
  EXPECT_EQ(shown({{4, 4}}), "\"(48,)\"");
  EXPECT_EQ(shown({{0, 1}, {3, 4}}), "\"{(,21),[48,)}\"");
  EXPECT_EQ(shown({{0, 0}}), "null");
  EXPECT_EQ(shown({}), "[]");
  printer.use_hyphens();
  EXPECT_EQ(shown({{2, 3}}), "\"[21-48]\"");
  EXPECT_EQ(shown({{2, 2}}), "\"[21,48)\"");
  printer.publish(sets.add({2, 3}), "[21.0-48]");
  printer.publish(sets.add({2, 3}), "[21;48]");
  EXPECT_EQ(shown({{2, 3}}), "\"[21;48]\"");
}

TEST(IntervalText, AHyphenBetweenAscendingNumbersIsUnderstood) {
  EXPECT_EQ(interval_text("[21-48]"), "[21,48]");
  EXPECT_EQ(interval_text("[ 21 - 48 ["), "[21,48)");
  EXPECT_EQ(interval_text("[-5--2.5]"), "[-5,-2.5]");
  EXPECT_EQ(interval_text("(-5-2)"), "(-5,2)");
  for (char const* none : {"[48-21]", "[2020-01-05]", "[-5]", "[a-b]", "[5-]", "21-48"})
    EXPECT_EQ(interval_text(none), std::nullopt) << none;
  EXPECT_EQ(interval_or_point(" 48 "), "[48,48]");
  EXPECT_EQ(interval_or_point("1e2"), "[100,100]");
  EXPECT_EQ(interval_or_point("[20, 30["), "[20,30)");
  EXPECT_EQ(interval_or_point("x"), std::nullopt);
}

}  // namespace
}  // namespace anon_seq
