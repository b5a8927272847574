#include "release/shown_again.h"

#include <algorithm>

#include "core/text/some_of.h"
//
#include "pg/report.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "release/heed.h"
#include "release/method.h"
#include "release/release_audit.h"

namespace anon_seq::release {
namespace {

std::vector<std::string> shown_once(Policy const& policy) {
  auto const& method = method_of(policy);
  return method.shown_once != nullptr ? method.shown_once(policy) : std::vector<std::string>();
}

// As it was demanded. REQUIRES: not registered.
Policy policy_of(Release const& release) {
  Policy policy;
  policy.name = release.name;
  policy.method = release.method;
  return policy_at(std::move(policy), release);
}

// What a release promises only as long as others do not show it: of one that nobody has read, and of what was
// registered, nothing.
std::vector<std::string> promised_alone(Release const& release) {
  if (release.withdrawn || release.is_registered()) return {};
  return shown_once(policy_of(release));
}

// Columns and the releases that show them already, each once.
struct Again {
  std::vector<std::string> columns, releases;

  static void add(std::vector<std::string>& list, std::string name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
  }

  void meet(SpiSession& session, std::vector<PublishedColumn> const& ours, std::vector<std::string> const& shaped,
            Release const& other) {
    auto const alone = promised_alone(other);
    auto const is_alone = [&](auto const& name) { return std::find(alone.begin(), alone.end(), name) != alone.end(); };
    bool any = false;
    for (auto const& column : ours) {
      if (!is_alone(column.attribute)) continue;
      add(columns, quoted(column.column));
      any = true;
    }
    for (auto const& label : shaped) {
      if (!is_alone(label)) continue;
      add(columns, quoted(label) + ", which the cuts follow,");
      any = true;
    }
    if (any) add(releases, told_as(session, other));
  }

  void tell(std::string const& hint) const {
    if (columns.empty()) return;
    bool const one = columns.size() == 1;
    warning((one ? "column " : "columns ") + some_of(columns) + (one ? " is" : " are") + " shown by " +
                some_of(releases) +
                " already, by simulatable decisions, whose promise ends where another release tells of the same",
            hint);
  }
};

}  // namespace

std::string told_as(SpiSession& session, Release const& release) {
  bool const ours = has_rights_of(session, ledger_owner(session, release.ledger));
  return ours ? "release " + quoted(release.reference()) : "a release of another role";
}

std::vector<std::string> shaped_by(Policy const& policy) {
  auto const& method = method_of(policy);
  return method.shaped_by != nullptr ? method.shaped_by(policy) : std::vector<std::string>();
}

std::vector<std::string> shaped_by(Release const& release) {
  return release.is_registered() ? std::vector<std::string>() : shaped_by(policy_of(release));
}

void warn_declared_again(SpiSession& session, Policy const& policy) {
  auto const demands = method_of(policy).demands(policy);
  bool const refused = !shown_once(policy).empty();
  Again again;
  for (auto const& other : releases_of(session, policy.population))
    if (other.name != policy.name && !(refused && !demands->leaves_out_refused(other.name, other.reference())))
      again.meet(session, policy.columns, shaped_by(policy), other);
  again.tell(
      "Once this policy is published, the check \"reader\" of audits of what is there fails. Leave the column out; or"
      " publish it by serial policies alone, which bound values that several releases show.");
}

void warn_released_again(SpiSession& session, std::vector<Release> const& others, Release const& release) {
  Again again;
  for (auto const& other : others) again.meet(session, release.columns, shaped_by(release), other);
  bool const out = release.is_registered();  // for all to read, whatever is done now
  again.tell("From now on the check \"reader\" of audits of what was there fails. " +
             std::string(out ? "If this is another column, or of other people: "
                             : "As long as nobody has read this one, it can be taken back: ") +
             "SELECT anon_seq.withdraw_release(" + sql_literal(release.reference()) + ", 'why');");
}

void warn_registered_late(SpiSession& session, std::vector<Release> const& others, Release const& registered) {
  std::vector<std::string> told;
  for (auto const& other : others) {
    if (other.is_registered() || newest_shown(others, other.name) != &other) continue;
    auto const policy = policy_of(other);
    auto const demands = method_of(policy).demands(policy);
    if (owed(policy, registered) == Owed::kRefused &&
        !demands->leaves_out_refused(registered.name, registered.reference()))
      Again::add(told, told_as(session, other));
  }
  if (told.empty()) return;
  warning(
      "there is no joint guarantee of " + quoted(registered.name) + " with " + some_of(told),
      "From now on the check \"unguarded\" of their audits fails, and their next publish is refused. If it is of other"
      " people: SELECT anon_seq.withdraw_release(" +
          sql_literal(registered.reference()) + ", 'why');");
}

}  // namespace anon_seq::release
