#include "sequential/alter.h"

#include <algorithm>

#include "catalog/catalog_writer.h"
#include "catalog/cell_source.h"
#include "release/alter.h"
#include "release/heed.h"
#include "release/release_audit.h"
#include "sequential/common.h"

namespace anon_seq::sequential {
namespace {

constexpr char kAskForMore[] = "Declare another policy, or change only what asks for more.";

[[noreturn]] void refuse(Policy const& policy, std::string const& what, std::string const& why) {
  refuse_change(policy, what, why, kAskForMore);
}

bool at_most_as_lax(Ratio tighter, Ratio laxer) { return at_most(tighter.num, tighter.den, laxer); }

// Whether x holds all that another one holds: what is known of finer groups bounds what is known of coarser ones.
bool is_finer(std::vector<RuleColumn> const& x, std::vector<RuleColumn> const& than) {
  return std::all_of(than.begin(), than.end(),
                     [&](auto const& column) { return std::find(x.begin(), x.end(), column) != x.end(); });
}

// Whether a rule about people asks for at least what another one asked, of one bound each. Finer classes bound coarser
// ones, but for a least share of persons with several rows.
bool is_kept_by(RuleSpec const& rule, RuleSpec const& other) {
  if (rule.population != other.population || rule.anonymity != other.anonymity) return false;
  if (rule.least) return other.least && other.x == rule.x && at_most_as_lax(*rule.least, *other.least);
  if (!other.x.empty() && (rule.x.empty() || !is_finer(other.x, rule.x))) return false;
  if (rule.anonymity) return other.min >= rule.min;
  if (!other.max || !at_most_as_lax(*other.max, *rule.max)) return false;
  return other.below || !rule.below || !at_most_as_lax(*rule.max, *other.max);
}

bool is_population_kept(RuleSpec const& rule, std::vector<RuleSpec> const& after) {
  auto const parts = parts_of(rule);
  return std::all_of(parts.begin(), parts.end(), [&](auto const& part) {
    return std::any_of(after.begin(), after.end(), [&](auto const& other) {
      auto const others = parts_of(other);
      return std::any_of(others.begin(), others.end(), [&](auto const& one) { return is_kept_by(part, one); });
    });
  });
}

// Whether a rule of `after` asks for at least what `rule` asked. Which copies of an attribute x may lack ("partial_x")
// is a question of what is meant, not of how much is asked.
bool is_kept(RuleSpec const& rule, std::vector<RuleSpec> const& after) {
  if (!rule.population.empty()) return is_population_kept(rule, after);
  return std::any_of(after.begin(), after.end(), [&](RuleSpec other) {
    if (rule.anonymity != other.anonymity || !other.population.empty()) return false;
    if (rule.anonymity) {
      if (other.min < rule.min) return false;
      other.min = rule.min;
    } else if (rule.max && other.max) {
      if (!at_most_as_lax(*other.max, *rule.max)) return false;
      other.max = rule.max;
    }
    other.partial_x = rule.partial_x;
    if (names_in(other) == names_in(rule) && is_finer(other.x, rule.x)) other.x = rule.x;
    return other.text() == rule.text();
  });
}

// Whether the population has releases of that name, and none of them has to be heeded: the policy's owner, who acts,
// cannot read them, no joint guarantee is known, or, as policy/3, it was withdrawn.
bool is_out_of_reach(SpiSession& session, Policy const& policy, std::string const& name) {
  bool found = false;
  for (auto const& release : releases_of(session, policy.population)) {
    if (release.name != name && release.reference() != name) continue;
    found = true;
    bool const withdrawn = release.withdrawn && release.reference() == name;
    if (!withdrawn && owed(policy, release) == Owed::kRule && may_read(session, release)) return false;
  }
  return found;
}

// Whether a name that rules or `previous` used means nothing any more: its registration was withdrawn.
bool has_gone(SpiSession& session, std::string const& name) {
  CatalogWriter catalog(session);
  return catalog
             .read(
                 "SELECT FROM anon_seq.release AS r WHERE r.name OPERATOR(pg_catalog.=) $1 AND NOT EXISTS (SELECT FROM anon_seq.release AS l"
                 " WHERE l.name OPERATOR(pg_catalog.=) r.name AND (l.version OPERATOR(pg_catalog.>) 0 OR l.withdrawn_at IS NULL))",
                 {name})
             .count() > 0;
}

bool speaks_of_gone(SpiSession& session, RuleSpec const& rule) {
  auto const names = names_in(rule);
  return std::any_of(names.begin(), names.end(), [&](auto const& name) { return has_gone(session, name); });
}

// Whether the policy, as it was, met somebody else's release that shows an attribute in a form that cannot be compared:
// nothing but a waiver would let it go on.
bool clashes_with_others(SpiSession& session, Policy const& policy, std::string const& attribute) {
  auto const demands = sequential_policy(policy);
  auto const heeded = heeded_releases(session, policy, demands);
  auto const found = clashes(session, policy, demands, heeded);
  return std::any_of(found.begin(), found.end(), [&](auto const& clash) {
    return clash.attribute == attribute && ((clash.a != nullptr && clash.a->name != policy.name) ||
                                            (clash.b != nullptr && clash.b->name != policy.name));
  });
}

// What has been promised: the demands of the newest release that somebody may have read. Each asked for at least what
// those before did. Changes that no release was made with bind nobody; but a waiver that was taken back stays so.
SequentialPolicy promised(SpiSession& session, Policy const& policy) {
  auto const releases = releases_of(session, policy.population);
  auto const* const newest = newest_shown(releases, policy.name);
  if (newest != nullptr) return sequential_policy(policy_at(policy, *newest));
  return {};
}

}  // namespace

void require_followable(SpiSession& session, Policy const& before, Policy const& after) {
  auto const old = promised(session, before), current = sequential_policy(before), now = sequential_policy(after);
  require_same_frame(before, after, "Views on it keep their columns, types and meaning.",
                     "Counts of earlier releases are counts of these persons.", kAskForMore);
  if (old.k && (!now.k || *now.k < *old.k))
    refuse(before, "k may be raised, not lowered", "It is " + std::to_string(*old.k) + " for what has been published.");
  if (old.max_link && (!now.max_link || !at_most_as_lax(*now.max_link, *old.max_link)))
    refuse(before, "max_link may be lowered, not raised", "Earlier releases promised the lower one.");
  if (old.max_link && !old.null_is_public && now.null_is_public)
    refuse(before, "null_is_public cannot be switched on", "Earlier releases promised max_link of NULL, too.");
  bool const shown = newest_shown(releases_of(session, before.population), before.name) != nullptr;
  if (shown && old.simulatable != now.simulatable)
    refuse(before, "decisions can be chosen before the first release only",
           old.simulatable ? "What has been published promised that they are simulatable."
                           : "What has been published shows sensitive columns by decisions of the paper, and a release"
                             " with simulatable ones beside it would promise nothing more.");
  if (shown && !old.blanks && now.blanks)
    refuse(before, "suppress can be \"cells\" from the first release on only",
           "What has been published leaves out whoever may not be shown.");
  if (shown && old.local != now.local)
    refuse(
        before, "recoding can be chosen before the first release only",
        old.local ? "What has been published shows boxes." : "What has been published shows one cut of each column.");
  for (auto const& rule : old.rules)
    if (!is_kept(rule, now.rules) && !speaks_of_gone(session, rule))
      refuse(before, "its rules must stay, or become stricter", "Missing or laxer is " + rule.text() + ".");
  for (auto const& name : now.unguarded)
    if (std::find(current.unguarded.begin(), current.unguarded.end(), name) == current.unguarded.end() && name != "*" &&
        !is_out_of_reach(session, before, name))
      refuse(before, "no release can be left out of account later", "unguarded would add " + name + ".");
  if (now.unguarded_by_wish() && !current.unguarded_by_wish())
    refuse(before, "no release can be left out of account later", "previous would be '{}'.");
  for (auto const& name : old.previous.value_or(std::vector<std::string>{}))
    if ((!now.previous || std::find(now.previous->begin(), now.previous->end(), name) == now.previous->end()) &&
        !has_gone(session, name))
      refuse(before, "no release can be left out of account later", "previous would lose " + name + ".");
  require_no_more_unique(before, current, now, kAskForMore);
  for (auto const& name : now.not_common)
    if (std::find(current.not_common.begin(), current.not_common.end(), name) == current.not_common.end() &&
        !clashes_with_others(session, before, name))
      refuse(before, "no common attribute can be waived later",
             "not_common would add " + name + ", which can be compared with what others have released.");
  if (old.overlap && !now.overlap)
    refuse(before, "overlap cannot be switched off", "An attacker compares intervals all the same.");
}

}  // namespace anon_seq::sequential
