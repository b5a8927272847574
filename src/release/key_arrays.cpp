#include "release/key_arrays.h"

#include <algorithm>

#include "pg/array_text.h"

namespace anon_seq::release {

KeyArrays::KeyArrays(SourceTable const& source, Checkpoint& checkpoint)
    : person_(source.table.columns[source.person]),
      numbers_travel_(source.person_value.type == INT4OID || source.person_value.type == INT8OID),
      texts_(person_, source.person_value, checkpoint),
      checkpoint_(checkpoint) {}

void KeyArrays::put(BulkWriter& writer, std::span<Code const> codes, std::size_t begin, std::size_t end) {
  auto const own = codes.subspan(begin, end - begin);
  bool const as_numbers = numbers_travel_ && std::find(own.begin(), own.end(), kNull) == own.end();
  numbers_.clear();
  array_ = "{";
  for (std::size_t i = begin; i < end; ++i) {
    checkpoint_.tick();
    texts_.prefetch(codes, i);
    if (as_numbers)
      numbers_.push_back(integer_of(person_.values[codes[i]]));
    else if (codes[i] == kNull)
      append_null_element(array_);
    else
      append_element(array_, texts_[codes[i]]);
  }
  if (as_numbers) return writer.put(numbers_);
  writer.put(array_ += '}');
}

}  // namespace anon_seq::release
