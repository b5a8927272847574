#include "pg/reading.h"

#include <algorithm>

#include "core/table/unite.h"
//
#include "pg/acting_as.h"
#include "pg/lock_wait.h"
#include "pg/no_column.h"
#include "pg/roles.h"

namespace anon_seq::pg {
namespace {

constexpr std::size_t kBatch = 2048;

// Classes of SQLSTATE whose messages speak of names, rights and the server, never of cells. Class 42 is
// about names while a query is planned; later a cell may be taken for a name: 'secret'::regclass.
bool is_harmless(int sqlstate, SourceStep step) {
  if (step == SourceStep::kFetch && ERRCODE_TO_CATEGORY(sqlstate) == MAKE_SQLSTATE('4', '2', '0', '0', '0'))
    return sqlstate == ERRCODE_INSUFFICIENT_PRIVILEGE;
  constexpr int kHarmless[] = {MAKE_SQLSTATE('2', '5', '0', '0', '0'), MAKE_SQLSTATE('4', '0', '0', '0', '0'),
                               MAKE_SQLSTATE('4', '2', '0', '0', '0'), MAKE_SQLSTATE('5', '3', '0', '0', '0'),
                               MAKE_SQLSTATE('5', '4', '0', '0', '0'), MAKE_SQLSTATE('5', '5', '0', '0', '0'),
                               MAKE_SQLSTATE('5', '7', '0', '0', '0')};
  return std::find(std::begin(kHarmless), std::end(kHarmless), ERRCODE_TO_CATEGORY(sqlstate)) != std::end(kHarmless);
}

constexpr char kMark[] = "anon_seq reads";

// Whether the server raised it while it ran our statement, and no function that the relation calls; takes the mark out
// of the context, and what came from inside. The end of a wait or of the session is the server's to tell, wherever it
// comes.
bool is_of_server(ErrorData& data) {
  std::string_view const context = data.context == nullptr ? "" : data.context;
  auto const mark = context.find(kMark), next = context.find('\n', mark);
  data.context = mark == context.npos || next == context.npos ? nullptr : data.context + next + 1;
  return mark == 0 || (data.funcname != nullptr && strcmp(data.funcname, "ProcessInterrupts") == 0);
}

}  // namespace

void mark_reading(void*) noexcept { errcontext_msg(kMark); }

void throw_without_values(PgError error, std::string const& what, SourceStep step) {
  ErrorData& data = *error.data;
  if (!is_of_server(data) || !is_harmless(data.sqlerrcode, step)) {
    std::string const text = "could not read " + what;
    char const* const message = text.c_str();
    call_pg([&]() noexcept {
      MemoryContext const home = MemoryContextSwitchTo(error_memory());
      data.message = pstrdup(message);
      data.detail = psprintf("Reading it failed with SQLSTATE %s; the message is withheld, as it may show a value.",
                             unpack_sql_state(data.sqlerrcode));
      data.hint = pstrdup("Select from the relation by hand to see the error.");
      MemoryContextSwitchTo(home);
    });
    data.detail_log = data.context = data.internalquery = nullptr;
  }
  throw error;
}

Rows read_rows(SpiSession&, std::string const& sql, std::span<SqlValue const> values, std::string const& what) {
  std::vector<Oid> types(values.size());
  std::vector<Datum> datums(values.size());
  SPIPlanPtr plan = nullptr;
  char const* const text = sql.c_str();
  call_source(text, what, SourceStep::kPlan, [&]() noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) types[i] = values[i].type;
    plan = SPI_prepare(text, static_cast<int>(values.size()), types.data());
    if (plan == nullptr) elog(ERROR, "SPI_prepare failed: %s", SPI_result_code_string(SPI_result));
  });
  call_source(text, what, SourceStep::kFetch, [&]() noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) datums[i] = values[i].make();
    int const result = SPI_execute_plan(plan, datums.data(), nullptr, true, 0);
    if (result != SPI_OK_SELECT) elog(ERROR, "SPI_execute_plan failed: %s", SPI_result_code_string(result));
    SPI_freeplan(plan);
  });
  return Rows::take();
}

RowReader::RowReader(SpiSession&, std::string const& query, std::string what, std::string_view weight_column,
                     std::size_t raw)
    : what_(std::move(what)), raw_(raw), batch_(RowBatch::Form::kPacked, kBatch) {
  char const* const sql = query.c_str();
  call_source(sql, what_, SourceStep::kPlan, [this, sql]() noexcept { batch_.open(sql); });
  batch_.make_room();
  describe(weight_column);
}

void RowReader::describe(std::string_view weight_column) {
  TupleDesc const row = batch_.descriptor();
  for (int i = 0; i < row->natts; ++i) {
    auto const* const attribute = TupleDescAttr(row, i);
    bool const is_last = i + 1 == row->natts;
    if (is_last && weight_column == NameStr(attribute->attname) && attribute->atttypid == INT8OID) {
      weight_ = i;
      continue;
    }
    Column column;
    column.name = NameStr(attribute->attname);
    types_.push_back(value_type_of(attribute->atttypid, column.name));
    column.kind = types_.back().kind;
    column.single = types_.back().type == FLOAT4OID;
    column.values.add_hidden("");
    table_.columns.push_back(std::move(column));
  }
}

void RowReader::seed(std::size_t column, Dictionary const& keys) {
  for (Code code = 1; code < keys.size(); ++code) table_.columns[column].values.intern(keys[code]);
}

void RowReader::decode() {
  char buffer[8];
  std::size_t const fetched = batch_.rows();
  std::size_t column = 0;
  for (std::size_t i = 0; i < batch_.width(); ++i) {
    if (static_cast<int>(i) == weight_) {
      for (std::size_t row = 0; row < fetched; ++row) table_.weights.push_back(DatumGetInt64(batch_.get(row, i)));
      continue;
    }
    Column& into = table_.columns[column];
    bool const is_raw = column < raw_;
    ValueType const type = types_[column++];
    make_room(into.codes, fetched);
    for (std::size_t row = 0; row < fetched; ++row) {
      Code code = kNull;
      if (!batch_.is_null(row, i)) {
        auto const key = key_of(type, batch_.get(row, i), buffer, into.name);
        code = is_raw ? into.values.add_hidden(key) : into.values.intern(key);
      }
      into.codes.push_back(code);
    }
  }
}

bool RowReader::next_batch() {
  call_source("", what_, SourceStep::kFetch, [this]() noexcept { batch_.fetch(); });
  decode();
  return batch_.rows() > 0;
}

void RowReader::forget_rows() {
  for (auto& column : table_.columns) column.codes.clear();
  table_.weights.clear();
}

CodedTable RowReader::finish(Checkpoint& checkpoint) {
  while (next_batch()) continue;
  for (std::size_t i = 0; i < raw_; ++i) unite_equal(table_.columns[i], checkpoint);
  for (std::size_t i = raw_; i < types_.size(); ++i) put_in_order(table_.columns[i], types_[i], checkpoint);
  return std::move(table_);
}

void lock_shared(std::string const& relation) {
  char const* const name = relation.c_str();
  call_pg([name]() noexcept {
#if PG_VERSION_NUM >= 160000
    List* const parts = stringToQualifiedNameList(name, nullptr);
#else
    List* const parts = stringToQualifiedNameList(name);
#endif
    (void)RangeVarGetRelidExtended(makeRangeVarFromNameList(parts), AccessShareLock, RVR_MISSING_OK, nullptr, nullptr);
  });
}

namespace {

// PostgreSQL says the same without what to do about it.
void require_select(SpiSession& session, Oid relation, std::span<std::string const> columns) {
  std::string may = "pg_catalog.has_table_privilege($1, 'SELECT')", all;
  for (auto const& column : columns)
    all +=
        (all.empty() ? "" : " AND ") + ("pg_catalog.has_column_privilege($1, " + sql_literal(column)) + ", 'SELECT')";
  if (!all.empty()) may += " OR (" + all + ")";
  if (!session.is_true("SELECT " + may, {SqlValue::oid(relation)})) throw_denied(session, relation);
}

}  // namespace

void lock_source(SpiSession& session, Oid relation, std::span<std::string const> columns) {
  (void)select_columns(session, relation, columns);  // says which one is missing
  (void)reader_of(session, relation);
  require_select(session, relation, columns);
  lock(session, Lockable::relation(relation), AccessShareLock);  // who keeps us from reading is named
  // Its name, its columns and its owner are asked for once more, since they may have changed while we waited. Planning
  // locks whatever else a query reads; of a limit of 0 rows nothing is fetched.
  ActingAs const reader(reader_of(session, relation));
  read_rows(session, select_columns(session, relation, columns) + " LIMIT 0", {},
            "relation " + qualified_name(relation));
}

std::vector<std::string> column_names(SpiSession& session, Oid relation) {
  auto const rows = session.execute(
      "SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
      {SqlValue::oid(relation)}, true);
  std::vector<std::string> names;
  for (std::uint64_t row = 0; row < rows.count(); ++row) names.push_back(rows.get(row, 1));
  return names;
}

std::string select_columns(SpiSession& session, Oid relation, std::span<std::string const> columns) {
  auto const known = column_names(session, relation);
  std::string list;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::find(known.begin(), known.end(), columns[i]) == known.end()) throw NoColumn(session, relation, columns[i]);
    if (std::find(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i), columns[i]) !=
        columns.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(Fault::kParameter, "column " + quoted(columns[i]) + " is named twice");
    list += (i == 0 ? "" : ", ") + quote_name(columns[i]);
  }
  return "SELECT " + list + " FROM " + qualified_name(relation);
}

}  // namespace anon_seq::pg
