// The people of a version, counted again in one look at the rows of members that were written: how many persons are in
// each region, and how many of them show the same.
#pragma once

#include "incremental/member_format.h"
#include "incremental/version_rows.h"

namespace anon_seq::incremental {

// The values of a column that the ledger has, in the order in which rows are.
class OrderedValues {
 public:
  static constexpr std::int32_t kNull = -1;  // comes first

  OrderedValues(SpiSession& session, Release const& release, std::size_t column);

  // The place of a value, by its code. Throws kDamaged for a code that is none.
  std::int32_t rank(Release const& release, std::int32_t code) const;
  std::optional<std::string_view> operator[](std::int32_t rank) const {
    if (rank == kNull) return std::nullopt;
    return values_[static_cast<std::size_t>(rank)];
  }

 private:
  Vector<std::int32_t> ranks_;  // by code
  std::vector<std::string> values_;
};

class MemberRecount {
 public:
  // Reads them; what they show only where cells are asked for. since: an earlier version, beside which it is looked at
  // who came, went or was written again, and whose rows that ended since tell where persons were, too; else it is the
  // version before, and departures tell that alone. REQUIRES: the release outlives it.
  enum class Look { kPersons, kCells };
  MemberRecount(SpiSession& session, Release const& release, Look look, Regions const& of = {},
                std::optional<std::int32_t> since = {});

  // The version beside which it is looked at changes.
  std::int32_t since() const { return since_; }

  // Who was forgotten counts as a person of his own.
  struct Region {
    std::int32_t region;
    std::int64_t members, persons;  // persons: how many of them differ, by their type
    std::int64_t elsewhere;         // who was shown in a region that does not hold this one
    std::size_t cells;              // where its cells begin
  };
  // Those with anybody in them, ascending.
  std::span<Region const> regions() const { return regions_; }

  // Where an object is, or was.
  struct Place {
    std::int64_t object;
    std::int32_t region;
  };
  // Who was written into a region since then though they had arrived before; who left a region since that goes on.
  std::span<Place const> written_again() const { return written_again_; }
  std::span<Place const> left() const { return left_; }

  // The cells of these regions, one after the other; of one without people there are none. REQUIRES: Look::kCells.
  std::unique_ptr<CellStream> cells(Vector<std::int32_t> of) const;

 private:
  class People;
  class Cells;

  void read_region(RowStream& members, People& people);
  void add_cells();
  std::size_t width() const { return values_.size(); }
  std::span<std::int32_t const> member(std::size_t i) const { return std::span(read_).subspan(i * width(), width()); }

  Release const& release_;
  Look look_;
  std::int32_t since_;
  MemberFormat format_;
  std::vector<OrderedValues> values_;  // of the columns published as they are
  Vector<Region> regions_;
  Vector<Place> written_again_, left_;
  Vector<std::int32_t> ranks_;  // cell * width + column -> place of its value
  Vector<std::int64_t> counts_;
  Vector<std::int32_t> read_;  // the same of the members of the region at hand
  Vector<std::uint32_t> order_;
  InterruptCheckpoint checkpoint_;
};

}  // namespace anon_seq::incremental
