// Phases: which ledgers a policy is promised together with (`counted`); what is asked of them before a publish
// (`require_`) and by an audit (`add_`); what their owner answers (`confirm_`). What is stored, and what "here" means,
// is catalog/ledger_home.
#include "release/restored.h"

#include <algorithm>
#include <map>

#include "catalog/audit_record.h"
#include "catalog/ledger.h"
#include "catalog/ledger_home.h"
#include "pg/report.h"
#include "pg/roles.h"
#include "release/heed.h"

extern "C" {
#include "access/xlog.h"
}

namespace anon_seq::release {
namespace {

// Whether versions of a policy, which may have been dropped, bind versions of ours.
bool binds(Policy const& policy, Demands const& demands, std::string const& name, std::string const& method) {
  if (method == kRegistered || !method_called(method).spans_versions) return false;
  if (name == policy.name) return true;
  if (demands.leaves_out_all() || demands.leaves_out(name, name)) return false;
  Release other;
  other.name = name;
  other.method = method;
  return owed(policy, other) != Owed::kRefused;
}

// Ledgers whose versions bind those of a policy, its own among them.
std::vector<PolicyLedger> counted(SpiSession& session, Policy const& policy) {
  if (!method_of(policy).spans_versions) return {};
  auto const demands = method_of(policy).demands(policy);
  auto all = ledgers_of_population(session, policy.population);
  std::erase_if(all, [&](auto const& of) { return !binds(policy, *demands, of.policy, of.method); });
  return all;
}

std::vector<PolicyLedger> unconfirmed(SpiSession& session, Policy const& policy) {
  auto all = counted(session, policy);
  std::erase_if(all, [&](auto const& of) { return is_at_home(session, of.ledger); });
  return all;
}

bool is_ours(SpiSession& session, PolicyLedger const& of) {
  return has_rights_of(session, ledger_owner(session, of.ledger));
}

// The newest version that the ledger itself has; 0: none. REQUIRES: its owner acts.
std::int32_t newest_in(SpiSession& session, Policy const& policy) {
  return session.execute("SELECT coalesce(max(version), 0) FROM " + ledger_table(policy.ledger(), "note"), {}, true)
      .int32(0, 1);
}

std::string versions(std::int64_t n) { return std::to_string(n) + (n == 1 ? " version" : " versions"); }

constexpr char kUnknown[] = "What versions published after it was saved have shown, it does not know.";

[[noreturn]] void throw_of_other(Policy const& policy) {
  throw Error(Fault::kState,
              "the ledger of a policy of another role, in population " + quoted(policy.population) +
                  ", was restored or promoted",
              kUnknown,
              "Its owner has to confirm it: SELECT * FROM anon_seq.confirm_ledgers(). Or leave it out of account, by"
              " option \"unguarded\".");
}

}  // namespace

void require_confirmed(SpiSession& session, Policy const& policy, std::int32_t newest) {
  for (auto const& of : unconfirmed(session, policy)) {
    if (of.policy != policy.name && !is_ours(session, of)) throw_of_other(policy);
    auto const last = std::to_string(of.ledger == policy.ledger() ? newest : of.version);
    throw Error(Fault::kState, "the ledger of policy " + quoted(of.policy) + " was restored or promoted",
                "It knows versions up to " + last + ". " + kUnknown,
                "If " + last + " is the newest version that was ever published: SELECT anon_seq.confirm_ledger(" +
                    sql_literal(of.policy) + ", " + last +
                    "); else give the number of the newest one there. anon_seq.confirm_ledgers() takes all policies"
                    " of your roles at once.");
  }
  if (auto const has = newest_in(session, policy); has != newest)
    throw Error(Fault::kDamaged, "the ledger of policy " + quoted(policy.name) + " is damaged",
                "Its newest version is " + std::to_string(has) + ", and the catalog's " + std::to_string(newest) + ".",
                "If one of them was restored without the other: restore both from one dump.");
}

void require_after(Policy const& policy, std::int32_t newest, std::optional<std::int32_t> after) {
  if (!after || *after == newest) return;
  auto const known = std::to_string(newest);
  bool const older = *after > newest;
  throw Error(
      Fault::kState,
      "the newest version of policy " + quoted(policy.name) + " is " + known + ", not " + std::to_string(*after),
      older ? "This database may be an older copy, in which later versions are missing."
            : "A version was published that the caller does not know of.",
      older ? "If it goes on nevertheless: SELECT anon_seq.confirm_ledger(" + sql_literal(policy.name) + ", " +
                  std::to_string(*after) + "); and then publish after => " + known + ". Audits will say what is lost."
            : "SELECT version, published_at FROM anon_seq.releases WHERE policy = " + sql_literal(policy.name) + ";");
}

void add_restored(AuditRun const& run, Release const* newest, Checks& checks) {
  auto const& policy = run.policy;
  auto const scope = newest != nullptr ? newest->reference() : policy.name;
  std::vector<std::string> ledgers;
  for (auto const& of : counted(run.session, policy)) {
    ledgers.push_back(of.ledger);
    if (is_at_home(run.session, of.ledger)) continue;
    bool const named = of.policy == policy.name || is_ours(run.session, of);
    checks.push_back({"restored", scope, "ledgers that were confirmed after a restore or promotion",
                      (named ? "policy " + quoted(of.policy) : "a policy of another role") + " is not confirmed", false,
                      1, "{}"});
  }
  if (auto const has = newest_in(run.session, policy); has != policy.version)
    checks.push_back(
        {"restored", scope, "a ledger that has the versions of the catalog",
         "its newest version is " + std::to_string(has) + ", the catalog's " + std::to_string(policy.version), false, 1,
         "{}"});
  if (auto const lost = lost_versions(run.session, ledgers); lost > 0)
    checks.push_back({"lost", scope, "ledgers that know all versions",
                      std::to_string(lost) + (lost == 1 ? " was" : " were") + " published after they were saved", false,
                      lost, "{}"});
}

bool is_confirmed(SpiSession& session, Policy const& policy) { return unconfirmed(session, policy).empty(); }

ConfirmedLedger confirm_ledger(SpiSession& session, std::string const& name, std::optional<std::int32_t> last) {
  if (XactReadOnly || RecoveryInProgress())
    throw Error(Fault::kReadOnly, "cannot confirm a ledger in a read-only transaction");
  adopt_restored(session);
  auto ledgers = ledgers_called(session, name);
  std::erase_if(ledgers, [&](auto const& of) { return !is_ours(session, of); });
  // The policy that lives, or the one of that name that lived last; nobody publishes with those before.
  bool const lives = std::ranges::any_of(ledgers, &PolicyLedger::lives);
  if (lives || ledgers.empty()) {
    auto const policy = load_policy(session, name, true);  // once a publish of it is through
    for (auto& of : ledgers)
      if (of.ledger == policy.ledger()) of.version = policy.version;
  }
  auto const newest =
      std::ranges::find_if(ledgers, [&](auto const& of) { return of.lives || (!lives && &of == &ledgers.back()); });
  if (!method_called(newest->method).spans_versions)
    throw Error(Fault::kUnsupported, "policy " + quoted(name) + " promises nothing of its versions together",
                "Its ledger need not be confirmed.");
  if (last && *last < newest->version)
    throw Error(Fault::kParameter, "policy " + quoted(name) + " has version " + std::to_string(newest->version) +
                                       " in its ledger, which is newer than " + std::to_string(*last));
  ConfirmedLedger confirmed{name, newest->version, last.value_or(newest->version), 0};
  want_full_audits(session, newest->population);
  for (auto const& of : ledgers)
    confirmed.lost +=
        confirm(session, of.ledger, of.version, of.ledger == newest->ledger ? confirmed.last : of.version);
  if (auto const now = confirmed.last - confirmed.version; now > 0)
    warning(versions(now) + " of policy " + quoted(name) + (now == 1 ? " is" : " are") +
                " lost: what they have shown is not known, and no promise holds together with them",
            "Audits of all policies that are promised together with it say so.");
  return confirmed;
}

std::vector<ConfirmedLedger> confirm_ledgers(SpiSession& session, JsonValue const& last) {
  std::map<std::string, std::optional<std::int32_t>> names;
  for (auto const& [policy, version] : last.members()) {
    if (version.integer() < 0 || version.integer() > INT32_MAX) version.refuse("the number of a version");
    names[policy] = static_cast<std::int32_t>(version.integer());
  }
  for (auto const& of : own_ledgers(session))
    if (method_called(of.method).spans_versions && !is_at_home(session, of.ledger)) names.try_emplace(of.policy);
  std::vector<ConfirmedLedger> all;
  for (auto const& [name, version] : names) all.push_back(confirm_ledger(session, name, version));
  return all;
}

}  // namespace anon_seq::release
