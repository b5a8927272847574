// The codes of a row in one number: rows that lie far apart are compared in one look each.
#pragma once

#include <bit>
#include <optional>
#include <vector>

#include "core/base/checkpoint.h"
#include "core/table/table.h"

namespace anon_seq::incremental {

class PackedRows {
 public:
  // Of the first `rows` rows. The first `quasi` columns take the high bits. Cost: linear, 8 bytes a row.
  PackedRows(std::vector<Column*> const& columns, std::size_t quasi, std::size_t rows, Checkpoint& checkpoint)
      : shifts_(columns.size()) {
    constexpr int kMost = 63;
    int bits = 0;
    for (std::size_t i = columns.size(); i-- > 0;) {
      if (i + 1 == quasi) plain_bits_ = bits;
      shifts_[i] = bits;
      bits += std::bit_width(static_cast<std::uint32_t>(columns[i]->distinct()));
    }
    fits_ = bits <= kMost;
    if (!fits_) return;
    rows_.assign(rows, 0);
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (std::size_t row = 0; row < rows; ++row) {
        checkpoint.tick();
        rows_[row] |= in_place(i, columns[i]->codes[row]);
      }
  }

  // Whether codes of these columns fit into a number; else there are no rows.
  bool fits() const { return fits_; }
  std::uint64_t operator[](std::size_t row) const { return rows_[row]; }
  // A code of column i where it stands in a row's number. REQUIRES: not kNoCode.
  std::uint64_t in_place(std::size_t i, Code code) const { return static_cast<std::uint64_t>(code) << shifts_[i]; }
  // Whether two rows have the same quasi values.
  bool same_quasi(std::uint64_t a, std::uint64_t b) const { return (a ^ b) >> plain_bits_ == 0; }

 private:
  std::vector<int> shifts_;
  int plain_bits_ = 0;
  bool fits_ = false;
  Vector<std::uint64_t> rows_;
};

}  // namespace anon_seq::incremental
