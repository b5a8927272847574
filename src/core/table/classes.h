// The result of an anonymization: which class each row is in, and what each class shows.
//
// Each row is in one class, or withheld. A class shows, per generalized attribute, a region: disjoint
// extents in ascending order on the attribute's axis. The axis of an attribute with a taxonomy is the
// taxonomy's preorder, so a node n is the one extent [n, end(n)) and a set of siblings is several; the
// axis of a continuous attribute is its sorted list of published cut points, entry i of a region being
// [cut i, cut i+1), the first cut "unbounded below", the last "unbounded above". NULL is an empty region.
// Sequential releases have one node or interval per attribute, incremental ones nested sets; the
// projections of a lossy join show no region at all (attributes == 0) but use the same row -> class.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/memory.h"

namespace anon_seq {

using ClassId = std::int32_t;
inline constexpr ClassId kWithheld = -1;

struct Extent {
  std::int32_t begin, end;  // half-open
  bool operator==(Extent const&) const = default;
};

class Classes {
 public:
  Classes(std::size_t rows, std::size_t attributes) : class_of_(rows, kWithheld), attributes_(attributes) {}

  // Opens the next class; its regions follow by add_region(), one per attribute, in attribute order.
  ClassId add_class() { return count_++; }
  void add_region(std::span<Extent const> extents) {
    extents_.insert(extents_.end(), extents.begin(), extents.end());
    region_ends_.push_back(extents_.size());
  }
  void assign(std::size_t row, ClassId to) { class_of_[row] = to; }

  ClassId count() const { return count_; }
  std::size_t rows() const { return class_of_.size(); }
  std::size_t attributes() const { return attributes_; }
  ClassId class_of(std::size_t row) const { return class_of_[row]; }
  std::span<Extent const> region(ClassId id, std::size_t attribute) const {
    std::size_t const i = static_cast<std::size_t>(id) * attributes_ + attribute;
    std::size_t const begin = i == 0 ? 0 : region_ends_[i - 1];
    return {extents_.data() + begin, region_ends_[i] - begin};
  }

  // Rows of each class, by weight if weights are given; withheld rows count nowhere.
  Vector<std::int64_t> sizes(Vector<std::int64_t> const& weights = {}) const;

  // Throws kInternal unless every class has its regions, their extents ascend and every row's class exists.
  void check() const;

 private:
  Vector<ClassId> class_of_;
  Vector<Extent> extents_;
  Vector<std::size_t> region_ends_;  // of class c, attribute a: entry c * attributes_ + a
  std::size_t attributes_;
  ClassId count_ = 0;
};

}  // namespace anon_seq
