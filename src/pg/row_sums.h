// Sums over the rows of a table, so that a row that is lost, doubled, changed or of an older state is noticed.
//
// A table with the trigger sum_rows() keeps them in the table beside it: those of x.p7_member are in x.p7_sum, a row
// per bucket: (relation 'member', bucket, n, bits). n counts rows, bits is the exclusive or of their hashes. The bucket
// of a row is its column "version", of type int, or 0. A hash covers every column, as a dump brings it back: texts as
// UTF-8, values of user types as their output functions print them. DO NOT CHANGE: ledgers hold these sums.
//
// Sums tell accidents (disks, single tables that were restored, statements of superusers) from what was written. They
// are no protection against somebody who computes them anew.
#pragma once

#include <string>
#include <vector>

#include "pg/spi.h"

struct TriggerData;

namespace anon_seq::pg {

struct RowSum {
  std::int32_t bucket;
  std::int64_t rows;
  std::uint64_t bits;
  bool is_empty() const { return rows == 0 && bits == 0; }
  bool operator==(RowSum const&) const = default;
};

// Adds up slots of one shape. C alone, to be used within call_pg(): it and what it holds are palloc'ed.
class RowSummer {
 public:
  // Made in the current context, which it allocates from.
  static RowSummer* make(TupleDesc row) noexcept;
  static RowSummer* make(Oid relation) noexcept;
  // times: 1, or -1 for a row that goes.
  void add(TupleTableSlot* slot, int times) noexcept;
  void clear() noexcept { count_ = 0; }
  std::size_t count() const noexcept { return static_cast<std::size_t>(count_); }
  RowSum const& at(std::size_t i) const noexcept { return sums_[i]; }

 private:
  enum class Form : char { kNumber, kFixed, kBytes, kText, kTexts, kPrinted };
  struct Summed {
    Form form;
    AttrNumber number;
    std::int16_t length;
    FmgrInfo output;
  };
  std::uint64_t hash(Summed const& column, Datum value) noexcept;
  RowSum& bucket(std::int32_t number) noexcept;

  MemoryContext home_, scratch_;
  Summed* columns_;
  int width_;
  AttrNumber version_;
  RowSum* sums_;
  int count_, room_;
};

// Whether a table keeps sums, by a trigger that would fire now.
bool keeps_sums(Oid relation) noexcept;
// Whether a trigger is the one that keeps sums, which insert_rows() stands in for.
bool is_sum_trigger(Oid function) noexcept;

// Adds sums of rows to those that a table keeps, by its qualified name.
void add_sums(SpiSession& session, std::string const& relation, std::vector<RowSum> const& sums);

// The sums of the rows that there are, by bucket. Cost: reads the table.
std::vector<RowSum> sums_of(Oid relation);

// What AFTER .. FOR EACH STATEMENT saw: the sums of its new rows and its old ones.
std::vector<RowSum> sums_of_change(TriggerData const& trigger);

std::vector<RowSum> listed(RowSummer const* sums);

}  // namespace anon_seq::pg
