// What the functions that declare policies have in common: their arguments, as a definition.
#pragma once

#include "core/base/error.h"
//
#include "pg/arguments.h"
#include "pg/json_object.h"
#include "release/declare.h"

namespace anon_seq::api {

// Where a name without a schema goes: the caller's first schema; empty: none. REQUIRES: search_path is not pinned yet.
std::string current_schema();

// Arguments 0 to 3, name, source, person and quasi; and the common ones, sensitive to options, from number `common`.
// Declares the policy with these parameters of the method's own. `sensitive`: where that one stands, if not first of
// them.
void declare_policy(Arguments const& arguments, std::string const& method, int common, JsonObject const& parameters,
                    int sensitive = -1);

}  // namespace anon_seq::api
