// Releases whose promise to a reader of the code holds as long as no other one shows the same column: who shows it
// again is told. A label that cuts follow is told by them, and counts as shown.
#pragma once

#include "catalog/release.h"

namespace anon_seq::release {

// How a message speaks of a release: by its name to whom has the rights of its owner.
std::string told_as(SpiSession& session, Release const& release);

// Attributes of the columns that shape the releases of a policy, or a release, and that it does not show.
std::vector<std::string> shaped_by(Policy const& policy);
std::vector<std::string> shaped_by(Release const& release);

// A WARNING if the policy will show what such a release does. One that will be refused beside it is told by its method.
void warn_declared_again(SpiSession& session, Policy const& policy);

// The same of a version, or of what is registered. `others`: releases of its population.
void warn_released_again(SpiSession& session, std::vector<Release> const& others, Release const& release);

// A WARNING if something is registered that releases there have no guarantee with, and do not leave out of account.
void warn_registered_late(SpiSession& session, std::vector<Release> const& others, Release const& registered);

}  // namespace anon_seq::release
