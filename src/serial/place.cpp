#include "serial/place.h"

#include "catalog/ledger.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "serial/policy.h"

namespace anon_seq::serial {

std::string place_of(SpiSession& session, std::string const& ledger) {
  std::uint32_t line = 0;
  call_pg([&]() noexcept { line = GetWALInsertionTimeLine(); });
  auto const rows = session.execute("SELECT anon_seq.place(), pg_catalog.to_regclass($1)::pg_catalog.oid::text",
                                    {ledger_table(ledger, "secret")}, true);
  return rows.get(0, 1) + "/" + std::to_string(line) + "/" + rows.get(0, 2);
}

void require_same_place(SpiSession& session, Policy const& policy) {
  auto const rows = session.execute("SELECT place FROM " + ledger_table(policy.ledger(), "secret"), {}, true);
  if (rows.count() == 0 || rows.get(0, 1) == place_of(session, policy.ledger())) return;
  auto const last = std::to_string(policy.version - 1);
  bool const for_life = is_permanent(policy.parameters);
  throw Error(Fault::kUnsupported, "the ledger of policy " + quoted(policy.name) + " was restored or promoted",
              "It knows versions up to " + last + ". Versions that were published after it was saved have " +
                  (for_life ? "made classes for life, and it would put their people into others."
                            : "charged budgets, and it would spend them again."),
              "If " + last + " is the newest version that was ever published: SELECT anon_seq.confirm_ledger(" +
                  sql_literal(policy.name) + ", " + last + "); else give the number of the newest one there.");
}

void confirm_ledger(SpiSession& session, Policy const& policy, std::int32_t last) {
  auto const ledger = policy.ledger();
  if (last < policy.version)
    throw Error(Fault::kParameter, "policy " + quoted(policy.name) + " has version " + std::to_string(policy.version) +
                                       " in its ledger, which is newer than " + std::to_string(last));
  auto const lost = last - policy.version;
  LedgerPen const pen;
  session.execute("UPDATE " + ledger_table(ledger, "secret") + " SET place = $1, lost = lost + $2",
                  {place_of(session, ledger), lost});
  if (lost > 0)
    warning(std::to_string(lost) + (lost == 1 ? " version" : " versions") + " of policy " + quoted(policy.name) +
                " are lost: what they charged is not known, and no bound holds over them",
            "Audits say so. A policy of another population, about other people, is not concerned.");
}

std::int32_t lost_versions(SpiSession& session, std::string const& ledger) {
  auto const rows = session.execute("SELECT lost FROM " + ledger_table(ledger, "secret"), {}, true);
  return rows.count() == 0 ? 0 : rows.int32(0, 1);
}

}  // namespace anon_seq::serial
