// Codes that lose their last characters.
#include "core/taxonomy/open_taxonomy.h"
#include "error_of.h"

namespace anon_seq {
namespace {

Path path_of(std::vector<int> const& lengths, std::string_view code) {
  return make_prefix_rule(lengths).path(code).value_or(Path{"not in it"});
}

TEST(PrefixTaxonomy, Climbs) {
  EXPECT_EQ(path_of({4, 3}, "20433"), (Path{"20433", "2043*", "204**", "*"}));
  EXPECT_EQ(path_of({4, 3}, "2043*"), (Path{"2043*", "204**", "*"}));
  EXPECT_EQ(path_of({4, 3}, "204**"), (Path{"204**", "*"}));
  EXPECT_EQ(path_of({4, 3}, "*"), (Path{"*"}));
}

TEST(PrefixTaxonomy, ShortCodesHaveShortPaths) {
  EXPECT_EQ(path_of({4, 3}, "2043"), (Path{"2043", "204*", "*"}));
  EXPECT_EQ(path_of({4, 3}, "204"), (Path{"204", "*"}));
  EXPECT_EQ(path_of({4, 3}, "2"), (Path{"2", "*"}));
  EXPECT_EQ(make_prefix_rule({4}).path(""), std::nullopt);
}

TEST(PrefixTaxonomy, CountsCharactersNotBytes) {
  EXPECT_EQ(path_of({3, 1}, "äöü日"), (Path{"äöü日", "äöü*", "ä***", "*"}));
  EXPECT_EQ(path_of({1}, "🙂🙂"), (Path{"🙂🙂", "🙂*", "*"}));
}

TEST(PrefixTaxonomy, BadLengths) {
  auto make = [](std::vector<int> lengths) { return error_of([&]() { make_prefix_rule(std::move(lengths)); }); };
  EXPECT_ERROR(make({}), Fault::kParameter, "a prefix taxonomy needs at least one length");
  EXPECT_ERROR(make({0}), Fault::kParameter, "length 0 is out of range");
  EXPECT_ERROR(make({-3}), Fault::kParameter, "length -3 is out of range");
  EXPECT_ERROR(make({1001}), Fault::kParameter, "length 1001 is out of range");
  EXPECT_ERROR(make({3, 4}), Fault::kParameter, "length 4 does not follow 3");
  EXPECT_ERROR(make({3, 3}), Fault::kParameter, "length 3 does not follow 3");
}

}  // namespace
}  // namespace anon_seq
