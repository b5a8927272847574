#include "pg/datum_cursor.h"

#include "pg/call_sql.h"

namespace anon_seq::pg {
namespace {

constexpr std::size_t kBatch = 1024, kBatchOfRuns = 8192;

}  // namespace

template <class Body>
void DatumCursor::call(char const* sql, SourceStep step, Body body) {
  if (what_.empty())
    call_sql(sql, body);
  else
    call_source(sql, what_, step, body);
}

DatumCursor::DatumCursor(SpiSession&, std::string const& query, Form form, std::string what)
    : what_(std::move(what)), batch_(form, form == Form::kRuns ? kBatchOfRuns : kBatch) {
  char const* const sql = query.c_str();
  call(sql, SourceStep::kPlan, [this, sql]() noexcept { batch_.open(sql); });
  batch_.make_room();
}

bool DatumCursor::next() {
  call("", SourceStep::kFetch, [this]() noexcept { batch_.fetch(); });
  return batch_.rows() > 0;
}

void DatumCursor::throw_altered() {
  throw Error(Fault::kDamaged, "a table of a ledger was altered",
              "A column has another type than it was made with, or NULLs.");
}

void DatumCursor::require_type(std::size_t row, std::size_t column, Oid type) const {
  if (is_null(row, column) || TupleDescAttr(batch_.descriptor(), static_cast<int>(column))->atttypid != type)
    throw_altered();
}

std::string_view DatumCursor::text(std::size_t row, std::size_t column) const {
  if (is_null(row, column) || TupleDescAttr(batch_.descriptor(), static_cast<int>(column))->attlen != -1)
    throw_altered();
  auto* const bytes = reinterpret_cast<varlena*>(DatumGetPointer(get(row, column)));
  return {VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)};
}

std::string_view DatumCursor::bytes(std::size_t row, std::size_t column) const {
  auto const* const type = TupleDescAttr(batch_.descriptor(), static_cast<int>(column));
  Datum const& value = batch_.get(row, column);
  if (type->attbyval) return {reinterpret_cast<char const*>(&value), sizeof value};
  if (type->attlen == -1) return text(row, column);
  if (type->attlen == -2) return DatumGetCString(value);
  return {static_cast<char*>(DatumGetPointer(value)), static_cast<std::size_t>(type->attlen)};
}

DatumCursor::Elements DatumCursor::elements(std::size_t row, std::size_t column, Oid array_type) {
  Elements found;
  Oid const type = TupleDescAttr(batch_.descriptor(), static_cast<int>(column))->atttypid;
  if (is_null(row, column) || !OidIsValid(array_type) || type != array_type) throw_altered();
  auto* const array = reinterpret_cast<ArrayType*>(DatumGetPointer(get(row, column)));
  call_pg([&]() noexcept {
    MemoryContext const home = MemoryContextSwitchTo(batch_.memory());
    std::int16_t length = 0;
    bool by_value = false;
    char alignment = 0;
    int count = 0;
    get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &alignment);
    deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, alignment, &found.values, &found.nulls, &count);
    found.count = static_cast<std::size_t>(count);
    MemoryContextSwitchTo(home);
  });
  return found;
}

}  // namespace anon_seq::pg
