// What all open taxonomies have in common: climbing step by step is climbing at once, and levels nest.
#include "core/taxonomy/open_taxonomy.h"

#include <random>

#include "core/numbers/decimal.h"
#include "error_of.h"

namespace anon_seq {
namespace {

// From any value or node the rest of the path is the path of the next node.
void expect_steps_agree(OpenTaxonomy const& taxonomy, std::string const& value) {
  auto const whole = std::visit([&](auto const& rule) { return rule.path(value); }, taxonomy);
  ASSERT_TRUE(whole) << value;
  EXPECT_EQ(whole->back(), root_label(taxonomy));
  std::string step = value;
  for (int levels = 0; levels < static_cast<int>(whole->size()) + 2; ++levels) {
    EXPECT_EQ(climb(taxonomy, value, levels), step) << value << " by " << levels;
    if (step == root_label(taxonomy)) {
      EXPECT_EQ(climb(taxonomy, step, 1), step);
      EXPECT_EQ(levels, static_cast<int>(whole->size()) - 1) << "the root stands once, at the end";
      break;
    }
    auto const next = climb(taxonomy, step, 1);
    ASSERT_TRUE(next) << step << " is a node of " << value;
    EXPECT_NE(*next, step);
    step = *next;
  }
}

// Two values that meet at one level stay together above it.
void expect_nested(OpenTaxonomy const& taxonomy, std::string const& one, std::string const& other) {
  auto path = [&](std::string const& value) {
    return *std::visit([&](auto const& rule) { return rule.path(value); }, taxonomy);
  };
  auto const a = path(one), b = path(other);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (a[i] == b[j]) {
        EXPECT_EQ(Path(a.begin() + static_cast<std::ptrdiff_t>(i), a.end()),
                  Path(b.begin() + static_cast<std::ptrdiff_t>(j), b.end()));
        return;
      }
  FAIL() << one << " and " << other << " do not even meet at the root";
}

template <class MakeValue>
void check(OpenTaxonomy const& taxonomy, std::mt19937& random, MakeValue make_value) {
  for (int i = 0; i < 40; ++i) {
    auto const value = make_value();
    expect_steps_agree(taxonomy, value);
    expect_nested(taxonomy, value, make_value());
  }
  (void)random;
}

TEST(OpenTaxonomy, RangesClimbStepByStep) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    auto const scale = static_cast<int>(random() % 4);
    std::int64_t const lower = static_cast<std::int64_t>(random() % 2001) - 1000;
    std::int64_t const upper = lower + 1 + static_cast<std::int64_t>(random() % 500);
    std::vector<std::string> widths;
    for (std::int64_t width = 1 + random() % 4; widths.size() < 1 + random() % 4; width *= 2 + random() % 3)
      widths.push_back(decimal_text(width, scale));
    OpenTaxonomy const taxonomy = make_range_rule(decimal_text(lower, scale), decimal_text(upper, scale), widths);
    check(taxonomy, random, [&]() {
      auto const within = static_cast<std::int64_t>(random() % static_cast<unsigned>((upper - lower) * 10));
      return decimal_text(lower * 10 + within, scale + 1);  // one digit finer than the grid
    });
  }
}

TEST(OpenTaxonomy, PrefixesClimbStepByStep) {
  char const* const characters[] = {"0", "7", "A", "ä", "日", "🙂", "-"};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<int> lengths;
    for (int length = 8; length >= 1; --length)
      if (random() % 2 == 0) lengths.push_back(length);
    if (lengths.empty()) lengths.push_back(1);
    check(make_prefix_rule(lengths), random, [&]() {
      std::string code;
      for (auto i = 1 + random() % 9; i > 0; --i) code += characters[random() % 7];
      return code;
    });
  }
}

TEST(OpenTaxonomy, DatesClimbStepByStep) {
  std::vector<std::string> const all{"hour", "day", "month", "quarter", "year", "decade"};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<std::string> units;
    for (auto const& unit : all)
      if (random() % 2 == 0) units.push_back(unit);
    if (units.empty()) units.push_back("year");
    check(make_date_rule(units), random, [&]() {
      char text[80];
      std::snprintf(text, sizeof text, "%04u-%02u-%02u %02u:30:00.5", 1995 + unsigned(random() % 30),
                    1 + unsigned(random() % 12), 1 + unsigned(random() % 28), unsigned(random() % 24));
      return std::string(text).substr(0, random() % 2 == 0 ? 10 : std::string::npos);
    });
  }
}

TEST(OpenTaxonomy, RootLabels) {
  EXPECT_EQ(root_label(make_prefix_rule({3})), "*");
  EXPECT_EQ(root_label(make_date_rule({"year"})), "ANY");
  EXPECT_EQ(root_label(make_range_rule("-1.50", "3", {"1"})), "[-1.5,3)");
}

}  // namespace
}  // namespace anon_seq
