// Functions for the project's own tests, which declare them; the extension does not. They make happen
// inside the boundary what cannot be brought about from outside.
#include <malloc.h>

#include <stdexcept>

#include "core/base/memory.h"
//
#include "catalog/catalog_writer.h"
#include "catalog/ledger_sums.h"
#include "incremental/next_version.h"
#include "incremental/region_leaves.h"
#include "pg/arguments.h"
#include "release/version.h"

extern "C" {
#include "utils/timeout.h"
}

namespace anon_seq::api {
namespace {

// Work without end that only an interrupt stops, with C++ objects alive.
void core_loop() {
  InterruptCheckpoint checkpoint;
  Vector<std::int64_t> work(1024, 1);
  for (std::size_t i = 0;; ++i) {
    work[i % 1024] += work[(i + 1) % 1024] % 7;
    checkpoint.tick();
  }
}

// A statement_timeout ends a statement once; this one ends after a millisecond however often it is called.
void start_timeout() {
  call_pg([]() noexcept { enable_timeout_after(STATEMENT_TIMEOUT, 1); });
}

void fail(std::string const& how, SpiSession& session) {
  Vector<char> const held(1 << 16);
  std::string const also_held(1 << 12, 'x');
  if (how == "spi") session.execute("SELECT 1 / 0", {});
  if (how == "core") throw Error(Fault::kData, "core error", "A detail.", "A hint.");
  if (how == "memory") {  // unmetered; used, or a compiler may leave it out
    std::vector<char> const too_much(std::size_t{1} << 62);
    if (too_much.back() != 0) throw 42;
  }
  if (how == "limit") Vector<char> const too_much(heap_meter.limit + 1);
  if (how == "palloc") call_pg([]() noexcept { (void)MemoryContextAllocHuge(CurrentMemoryContext, MaxAllocHugeSize); });
  if (how == "standard") throw std::logic_error("standard exception");
  if (how == "foreign") throw 42;
  if (how == "timeout") start_timeout();
  if (how == "loop" || how == "timeout") core_loop();
  if (how != "catalog") return;
  CatalogWriter catalog(session);
  catalog.execute("SELECT 1 / (id - id) FROM (VALUES (1)) AS v (id)", {});
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_selftest_fail);
Datum anon_seq_selftest_fail(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const how = Arguments(fcinfo).text(0, "how");
    SpiSession session;
    fail(how, session);
    return Datum{};
  });
}

// Objects of the boundary and bytes of the metered heap that are alive.
PG_FUNCTION_INFO_V1(anon_seq_selftest_live);
Datum anon_seq_selftest_live(FunctionCallInfo) {
  return Int64GetDatum(Live::count + static_cast<std::int64_t>(heap_meter.used));
}

// Bytes that the process holds from malloc(), PostgreSQL's contexts included.
PG_FUNCTION_INFO_V1(anon_seq_selftest_malloc);
Datum anon_seq_selftest_malloc(FunctionCallInfo) {
  auto const info = mallinfo2();
  return Int64GetDatum(static_cast<std::int64_t>(info.uordblks + info.hblkhd));
}

// The highest number of bytes of the metered heap since the last call.
PG_FUNCTION_INFO_V1(anon_seq_selftest_heap_peak);
Datum anon_seq_selftest_heap_peak(FunctionCallInfo) {
  auto const peak = static_cast<std::int64_t>(heap_meter.peak);
  heap_meter.reset_peak();
  return Int64GetDatum(peak);
}

// The next publish of this session changes a row of counts with this assignment, and must notice.
PG_FUNCTION_INFO_V1(anon_seq_selftest_spoil);
Datum anon_seq_selftest_spoil(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    spoil_next_release(Arguments(fcinfo).text(0, "assignment"));
    return Datum{};
  });
}

// What is known of the changes of sources of policies with names that begin so: a SELECT of keys; empty: what is true.
PG_FUNCTION_INFO_V1(anon_seq_selftest_watch);
Datum anon_seq_selftest_watch(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    watch_for_tests(arguments.text(0, "policies"), arguments.text(1, "keys"));
    return Datum{};
  });
}

// From now on in this session ids of objects follow from key and version.
PG_FUNCTION_INFO_V1(anon_seq_selftest_foresee);
Datum anon_seq_selftest_foresee(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    incremental::foresee_objects(DatumGetBool(Arguments(fcinfo).datum(0, "objects")));
    return Datum{};
  });
}

// Leaves of incremental versions are written as if only the regions that change were in memory, or all of them again.
// Takes what somebody made of a ledger's tables for what was written: what lies behind the sums is tested by that.
PG_FUNCTION_INFO_V1(anon_seq_selftest_sum_anew);
Datum anon_seq_selftest_sum_anew(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const ledger = Arguments(fcinfo).text(0, "ledger");
    SpiSession session;
    auto const tables = session.execute(
        "SELECT pg_catalog.substr(c.relname, pg_catalog.length($1) + 2) FROM pg_catalog.pg_class AS c"
        " WHERE c.relnamespace = 'anon_seq_ledger'::pg_catalog.regnamespace AND c.relkind = 'r'"
        " AND pg_catalog.starts_with(c.relname::pg_catalog.text, $1 || '_') AND c.relname <> $1 || '_sum'",
        {ledger});
    catalog::LedgerPen const pen;
    for (std::uint64_t row = 0; row < tables.count(); ++row)
      catalog::take_as_written(session, ledger, tables.get(row, 1));
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_selftest_in_part);
Datum anon_seq_selftest_in_part(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    incremental::write_leaves_in_part(DatumGetBool(Arguments(fcinfo).datum(0, "in_part")));
    return Datum{};
  });
}

// Sources are read as counted rows from now on in this session, or as rows again.
PG_FUNCTION_INFO_V1(anon_seq_selftest_counted);
Datum anon_seq_selftest_counted(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    read_sources_counted(DatumGetBool(Arguments(fcinfo).datum(0, "counted")));
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
