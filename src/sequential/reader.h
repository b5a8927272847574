// What a reader who knows the code learns from a release: how far its policy lets him (core/sequential/simulatable.h).
#pragma once

#include "release/check.h"
#include "sequential/rule_scope.h"

namespace anon_seq::sequential {

// Throws kParameter or kUnsupported for what simulatable decisions are not offered with, as far as the policy tells.
void require_simulatable(Policy const& policy, SequentialPolicy const& demands);

// A WARNING if simulatable decisions will be refused beside one of these releases, which the policy heeds.
void warn_of_shown(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& heeded);

// Whether a rule bounds a sensitive column of the policy's own.
bool bounds_sensitive(Policy const& policy, BoundRule const& bound);

// A row of the audit for a release with such rules: whether they hold for that reader too, and of whom they speak.
// `rules`: all, of the version; `population`: all releases.
void add_reader(Policy const& policy, SequentialPolicy const& demands, std::vector<BoundRule> const& rules,
                std::vector<Release> const& population, Release const& release, Checks& checks);

}  // namespace anon_seq::sequential
