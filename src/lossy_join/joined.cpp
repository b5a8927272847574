#include "lossy_join/joined.h"

#include "lossy_join/policy.h"
#include "lossy_join/row_ledger.h"
#include "pg/sql_text.h"
#include "release/relations.h"

namespace anon_seq::lossy_join {
namespace {

// NSS and the SS of the same sensitive column.
std::string create_join(SpiSession& session, Policy const& policy, RelationShape const& relation) {
  auto const name = relation_name(policy, relation.suffix);
  auto const sensitive = relation.columns.back();
  std::string nss, ss;
  for (auto const& shape : relations(policy)) {
    if (nss.empty()) nss = relation_name(policy, shape.suffix);
    if (shape.counted && shape.columns.back() == sensitive) ss = relation_name(policy, shape.suffix);
  }
  std::string shown;
  for (std::size_t const i : relation.columns)
    shown += (i == sensitive ? "s." : "p.") + quote_name(policy.columns[i - 1].column) + ", ";
  session.execute(sql_text(R"(
CREATE VIEW {name} AS
SELECT {shown}s.n::double precision / c.n::double precision AS {weight}
FROM {nss} AS p
JOIN {ss} AS s ON s.class_id = p.class_id
JOIN (SELECT class_id, sum(n) AS n FROM {ss} GROUP BY class_id) AS c ON c.class_id = p.class_id)",
                           {{"name", name}, {"shown", shown}, {"weight", kWeightColumn}, {"nss", nss}, {"ss", ss}}));
  return name;
}

}  // namespace

std::string create_relation(SpiSession& session, Policy const& policy, RelationShape const& relation) {
  if (relation.is_joined()) return create_join(session, policy, relation);
  return is_generalized(policy) ? create_unfilled(session, policy, relation)
                                : create_projection(session, policy, relation);
}

}  // namespace anon_seq::lossy_join
