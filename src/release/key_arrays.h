// Keys of persons as the arrays in which ledgers keep them.
#pragma once

#include "pg/value_type.h"
#include "pg/writing.h"
#include "release/source_table.h"

namespace anon_seq::release {

class KeyArrays {
 public:
  KeyArrays(SourceTable const& source, Checkpoint& checkpoint);

  // Puts the persons codes[begin] .. codes[end - 1]; kNull is one who was forgotten. What comes after them in `codes`
  // is fetched ahead.
  void put(BulkWriter& writer, std::span<Code const> codes, std::size_t begin, std::size_t end);

 private:
  Column const& person_;
  bool const numbers_travel_;  // keys that are numbers need not become text
  KeyTexts texts_;
  Checkpoint& checkpoint_;
  std::vector<std::int64_t> numbers_;
  std::string array_;
};

}  // namespace anon_seq::release
