// Rules meet releases: which releases a policy must heed, and what each rule says about which of them.
//
// A rule that names a policy's releases without a version speaks of each version in turn: it becomes one
// bound rule per combination of versions, over the join of the source with just these. max_link becomes a
// rule per sensitive column of the source and of each previous release, joined with each and with all at once
// (of our own versions with one at a time).
#pragma once

#include "catalog/release.h"
#include "sequential/policy.h"

namespace anon_seq::sequential {

// A rule with its references resolved: releases[i] is what names[i] in the spec stands for.
struct BoundRule {
  RuleSpec spec;
  std::vector<std::string> names;
  std::vector<std::size_t> releases;  // indices into the list that bind_rules() was given

  // Index of the release that a column of the spec belongs to; kSource for the source.
  static constexpr std::size_t kSource = static_cast<std::size_t>(-1);
  std::size_t release_of(RuleColumn const& column) const;
};

// Releases of the population that the policy heeds, and those it names beyond; with `previous` => '{}' the
// named ones only. Throws kUnsupported for a method without a joint guarantee that is not `unguarded`.
// `population`: all releases of it, where they have been looked up.
std::vector<Release> heeded_releases(SpiSession& session, Policy const& policy, SequentialPolicy const& demands);
std::vector<Release> heeded_releases(SpiSession& session, Policy const& policy, SequentialPolicy const& demands,
                                     std::vector<Release> population);

// Whether a sequential version, as it was demanded, was measured against an earlier release.
bool has_heeded(Release const& made, Release const& earlier);

// Every rule, once per combination of releases that it speaks about. Throws kParameter if there is none.
std::vector<BoundRule> bind_rules(Policy const& policy, SequentialPolicy const& demands,
                                  std::vector<Release> const& releases);

// Those of `releases` that no rule speaks about: nothing is promised of their join with ours.
std::vector<Release const*> unnamed_releases(Policy const& policy, SequentialPolicy const& demands,
                                             std::vector<Release> const& releases);

// Gives a WARNING if max_link bounds nothing: neither the policy has a sensitive column nor an earlier release one, or
// any that the policy does not show.
void warn_of_no_bound(Policy const& policy, SequentialPolicy const& demands, std::vector<Release> const& releases);

// A linkability rule about y, with x = all quasi columns as we show them, and by simulatable decisions about our own
// column those that are published as they are; and whether our own release shows an attribute.
RuleSpec link_rule(Policy const& policy, SequentialPolicy const& demands, Ratio max, RuleColumn y);
bool is_common(Policy const& policy, PublishedColumn const& column);

// The names of releases in a rule, each once.
std::vector<std::string> names_in(RuleSpec const& spec);

// Throws kNoColumn for a rule about a column of the source that the policy does not publish.
void check_rule_columns(Policy const& policy, SequentialPolicy const& demands);

// Whether a bare name in y means the persons: the person's column, or "person".
bool means_person(Policy const& policy, RuleColumn const& column);

}  // namespace anon_seq::sequential
