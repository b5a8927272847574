// Trees from paths and edges, and every fault that such input can have.
#include "core/taxonomy/taxonomy_builder.h"

#include "error_of.h"

namespace anon_seq {
namespace {

using Rows = std::vector<std::vector<std::string_view>>;

TaxonomyBuilder builder() {
  return {"t", [](TaxonomyBuilder::Place row) { return "row " + std::to_string(row); }};
}

Taxonomy from_paths(Rows const& rows) {
  auto paths = builder();
  TaxonomyBuilder::Place place = 0;
  for (auto const& row : rows) paths.add_path(row, ++place);
  NoCheckpoint checkpoint;
  return paths.finish(checkpoint);
}

// Child and parent; a parent of "-" makes a root.
Taxonomy from_edges(Rows const& rows) {
  auto edges = builder();
  TaxonomyBuilder::Place place = 0;
  for (auto const& row : rows) {
    if (row[1] == "-")
      edges.add_root(row[0], ++place);
    else
      edges.add_edge(row[0], row[1], ++place);
  }
  NoCheckpoint checkpoint;
  return edges.finish(checkpoint);
}

std::string shown(Taxonomy const& tree) {
  std::string text;
  for (Node n = 0; n < tree.size(); ++n)
    text += (n == 0 ? "" : " ") + std::to_string(tree.depth(n)) + std::string(tree.label(n));
  return text;
}

template <class Read>
std::string faults_of(Read read, Rows const& rows) {
  auto const error = error_of([&]() { read(rows); });
  EXPECT_ERROR(error, Fault::kData, "input of taxonomy \"t\" is not a tree");
  return error.detail();
}

TEST(TaxonomyBuilder, PathsOfUnequalLength) {
  // Equal neighbours are one node, at the bottom, in the middle and at the top.
  EXPECT_EQ(shown(from_paths({{"a", "m", "m", "r"}, {"b", "b", "m", "r"}, {"c", "c", "c", "r"}, {"d", "x", "r", "r"}})),
            "0r 1m 2a 2b 1c 1x 2d");
}

TEST(TaxonomyBuilder, ARepeatedPathIsNoFault) { EXPECT_EQ(shown(from_paths({{"a", "r"}, {"a", "r"}})), "0r 1a"); }

TEST(TaxonomyBuilder, EdgesInAnyOrder) {
  EXPECT_EQ(shown(from_edges({{"a", "m"}, {"m", "r"}, {"b", "r"}, {"r", "-"}, {"a", "m"}})), "0r 1m 2a 1b");
  EXPECT_EQ(shown(from_edges({{"r", "-"}, {"m", "r"}, {"r", "-"}})), "0r 1m");
}

TEST(TaxonomyBuilder, TwoRoots) {
  EXPECT_EQ(faults_of(from_paths, {{"a", "r"}, {"b", "s"}}), "two roots: \"r\" (row 1) and \"s\" (row 2)");
  EXPECT_EQ(faults_of(from_edges, {{"a", "r"}, {"b", "s"}, {"c", "u"}}),
            "two roots: \"r\" (row 1) and \"s\" (row 2)\ntwo roots: \"r\" (row 1) and \"u\" (row 3)");
}

TEST(TaxonomyBuilder, TwoParents) {
  EXPECT_EQ(faults_of(from_paths, {{"a", "m", "r"}, {"a", "n", "r"}}),
            "\"a\" has two parents: \"m\" (row 1) and \"n\" (row 2)");
}

TEST(TaxonomyBuilder, ARootWithAParent) {
  EXPECT_EQ(faults_of(from_paths, {{"a", "r"}, {"r", "s"}}).substr(0, 56),
            "\"r\" is a root (row 1) and has the parent \"s\" (row 2)\n\"r\"");
  EXPECT_EQ(faults_of(from_edges, {{"a", "r"}, {"r", "s"}, {"r", "-"}}),
            "\"r\" has the parent \"s\" (row 2) and is a root (row 3)");
}

TEST(TaxonomyBuilder, Cycles) {
  EXPECT_EQ(faults_of(from_edges, {{"a", "b"}, {"b", "a"}, {"x", "r"}}), "cycle: \"b\" is above itself (row 2)");
  EXPECT_EQ(faults_of(from_edges, {{"a", "a"}, {"x", "r"}}),
            "\"a\" is its own parent (row 1)\ntwo roots: \"a\" (row 1) and \"r\" (row 2)");
  // Two cycles, one with a tail: each is named once.
  EXPECT_EQ(faults_of(from_edges, {{"t", "a"}, {"a", "b"}, {"b", "a"}, {"c", "d"}, {"d", "e"}, {"e", "c"}, {"x", "r"}}),
            "cycle: \"a\" is above itself (row 2)\ncycle: \"d\" is above itself (row 5)");
  // With nothing but a cycle there is no root at all; a path may hold a cycle of its own.
  EXPECT_EQ(faults_of(from_edges, {{"a", "b"}, {"b", "a"}}), "cycle: \"b\" is above itself (row 2)");
  EXPECT_EQ(faults_of(from_paths, {{"x", "a", "b", "a", "r"}}),
            "\"a\" has two parents: \"b\" (row 1) and \"r\" (row 1)\ncycle: \"a\" is above itself (row 1)");
}

TEST(TaxonomyBuilder, ALeafThatStandsAboveOthers) {
  EXPECT_EQ(faults_of(from_paths, {{"m", "m", "r"}, {"a", "m", "r"}}),
            "\"m\" is a leaf in one row and stands above others elsewhere (row 1)");
}

TEST(TaxonomyBuilder, BadLabels) {
  // Nothing of a faulty path is taken: "a" would be a second root.
  EXPECT_EQ(faults_of(from_paths, {{"a", "", "r"}, {"b", "m", "r"}}), "row 1 has an empty label");
  EXPECT_EQ(faults_of(from_edges, {{"", "r"}, {"b", "r"}, {"", "-"}}),
            "row 1 has an empty label\nrow 3 has an empty label");
  auto with_null = builder();
  with_null.note_bad_label("a NULL label", 7);
  NoCheckpoint checkpoint;
  EXPECT_EQ(error_of([&]() { with_null.finish(checkpoint); }).detail(), "row 7 has a NULL label");
}

TEST(TaxonomyBuilder, NewNodesStandAtOnePlace) {
  auto nodes = builder();
  nodes.add_new("r", "", 1);
  nodes.add_new("a", "r", 2);
  nodes.add_new("a", "r", 3);
  nodes.add_new("r", "a", 4);
  NoCheckpoint checkpoint;
  EXPECT_EQ(error_of([&]() { nodes.finish(checkpoint); }).detail(),
            "\"a\" stands at two places (row 2) (row 3)\n\"r\" stands at two places (row 1) (row 4)");
}

TEST(TaxonomyBuilder, NothingAtAllAndNothingBelowTheRoot) {
  auto const nothing = error_of([]() { from_paths({}); });
  EXPECT_ERROR(nothing, Fault::kData, "taxonomy \"t\" has no values");
  EXPECT_EQ(nothing.detail(), "The input is empty.");
  auto const only_root = error_of([]() { from_paths({{"r", "r"}}); });
  EXPECT_ERROR(only_root, Fault::kData, "taxonomy \"t\" has no values");
  EXPECT_EQ(only_root.detail(), "There is nothing below the root.");
}

TEST(TaxonomyBuilder, ManyFaultsAreCounted) {
  Rows rows{{"x", "r"}};
  std::vector<std::string> labels;
  for (int i = 0; i < 25; ++i) labels.push_back("s" + std::to_string(i));
  for (auto const& label : labels) rows.push_back({"", label});
  auto const detail = faults_of(from_paths, rows);
  EXPECT_EQ(std::count(detail.begin(), detail.end(), '\n'), TaxonomyBuilder::kListedFaults);
  EXPECT_EQ(detail.substr(0, 24), "row 2 has an empty label");
  EXPECT_TRUE(detail.ends_with("\nrow 11 has an empty label\nand 15 more")) << detail;
}

TEST(TaxonomyBuilder, PlacesAreMadeOnlyForFaultsThatAreListed) {
  int described = 0;
  TaxonomyBuilder many("t", [&](TaxonomyBuilder::Place) { return ++described, std::string("here"); });
  many.add_new("r", "", 0);
  for (int i = 0; i < 1000; ++i) many.add_new("r", "", i);
  EXPECT_EQ(described, 2 * TaxonomyBuilder::kListedFaults);
}

TEST(TaxonomyBuilder, LongLabelsAreShownShortened) {
  std::string umlauts = "x";
  for (int i = 0; i < 100; ++i) umlauts += "ä";
  auto const detail = faults_of(from_edges, {{umlauts, umlauts}, {"a", "r"}, {umlauts, "r"}});
  EXPECT_EQ(detail, "\"x" + umlauts.substr(1, 98) + "...\" is its own parent (row 1)");
}

TEST(TaxonomyBuilder, TooLongLabelsAreRefusedAtOnce) {
  std::string const longest(10000, 'x'), longer(10001, 'x');
  EXPECT_NO_THROW(from_paths({{longest, "r"}}));
  for (auto from : {from_paths, from_edges}) {
    auto const error = error_of([&]() { from({{"a", "r"}, {"a", "s"}, {longer, "r"}}); });
    EXPECT_ERROR(error, Fault::kLimit, "a label of taxonomy \"t\" is too long");
    EXPECT_EQ(error.detail(), "The label at row 3 has 10001 bytes, 10000 are allowed.");
  }
  auto one = builder();
  one.add_new("r", "", 1);
  EXPECT_EQ(error_of([&]() { one.add_new(longer, "r", 2); }).fault(), Fault::kLimit);
  EXPECT_EQ(error_of([&]() { one.add_root(longer, 2); }).fault(), Fault::kLimit);
}

TEST(TaxonomyBuilder, Names) {
  EXPECT_NO_THROW(check_name("taxonomy", std::string(63, 'x')));
  EXPECT_ERROR(error_of([]() { check_name("taxonomy", ""); }), Fault::kParameter, "a taxonomy needs a name");
  auto const error = error_of([]() { check_name("taxonomy", std::string(64, 'x')); });
  EXPECT_ERROR(error, Fault::kName, "name of taxonomy is too long");
  EXPECT_EQ(error.detail(), "It has 64 bytes, 63 are allowed.");
}

}  // namespace
}  // namespace anon_seq
