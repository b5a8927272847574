// Taxonomies in JSON: which shapes are trees, and where the others go wrong.
#include "core/taxonomy/json_taxonomy.h"

#include "error_of.h"
#include "json_events.h"

namespace anon_seq {
namespace {

Taxonomy read(std::string const& json) {
  JsonEvents const events(json);
  NoCheckpoint checkpoint;
  return taxonomy_from_json("t", events, checkpoint);
}

std::string shown(std::string const& json) {
  auto const tree = read(json);
  std::string text;
  for (Node n = 0; n < tree.size(); ++n)
    text += (n == 0 ? "" : " ") + std::to_string(tree.depth(n)) + std::string(tree.label(n));
  return text;
}

std::string wrong_shape(std::string const& json) {
  auto const error = error_of([&]() { read(json); });
  EXPECT_ERROR(error, Fault::kParameter, "json of taxonomy \"t\" has the wrong shape");
  EXPECT_NE(error.hint(), "");
  return error.detail();
}

std::string no_tree(std::string const& json) {
  auto const error = error_of([&]() { read(json); });
  EXPECT_EQ(error.fault(), Fault::kData);
  return error.detail();
}

TEST(JsonTaxonomy, ObjectsAndArrays) {
  EXPECT_EQ(shown(R"({"ANY": {"White-collar": ["clerk", "manager"], "Blue-collar": {"cook": {}, "smith": []}}})"),
            "0ANY 1White-collar 2clerk 2manager 1Blue-collar 2cook 2smith");
  // An array may mix leaves and subtrees.
  EXPECT_EQ(shown(R"({"r": ["a", {"m": ["b"]}, "c"]})"), "0r 1a 1m 2b 1c");
}

TEST(JsonTaxonomy, LabelsAreAnyText) { EXPECT_EQ(shown(R"({"ü": ["日本", "a \"b\"", " "]})"), "0ü 1日本 1a \"b\" 1 "); }

TEST(JsonTaxonomy, WrongShapesSayWhere) {
  EXPECT_EQ(wrong_shape(R"("ANY")"), "At $ stands a string where its values should stand.");
  EXPECT_EQ(wrong_shape(R"(["a", "b"])"), "At $ stands an array at the top.");
  EXPECT_EQ(wrong_shape(R"(7)"), "At $ stands a number.");
  EXPECT_EQ(wrong_shape(R"(null)"), "At $ stands true, false or null.");
  EXPECT_EQ(wrong_shape(R"({"ANY": "a"})"), "At $.ANY stands a string where its values should stand.");
  EXPECT_EQ(wrong_shape(R"({"ANY": {"m": ["a", 7]}})"), "At $.ANY.m[1] stands a number.");
  EXPECT_EQ(wrong_shape(R"({"ANY": {"m": ["a", "b"], "n": {"c": null}}})"), "At $.ANY.n.c stands true, false or null.");
  EXPECT_EQ(wrong_shape(R"({"ANY": ["a", {"m": ["b", ["c"]]}]})"), "At $.ANY[1].m[1] stands an array inside an array.");
}

TEST(JsonTaxonomy, NoTreeOfUniqueLabels) {
  EXPECT_EQ(no_tree(R"({"ANY": {"m": ["a"], "n": ["a"]}})"), "\"a\" stands at two places ($.ANY.m[0]) ($.ANY.n[0])");
  EXPECT_EQ(no_tree(R"({"ANY": {"m": ["a"], "m": ["b"]}})"), "\"m\" stands at two places ($.ANY.m) ($.ANY.m)");
  EXPECT_EQ(no_tree(R"({"ANY": ["b", "ANY"]})"), "\"ANY\" stands at two places ($.ANY) ($.ANY[1])");
  EXPECT_EQ(no_tree(R"({"ANY": ["a", ""]})"), "$.ANY[1] has an empty label");
  EXPECT_EQ(no_tree(R"({"r": ["a"], "s": ["b"]})"), "two roots: \"r\" ($.r) and \"s\" ($.s)");
  EXPECT_EQ(no_tree(R"({})"), "The input is empty.");
  EXPECT_EQ(no_tree(R"({"ANY": {}})"), "There is nothing below the root.");
}

TEST(JsonTaxonomy, DepthIsLimited) {
  auto nested = [](int edges) {
    std::string json = "[]";
    for (int i = edges; i >= 0; --i) json = "{\"n" + std::to_string(i) + "\":" + json + "}";
    return json;
  };
  EXPECT_EQ(read(nested(kMaxTaxonomyDepth)).depth(kMaxTaxonomyDepth), kMaxTaxonomyDepth);
  EXPECT_ERROR(error_of([&]() { read(nested(kMaxTaxonomyDepth + 1)); }), Fault::kLimit, "taxonomy is too deep");
  EXPECT_ERROR(error_of([&]() { read(nested(5000)); }), Fault::kLimit, "json of taxonomy \"t\" is nested too deeply");
}

// Objects in arrays take two levels of json for one of the tree.
TEST(JsonTaxonomy, DepthOfObjectsInArrays) {
  std::string json = "[\"leaf\"]";
  for (int i = kMaxTaxonomyDepth - 1; i > 0; --i) json = "[{\"n" + std::to_string(i) + "\":" + json + "}]";
  EXPECT_EQ(read("{\"root\":" + json + "}").depth(kMaxTaxonomyDepth), kMaxTaxonomyDepth);
}

TEST(JsonTaxonomy, PlaceOfEveryEvent) {
  JsonEvents const events(R"({"a": {"b": ["x", {"c": []}]}})");
  std::vector<std::string> places;
  for (std::size_t i = 0; i < events.span().size(); ++i) places.push_back(json_place(events, i));
  EXPECT_EQ(places, (std::vector<std::string>{"$", "$.a", "$.a", "$.a.b", "$.a.b", "$.a.b[0]", "$.a.b[1]", "$.a.b[1].c",
                                              "$.a.b[1].c", "$.a.b[1].c", "$.a.b[1]", "$.a.b", "$.a", "$"}));
}

}  // namespace
}  // namespace anon_seq
