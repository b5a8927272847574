// Codes of several columns row by row: who visits rows in no order meets one place per row, not one per column.
#pragma once

#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "core/base/checkpoint.h"
#include "core/table/table.h"

namespace anon_seq {

class CodeMatrix {
 public:
  CodeMatrix() = default;
  // Takes the codes of the columns, which have none then. A code has as few bytes as all of them can have.
  CodeMatrix(std::span<Column* const> columns, Checkpoint& checkpoint) : width_(columns.size()) {
    for (auto const* column : columns)
      while (bytes_ < sizeof(Code) && column->distinct() > 1 << 8 * bytes_) bytes_ *= 2;
    std::size_t const rows = columns.empty() ? 0 : columns.front()->codes.size();
    codes_.resize(rows * width_ * bytes_);
    for (std::size_t i = 0; i < width_; ++i) {
      auto const codes = std::exchange(columns[i]->codes, {});
      for (std::size_t row = 0; row < rows; ++row) {
        checkpoint.tick();
        std::memcpy(&codes_[(row * width_ + i) * bytes_], &codes[row], bytes_);
      }
    }
  }

  Code at(std::size_t row, std::size_t column) const {
    Code code = 0;
    std::memcpy(&code, &codes_[(row * width_ + column) * bytes_], bytes_);
    return code;
  }

 private:
  static_assert(std::endian::native == std::endian::little);
  std::size_t width_ = 0, bytes_ = 1;  // of a code: 1, 2 or 4
  Vector<unsigned char> codes_;
};

}  // namespace anon_seq
