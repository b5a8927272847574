#include "core/table/classes.h"

namespace anon_seq {

Vector<std::int64_t> Classes::sizes(Vector<std::int64_t> const& weights) const {
  Vector<std::int64_t> sizes(static_cast<std::size_t>(count_), 0);
  for (std::size_t row = 0; row < class_of_.size(); ++row)
    if (class_of_[row] != kWithheld)
      sizes[static_cast<std::size_t>(class_of_[row])] += weights.empty() ? 1 : weights[row];
  return sizes;
}

void Classes::check() const {
  auto expect = [](bool holds, char const* what) {
    if (!holds) throw Error(Fault::kInternal, std::string("classes: ") + what);
  };
  expect(region_ends_.size() == static_cast<std::size_t>(count_) * attributes_, "a class lacks a region");
  for (ClassId id = 0; id < count_; ++id)
    for (std::size_t attribute = 0; attribute < attributes_; ++attribute) {
      std::int64_t previous_end = -1;
      for (Extent extent : region(id, attribute)) {
        expect(extent.begin > previous_end && extent.begin < extent.end, "extents do not ascend");
        previous_end = extent.end - 1;
      }
    }
  for (ClassId id : class_of_) expect(id >= kWithheld && id < count_, "a row is in no class");
}

}  // namespace anon_seq
