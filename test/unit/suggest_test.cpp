// Suggested taxonomies: accepted as they are, covering every value, and showing no extreme of the source.
#include "core/taxonomy/suggest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "core/numbers/decimal.h"
#include "core/taxonomy/open_spec.h"
#include "error_of.h"
#include "json_events.h"

namespace anon_seq {
namespace {

double number(std::string const& text) { return std::strtod(text.c_str(), nullptr); }

// A finished column of the values, each of which occurs once. Positions are read from the texts.
Column column_of(ValueKind kind, std::vector<std::string> values) {
  Column column;
  column.name = "c";
  column.kind = kind;
  if (is_continuous(kind))
    std::sort(values.begin(), values.end(), [](auto const& a, auto const& b) { return number(a) < number(b); });
  else
    std::sort(values.begin(), values.end());
  column.values.add_hidden("");
  column.positions.push_back(0);
  for (auto const& value : values) {
    if (column.values.find(value) != kNoCode) continue;
    column.values.intern(value);
    if (is_continuous(kind)) column.positions.push_back(number(value));
  }
  return column;
}

Suggestion suggestion_for(Column const& column, std::int64_t count = 10) {
  Vector<std::int64_t> counts(static_cast<std::size_t>(column.distinct()), count);
  counts[kNull] = 0;
  return suggest_taxonomy(column, counts);
}

std::string suggest(Column const& column, std::int64_t count = 10) { return suggestion_for(column, count).json; }

std::string suggest(ValueKind kind, std::vector<std::string> const& values) { return suggest(column_of(kind, values)); }

TEST(Suggest, FewTextsAreFlat) {
  EXPECT_EQ(suggest(ValueKind::kText, {"b", "a"}), R"({"ANY": ["a", "b"]})");
  EXPECT_EQ(suggest(ValueKind::kBoolean, {"true", "false"}), R"({"ANY": ["false", "true"]})");
  EXPECT_EQ(suggest(ValueKind::kText, {"ANY", "a \"b\" \\ \n"}), "{\"ANY*\": [\"ANY\", \"a \\\"b\\\" \\\\ \\u000a\"]}");
  EXPECT_EQ(suggest(ValueKind::kText, {"", "a"}), R"({"ANY": ["a"]})");  // an empty text is no label
}

TEST(Suggest, CodesLoseTheirEnds) {
  std::vector<std::string> codes;
  for (int i = 0; i < 100; ++i) codes.push_back(std::to_string(20400 + i));
  EXPECT_EQ(suggest(ValueKind::kText, codes), R"({"kind": "prefix", "lengths": [4]})");
  for (int i = 0; i < 100; ++i) codes.push_back(std::to_string(77700 + i));
  EXPECT_EQ(suggest(ValueKind::kText, codes), R"({"kind": "prefix", "lengths": [4, 3]})");
}

TEST(Suggest, DatesGetUnitsOfTheirSpan) {
  EXPECT_EQ(suggest(ValueKind::kDate, {"8000", "8100"}), R"({"kind": "date", "units": ["month"]})");
  EXPECT_EQ(suggest(ValueKind::kDate, {"8000", "9000"}), R"({"kind": "date", "units": ["month", "quarter", "year"]})");
  EXPECT_EQ(suggest(ValueKind::kTimestamp, {"0", "900000000000000000"}),
            R"({"kind": "date", "units": ["day", "month", "quarter", "year", "decade"]})");
}

TEST(Suggest, NumbersGetRoundWidths) {
  EXPECT_EQ(suggest(ValueKind::kInteger, {"17", "42", "90"}),
            R"({"kind": "range", "lower": 0, "upper": 100, "widths": [5, 10, 20]})");
  std::vector<std::string> ages;
  for (int age = 0; age < 100; ++age) ages.push_back(std::to_string(age));
  EXPECT_EQ(suggest(ValueKind::kInteger, ages),
            R"({"kind": "range", "lower": 0, "upper": 100, "widths": [5, 10, 20]})");
  ages.push_back("100");  // a bound that nobody has
  EXPECT_EQ(suggest(ValueKind::kInteger, ages),
            R"({"kind": "range", "lower": 0, "upper": 120, "widths": [5, 10, 20]})");
  ages.push_back("-1");  // nothing is said of 0 where something is negative
  EXPECT_EQ(suggest(ValueKind::kInteger, ages),
            R"({"kind": "range", "lower": -20, "upper": 120, "widths": [5, 10, 20]})");
}

TEST(Suggest, CodesOfPartsLoseTheseFromTheirEnd) {
  std::vector<std::string> icd, dashed;
  for (char letter : {'A', 'B', 'C'})
    for (int i = 0; i < 40; ++i) {
      icd.push_back(letter + std::to_string(10 + i % 20) + (i % 7 == 0 ? "" : "." + std::to_string(i % 10)));
      dashed.push_back(std::string(2, letter) + "-" + std::to_string(i % 4) + "-" + std::to_string(i));
    }
  EXPECT_EQ(suggest(ValueKind::kText, icd), R"({"kind": "prefix", "lengths": [3, 1]})");
  EXPECT_EQ(suggest(ValueKind::kText, dashed), R"({"kind": "prefix", "lengths": [4, 2]})");
}

// What is said of a column of these texts.
std::string note_on(std::vector<std::string> const& texts) {
  return suggestion_for(column_of(ValueKind::kText, texts)).note;
}

TEST(Suggest, TextThatLooksLikeNumbersSaysSo) {
  constexpr char kNumbers[] = "column \"c\" holds texts that look like numbers";
  std::vector<std::string> texts;
  for (int i = 3; i < 60; ++i) texts.push_back(std::to_string(i * 3));
  EXPECT_EQ(note_on(texts), kNumbers);
  texts.push_back("x");
  EXPECT_EQ(note_on(texts), kNumbers);
  EXPECT_EQ(suggest(ValueKind::kText, texts).substr(0, 9), R"({"ANY": [)");  // no codes
  EXPECT_EQ(note_on({"1.5", "-2", "3,25", "+4", "5", "6", "7", "8", "9"}), kNumbers);
  EXPECT_EQ(note_on({"1", "2", "3"}), "");  // categories
  std::vector<std::string> codes{"00501"};
  for (int i = 0; i < 60; ++i) codes.push_back(std::to_string(20400 + i));
  EXPECT_EQ(note_on(codes), "");
  EXPECT_EQ(note_on({"01", "02", "03", "04", "05", "06", "07", "08", "09"}), "");
  std::vector<std::string> many;
  for (int i = 0; i < 300; ++i) many.push_back(std::to_string(i));
  auto const error = error_of([&]() { suggest(ValueKind::kText, many); });
  EXPECT_NE(error.hint().find("Cast it in a view"), std::string::npos);
}

TEST(Suggest, TextThatLooksLikeDatesSaysSo) {
  constexpr char kDates[] = "column \"c\" holds texts that look like dates";
  EXPECT_EQ(note_on({"15.03.2024", "01.12.2023"}), kDates);
  EXPECT_EQ(note_on({"3/15/24", "12/1/23"}), kDates);
  EXPECT_EQ(note_on({"2024-03-15 12:00", "2023-12-01T08:30:00"}), kDates);
  EXPECT_EQ(suggest(ValueKind::kText, {"2021-03-15", "2023-12-01"}),
            R"({"kind": "date", "units": ["month", "quarter", "year"]})");
  EXPECT_EQ(suggest(ValueKind::kText, {"1980-03-15 10:00", "2023-12-01"}),
            R"({"kind": "date", "units": ["day", "month", "quarter", "year", "decade"]})");
  EXPECT_EQ(suggest(ValueKind::kText, {"15.03.2024", "01.12.2023"}), R"({"ANY": ["01.12.2023", "15.03.2024"]})");
  for (auto const& text : {"10.0.0.1", "1.2.3", "30/20/2020", "2024-03", "a.b.c", "--", "..", "1..2020", "", "T"})
    EXPECT_EQ(note_on({text, "other"}), "") << text;
}

TEST(Suggest, FrequentValuesAndOther) {
  auto const column = column_of(ValueKind::kText, {"", "OTHER", "a", "b", "c", "rare"});
  Vector<std::int64_t> const counts{0, 99, 10, 30, 10, 20, 9};  // of NULL, then in the order of bytes
  auto const all = frequent_values(column, counts, 100);
  EXPECT_EQ(all.json, R"({"ANY": ["OTHER", "a", "b", "c", "OTHER*"]})");
  EXPECT_EQ(all.other, "OTHER*");
  EXPECT_EQ(all.listed, 4);
  EXPECT_EQ(frequent_values(column, counts, 3).json, R"({"ANY": ["OTHER", "a", "c", "OTHER*"]})");  // of 10 the first
  EXPECT_ERROR(error_of([&]() { frequent_values(column, Vector<std::int64_t>(7, 9), 3); }), Fault::kParameter,
               "no value of column \"c\" is in 10 rows");
  EXPECT_ERROR(error_of([&]() {
                 frequent_values(column_of(ValueKind::kInteger, {"1"}), {0, 99}, 3);
               }),
               Fault::kType, "column \"c\" holds numbers or dates: its frequent values are no groups");
}

TEST(Suggest, WhatCanBeCast) {
  auto const cast = [](std::vector<std::string> const& texts) {
    return suggestion_for(column_of(ValueKind::kText, texts)).cast;
  };
  EXPECT_EQ(cast({"1.5", "2", "3", "4", "5", "6", "7", "8", "9.25"}), "numeric");
  EXPECT_EQ(cast({"1,5", "2", "3", "4", "5", "6", "7", "8", "9,25"}), "");
  EXPECT_EQ(cast({"2024-03-15", "2023-12-01"}), "date");
  EXPECT_EQ(cast({"2024-03-15 12:00", "2023-12-01"}), "timestamp");
  EXPECT_EQ(cast({"15.03.2024", "01.12.2023"}), "");
  EXPECT_EQ(cast({"a", "b"}), "");
}

TEST(Suggest, RefusesWhatSaysNothing) {
  std::vector<std::string> names;
  for (int i = 0; i < 300; ++i) names.push_back("name " + std::to_string(i));
  EXPECT_ERROR(error_of([]() { suggest(ValueKind::kText, {}); }), Fault::kData, "column \"c\" has no values");
  EXPECT_ERROR(error_of([&]() { suggest(ValueKind::kText, names); }), Fault::kParameter,
               "column \"c\" has too many distinct values to suggest a taxonomy");
  EXPECT_ERROR(error_of([&]() { suggest(column_of(ValueKind::kText, names), 1); }), Fault::kParameter,
               "column \"c\" is nearly unique");
}

TEST(Suggest, NumbersBeyondMeasureAreRefused) {
  for (auto const& values : std::vector<std::vector<std::string>>{
           {"-1e308", "1e308"}, {"5e-324", "1e-323"}, {"1e18", "1.0000000000000002e18"}, {"0", "1e20"}}) {
    SCOPED_TRACE(values[1]);
    EXPECT_ERROR(error_of([&]() { suggest(ValueKind::kFloat, values); }), Fault::kParameter,
                 "the numbers of column \"c\" are too large or too fine to suggest widths");
  }
}

// The rule of a suggestion, read the way create_taxonomy reads it.
RangeRule rule_of(std::string const& suggestion) {
  JsonEvents const events(suggestion);
  auto const spec = spec_from_json("t", events);
  if (!spec) throw std::logic_error("no spec: " + suggestion);
  return std::get<RangeRule>(open_rule(*spec));
}

void expect_sound(std::vector<std::string> const& values, ValueKind kind) {
  std::string suggestion;
  ASSERT_NO_THROW(suggestion = suggest(kind, values)) << values.front() << " .. " << values.back();
  SCOPED_TRACE(suggestion);
  auto const rule = rule_of(suggestion);  // accepted: so each width divides the next
  std::vector<std::string> const edges{decimal_text(rule.lower, rule.scale), decimal_text(rule.upper, rule.scale)};
  for (auto const& value : values) {
    EXPECT_TRUE(rule.path(value)) << value << " is outside";
    for (auto const& edge : edges)
      EXPECT_TRUE(number(value) != number(edge) || (number(edge) == 0 && rule.lower == 0))
          << "a bound is a value of the source";
  }
}

TEST(Suggest, BoundsOfFractionsThatDivideInexactly) {
  expect_sound({"0.3", "1.1"}, ValueKind::kNumeric);
  for (int low = -30; low <= 30; ++low)
    for (int high = low; high <= 30; ++high)
      expect_sound({decimal_text(low, 1), decimal_text(high, 1)}, ValueKind::kNumeric);
}

TEST(Suggest, IntegersOfAnySize) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    auto const size = random() % 61;
    std::vector<std::string> values;
    std::int64_t const offset =
        random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % (std::uint64_t{1} << size));
    for (auto i = 1 + random() % 40; i > 0; --i)
      values.push_back(std::to_string(static_cast<std::int64_t>(random() % (std::uint64_t{2} << size)) - offset));
    expect_sound(values, ValueKind::kInteger);
  }
}

TEST(Suggest, NumericsOfAnyScale) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::string> values;
    auto const scale = static_cast<int>(random() % 7);
    auto const range = std::int64_t{1} << (1 + random() % 30);
    for (auto i = 1 + random() % 40; i > 0; --i)
      values.push_back(
          decimal_text(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * range)) - range, scale));
    expect_sound(values, ValueKind::kNumeric);
  }
}

}  // namespace
}  // namespace anon_seq
