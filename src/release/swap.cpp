#include "release/swap.h"

#include "catalog/population.h"
#include "pg/report.h"
#include "pg/settings.h"
#include "pg/sql_text.h"
#include "pg/subtransaction.h"
#include "release/comments.h"
#include "release/flat.h"
#include "release/ledger_format.h"
#include "release/publish.h"
#include "release/relations.h"
#include "release/release_audit.h"

namespace anon_seq::release {
namespace {

constexpr int kTries = 4;

struct StableName {
  RelationShape shape;
  std::string view, relation, query;
};

std::vector<StableName> names_of(Policy const& policy) {
  std::vector<StableName> names;
  for (auto const& relation : method_of(policy).relations(policy)) {
    std::vector<std::string> shown;
    for (std::size_t const i : relation.columns) shown.push_back(quote_name(policy.columns[i - 1].column));
    if (relation.counted) shown.push_back("n");
    if (!relation.more.empty()) shown.push_back(quote_name(relation.more));
    auto const view = quote_name(policy.target_schema) + "." + quote_name(policy.target_name + relation.suffix);
    auto const name = relation_name(policy, relation.suffix);
    names.push_back({relation, view, name, "SELECT " + joined(shown, ", ") + " FROM " + name});
  }
  return names;
}

bool is_there(SpiSession& session, StableName const& name) {
  return session.exists("SELECT FROM pg_class AS c WHERE c.oid = to_regclass($1)", {name.view});
}

void replace(SpiSession& session, StableName const& name) {
  session.execute("CREATE OR REPLACE VIEW " + name.view + " AS " + name.query);
}

// Nobody reads it yet.
void make(SpiSession& session, Policy const& policy, StableName const& name) {
  replace(session, name);
  comment_stable(session, policy, name.shape, name.view);
}

// Readers are waited for that long; then it is undone, and they go on.
bool replace_all(SpiSession& session, std::vector<StableName> const& names, int milliseconds) {
  auto const text = std::to_string(milliseconds);
  Settings const patience{{"lock_timeout", text.c_str()}};
  SubTransaction work;
  try {
    for (auto const& name : names) replace(session, name);
  } catch (PgError const& error) {
    auto const state = error.data->sqlerrcode;  // the reader may wait for us in his turn
    if (state == ERRCODE_LOCK_NOT_AVAILABLE || state == ERRCODE_T_R_DEADLOCK_DETECTED) return false;
    throw;
  }
  work.commit();
  return true;
}

}  // namespace

bool swap_names(SpiSession& session, Policy const& policy) {
  auto names = names_of(policy);
  std::erase_if(names, [&](auto const& name) {
    bool const made = !is_there(session, name);
    if (made) make(session, policy, name);
    if (has_flat(policy, name.shape)) make_flat(session, policy, name.shape, name.view);
    return made || reads(session, name.view, name.relation);
  });
  int const patience = swap_timeout();
  for (int attempt = 0; attempt < kTries && patience > 0 && !names.empty(); ++attempt) {
    if (attempt > 0) session.execute("SELECT pg_sleep(0.05)");  // whoever came meanwhile gets in
    if (replace_all(session, names, patience)) names.clear();
  }
  if (names.empty()) return true;
  notice(names.front().view + " does not show version " + std::to_string(policy.version) + " of policy " +
             quoted(policy.name) + " yet" + (patience > 0 ? ": somebody reads it" : ""),
         std::string(patience > 0 ? "" : "anon_seq.swap_timeout is 0 here: ") +
             "the next publish mends it, or SELECT anon_seq.point(" + sql_literal(policy.name) + ");");
  return false;
}

void drop_stable(SpiSession& session, std::string const& view) {
  auto const flat = flat_on(session, view);
  if (!flat.empty()) require_free(session, flat, "");
  require_free(session, view, flat);
  if (!flat.empty()) session.execute("DROP VIEW " + flat);
  session.execute("DROP VIEW " + view);
}

bool point(SpiSession& session, std::string const& name) {
  Policy const policy = load_policy(session, name, false);
  require_owner_takes_part(session, policy);
  require_not_under_way(policy.ledger());
  lock_population(session, policy.population);
  FreshSnapshot const snapshot;
  auto const releases = releases_of(session, policy.population);
  auto const* const newest = newest_shown(releases, name);
  if (newest == nullptr || newest->retired)
    throw Error(Fault::kNoObject, "policy " + quoted(name) + " has no release to show", "", "Publish it first.");
  OwnLedger const owner(session, policy);
  return swap_names(session, policy_at(policy, *newest));
}

std::string stable_view(SpiSession& session, Release const& release, ReleaseRelation const& relation) {
  auto const name = stable_name(release, relation);
  return session.exists(R"(
SELECT
FROM pg_class AS v
JOIN pg_class AS m ON m.oid = to_regclass($2)
WHERE v.oid = to_regclass($1) AND v.relkind = 'v' AND v.relowner = m.relowner)",
                        {name, relation.name})
             ? name
             : "";
}

bool reads(SpiSession& session, std::string const& view, std::string const& relation) {
  return session.exists(R"(
SELECT
FROM pg_depend AS d
JOIN pg_rewrite AS r ON r.oid = d.objid
WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = to_regclass($2) AND r.ev_class = to_regclass($1))",
                        {view, relation});
}

}  // namespace anon_seq::release
