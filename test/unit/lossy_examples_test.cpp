// Worked examples of (alpha,k)-anonymity by lossy join, and the counterexamples of doc/semantics.md.
#include "error_of.h"
#include "lossy_reader.h"

#include "core/lossy/anatomy.h"

namespace anon_seq::testing {
namespace {

using Edges = std::vector<std::pair<std::string, std::string>>;  // child, parent; the root is "*"

// Adds an axis with a taxonomy and the rows' values, leaves of it; "" is NULL.
void add_axis(LossyTable& table, Edges const& edges, std::vector<std::string> const& values) {
  Dictionary labels;
  Vector<Node> parents;
  labels.intern("*");
  parents.push_back(kNoNode);
  for (auto const& [child, parent] : edges) {
    labels.intern(child);
    parents.push_back(labels.find(parent));
  }
  table.quasi.reserve(8);
  table.leaves.reserve(8);
  auto const& tree = *table.trees.emplace_back(std::make_unique<Taxonomy>(labels, parents));
  auto& codes = table.quasi.emplace_back();
  auto& leaves = table.leaves.emplace_back();
  leaves.push_back(kNoNode);
  for (Node n = 0; n < tree.size(); ++n)
    if (tree.is_leaf(n)) leaves.push_back(n);
  for (auto const& value : values)
    codes.push_back(value.empty() ? kNull
                                  : static_cast<Code>(std::ranges::find(leaves, tree.find(value)) - leaves.begin()));
  QuasiAxis axis;
  axis.codes = codes;
  axis.distinct = static_cast<Code>(leaves.size());
  axis.taxonomy = &tree;
  axis.leaves = leaves;
  table.axes.push_back(axis);
}

void add_line(LossyTable& table, std::vector<Code> const& values) {
  table.quasi.reserve(8);
  QuasiAxis axis;
  axis.codes = table.quasi.emplace_back(values);
  axis.distinct = *std::ranges::max_element(values) + 1;
  table.axes.push_back(axis);
}

SensitiveColumn column_of(Ratio alpha, Code distinct, Listing listing = Listing::kEvery, Vector<Code> listed = {}) {
  SensitiveColumn column;
  column.name = "s";
  column.alpha = alpha;
  column.distinct = distinct;
  column.listing = listing;
  column.listed = std::move(listed);
  return column;
}

void hold(LossyTable& table, std::vector<Code> const& codes) {
  for (Code const code : codes) table.tuples.push_back({code});
}

Sensitive sensitive_of(LossyTable const& table) { return table.sensitive(table.tuples); }

// Table 1 of the paper; fever 1, flu 2, HIV 3.
LossyTable patients() {
  LossyTable table;
  add_axis(table,
           {{"white-collar", "*"},
            {"blue-collar", "*"},
            {"clerk", "white-collar"},
            {"manager", "white-collar"},
            {"factory worker", "blue-collar"},
            {"technical supporter", "blue-collar"}},
           {"clerk", "manager", "clerk", "factory worker", "factory worker", "technical supporter"});
  add_axis(table, {{"1940", "*"}, {"1955", "*"}, {"1975", "*"}}, {"1975", "1955", "1955", "1955", "1975", "1940"});
  add_axis(table, {{"4350", "*"}, {"5432", "*"}}, {"4350", "4350", "5432", "5432", "4350", "4350"});
  table.statement.push_back(column_of({1, 2}, 4));
  hold(table, {3, 2, 2, 1, 2, 1});
  return table;
}

// Levels that the rows climbed.
int levels_climbed(LossyTable const& table, Classes const& classes) {
  int levels = 0;
  for (std::size_t row = 0; row < table.rows(); ++row)
    for (std::size_t a = 0; a < table.axes.size(); ++a) {
      auto const& tree = *table.axes[a].taxonomy;
      Node const leaf = table.leaves[a][static_cast<std::size_t>(table.quasi[a][row])];
      levels += tree.depth(leaf) - tree.depth(classes.region(classes.class_of(row), a)[0].begin);
    }
  return levels;
}

TEST(LossyExamples, TableOneOfThePaper) {
  auto const table = patients();
  for (auto const decisions : {Decisions::kPaper, Decisions::kSimulatable})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Draws draws = seeded(seed);
      auto const classes = topdown(table.axes, sensitive_of(table), 2, decisions, draws, table.checkpoint);
      expect_ok(table, members_of(classes), 2);
      if (decisions == Decisions::kSimulatable) continue;
      EXPECT_EQ(classes.count(), 3);                  // as Tables 3, 5 and 6
      EXPECT_LE(levels_climbed(table, classes), 12);  // of Table 3: two a row
    }
  Draws draws = seeded(1);
  auto const classes = regional(table.axes, sensitive_of(table), 2, draws, table.checkpoint);
  expect_ok(table, members_of(classes), 2);
  EXPECT_EQ(classes.count(), 3);
}

TEST(LossyExamples, AlphaBitesOnSize) {
  auto const least = [](Ratio alpha, std::int64_t k) {
    LossyTable table;
    add_line(table, std::vector<Code>(12, 1));
    table.statement.push_back(column_of(alpha, 7));
    hold(table, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
    return Tally(sensitive_of(table), k).least_class();
  };
  EXPECT_EQ(least({33, 100}, 2), 4);  // the paper's default
  EXPECT_EQ(least({1, 3}, 2), 3);
  EXPECT_EQ(least({1, 3}, 5), 5);
}

// Two values of unlike alphas: classes as large as the smaller one asks for, and as many of each as its own allows.
TEST(LossyExamples, EachValueHasItsAlpha) {
  LossyTable table;
  add_line(table, {1, 1, 1, 1, 2, 2, 2, 2});
  auto column = column_of({1, 2}, 4, Listing::kEach, {1, 2});
  column.own.push_back({1, {1, 4}});
  table.statement.push_back(column);
  hold(table, {1, 2, 2, 3, 1, 2, 2, 3});
  auto const sensitive = sensitive_of(table);
  Tally const tally(sensitive, 2);
  EXPECT_EQ(tally.least_class(), 4);
  EXPECT_EQ(tally.most_in_class(0), 1);
  EXPECT_EQ(tally.most_in_class(1), 2);
  Draws draws = seeded(3);
  auto const classes = regional(table.axes, sensitive, 2, draws, table.checkpoint);
  EXPECT_EQ(classes.count(), 2);
  expect_ok(table, members_of(classes), 4);
}

// Nodes of two and four, two HIV (1), two flu, two fever, HIV at most half: rows return where both of two have HIV, and
// only there.
TEST(LossyExamples, TopDownOfThePaperNamesHolders) {
  LossyTable table;
  add_axis(table, {{"a", "*"}, {"b", "*"}}, {"a", "a", "b", "b", "b", "b"});
  table.statement.push_back(column_of({1, 2}, 4, Listing::kEach, {1}));
  hold(table, {1, 1, 2, 2, 3, 3});
  auto const arrangements = arrangements_of(table.tuples, 100);
  ASSERT_EQ(arrangements.size(), 90u);
  auto const worst = [&](Decisions decisions) {
    auto const releases =
        all_releases(table, arrangements, Seen::kTuples, [&](Sensitive const& sensitive, Draws& draws) {
          auto const made = recode(table.axes, sensitive, 2, decisions, draws, table.checkpoint);
          return shape_of(made.grouping, made.nodes);
        });
    Verdict verdict;
    for (auto const& [release, beliefs] : releases) judge(table, release, beliefs, verdict);
    return verdict;
  };
  EXPECT_DOUBLE_EQ(worst(Decisions::kPaper).worst, 1);
  EXPECT_FALSE(worst(Decisions::kPaper).exact);
  EXPECT_EQ(worst(Decisions::kSimulatable).excess, 0);
  EXPECT_TRUE(worst(Decisions::kSimulatable).exact);
}

// Without floor and a, n = 6 was cut into regions that cannot be dealt: 3 and 3 rows for classes of two.
TEST(LossyExamples, RegionalCutsOnlyWhatCanBeDealt) {
  LossyTable table;
  add_line(table, {1, 1, 1, 2, 2, 2});
  table.statement.push_back(column_of({1, 2}, 3, Listing::kEach, {1}));
  hold(table, {1, 1, 2, 2, 2, 2});
  auto const sensitive = sensitive_of(table);
  EXPECT_EQ(find_regions(table.axes, sensitive, 2, table.checkpoint).parts.size(), 1u);  // 2 > floor(3 / 2) * 1
  hold(table, {2, 2});
  table.quasi[0] = {1, 1, 1, 1, 2, 2, 2, 2};
  table.axes[0].codes = table.quasi[0];
  EXPECT_EQ(find_regions(table.axes, sensitive_of(table), 2, table.checkpoint).parts.size(), 2u);
}

// Each of two columns dealt by itself told everything at n = 4. Joint values that share a bounded value are one block.
TEST(LossyExamples, SeveralColumnsAreDealtTogether) {
  LossyTable table;
  add_line(table, {1, 1, 1, 1});
  table.statement.push_back(column_of({1, 2}, 3, Listing::kEach, {1}));
  table.statement.push_back(column_of({1, 2}, 3, Listing::kEach, {1}));
  table.tuples = {{1, 1}, {1, 2}, {2, 2}, {2, 2}};
  auto const sensitive = sensitive_of(table);
  ASSERT_EQ(sensitive.bounds().size(), 2u);
  ASSERT_EQ(sensitive.blocks().size(), 1u);
  EXPECT_EQ(sensitive.blocks()[0].count, 2);
  auto const arrangements = arrangements_of(table.tuples, 100);
  auto const releases = all_releases(table, arrangements, Seen::kColumns, [&](Sensitive const& held, Draws& draws) {
    return shape_of(deal(find_regions(table.axes, held, 2, table.checkpoint), held, draws, table.checkpoint));
  });
  Verdict verdict;
  for (auto const& [release, beliefs] : releases) judge(table, release, beliefs, verdict);
  EXPECT_EQ(verdict.excess, 0);
  EXPECT_TRUE(verdict.exact);
}

// Every value of two columns bounded singly is one block of all rows: regions are classes then, and the reader learns
// their shares.
TEST(LossyExamples, RegionsAreClassesWhereBlocksAreTooLarge) {
  LossyTable table;
  add_line(table, {1, 1, 1, 2, 2, 2});
  table.statement.assign(2, column_of({2, 3}, 4));
  table.tuples = {{1, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 3}, {3, 1}};
  auto const sensitive = sensitive_of(table);
  ASSERT_EQ(sensitive.blocks().size(), 1u);
  EXPECT_EQ(sensitive.bounds().size(), 6u);
  auto const regions = find_regions(table.axes, sensitive, 2, table.checkpoint);
  EXPECT_FALSE(regions.dealt);
  EXPECT_EQ(regions.parts.size(), 2u);
  Draws draws = seeded(9);
  expect_ok(table, members_of(regional(table.axes, sensitive, 2, draws, table.checkpoint)), 2);
  auto const arrangements = arrangements_of(table.tuples, 1000);
  ASSERT_EQ(arrangements.size(), 720u);
  auto const releases = all_releases(table, arrangements, Seen::kColumns, [&](Sensitive const& held, Draws& chance) {
    return shape_of(deal(find_regions(table.axes, held, 2, table.checkpoint), held, chance, table.checkpoint));
  });
  Verdict verdict;
  for (auto const& [release, beliefs] : releases) judge(table, release, beliefs, verdict);
  EXPECT_EQ(verdict.excess, 0);
  EXPECT_TRUE(verdict.exact);
}

TEST(LossyExamples, ListsOfSeveralColumnsAreOneValue) {
  LossyTable table;
  add_line(table, {1, 1, 1, 1});
  table.statement.push_back(column_of({1, 2}, 3, Listing::kAny, {1}));
  table.statement.push_back(column_of({1, 3}, 3, Listing::kAny, {kNull}));
  table.tuples = {{1, kNull}, {2, 2}, {2, kNull}, {2, 2}};
  auto const sensitive = sensitive_of(table);
  ASSERT_EQ(sensitive.bounds().size(), 1u);
  EXPECT_EQ(sensitive.bounds()[0].count, 2);
  EXPECT_EQ(sensitive.bounds()[0].alpha, (Ratio{1, 3}));
}

TEST(LossyExamples, NearValuesCountTogether) {
  LossyTable table;
  add_line(table, {1, 1, 1, 2, 2, 2, 3, 3});
  auto column = column_of({1, 2}, 5);
  std::vector<double> const places{0, 30000, 30001, 30002, 90000};
  column.positions = places;
  column.near = 1000;
  table.statement.push_back(column);
  hold(table, {1, 2, 3, 4, 4, kNull, kNull, 4});
  auto const sensitive = sensitive_of(table);
  Tally tally(sensitive, 2);
  EXPECT_EQ(tally.most_near(sensitive.joint_values(), table.checkpoint), 3);
  Draws draws = seeded(5);
  expect_ok(table, members_of(regional(table.axes, sensitive, 2, draws, table.checkpoint)), 2);
  EXPECT_ERROR(error_of([&] { topdown({}, sensitive, 2, Decisions::kPaper, draws, table.checkpoint); }),
               Fault::kUnsupported, "near values are not offered with the decisions of the paper");
  EXPECT_ERROR(error_of([&] { anatomy(sensitive, 2, draws, table.checkpoint); }), Fault::kUnsupported,
               "near values are not offered with anatomy");
}

TEST(LossyExamples, WhatCannotBeDealt) {
  LossyTable table;
  add_line(table, {1, 1, 1, 1, 1, 1, 1});
  table.statement.push_back(column_of({3, 10}, 4));
  hold(table, {1, 1, 2, 3, 2, 3, kNull});
  Draws draws = seeded(5);
  auto error = error_of([&] { regional(table.axes, sensitive_of(table), 2, draws, table.checkpoint); });
  EXPECT_ERROR(error, Fault::kData, "the values of the source cannot be dealt to classes within alpha");
  EXPECT_EQ(error.detail(),
            "Of 7 rows 2 hold one bounded value, or bounded values that occur together; classes have 4 rows or more.");
  EXPECT_EQ(error.hint(), "Alpha 0.3334 would do, or a source of 8 rows with no more of these values, or k = 7.");
  table.statement[0].alpha = {3334, 10000};
  EXPECT_NO_THROW(regional(table.axes, sensitive_of(table), 2, draws, table.checkpoint));
  table.statement[0].alpha = {3, 10};
  EXPECT_NO_THROW(regional(table.axes, sensitive_of(table), 7, draws, table.checkpoint));
  EXPECT_ERROR(error_of([&] { regional(table.axes, sensitive_of(table), 8, draws, table.checkpoint); }), Fault::kData,
               "the source has too few rows for one class");
  table.statement[0].alpha = {1, 4};
  error = error_of([&] { topdown({}, sensitive_of(table), 2, Decisions::kPaper, draws, table.checkpoint); });
  EXPECT_ERROR(error, Fault::kData, "a bounded value has a greater share of the source than alpha");
  EXPECT_EQ(error.hint(), "Alpha 0.2858 would do, or a source of 8 rows with no more of these values.");
  error = error_of([&] { anatomy(sensitive_of(table), 4, draws, table.checkpoint); });
  EXPECT_ERROR(error, Fault::kData, "a sensitive value is too frequent for l");
  EXPECT_EQ(error.hint(), "l = 3 would do, or a source of 8 rows with no more of it.");
}

TEST(LossyExamples, WhichAlphaWouldDo) {
  LossyTable table;
  add_line(table, std::vector<Code>(20, 1));
  table.statement.push_back(column_of({1, 2}, 4));
  table.statement[0].own = {{1, {1, 10}}, {2, {1, 5}}};
  hold(table, {1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, kNull});
  Draws draws = seeded(5);
  auto error = error_of([&] { topdown({}, sensitive_of(table), 2, Decisions::kPaper, draws, table.checkpoint); });
  EXPECT_EQ(error.detail(), "Of 20 rows 3 hold it, of alpha 0.1.");
  EXPECT_EQ(error.hint(),
            "Alpha 0.15 in place of 0.1, and 0.3 in place of 1/5 would do, or a source of 30 rows with no more of"
            " these values.");
  table.statement[0].own = {{1, {1, 10}}, {2, {2, 10}}};
  error = error_of([&] { regional(table.axes, sensitive_of(table), 2, draws, table.checkpoint); });
  EXPECT_EQ(error.detail(),
            "Of 20 rows 3 hold one bounded value, or bounded values that occur together, of alpha 0.1; classes have 10"
            " rows or more.");
  EXPECT_TRUE(error.hint().starts_with("Alphas of at least 0.5 would do, or a source of 30 rows")) << error.hint();
  table.statement[0].own[0].second = {1, 21};
  error = error_of([&] { regional(table.axes, sensitive_of(table), 2, draws, table.checkpoint); });
  EXPECT_ERROR(error, Fault::kData, "the source has too few rows for one class");
  EXPECT_EQ(error.hint(), "Alphas of at least 0.5 would do.");
}

// What the library suggests must do, and nothing less in alpha's case where classes keep k rows.
TEST(LossyExamples, SuggestionsDo) {
  std::mt19937_64 random(11);
  int tried = 0;
  while (tried < 300) {
    LossyTable table;
    std::size_t const rows = 2 + random() % 40;
    add_line(table, std::vector<Code>(rows, 1));
    Code const distinct = 2 + static_cast<Code>(random() % 6);
    std::int64_t const den = 2 + static_cast<std::int64_t>(random() % 9);
    table.statement.push_back(column_of({1 + static_cast<std::int64_t>(random()) % (den / 2 + 1), den}, distinct));
    if (table.statement[0].alpha.num < 1) continue;
    for (Code code = 0; tried % 2 == 1 && code < distinct; code += 2)
      table.statement[0].own.push_back({code, {1 + static_cast<std::int64_t>(random() % 10), 10}});
    for (std::size_t row = 0; row < rows; ++row)
      table.tuples.push_back({static_cast<Code>(random() % static_cast<std::uint64_t>(distinct))});
    std::int64_t const k = 1 + static_cast<std::int64_t>(random() % 5);
    auto const error = error_of([&] { find_regions(table.axes, sensitive_of(table), k, table.checkpoint); });
    if (error.fault() != Fault::kData || error.hint().empty()) continue;
    ++tried;
    std::string const hint = error.hint();
    auto const number_after = [&](std::string const& words) {
      auto const at = hint.find(words);
      return at == std::string::npos
                 ? std::string()
                 : hint.substr(at + words.size(), hint.find_first_of(" ,", at + words.size()) - at - words.size());
    };
    auto const said = number_after(hint.starts_with("Alphas") ? "Alphas of at least " : "Alpha ");
    EXPECT_NE(said, "1") << hint;  // bounds nothing
    Ratio const least{said.empty() ? 10000 : std::llround(std::stod(said) * 10000), 10000};
    std::int64_t const its_k = hint.find(" and k = ") == std::string::npos ? k : std::stoll(number_after(" and k = "));
    auto const raise = [&](Ratio& alpha) { alpha = at_most(alpha.num, alpha.den, least) ? least : alpha; };
    auto const original = table.statement[0];
    raise(table.statement[0].alpha);
    for (auto& own : table.statement[0].own) raise(own.second);
    EXPECT_NO_THROW(find_regions(table.axes, sensitive_of(table), its_k, table.checkpoint)) << hint;
    table.statement[0] = original;
    if (auto const better = number_after(", or k = "); !better.empty()) {
      EXPECT_NO_THROW(find_regions(table.axes, sensitive_of(table), std::stoll(better), table.checkpoint)) << hint;
    }
    if (number_after("a source of ").empty()) continue;  // fewer rows than one class has
    std::size_t const larger = std::stoul(number_after("a source of "));
    table.statement[0].distinct += static_cast<Code>(larger);
    for (Code other = distinct; table.tuples.size() < larger; ++other) {  // each of another value
      table.tuples.push_back({other});
      table.quasi[0].push_back(1);
    }
    table.axes[0].codes = table.quasi[0];
    EXPECT_NO_THROW(find_regions(table.axes, sensitive_of(table), k, table.checkpoint)) << hint;
  }
}

TEST(LossyExamples, StatementsThatMakeNoSense) {
  LossyTable table;
  add_line(table, {1, 1});
  hold(table, {1, 2});
  auto const refused = [&](SensitiveColumn const& column) {
    table.statement.assign(1, column);
    return error_of([&] { sensitive_of(table); });
  };
  EXPECT_ERROR(refused(column_of({0, 1}, 3)), Fault::kParameter,
               "sensitive column \"s\": alpha is not above 0 and at most 1");
  EXPECT_ERROR(refused(column_of({3, 2}, 3)), Fault::kParameter,
               "sensitive column \"s\": alpha is not above 0 and at most 1");
  auto column = column_of({1, 2}, 3, Listing::kAny, {1});
  column.own.push_back({1, {1, 3}});
  EXPECT_ERROR(refused(column), Fault::kParameter,
               "sensitive column \"s\": listed values that are bounded together have one alpha");
  column = column_of({1, 2}, 3);
  column.near = 1;
  EXPECT_ERROR(refused(column), Fault::kParameter, "sensitive column \"s\": near values are numbers");
}

TEST(LossyExamples, TheOneRuleIsAsserted) {
  Grouping grouping;
  grouping.rows = {0, 1, 2, 3};
  grouping.classes = {0, 0, 1, 1};
  grouping.count = 2;
  grouping.tested = {{0, 4}, {0, 2}};
  EXPECT_NO_THROW(check_one_rule(grouping));
  grouping.tested.push_back({0, 3});
  EXPECT_ERROR(error_of([&] { check_one_rule(grouping); }), Fault::kInternal, "a tested node is no union of classes");
  grouping.classes[3] = kWithheld;
  EXPECT_ERROR(error_of([&] { check_one_rule(grouping); }), Fault::kInternal, "a row is in no class");
}

}  // namespace
}  // namespace anon_seq::testing
