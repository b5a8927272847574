#include "release/audit_state.h"

#include <set>

#include "catalog/catalog_writer.h"
#include "core/text/json_value.h"
#include "pg/array_text.h"

extern "C" {
#include "access/xlog.h"
}

namespace anon_seq::release {
namespace {

// Of our catalog. A publish without news writes the rows of policy and population, so their values are taken.
constexpr char kOurs[] = R"(
WITH release AS (
  SELECT r.id, r.xmin, r.ctid, r.columns
  FROM anon_seq.release AS r
  WHERE r.population OPERATOR(pg_catalog.=) $2
), taxonomy AS (
  SELECT t.id, t.xmin, t.ctid
  FROM anon_seq.taxonomy AS t
  WHERE t.name OPERATOR(pg_catalog.=) ANY (
    SELECT e OPERATOR(pg_catalog.->>) 'taxonomy'
    FROM (SELECT columns FROM release
          UNION ALL
          SELECT p.columns FROM anon_seq.policy AS p WHERE p.id OPERATOR(pg_catalog.=) $1) AS c,
         pg_catalog.jsonb_array_elements(c.columns) AS e)
)
SELECT pg_catalog.jsonb_build_object(
  'demands', (SELECT pg_catalog.md5(pg_catalog.concat_ws('/', p.method, p.person, p.quasi, p.sensitive, p.publish_as_is, p.population,
                                                         p.parameters, p.options, p.columns))
              FROM anon_seq.policy AS p WHERE p.id OPERATOR(pg_catalog.=) $1),
  'releases', (SELECT pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws(':', r.id, r.xmin, r.ctid), ',' ORDER BY r.id)) FROM release AS r),
  'taxonomies', (SELECT pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws(':', t.id, t.xmin, t.ctid,
                          (SELECT pg_catalog.concat_ws(':', pg_catalog.count(*), pg_catalog.sum(n.xmin::pg_catalog.text::pg_catalog.int8),
                                                       pg_catalog.sum(n.node::pg_catalog.int8))
                           FROM anon_seq.taxonomy_node AS n WHERE n.taxonomy OPERATOR(pg_catalog.=) t.id)), ',' ORDER BY t.id)) FROM taxonomy AS t),
  'declared', (SELECT pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws(':', i.xmin, i.ctid), ',' ORDER BY i.ctid)) FROM anon_seq.inconsistency AS i),
  'ledgers', (SELECT pg_catalog.md5(pg_catalog.string_agg(pg_catalog.concat_ws(':', l.name, l.xmin, l.ctid), ',' ORDER BY l.name))
              FROM anon_seq.ledger AS l WHERE l.name OPERATOR(pg_catalog.=) ANY ($3::pg_catalog.text[])),
  'population', (SELECT n.id FROM anon_seq.population AS n WHERE n.name OPERATOR(pg_catalog.=) $2)
)::pg_catalog.text, (SELECT pg_catalog.to_jsonb(pg_catalog.array_agg(pg_catalog.concat('t', t.id) ORDER BY t.id))::pg_catalog.text FROM taxonomy AS t))";

// Of the system's: relations by the ledgers and taxonomies that they are called after ($1), the markers of roles, and
// relations by schema and name ($2, $3), whose schemas the policy's owner may have no right on; and what their rights,
// their definitions and our code rest on.
#if PG_VERSION_NUM >= 150000
#define ANON_SEQ_SCHEMAS_PUBLISHED                                                \
  "(SELECT string_agg(concat_ws(':', n.oid, n.xmin, n.ctid), ',' ORDER BY n.oid)" \
  " FROM pg_publication_namespace AS n WHERE n.pnpubid = p.oid)"
#else
#define ANON_SEQ_SCHEMAS_PUBLISHED "NULL"
#endif
constexpr char kTheirs[] = R"(
WITH named AS (
  SELECT n.i, c.oid
  FROM unnest($2::pg_catalog.text[], $3::pg_catalog.text[]) WITH ORDINALITY AS n (schema, name, i)
  LEFT JOIN pg_namespace AS s ON s.nspname = n.schema::pg_catalog.name
  LEFT JOIN pg_class AS c ON c.relnamespace = s.oid AND c.relname = n.name::pg_catalog.name
), ours AS (
  SELECT c.oid
  FROM pg_class AS c
  WHERE c.relnamespace = 'anon_seq_ledger'::pg_catalog.regnamespace
    AND (split_part(c.relname, '_', 1) = ANY ($1::pg_catalog.text[]) OR c.relname ~ '^o[0-9]+_owner$')
  UNION
  SELECT n.oid FROM named AS n WHERE n.oid IS NOT NULL
), relation AS (
  SELECT c.oid, c.relowner, c.relnamespace,
         concat_ws('/', c.xmin, c.ctid, c.relfilenode,
           (SELECT string_agg(concat_ws(':', a.attnum, a.xmin, a.ctid), ',' ORDER BY a.attnum) FROM pg_attribute AS a WHERE a.attrelid = c.oid),
           (SELECT string_agg(concat_ws(':', d.oid, d.xmin, d.ctid), ',' ORDER BY d.oid) FROM pg_attrdef AS d WHERE d.adrelid = c.oid),
           (SELECT string_agg(concat_ws(':', g.oid, g.xmin, g.ctid), ',' ORDER BY g.oid) FROM pg_trigger AS g WHERE g.tgrelid = c.oid),
           (SELECT string_agg(concat_ws(':', w.oid, w.xmin, w.ctid), ',' ORDER BY w.oid) FROM pg_rewrite AS w WHERE w.ev_class = c.oid),
           (SELECT string_agg(concat_ws(':', k.oid, k.xmin, k.ctid), ',' ORDER BY k.oid) FROM pg_constraint AS k WHERE k.conrelid = c.oid),
           (SELECT string_agg(concat_ws(':', l.oid, l.xmin, l.ctid), ',' ORDER BY l.oid) FROM pg_policy AS l WHERE l.polrelid = c.oid),
           (SELECT string_agg(concat_ws(':', x.indexrelid, x.xmin, x.ctid), ',' ORDER BY x.indexrelid) FROM pg_index AS x WHERE x.indrelid = c.oid),
           (SELECT string_agg(concat_ws(':', h.inhrelid, h.inhparent, h.xmin), ',' ORDER BY h.inhrelid, h.inhparent) FROM pg_inherits AS h WHERE c.oid IN (h.inhrelid, h.inhparent))
         ) AS made
  FROM ours AS o
  JOIN pg_class AS c ON c.oid = o.oid
)
SELECT jsonb_build_object(
  'names', (SELECT md5(string_agg(concat_ws(':', n.i, n.oid), ',' ORDER BY n.i)) FROM named AS n),
  'relations', (SELECT md5(string_agg(concat_ws(':', r.oid, r.made), ',' ORDER BY r.oid)) FROM relation AS r),
  'schemas', (SELECT md5(string_agg(concat_ws(':', s.oid, s.xmin, s.ctid), ',' ORDER BY s.oid)) FROM pg_namespace AS s
              WHERE s.nspname IN ('anon_seq', 'anon_seq_ledger') OR s.oid IN (SELECT r.relnamespace FROM relation AS r)),
  'roles', (SELECT md5(string_agg(concat_ws(':', o.oid, o.rolname, o.rolsuper), ',' ORDER BY o.oid)) FROM pg_roles AS o
            WHERE o.oid IN (SELECT r.relowner FROM relation AS r)),
  'members', (SELECT md5(string_agg(concat_ws(':', m.roleid, m.member, m.xmin, m.ctid), ',' ORDER BY m.roleid, m.member, m.ctid)) FROM pg_auth_members AS m),
  'publications', (SELECT md5(string_agg(concat_ws(':', p.oid, p.xmin, p.ctid,
                      (SELECT string_agg(concat_ws(':', t.oid, t.xmin, t.ctid), ',' ORDER BY t.oid) FROM pg_publication_rel AS t WHERE t.prpubid = p.oid), )" ANON_SEQ_SCHEMAS_PUBLISHED
                           R"(),
                      ',' ORDER BY p.oid)) FROM pg_publication AS p),
  'settings', (SELECT md5(string_agg(concat_ws('=', s.name, s.setting), ',' ORDER BY s.name)) FROM pg_settings AS s WHERE s.name LIKE 'anon\_seq.%'),
  'library', (SELECT concat_ws(':', e.extversion, e.extowner, e.xmin, version(), f.xmin, f.ctid) FROM pg_extension AS e, pg_proc AS f
              WHERE e.extname = 'anon_seq' AND f.oid = 'anon_seq.keep_ledger()'::pg_catalog.regprocedure),
  'place', anon_seq.place() || '/' || $4
)::pg_catalog.text)";

std::string time_line() {
  std::uint32_t line = 0;
  call_pg([&]() noexcept { line = RecoveryInProgress() ? 0 : GetWALInsertionTimeLine(); });
  return std::to_string(line);
}

}  // namespace

std::string audit_state(SpiSession& session, Policy const& policy, std::vector<Release> const& population) {
  std::set<std::string> of{policy.ledger()};
  std::string schemas = "{", names = "{";
  for (auto const& release : population) {
    of.insert(release.ledger);
    for (auto const& relation : release.relations) {
      auto const [schema, name] = split_name(relation.name);
      append_element(schemas, schema);
      append_element(names, name);
    }
  }
  auto const array = [&] {
    std::string ledgers = "{";
    for (auto const& ledger : of) append_element(ledgers, ledger);
    return ledgers + "}";
  };
  std::string ours;
  {
    CatalogWriter catalog(session);
    auto const rows = catalog.read(kOurs, {policy.id, policy.population, array()});
    ours = rows.get(0, 1);
    if (auto const taxonomies = rows.text(0, 2))
      for (auto const& taxonomy : parse_json(*taxonomies, "taxonomies").strings()) of.insert(taxonomy);
  }
  auto const theirs = session.execute(kTheirs, {array(), schemas + "}", names + "}", time_line()}, true).get(0, 1);
  return ours.substr(0, ours.size() - 1) + ", " + theirs.substr(1);
}

bool demands_same(std::string const& before, std::string const& now) {
  auto const then = parse_json(before, "state"), today = parse_json(now, "state");
  auto const *was = then.find("demands"), *is = today.find("demands");
  return was != nullptr && is != nullptr && was->string() == is->string();
}

}  // namespace anon_seq::release
