#include "core/table/code_matrix.h"

#include <gtest/gtest.h>

namespace anon_seq {
namespace {

Column with_codes(Code distinct, std::vector<Code> const& codes) {
  Column column;
  for (Code code = 0; code < distinct; ++code) column.values.add_hidden(std::to_string(code));
  column.codes.assign(codes.begin(), codes.end());
  return column;
}

TEST(CodeMatrix, HoldsCodesOfAnyWidth) {
  NoCheckpoint checkpoint;
  for (Code const distinct : {2, 256, 257, 65536, 65537}) {
    SCOPED_TRACE(distinct);
    Column few = with_codes(2, {0, 1, 1}), many = with_codes(distinct, {0, 1, distinct - 1});
    Column* const columns[] = {&few, &many};
    CodeMatrix const matrix(columns, checkpoint);
    EXPECT_TRUE(few.codes.empty() && many.codes.empty());
    std::vector<Code> read;
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t column : {0U, 1U}) read.push_back(matrix.at(row, column));
    EXPECT_EQ(read, (std::vector<Code>{0, 0, 1, 1, 1, distinct - 1}));
  }
}

}  // namespace
}  // namespace anon_seq
