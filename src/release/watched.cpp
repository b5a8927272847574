#include "release/watched.h"

namespace anon_seq::release {

Watched watched_changes(SpiSession&, Policy const&) { return {}; }

void heed_changes(SpiSession&, Policy const&, Watched const&) {}

}  // namespace anon_seq::release
