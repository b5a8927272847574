// The leaves that somebody came to or went from, and the rows in them.
#pragma once

#include "core/partition/incremental.h"

namespace anon_seq {

// Rows of one leaf, as places in LeafGroups::rows: who was published in the last version and is there, who was
// published and has gone, newcomers; each ascending.
struct LeafGroup {
  RegionId leaf;
  std::size_t begin, gone, newcomers, end;
};

class LeafGroups {
 public:
  // Sets leaf[row] for everybody; kNoRegion for who has gone before he was published.
  void locate(Partition const& partition, std::span<Taxonomy const* const> taxonomies, Objects const& objects,
              Vector<RegionId>& leaf, Checkpoint& checkpoint);

  // In the order of leaves. `all_from`: leaves of so many rows are taken even if nobody came or went; 0: they are not.
  // Throws kDamaged if the region of an object that was published is not open.
  std::vector<LeafGroup> collect(Objects const& objects, std::span<RegionId const> leaf, std::int64_t all_from,
                                 Checkpoint& checkpoint);

  std::span<std::int32_t> rows(std::size_t begin, std::size_t end) {
    return std::span(rows_).subspan(begin, end - begin);
  }

 private:
  void count(Objects const& objects, std::span<RegionId const> leaf, bool all, Checkpoint& checkpoint);

  enum : char { kNothing = 0, kChanges = 1, kNotOpen = 2 };
  Vector<char> states_;  // region -> of these
  // Region -> rows in it, of these who has gone, and newcomers; then where in rows_ the next of them goes.
  Vector<std::int32_t> sizes_, gone_, newcomers_;
  Vector<std::int32_t> changed_;  // rows of leaves that may change
  Vector<std::int32_t> rows_;
};

}  // namespace anon_seq
