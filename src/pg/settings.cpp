#include "pg/settings.h"

#include <span>

#include "core/memory.h"

namespace anon_seq::pg {
namespace {

int max_memory_kb = 1024 * 1024;

void assign_max_memory(int kilobytes, void*) { heap_meter.limit = static_cast<std::size_t>(kilobytes) * 1024; }

constexpr LocalSettings::Setting kPins[] = {
    {"search_path", "pg_catalog, pg_temp"},
    {"row_security", "off"},          // refuse rather than read a part of the rows
    {"synchronize_seqscans", "off"},  // a relation of paths is read in the order it was written
    {"DateStyle", "ISO, YMD"},
    {"IntervalStyle", "postgres"},
    {"TimeZone", "UTC"},
    {"extra_float_digits", "1"},
    {"bytea_output", "hex"},
};

int begin_settings(std::span<LocalSettings::Setting const> settings) {
  int level = 0;
  call_pg([&]() noexcept {
    level = NewGUCNestLevel();
    for (auto const& setting : settings)
      (void)set_config_option(setting.name, setting.value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
  });
  return level;
}

}  // namespace

void define_settings() {
  DefineCustomIntVariable("anon_seq.max_memory", "Bounds the memory of anon_seq outside PostgreSQL's own contexts.",
                          "Work that would need more is refused with an error.", &max_memory_kb, max_memory_kb, 1024,
                          MAX_KILOBYTES, PGC_USERSET, GUC_UNIT_KB, nullptr, assign_max_memory, nullptr);
  MarkGUCPrefixReserved("anon_seq");
}

PinnedSettings::PinnedSettings() { level_ = begin_settings(kPins); }

LocalSettings::LocalSettings(std::initializer_list<Setting> settings)
    : level_(begin_settings({settings.begin(), settings.size()})) {}

LocalSettings::~LocalSettings() {
  if (std::uncaught_exceptions() == unwinding_) AtEOXact_GUC(false, level_);
}

PinnedSettings::~PinnedSettings() {
  if (std::uncaught_exceptions() == unwinding_) AtEOXact_GUC(false, level_);  // what others SET meanwhile goes as well
}

}  // namespace anon_seq::pg
