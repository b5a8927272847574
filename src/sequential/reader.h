// What a reader who knows the code learns from a release: how far its policy lets him (core/sequential/simulatable.h).
#pragma once

#include "release/check.h"
#include "sequential/rule_scope.h"

namespace anon_seq::sequential {

// Throws kParameter or kUnsupported for what simulatable decisions are not offered with, as far as the policy tells.
void require_simulatable(Policy const& policy, SequentialPolicy const& demands);

// What to do where a release shows a sensitive column of a policy with simulatable decisions, which is refused: a hint.
std::string way_beside(Policy const& policy, SequentialPolicy const& demands, Release const& shown);

// A NOTICE before the first version, if it will be the only one.
void note_once(Policy const& policy, SequentialPolicy const& demands);

// What may help where columns are lost by simulatable decisions (release::Method).
std::string advice(Policy const& policy);

// A WARNING if simulatable decisions will be refused beside one of these releases, which the policy heeds.
void warn_of_shown(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& heeded);

// Throws kUnsupported if simulatable decisions heed a release whose cuts follow a sensitive column of the policy, which
// it does not show: who sees the cuts knows more than the rows here tell. One that shows it is refused by the core.
void require_not_followed(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& heeded);

// Attributes of sensitive columns of which simulatable decisions promise something (release::Method).
std::vector<std::string> shown_once(Policy const& policy);

// Whether a rule bounds a sensitive column of the policy's own.
bool bounds_sensitive(Policy const& policy, BoundRule const& bound);

// A row of the audit for a release with such rules: whether they hold for that reader too, and of whom they speak.
// `rules`: all, of the version; `population`: all releases.
void add_reader(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                std::vector<BoundRule> const& rules, std::vector<Release> const& population, Release const& release,
                Checks& checks);

}  // namespace anon_seq::sequential
