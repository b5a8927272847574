// A json value as the flat list of events that PostgreSQL's parser meets in it.
#pragma once

#include "core/base/memory.h"
#include "core/text/json_value.h"
#include "pg/guard.h"

namespace anon_seq::pg {

// The events of a json datum (not jsonb: order and duplicate keys are kept). Their texts live in the
// current memory context.
Vector<JsonEvent> json_events(Datum json);

// The value that valid JSON text stands for; `what` is how messages call it. What comes from an argument has been
// through require_small_json(); what we stored may be larger, and is bounded by anon_seq.max_memory.
JsonValue parse_json(std::string_view text, std::string what);

}  // namespace anon_seq::pg
