#include "pg/settings.h"

#include <span>

#include "core/base/memory.h"

extern "C" {
#include "storage/proc.h"
}

namespace anon_seq::pg {
namespace {

int max_memory_kb = 1024 * 1024;
int swap_timeout_ms = 100;
int lock_wait_ms = 300 * 1000;

#ifdef ANON_SEQ_SELFTEST
bool next_version = false;
char* distribution_catalog = nullptr;
#endif

void assign_max_memory(int kilobytes, void*) { heap_meter.limit = static_cast<std::size_t>(kilobytes) * 1024; }

// What changes how our SQL is parsed, printed or planned, or how a source's rows and values come out of it: anybody may
// set these for himself, and a role or a database may have them set. Not here: what describes the machine or bounds a
// statement (memory, costs, workers, tablespaces, timeouts, isolation), and lc_*, which the values of a source may
// mean. Values stand as GetConfigOption() prints them. What a server does not know is passed over.
constexpr Settings::Setting kPins[] = {
    {"search_path", kSearchPath},
    {"row_security", "off"},          // refuse rather than read a part of the rows
    {"synchronize_seqscans", "off"},  // a relation of paths is read in the order it was written
    {"gin_fuzzy_search_limit", "0"},  // so would this: a random part of them
    // text form of values
    {"DateStyle", "ISO, YMD"},
    {"IntervalStyle", "postgres"},
    {"TimeZone", "UTC"},
    {"extra_float_digits", "1"},
    {"bytea_output", "hex"},
    {"xmlbinary", "base64"},
    {"xmloption", "content"},
    {"array_nulls", "on"},
    {"quote_all_identifiers", "off"},  // of format_type(), pg_get_viewdef() and such as well
    // parser
    {"standard_conforming_strings", "on"},
    {"backslash_quote", "safe_encoding"},
    {"escape_string_warning", "off"},
    {"transform_null_equals", "off"},
    // planner
    {"jit", "off"},  // compiles for seconds what takes milliseconds, where costs are guesses
    {"plan_cache_mode", "auto"},
    {"constraint_exclusion", "partition"},
    {"cursor_tuple_fraction", "0.1"},
    {"from_collapse_limit", "8"},
    {"join_collapse_limit", "8"},
    {"geqo", "on"},
    {"geqo_threshold", "12"},
#if PG_VERSION_NUM >= 160000
    {"debug_parallel_query", "off"},
#else
    {"force_parallel_mode", "off"},
#endif
    {"enable_async_append", "on"},
    {"enable_bitmapscan", "on"},
    {"enable_distinct_reordering", "on"},  // 18
    {"enable_gathermerge", "on"},
    {"enable_group_by_reordering", "on"},  // 17
    {"enable_hashagg", "on"},
    {"enable_hashjoin", "on"},
    {"enable_incremental_sort", "on"},
    {"enable_indexonlyscan", "on"},
    {"enable_indexscan", "on"},
    {"enable_material", "on"},
    {"enable_memoize", "on"},
    {"enable_mergejoin", "on"},
    {"enable_nestloop", "on"},
    {"enable_parallel_append", "on"},
    {"enable_parallel_hash", "on"},
    {"enable_partition_pruning", "on"},
    {"enable_partitionwise_aggregate", "off"},
    {"enable_partitionwise_join", "off"},
    {"enable_presorted_aggregate", "on"},    // 16
    {"enable_self_join_elimination", "on"},  // 18
    {"enable_seqscan", "on"},
    {"enable_sort", "on"},
    {"enable_tidscan", "on"},
    // what we make is of this node
    {"citus.enable_ddl_propagation", "off"},
    // statements are not for the server's log
    {"debug_print_parse", "off"},
    {"debug_print_plan", "off"},
    {"debug_print_rewritten", "off"},
};

constexpr int kRoomToHash = 64 * 1024;  // kB, as work_mem

// Costs describe the machine. One that is out of all proportion makes all plans cost alike, and then a plan is taken
// that never ends: the server's own value stands in for it.
constexpr Settings::Setting kCosts[] = {{"seq_page_cost", "1"},
                                        {"random_page_cost", "4"},
                                        {"cpu_tuple_cost", "0.01"},
                                        {"cpu_index_tuple_cost", "0.005"},
                                        {"cpu_operator_cost", "0.0025"}};
constexpr double kHighestCost = 1e6;

int begin_settings(std::span<Settings::Setting const> settings) {
  int level = 0;
  call_pg([&]() noexcept {
    level = NewGUCNestLevel();
    for (auto const& setting : settings) {
      char const* const now = GetConfigOption(setting.name, true, false);  // most are as they should be already
      if (now == nullptr || strcmp(now, setting.value) == 0) continue;
      (void)set_config_option(setting.name, setting.value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
    }
  });
  return level;
}

}  // namespace

#ifdef ANON_SEQ_SELFTEST
bool plays_next_version() { return next_version; }

std::string stand_in_for_citus() { return distribution_catalog == nullptr ? "" : distribution_catalog; }
#endif

void define_settings() {
  DefineCustomIntVariable("anon_seq.max_memory", "Bounds the memory of anon_seq outside PostgreSQL's own contexts.",
                          "Work that would need more is refused with an error.", &max_memory_kb, max_memory_kb, 1024,
                          MAX_KILOBYTES, PGC_SUSET, GUC_UNIT_KB, nullptr, assign_max_memory, nullptr);
  DefineCustomIntVariable("anon_seq.swap_timeout",
                          "How long a publish waits for readers of a stable name, four times at most.",
                          "0: the names go on showing the version before, as for rehearsals.", &swap_timeout_ms,
                          swap_timeout_ms, 0, 60000, PGC_USERSET, GUC_UNIT_MS, nullptr, nullptr, nullptr);
  DefineCustomIntVariable("anon_seq.lock_wait", "How long anon_seq waits for what another transaction has locked.",
                          "0: without limit. A shorter lock_timeout is kept.", &lock_wait_ms, lock_wait_ms, 0, INT_MAX,
                          PGC_USERSET, GUC_UNIT_MS, nullptr, nullptr, nullptr);
#ifdef ANON_SEQ_SELFTEST
  DefineCustomBoolVariable("anon_seq.next_version", "For tests: behaves as the library of the next version.", nullptr,
                           &next_version, false, PGC_SIGHUP, 0, nullptr, nullptr, nullptr);
  DefineCustomStringVariable("anon_seq.distribution_catalog", "For tests: stands for pg_dist_partition of citus.",
                             nullptr, &distribution_catalog, "", PGC_SUSET, 0, nullptr, nullptr, nullptr);
#endif
  MarkGUCPrefixReserved("anon_seq");
}

int swap_timeout() { return swap_timeout_ms; }

Settings::Settings(std::initializer_list<Setting> settings)
    : level_(begin_settings({settings.begin(), settings.size()})) {}

Settings::~Settings() {
  if (std::uncaught_exceptions() == unwinding_) AtEOXact_GUC(false, level_);
}

Settings Settings::pinned() {
  int const level = begin_settings(kPins);
  call_pg([]() noexcept {
    for (auto const& cost : kCosts)
      if (strtod(GetConfigOption(cost.name, false, false), nullptr) > kHighestCost)
        (void)set_config_option(cost.name, cost.value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
  });
  if (lock_wait_ms > 0 && (LockTimeout <= 0 || LockTimeout > lock_wait_ms))
    call_pg([]() noexcept {
      char wait[16];
      snprintf(wait, sizeof wait, "%d", lock_wait_ms);
      (void)set_config_option("lock_timeout", wait, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
    });
  return Settings(level);
}

Settings Settings::for_counting() {
  if (work_mem >= kRoomToHash) return Settings({{"enable_nestloop", "off"}, {"enable_sort", "off"}});
  return Settings({{"enable_nestloop", "off"}, {"enable_sort", "off"}, {"work_mem", "64MB"}});
}

Settings Settings::for_arrays() {
  if (work_mem >= kRoomToHash) return Settings({{"enable_nestloop", "off"}});
  return Settings({{"enable_nestloop", "off"}, {"work_mem", "64MB"}});
}

}  // namespace anon_seq::pg
