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
    // The table has changed hands: keys are not for who had it before, but it is told that some were missed.
    SpiSession session;
    if (!is_watched_by(session, target.watch, target.relation))
      throw Error(Fault::kPrivilege, "trigger function note_changes is used by anon_seq.watch_source() alone", "",
                  "Drop the trigger.");
    call_pg([&]() noexcept { note_missed(target); });
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
