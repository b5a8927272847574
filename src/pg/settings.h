// The extension's settings (GUCs).
#pragma once

#include "pg/guard.h"

namespace anon_seq::pg {

// Defines anon_seq.max_memory and reserves the prefix. Called once, by _PG_init.
void define_settings();

// Runs C code that may run code of a user's (functions of a view, casts, triggers) so that no setting which
// that code changes outlives it: neither in what we do next, nor in the caller's session.
template <class Body>
void call_contained(Body body) {
  call_pg([body]() mutable noexcept {
    int const level = NewGUCNestLevel();
    body();
    AtEOXact_GUC(false, level);
  });
}

// While it lives, some settings have other values. Nests; an abort undoes it as well.
class LocalSettings {
 public:
  struct Setting {
    char const *name, *value;
  };
  explicit LocalSettings(std::initializer_list<Setting> settings);
  ~LocalSettings();
  LocalSettings(LocalSettings const&) = delete;
  LocalSettings& operator=(LocalSettings const&) = delete;

 private:
  int const unwinding_ = std::uncaught_exceptions();
  int level_ = 0;
  Live live_;
};

// While it lives, name resolution, the text form of values, parser and planner are fixed, so that neither a
// caller's search_path nor his DateStyle changes what our SQL means, what is published or how long it takes. Nests;
// an abort undoes it as well. Costs a few microseconds.
class PinnedSettings {
 public:
  PinnedSettings();
  ~PinnedSettings();
  PinnedSettings(PinnedSettings const&) = delete;
  PinnedSettings& operator=(PinnedSettings const&) = delete;

 private:
  int const unwinding_ = std::uncaught_exceptions();
  int level_ = 0;
};

}  // namespace anon_seq::pg
