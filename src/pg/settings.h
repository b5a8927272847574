// Settings (GUCs): the extension's own, and those of others that are held while we work.
#pragma once

#include "pg/guard.h"

namespace anon_seq::pg {

// Defines anon_seq.max_memory and others, and reserves the prefix. Called once, by _PG_init.
void define_settings();

// Milliseconds that a publish waits at a time for readers of a stable name (anon_seq.swap_timeout); 0: not at all.
int swap_timeout();

#ifdef ANON_SEQ_SELFTEST
// Whether the library is to behave as the one of the next version would (anon_seq.next_version, for tests of updates).
bool plays_next_version();

// A table that stands for the catalog of citus (anon_seq.distribution_catalog, for tests); empty: none.
std::string stand_in_for_citus();
#endif

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

inline constexpr char kSearchPath[] = "pg_catalog, pg_temp";

// While it lives, some settings have other values. Nests; an abort undoes it as well, and whatever code that runs
// meanwhile sets goes with it.
class Settings {
 public:
  struct Setting {
    char const *name, *value;
  };
  explicit Settings(std::initializer_list<Setting> settings);
  ~Settings();
  Settings(Settings const&) = delete;
  Settings& operator=(Settings const&) = delete;

  // Name resolution, the text form of values, parser and planner are fixed, so that neither a caller's search_path nor
  // his DateStyle changes what our SQL means, what is published or how long it takes. No lock is waited for longer than
  // anon_seq.lock_wait says. Costs a few microseconds.
  static Settings pinned();

  // For audits, and whatever counts many rows again: planned by hashing where that will do. Row counts behind several
  // GROUP BY are guesses, mostly far too low, and a nested loop or a sort of the join is what the planner makes of
  // them.
  static Settings for_counting();

  // For what unnests arrays: how many elements they have, the planner cannot know.
  static Settings for_arrays();

 private:
  explicit Settings(int level) : level_(level) {}

  int const unwinding_ = std::uncaught_exceptions();
  int level_ = 0;
  Live live_;
};

}  // namespace anon_seq::pg
