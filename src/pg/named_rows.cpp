#include "pg/named_rows.h"

extern "C" {
#include "utils/queryenvironment.h"
}

namespace anon_seq::pg {
namespace {

constexpr int kKilobytes = 1 << 16;  // of a tuplestore in memory

}  // namespace

void name_rows(char const* name, TupleDesc row, Tuplestorestate* rows) noexcept {
  auto* const named = static_cast<EphemeralNamedRelation>(palloc0(sizeof(EphemeralNamedRelationData)));
  named->md.name = pstrdup(name);
  named->md.tupdesc = row;
  named->md.enrtype = ENR_NAMED_TUPLESTORE;
  named->md.enrtuples = static_cast<double>(tuplestore_tuple_count(rows));
  named->reldata = rows;
  if (SPI_register_relation(named) != SPI_OK_REL_REGISTER) elog(ERROR, "could not name rows");
}

NamedRows::NamedRows(std::vector<std::pair<std::string, Oid>> const& columns) {
  static constinit std::uint64_t made = 0;
  name_ = "anon_seq_rows_" + std::to_string(++made);
  call_pg([&]() noexcept {
    MemoryContext const before = MemoryContextSwitchTo(home_.get());
    row_ = CreateTemplateTupleDesc(static_cast<int>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i)
      TupleDescInitEntry(row_, static_cast<AttrNumber>(i + 1), columns[i].first.c_str(), columns[i].second, -1, 0);
    rows_ = tuplestore_begin_heap(false, false, kKilobytes);
    MemoryContextSwitchTo(before);
  });
}

NamedRows::~NamedRows() {
  if (std::uncaught_exceptions() != unwinding_) return;  // the abort frees the rows, and nobody knows the name
  if (published_) SPI_unregister_relation(name_.c_str());
  if (rows_ != nullptr) tuplestore_end(rows_);
}

void NamedRows::add(Datum const* values, bool const* nulls) {
  call_pg([&]() noexcept { tuplestore_putvalues(rows_, row_, const_cast<Datum*>(values), const_cast<bool*>(nulls)); });
}

void NamedRows::publish() {
  call_pg([&]() noexcept { name_rows(name_.c_str(), row_, rows_); });
  published_ = true;
}

}  // namespace anon_seq::pg
