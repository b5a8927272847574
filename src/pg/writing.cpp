#include "pg/writing.h"

#include "pg/context.h"

namespace anon_seq::pg {
namespace {

constexpr std::size_t kBatch = 8192;

char const* array_type_of(Oid type) {
  switch (type) {
    case INT4OID: return "pg_catalog.int4[]";
    case INT8OID: return "pg_catalog.int8[]";
    case BYTEAOID: return "pg_catalog.bytea[]";
    default: return "pg_catalog.text[]";
  }
}

Oid array_oid_of(Oid type) {
  switch (type) {
    case INT4OID: return INT4ARRAYOID;
    case INT8OID: return INT8ARRAYOID;
    case BYTEAOID: return BYTEAARRAYOID;
    default: return TEXTARRAYOID;
  }
}

}  // namespace

BulkWriter::BulkWriter(SpiSession& session, std::string const& relation, std::vector<WriteColumn> columns)
    : session_(session), columns_(std::move(columns)) {
  std::string names, arrays, aliases, values;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    char const* const comma = i == 0 ? "" : ", ";
    std::string const number = std::to_string(i + 1);
    names += comma + quote_name(columns_[i].name);
    arrays += comma + ("pg_catalog.unnest($" + number + "::") + array_type_of(columns_[i].type) + ")";
    aliases += comma + ("a" + number);
    values += comma + ("a" + number) + (columns_[i].cast.empty() ? "" : "::" + columns_[i].cast);
  }
  insert_ = "INSERT INTO " + relation + " (" + names + ") SELECT " + values + " FROM ROWS FROM (" + arrays +
            ") AS u (" + aliases + ")";
}

BulkWriter::Cell& BulkWriter::add_cell() {
  cells_.push_back({true, 0, 0});
  return cells_.back();
}

void BulkWriter::put(std::int64_t value) {
  Cell& cell = add_cell();
  cell.null = false;
  cell.number = value;
}

void BulkWriter::put(std::string_view text) {
  Cell& cell = add_cell();
  cell = {false, static_cast<std::int64_t>(bytes_.size()), text.size()};
  bytes_.insert(bytes_.end(), text.begin(), text.end());
}

void BulkWriter::put_null() { add_cell(); }

void BulkWriter::end_row() {
  if (cells_.size() % columns_.size() != 0) throw Error(Fault::kInternal, "a row with too few or too many values");
  if (cells_.size() >= kBatch * columns_.size()) flush();
}

void BulkWriter::finish() {
  if (!cells_.empty()) flush();
}

Datum BulkWriter::array_of(std::size_t column) const noexcept {
  std::size_t const rows = cells_.size() / columns_.size();
  Oid const type = columns_[column].type;
  auto* const datums = static_cast<Datum*>(palloc(rows * sizeof(Datum)));
  auto* const nulls = static_cast<bool*>(palloc(rows * sizeof(bool)));
  for (std::size_t row = 0; row < rows; ++row) {
    Cell const& cell = cells_[row * columns_.size() + column];
    nulls[row] = cell.null;
    if (cell.null)
      datums[row] = 0;
    else if (type == TEXTOID || type == BYTEAOID)
      datums[row] =
          PointerGetDatum(cstring_to_text_with_len(bytes_.data() + cell.number, static_cast<int>(cell.length)));
    else
      datums[row] =
          type == INT4OID ? Int32GetDatum(static_cast<std::int32_t>(cell.number)) : Int64GetDatum(cell.number);
  }
  std::int16_t length = 0;
  bool by_value = false;
  char alignment = 0;
  get_typlenbyvalalign(type, &length, &by_value, &alignment);
  int dimensions[1] = {static_cast<int>(rows)}, lower_bounds[1] = {1};
  return PointerGetDatum(
      construct_md_array(datums, nulls, 1, dimensions, lower_bounds, type, length, by_value, alignment));
}

void BulkWriter::flush() {
  ScratchContext scratch;
  std::vector<Datum> arrays(columns_.size());
  call_pg([&]() noexcept {
    MemoryContext const home = MemoryContextSwitchTo(scratch.get());
    for (std::size_t column = 0; column < columns_.size(); ++column) arrays[column] = array_of(column);
    MemoryContextSwitchTo(home);
    CHECK_FOR_INTERRUPTS();
  });
  std::vector<SqlValue> values;
  for (std::size_t column = 0; column < columns_.size(); ++column)
    values.push_back(SqlValue::datum(array_oid_of(columns_[column].type), arrays[column]));
  session_.execute(insert_, values);
  cells_.clear();
  bytes_.clear();
}

}  // namespace anon_seq::pg
