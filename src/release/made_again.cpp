#include "release/made_again.h"

#include <algorithm>

#include "core/text/some_of.h"
//
#include "pg/report.h"
#include "pg/settings.h"
#include "release/comments.h"
#include "release/digest.h"
#include "release/relations.h"
#include "release/version.h"

namespace anon_seq::release {
namespace {

bool is_there(SpiSession& session, std::string const& name) {
  return session.exists("SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($1)", {name});
}

bool is_filled(SpiSession& session, std::string const& name) {
  return session.exists(
      "SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = pg_catalog.to_regclass($1) AND c.relispopulated", {name});
}

std::string published_on(SpiSession& session, Release const& release) {
  return session
      .execute("SELECT r.published_at::date::text FROM anon_seq.releases AS r WHERE r.policy = $1 AND r.version = $2",
               {release.name, release.version}, true)
      .get(0, 1);
}

std::string told(std::vector<std::string> const& names, Release const& release) {
  return (names.size() == 1 ? "relation " : "relations ") + some_of(names) + " of release " +
         quoted(release.reference());
}

}  // namespace

std::vector<std::string> missing_relations(SpiSession& session, Release const& release) {
  std::vector<std::string> names;
  for (auto const& relation : release.relations)
    if (!has_own_relation(session, release, relation)) names.push_back(relation.name);
  return names;
}

void make_again(SpiSession& session, Policy const& then, Release const& release) {
  auto const missing = missing_relations(session, release);
  if (missing.empty()) return;
  auto const& method = method_of(then);
  auto const create = method.create_relation == nullptr ? create_from_cells : method.create_relation;
  auto const shapes = method.relations(then);
  if (shapes.size() != release.relations.size())
    throw Error(Fault::kDamaged, "the catalog has a damaged row, of release " + quoted(release.reference()));
  Release made = release;
  made.relations.clear();
  auto const planning = Settings::for_arrays();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    auto const& relation = release.relations[i];
    if (std::ranges::find(missing, relation.name) == missing.end()) continue;
    if (relation_name(then, shapes[i].suffix) != relation.name)
      throw Error(Fault::kNoObject, relation.name + " cannot be made again", "Its schema was renamed or dropped.",
                  "Give the schema back its name.");
    if (is_there(session, relation.name))
      throw Error(Fault::kExists, relation.name + " cannot be made again: another relation has its name", "",
                  "Rename that one.");
    drop_relation(session, release, relation);  // the cells that a shared one stood on
    create(session, then, shapes[i]);
    if (!relation.is_view() && !is_filled(session, relation.name))
      session.execute("REFRESH MATERIALIZED VIEW " + relation.name);
    made.relations.push_back(relation);
  }
  if (digest_as_shown(session, release) != release.digest)
    throw Error(Fault::kDamaged, told(missing, release) + " cannot be made again",
                "What the ledger holds is not what was published: it was altered.");
  create_indexes(session, *method.demands(then), made);
  comment_version(session, then, release, shapes, published_on(session, release));
  analyze_relations(session, made);
  notice(told(missing, release) + (missing.size() == 1 ? " was" : " were") + " dropped, and " +
             (missing.size() == 1 ? "is" : "are") + " made again",
         "Rights on what was dropped are gone: grant them again.");
}

Release without_missing(SpiSession& session, Release release) {
  auto const missing = missing_relations(session, release);
  if (missing.empty()) return release;
  std::erase_if(release.relations,
                [&](auto const& relation) { return std::ranges::find(missing, relation.name) != missing.end(); });
  warning(told(missing, release) + (missing.size() == 1 ? " is" : " are") + " not there any more",
          "To make " + std::string(missing.size() == 1 ? "it" : "them") + " again: SELECT anon_seq.point(" +
              sql_literal(release.name) + ");");
  return release;
}

}  // namespace anon_seq::release
