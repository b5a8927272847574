// Dates and timestamps that lose their finer units.
#include "core/taxonomy/open_taxonomy.h"
#include "error_of.h"

namespace anon_seq {
namespace {

DateRule const kAll = make_date_rule({"hour", "day", "month", "quarter", "year", "decade"});

Path path_of(std::string_view value) { return kAll.path(value).value_or(Path{"not in it"}); }

TEST(DateTaxonomy, Climbs) {
  EXPECT_EQ(path_of("2024-03-15 10:20:30.5+01"), (Path{"2024-03-15 10:20:30.5+01", "2024-03-15 10", "2024-03-15",
                                                       "2024-03", "2024-Q1", "2024", "2020s", "ANY"}));
  EXPECT_EQ(path_of("2024-12-31"), (Path{"2024-12-31", "2024-12", "2024-Q4", "2024", "2020s", "ANY"}));
  EXPECT_EQ(make_date_rule({"quarter"}).path("2024-04-01"), (Path{"2024-04-01", "2024-Q2", "ANY"}));
}

TEST(DateTaxonomy, EveryLabelIsAValueToo) {
  EXPECT_EQ(path_of("2024-03-15 10"),
            (Path{"2024-03-15 10", "2024-03-15", "2024-03", "2024-Q1", "2024", "2020s", "ANY"}));
  EXPECT_EQ(path_of("2024-Q2"), (Path{"2024-Q2", "2024", "2020s", "ANY"}));
  EXPECT_EQ(path_of("2020s"), (Path{"2020s", "ANY"}));
  EXPECT_EQ(path_of("ANY"), (Path{"ANY"}));
}

TEST(DateTaxonomy, TheEdgesOfTheCalendar) {
  EXPECT_EQ(path_of("2024-02-29")[1], "2024-02");
  EXPECT_EQ(path_of("2000-02-29")[1], "2000-02");
  EXPECT_EQ(path_of("12024-01-01"), (Path{"12024-01-01", "12024-01", "12024-Q1", "12024", "12020s", "ANY"}));
  EXPECT_EQ(path_of("0007-01-01")[4], "0000s");
  EXPECT_EQ(path_of("infinity"), (Path{"infinity", "ANY"}));
  EXPECT_EQ(path_of("-infinity"), (Path{"-infinity", "ANY"}));
}

TEST(DateTaxonomy, WhatIsNoDate) {
  for (auto text : {"",
                    "x",
                    "2023-02-29",
                    "1900-02-29",
                    "2024-13-01",
                    "2024-00-01",
                    "2024-01-00",
                    "2024-01-32",
                    "2024-1-1",
                    "24-01-01",
                    "2024-Q5",
                    "2024-Q0",
                    "2024-q1",
                    "2021s",
                    "2024-01-01 24",
                    "2024-01-01 1",
                    "15.03.2024",
                    "2024-01-01 BC",
                    "2024-01-01 10:00 x",
                    "-2024-01-01",
                    "2024-",
                    "2024-01-",
                    "any"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(kAll.path(text), std::nullopt);
  }
}

TEST(DateTaxonomy, BadUnits) {
  auto make = [](std::vector<std::string> const& units) { return error_of([&]() { make_date_rule(units); }); };
  EXPECT_ERROR(make({}), Fault::kParameter, "a date taxonomy needs at least one unit");
  EXPECT_ERROR(make({"week"}), Fault::kParameter, "\"week\" is not a unit of a date taxonomy");
  EXPECT_ERROR(make({"Month"}), Fault::kParameter, "\"Month\" is not a unit of a date taxonomy");
  EXPECT_ERROR(make({"year", "month"}), Fault::kParameter, "unit \"month\" does not follow \"year\"");
  EXPECT_ERROR(make({"year", "year"}), Fault::kParameter, "unit \"year\" does not follow \"year\"");
}

}  // namespace
}  // namespace anon_seq
