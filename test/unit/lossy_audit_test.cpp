// What is measured of a lossy join: bags, findings, trials of arrangements, and what is learnt from the release alone.
#include <array>

#include "core/attack/minimality.h"
#include "core/lossy/anatomy.h"
#include "core/lossy/exposure.h"
#include "core/lossy/findings.h"
#include "core/lossy/naive_bayes.h"
#include "core/lossy/signature.h"
#include "lossy_fixture.h"

namespace anon_seq::testing {
namespace {

TEST(ClassCounts, AreThoseOfAMap) {
  auto const [seed, instances] = runs(31, 300);
  NoCheckpoint checkpoint;
  for (int i = 0; i < instances; ++i) {
    std::mt19937_64 random(seed * 1000003 + static_cast<std::uint64_t>(i));
    std::size_t const rows = random() % 40;
    ClassId const count = 1 + static_cast<ClassId>(random() % 6);
    Classes classes(rows, 0);
    for (ClassId id = 0; id < count; ++id) classes.add_class();
    Vector<Code> codes;
    std::map<ClassId, std::map<Code, int>> bags;
    for (std::size_t row = 0; row < rows; ++row) {
      codes.push_back(static_cast<Code>(random() % 5));
      if (random() % 10 == 0) continue;  // withheld
      classes.assign(row, static_cast<ClassId>(random() % static_cast<std::uint64_t>(count)));
      ++bags[classes.class_of(row)][codes.back()];
    }
    auto const counts = class_counts(classes, codes, 5, checkpoint);
    for (ClassId id = 0; id < count; ++id) {
      std::map<Code, int> bag;
      for (auto e = counts.begins[static_cast<std::size_t>(id)]; e < counts.begins[static_cast<std::size_t>(id) + 1];
           ++e) {
        EXPECT_TRUE(bag.empty() || bag.rbegin()->first < counts.codes[e]);
        bag[counts.codes[e]] = counts.counts[e];
      }
      EXPECT_EQ(bag, bags[id]) << "seed " << seed << ", instance " << i;
    }
  }
}

SensitiveColumn column_of(std::span<Code const> codes, Ratio alpha, Code distinct) {
  SensitiveColumn column;
  column.name = "s";
  column.codes = codes;
  column.alpha = alpha;
  column.distinct = distinct;
  return column;
}

TEST(Findings, TellWhatIsWorthIt) {
  NoCheckpoint checkpoint;
  std::vector<Code> const codes{1, 1, 1, 2, 3, 4, kNull, kNull, kNull, 4};
  auto column = column_of(codes, {1, 2}, 6);
  std::int64_t k = 2;
  auto const found = [&] {
    return findings_of(Sensitive(codes.size(), std::span(&column, 1), checkpoint), std::span(&column, 1), k,
                       checkpoint);
  };
  using Kind = Finding::Kind;
  EXPECT_EQ(found(), (std::vector<Finding>{{Kind::kHalfShare, 0, kNull, 3}, {Kind::kHalfShare, 0, 1, 3}}));
  column.alpha = {3, 5};  // of classes of two 1 at most
  EXPECT_EQ(found(), (std::vector<Finding>{{Kind::kHalfDealt, 0, kNull, 3}, {Kind::kHalfDealt, 0, 1, 3}}));
  column.alpha = {2, 3};
  EXPECT_EQ(found().size(), 2U);
  k = 3;  // 2 of 3
  EXPECT_EQ(found(), std::vector<Finding>{});
  column.listing = Listing::kAny;
  column.listed = {2, 5};
  EXPECT_EQ(found(), (std::vector<Finding>{{Kind::kAbsent, 0, 5, 0}}));
  column.listed = {1, 2};
  EXPECT_EQ(found(), (std::vector<Finding>{{Kind::kHalfShare, 0, kNoCode, 4}}));
  column = column_of(codes, {3, 5}, 6);
  k = 5;
  std::vector<double> const places{0, 30000, 30001, 30002, 30003, 90000};
  column.positions = places;
  EXPECT_EQ(found(), std::vector<Finding>{});  // all of them are far apart, in their range
  std::vector<Code> const spread{1, 1, 2, 2, 3, 4, 4, 4, 5, kNull};
  column.codes = spread;
  EXPECT_EQ(found(), (std::vector<Finding>{{Kind::kNear, 0, kNoCode, 8}}));
  std::vector<Code> const equal(10, 2);
  column.codes = equal;
  column.positions = {};
  EXPECT_EQ(found().back(), (Finding{Kind::kAllEqual, 0, kNoCode, 10}));
}

// Values of two columns that chain to one block: where blocks are dealt, that counts; else each bound.
TEST(Findings, OfWhatIsDealt) {
  NoCheckpoint checkpoint;
  std::vector<Code> const a{1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4}, b{1, 2, 2, 3, 3, 1, 4, 4, 4, 4, 4, 4};
  std::vector<SensitiveColumn> columns{column_of(a, {1, 2}, 5), column_of(b, {1, 2}, 5)};
  for (auto& column : columns) {
    column.listing = Listing::kEach;
    column.listed = {1, 2, 3};
  }
  Sensitive const sensitive(a.size(), columns, checkpoint);
  using Kind = Finding::Kind;
  EXPECT_EQ(findings_of(sensitive, columns, 2, checkpoint), (std::vector<Finding>{{Kind::kHalfShare, 0, kNoCode, 6}}));
  EXPECT_EQ(findings_of(sensitive, columns, std::nullopt, checkpoint), std::vector<Finding>{});
  EXPECT_EQ(findings_of(sensitive, columns, 5, checkpoint), std::vector<Finding>{});  // cannot be dealt: 3 > 12 / 5
}

// A part of two and one of four; the first value is bounded at one half.
struct TwoNodes {
  TwoNodes() {
    Dictionary labels;
    for (char const* label : {"*", "a", "b"}) labels.intern(label);
    tree = std::make_unique<Taxonomy>(labels, Vector<Node>{kNoNode, 0, 0});
    QuasiAxis axis;
    axis.codes = quasi;
    axis.distinct = 3;
    axis.taxonomy = tree.get();
    axis.leaves = leaves;
    axes.push_back(axis);
    column = column_of(held, {1, 2}, 4);
    column.listing = Listing::kEach;
    column.listed = {1};
  }
  std::vector<Code> quasi{1, 1, 2, 2, 2, 2}, held{1, 1, 2, 2, 3, 3};
  std::vector<Node> leaves{kNoNode, 1, 2};
  std::unique_ptr<Taxonomy> tree;
  std::vector<QuasiAxis> axes;
  SensitiveColumn column;
  NoCheckpoint checkpoint;
};

TEST(Minimality, NamesWhoseValuesMadeTheRelease) {
  TwoNodes const two;
  NoCheckpoint checkpoint;
  Sensitive const sensitive(6, std::span(&two.column, 1), checkpoint);
  for (auto const decisions : {Decisions::kPaper, Decisions::kSimulatable})
    for (std::uint64_t const most : {100000, 0}) {
      Draws draws = seeded(17);
      auto const made = recode(two.axes, sensitive, 2, decisions, draws, checkpoint);
      auto const seen = [&](Recoding const& one, Sensitive const& held) {
        return decisions == Decisions::kPaper ? bags_of(one, held) : signature_of(one);
      };
      auto const released = seen(made, sensitive);
      auto const classes = bare_classes(made.grouping);
      std::vector<std::array<int, 3>> held(6);
      auto const found = try_arrangements(
          {&classes, sensitive.joint_values(), most, 2000},
          [&](std::span<JointValue const> values) {
            auto const other = sensitive.rearranged(values);
            if (seen(recode(two.axes, other, 2, decisions, draws, checkpoint), other) != released) return false;
            for (std::size_t row = 0; row < 6; ++row) ++held[row][static_cast<std::size_t>(values[row])];
            return true;
          },
          [&](std::uint64_t n) { return draws.below(n); }, checkpoint);
      EXPECT_EQ(found.exact, most > 0);
      auto const chance = [&](std::size_t row, JointValue value) {
        return held[row][static_cast<std::size_t>(value)] / static_cast<double>(found.accepted);
      };
      ASSERT_GT(found.accepted, 0);
      if (decisions == Decisions::kPaper) {
        EXPECT_LT(found.accepted, found.tried);
        EXPECT_EQ(chance(0, 0), 1);
        EXPECT_EQ(chance(1, 0), 1);
        continue;
      }
      EXPECT_EQ(found.accepted, found.tried);
      EXPECT_NEAR(chance(0, 0), 1.0 / 3, most > 0 ? 1e-9 : 0.05);
      EXPECT_EQ(found.tried, most > 0 ? 90 : 2000);
    }
}

// Two classes of two and four rows; values 1 and 2 are bounded at one half.
TEST(Exposure, CountsWhoHoldsWhatIsBounded) {
  NoCheckpoint checkpoint;
  std::vector<Code> const codes{1, 3, 1, 2, 3, 3};
  auto column = column_of(codes, {1, 2}, 4);
  column.listing = Listing::kEach;
  column.listed = {1, 2};
  Sensitive const sensitive(6, std::span(&column, 1), checkpoint);
  Classes classes(6, 0);
  classes.add_class();
  classes.add_class();
  for (std::size_t row = 0; row < 6; ++row) classes.assign(row, row < 2 ? 0 : 1);
  auto const bounded = bounded_values(sensitive);
  ExposureCounts counts(bounded, classes, checkpoint);
  EXPECT_FALSE(counts.exposure(true, true));
  auto const values = sensitive.joint_values();
  auto swapped = values;
  std::swap(swapped[0], swapped[1]);
  for (int i = 0; i < 3; ++i) counts.add(values);
  counts.add(swapped);
  EXPECT_FALSE(counts.exposure(true, false));
  EXPECT_FALSE(counts.exposure(false, false));
  auto const exact = counts.exposure(false, true);
  ASSERT_TRUE(exact);
  EXPECT_EQ(exact->worst, 1);  // row 2 has value 1 in all of them, row 3 value 2
  EXPECT_EQ(exact->at_least, 1);
  EXPECT_EQ(exact->above, 3);  // and row 0 value 1 in three of four
  auto const all = counts.exposure(true, true);
  EXPECT_EQ(all->worst, 0.5);
  EXPECT_EQ(all->above, 0);
  for (int i = 0; i < 26; ++i) counts.add(i % 2 == 0 ? values : swapped);
  auto const sampled = counts.exposure(false, false);
  ASSERT_TRUE(sampled);
  EXPECT_EQ(sampled->worst, 1);
  EXPECT_NEAR(sampled->at_least, 30.0 / 55, 1e-9);  // n / (n + 25)
  EXPECT_EQ(sampled->above, 2);                     // of row 0, who has 16 of 30, nobody is sure
}

// Every simulatable release accepts every arrangement inside its classes.
TEST(Minimality, AcceptsAllOfWhatIsSimulatable) {
  auto const [seed, instances] = runs(32, 300);
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    RandomTable random(seed * 1000003 + static_cast<std::uint64_t>(i));
    LossyTable table;
    random.make(table, 2 + random.draw(40), true, 1 + random.draw(2));
    Sensitive const sensitive = table.sensitive(table.tuples);
    Draws draws = seeded(seed + static_cast<std::uint64_t>(i));
    try {
      auto regions = find_regions(table.axes, sensitive, table.k, table.checkpoint);
      auto const released = signature_of(regions);
      auto const classes = bare_classes(deal(std::move(regions), sensitive, draws, table.checkpoint));
      auto const found = try_arrangements(
          {&classes, sensitive.joint_values(), 50, 20},
          [&](std::span<JointValue const> values) {
            return signature_of(find_regions(table.axes, sensitive.rearranged(values), table.k, table.checkpoint)) ==
                   released;
          },
          [&](std::uint64_t n) { return draws.below(n); }, table.checkpoint);
      EXPECT_EQ(found.accepted, found.tried) << text_of(table);
      EXPECT_EQ(found.tried <= 50 && found.exact, found.exact);
    } catch (Error const& error) {
      EXPECT_EQ(error.fault(), Fault::kData) << error.what();
    }
  }
}

// How often the best guess is right where the first attribute tells the value with this chance.
double share_right(double correlation, std::int64_t l) {
  std::mt19937_64 random(5);
  NoCheckpoint checkpoint;
  std::size_t const rows = 6000;
  Code const values = 7;  // no multiple of l: classes of the same values over and over would teach nothing
  std::vector<Code> held, first, second;
  for (std::size_t row = 0; row < rows; ++row) {
    held.push_back(1 + static_cast<Code>(row) % values);
    bool const tells = static_cast<double>(random() % 1000) < 1000 * correlation;
    first.push_back(tells ? held.back() : 1 + static_cast<Code>(random() % static_cast<std::uint64_t>(values)));
    second.push_back(static_cast<Code>(random() % 5));
  }
  auto const column = column_of(held, {1, l}, values + 1);
  Sensitive const sensitive(rows, std::span(&column, 1), checkpoint);
  Draws draws = seeded(6);
  auto const classes = anatomy(sensitive, l, draws, checkpoint);
  auto const counts = class_counts(classes, held, values + 1, checkpoint);
  QuasiCodes const axes[] = {{first, values + 1}, {second, 5}};
  auto const guesses = learn_values(classes, axes, counts, values + 1, 10, checkpoint);
  std::size_t right = 0;
  for (std::size_t row = 0; row < rows; ++row) right += guesses[row] == held[row];
  return static_cast<double>(right) / static_cast<double>(rows);
}

TEST(NaiveBayes, LearnsWhatGoesTogether) {
  EXPECT_GT(share_right(0.9, 2), 0.9);  // promised: a half
  EXPECT_GT(share_right(0.9, 4), 0.85);
  EXPECT_NEAR(share_right(0, 2), 0.5, 0.05);
  EXPECT_NEAR(share_right(0, 4), 0.25, 0.05);
}

}  // namespace
}  // namespace anon_seq::testing
