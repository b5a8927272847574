// The result of an anonymization: regions, sizes, and what check() refuses.
#include "core/table/classes.h"

#include "error_of.h"

namespace anon_seq {
namespace {

using Region = std::vector<Extent>;

Classes two_classes() {
  Classes classes(4, 2);
  for (auto const& regions : std::vector<std::vector<Region>>{{{{0, 3}}, {}}, {{{0, 1}, {1, 2}, {5, 9}}, {{2, 3}}}}) {
    classes.add_class();
    for (auto const& region : regions) classes.add_region(region);
  }
  classes.assign(0, 1);
  classes.assign(1, 0);
  classes.assign(3, 1);
  return classes;
}

Region region(Classes const& classes, ClassId id, std::size_t attribute) {
  auto const extents = classes.region(id, attribute);
  return {extents.begin(), extents.end()};
}

TEST(Classes, HoldsRegionsAndRows) {
  auto const classes = two_classes();
  EXPECT_NO_THROW(classes.check());
  EXPECT_EQ(classes.count(), 2);
  EXPECT_EQ(classes.rows(), 4u);
  EXPECT_EQ(classes.class_of(0), 1);
  EXPECT_EQ(classes.class_of(2), kWithheld);
  EXPECT_EQ(region(classes, 0, 0), (Region{{0, 3}}));
  EXPECT_EQ(region(classes, 0, 1), Region{});
  EXPECT_EQ(region(classes, 1, 0), (Region{{0, 1}, {1, 2}, {5, 9}}));
  EXPECT_EQ(region(classes, 1, 1), (Region{{2, 3}}));
}

TEST(Classes, SizesLeaveWithheldRowsOut) {
  EXPECT_EQ(two_classes().sizes(), (Vector<std::int64_t>{1, 2}));
  EXPECT_EQ(two_classes().sizes({10, 20, 30, 40}), (Vector<std::int64_t>{20, 50}));
}

TEST(Classes, ProjectionsShowNoRegion) {
  Classes classes(2, 0);
  classes.add_class();
  classes.assign(0, 0);
  EXPECT_NO_THROW(classes.check());
  EXPECT_EQ(classes.sizes(), (Vector<std::int64_t>{1}));
}

TEST(Classes, CheckFindsWhatIsWrong) {
  auto broken = [](auto change) {
    Classes classes(2, 1);
    change(classes);
    return error_of([&]() { classes.check(); });
  };
  auto with = [](Region const& region) {
    return [region](Classes& classes) {
      classes.add_class();
      classes.add_region(region);
    };
  };
  EXPECT_ERROR(broken([](auto& c) { c.add_class(); }), Fault::kInternal, "classes: a class lacks a region");
  EXPECT_ERROR(broken([](auto& c) { c.assign(1, 0); }), Fault::kInternal, "classes: a row is in no class");
  EXPECT_ERROR(broken([](auto& c) { c.assign(1, -2); }), Fault::kInternal, "classes: a row is in no class");
  EXPECT_ERROR(broken(with({{3, 3}})), Fault::kInternal, "classes: extents do not ascend");
  EXPECT_ERROR(broken(with({{3, 5}, {4, 6}})), Fault::kInternal, "classes: extents do not ascend");
  EXPECT_ERROR(broken(with({{3, 5}, {1, 2}})), Fault::kInternal, "classes: extents do not ascend");
  EXPECT_ERROR(broken(with({{-1, 5}})), Fault::kInternal, "classes: extents do not ascend");
}

}  // namespace
}  // namespace anon_seq
