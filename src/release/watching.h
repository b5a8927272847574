// Beginning to watch a source, and ending it.
#pragma once

#include <string>
#include <vector>

#include "catalog/watch.h"

namespace anon_seq::release {

// Makes the queue and the triggers of a source, or mends what is missing of them, and waits for writers first. Throws
// kUnsupported for what cannot be watched, kPrivilege unless the current user has the rights of its owner.
void watch_source(SpiSession& session, Oid source, std::vector<std::string> const& keys);

// Takes both away, and what was noted; whether there was anything.
bool unwatch_source(SpiSession& session, Oid source);

}  // namespace anon_seq::release
