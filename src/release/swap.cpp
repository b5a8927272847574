#include "release/swap.h"

#include "catalog/ledger.h"
#include "catalog/population.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/settings.h"
#include "pg/sql_text.h"
#include "pg/subtransaction.h"
#include "release/comments.h"
#include "release/flat.h"
#include "release/ledger_format.h"
#include "release/made_again.h"
#include "release/publish.h"
#include "release/relations.h"
#include "release/release_audit.h"
#include "release/shared_rows.h"

namespace anon_seq::release {
namespace {

constexpr int kTries = 4;

struct StableName {
  RelationShape shape;
  std::string view, reads, query;

  bool is_right(SpiSession& session, Policy const& policy) const {
    return shape.is_shared() ? release::reads(session, view, shown_part(session, policy.ledger()))
                             : release::reads(session, view, reads);
  }
};

StableName name_of(Policy const& policy, RelationShape const& relation) {
  auto const view = quote_name(policy.target_schema) + "." + quote_name(policy.target_name + relation.suffix);
  if (relation.is_shared()) {
    auto const cells = shown_cells(policy.ledger());
    return {relation, view, cells, select_expanded(policy.columns, relation.columns, cells + " AS c")};
  }
  std::vector<std::string> shown;
  for (std::size_t const i : relation.columns) shown.push_back(quote_name(policy.columns[i - 1].column));
  if (relation.counted) shown.push_back("n");
  if (!relation.more.empty()) shown.push_back(quote_name(relation.more));
  auto const name = relation_name(policy, relation.suffix);
  return {relation, view, name, "SELECT " + joined(shown, ", ") + " FROM " + name};
}

// The companion of a name, as it should be.
StableName companion_of(Policy const& policy, StableName const& name, std::string const& flat) {
  auto const& numbers = name.shape.columns;
  return {name.shape, flat, name.shape.is_shared() ? name.reads : name.view,
          name.shape.is_shared() ? select_flat_of_cells(policy.columns, numbers, name.reads)
                                 : select_flat(policy.columns, numbers, name.view)};
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
  std::vector<StableName> names;  // that show something else
  for (auto const& relation : method_of(policy).relations(policy)) {
    auto const name = name_of(policy, relation);
    if (relation.is_shared()) show_version(session, policy.ledger(), policy.version);
    bool const made = !is_there(session, name);
    if (made) make(session, policy, name);
    if (has_flat(policy, relation)) make_flat(session, policy, relation, name.view);
    if (made || name.is_right(session, policy)) continue;
    names.push_back(name);
    auto const flat = flat_on(session, name.view);  // also one that is not wanted any more
    if (flat.empty() || !has_columns_of_flat(session, policy.columns, relation.columns, flat)) continue;
    if (auto const companion = companion_of(policy, name, flat); !companion.is_right(session, policy))
      names.push_back(companion);
  }
  int const patience = swap_timeout();
  for (int attempt = 0; attempt < kTries && patience > 0 && !names.empty(); ++attempt) {
    if (attempt > 0) session.execute("SELECT pg_sleep(0.05)");  // whoever came meanwhile gets in
    if (!replace_all(session, names, patience)) continue;
    if (!names.front().shape.is_shared()) show_version(session, policy.ledger(), std::nullopt);
    names.clear();
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
  if (!flat.empty()) drop_relation(session, flat);
  drop_relation(session, view);
}

void show_again(SpiSession& session, std::string const& view, Release const& release, ReleaseRelation const& relation) {
  Oid const oid = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {view}, true).oid(0, 1);
  auto const flat = flat_on(session, view);
  auto const cells = shown_cells(release.ledger);
  show_version(session, release.ledger,
               relation.is_shared() ? std::optional<std::int32_t>(release.version) : std::nullopt);
  auto const is_right = [&](std::string const& name, std::string const& copied) {
    return relation.is_shared() ? reads(session, name, shown_part(session, release.ledger))
                                : reads(session, name, copied);
  };
  if (is_right(view, relation.name)) return;
  std::vector<std::string> shown;
  for (auto const& column : column_names(session, oid)) shown.push_back(quote_name(column));
  auto const query = relation.is_shared() ? select_expanded(release.columns, relation.columns, cells + " AS c")
                                          : "SELECT " + joined(shown, ", ") + " FROM " + relation.name;
  session.execute("CREATE OR REPLACE VIEW " + view + " AS " + query);
  if (flat.empty() || is_right(flat, view) || !has_columns_of_flat(session, release.columns, relation.columns, flat))
    return;
  session.execute("CREATE OR REPLACE VIEW " + flat + " AS " +
                  (relation.is_shared() ? select_flat_of_cells(release.columns, relation.columns, cells)
                                        : select_flat(release.columns, relation.columns, view)));
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
  auto const then = policy_at(policy, *newest);
  make_again(session, then, *newest);
  return swap_names(session, then);
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
  return reads(session, view,
               session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {relation}, true).oid(0, 1));
}

bool reads(SpiSession& session, std::string const& view, Oid relation) {
  return session.exists(R"(
SELECT
FROM pg_depend AS d
JOIN pg_rewrite AS r ON r.oid = d.objid
WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = $2
  AND r.ev_class = to_regclass($1))",
                        {view, SqlValue::oid(relation)});
}

}  // namespace anon_seq::release
