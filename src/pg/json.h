// A json value as the flat list of events that PostgreSQL's parser meets in it.
#pragma once

#include "core/json_taxonomy.h"
#include "core/memory.h"
#include "pg/guard.h"

namespace anon_seq::pg {

// The events of a json datum (not jsonb: order and duplicate keys are kept). Their texts live in the
// current memory context.
Vector<JsonEvent> json_events(Datum json);

}  // namespace anon_seq::pg
