// What versions with classes for life show, as a reader has it: how often each class has a value, and its rows.
#pragma once

#include <map>

#include "core/base/checkpoint.h"
#include "core/table/dictionary.h"
//
#include "catalog/release.h"
#include "pg/spi.h"

namespace anon_seq::serial {

struct ShownValue {
  std::int32_t class_id = 0, column = 0;  // c<column> of the cells
  Code value = 0;                         // of the column's texts; 0 is NULL
  std::int64_t n = 0;
  auto operator<=>(ShownValue const&) const = default;
};

struct ShownClass {
  std::int32_t class_id = 0;
  std::int64_t rows = 0;
};

// Of a version without relations of its owner's what its ledger has. Classes without a number come as one that none of
// ours has.
class ShownReader {
 public:
  explicit ShownReader(SpiSession& session, Checkpoint& checkpoint) : session_(session), checkpoint_(checkpoint) {}

  // Ascending.
  Vector<ShownValue> values(Release const& release);
  Vector<ShownClass> classes(Release const& release);

  // Rows of the ledger's that have one of these values in any of the columns: class -> how many.
  std::map<std::int32_t, std::int64_t> rows_with(Release const& release,
                                                 std::map<std::int32_t, std::vector<char>> const& listed);

  // Of a column: code -> text, over all versions that were read.
  Dictionary const& texts(std::int32_t column) { return texts_of(column); }

 private:
  Dictionary& texts_of(std::int32_t column);

  SpiSession& session_;
  Checkpoint& checkpoint_;
  std::map<std::int32_t, Dictionary> texts_;
};

}  // namespace anon_seq::serial
