// Relations that anybody published, as sources of an inference attack.
#pragma once

#include "core/text/json_value.h"
//
#include "audit/published_history.h"

namespace anon_seq::audit {

// The relations with their object ids and quasi attributes, which are columns of that name unless `attributes`
// (as in audit_join_relations(), or nullptr) says otherwise.
// Throws kNoColumn, kParameter (nothing named, an attribute that is not in `quasi`).
std::vector<PublishedSource> relation_sources(SpiSession& session, std::vector<Oid> const& relations,
                                              std::string const& object_id, std::vector<std::string> const& quasi,
                                              JsonValue const* attributes);

}  // namespace anon_seq::audit
