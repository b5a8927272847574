// SQL functions about sources that are watched, and the trigger that notes their changes.
#include "catalog/watch.h"
#include "pg/arguments.h"
#include "pg/key_notes.h"
#include "pg/lock_wait.h"
#include "release/watching.h"

namespace anon_seq::api {

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_watch_source);
Datum anon_seq_watch_source(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    Oid const source = arguments.relation(0, "source");
    auto const keys = arguments.array(1, "keys");
    SpiSession session;
    watch_source(session, source, keys);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_unwatch_source);
Datum anon_seq_unwatch_source(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Oid const source = Arguments(fcinfo).relation(0, "source");
    SpiSession session;
    return BoolGetDatum(unwatch_source(session, source));
  });
}

PG_FUNCTION_INFO_V1(anon_seq_note_changes);
Datum anon_seq_note_changes(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    NoteTarget target;
    bool there = false;
    call_pg([&]() noexcept { there = note_target(fcinfo, target); });
    if (!there) return Datum{};
    if (target.owners_agree) {
      call_pg([&]() noexcept { note_keys(fcinfo, target); });
      return Datum{};
    }
    // The table has changed hands. Who had it before owns the queue: neither keys are for him, nor is it for him to
    // stop those who write. That something was missed follows from the change of owners (release/watch_state.h).
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
