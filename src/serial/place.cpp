#include "serial/place.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "release/ledger_format.h"

namespace anon_seq::serial {

std::string place_of(SpiSession& session, std::string const& ledger) {
  std::uint32_t line = 0;
  call_pg([&]() noexcept { line = GetWALInsertionTimeLine(); });
  auto const here = session.execute("SELECT anon_seq.place()", {}, true).get(0, 1);
  return here + "/" + std::to_string(line) + "/" + std::to_string(ledger_part(session, ledger, "secret"));
}

namespace {

// Each serial ledger of a population, by its newest version.
std::vector<Release const*> newest_of_each(std::vector<Release> const& population, std::string const& method) {
  std::vector<Release const*> newest;
  for (auto release = population.rbegin(); release != population.rend(); ++release)
    if (release->method == method && std::ranges::find(newest, release->ledger, &Release::ledger) == newest.end())
      newest.push_back(&*release);
  return newest;
}

void require_same_place(SpiSession& session, Release const& newest) {
  OwnLedger const owner(session, newest);
  auto const rows = session.execute("SELECT place FROM " + ledger_table(newest.ledger, "secret"), {}, true);
  if (rows.count() == 0)
    throw Error(Fault::kDamaged, "the ledger of a serial policy is damaged", "It has no secret any more.");
  if (rows.get(0, 1) == place_of(session, newest.ledger)) return;
  auto const last = std::to_string(newest.version);
  throw Error(Fault::kUnsupported, "the ledger of policy " + quoted(newest.name) + " was restored or promoted",
              "It knows versions up to " + last +
                  ". What versions published after it was saved have charged, or grouped for life, it does not know.",
              "If " + last + " is the newest version that was ever published: SELECT anon_seq.confirm_ledger(" +
                  sql_literal(newest.name) + ", " + last + "); else give the number of the newest one there.");
}

}  // namespace

void require_same_place(PublishRun const& run) {
  for (auto const* newest : newest_of_each(run.population, run.policy.method)) require_same_place(run.session, *newest);
}

void confirm_ledger(SpiSession& session, Release const& newest, std::int32_t last) {
  if (last < newest.version)
    throw Error(Fault::kParameter, "policy " + quoted(newest.name) + " has version " + std::to_string(newest.version) +
                                       " in its ledger, which is newer than " + std::to_string(last));
  OwnLedger const owner(session, newest);
  auto const lost = last - newest.version;
  LedgerPen const pen;
  session.execute("UPDATE " + ledger_table(newest.ledger, "secret") + " SET place = $1, lost = lost + $2",
                  {place_of(session, newest.ledger), lost});
  if (lost > 0)
    warning(std::to_string(lost) + (lost == 1 ? " version" : " versions") + " of policy " + quoted(newest.name) +
                " are lost: what they charged is not known, and no bound holds over them",
            "Audits of all serial policies of the population say so.");
}

std::int32_t lost_versions(SpiSession& session, std::vector<Release> const& population, std::string const& method) {
  std::int32_t lost = 0;
  for (auto const* newest : newest_of_each(population, method)) {
    OwnLedger const owner(session, *newest);
    auto const rows = session.execute("SELECT lost FROM " + ledger_table(newest->ledger, "secret"), {}, true);
    lost += rows.count() == 0 ? 0 : rows.int32(0, 1);
  }
  return lost;
}

}  // namespace anon_seq::serial
