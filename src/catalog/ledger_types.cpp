#include "catalog/ledger_types.h"

#include <algorithm>
#include <iterator>

#include "catalog/catalog_writer.h"

namespace anon_seq::catalog {
namespace {

// As pg_type and as format_type() call them.
struct BuiltIn {
  std::string_view name, printed;
};
constexpr BuiltIn kBuiltIn[] = {{"bool", "boolean"},
                                {"uuid", "uuid"},
                                {"int2", "smallint"},
                                {"int4", "integer"},
                                {"int8", "bigint"},
                                {"numeric", "numeric"},
                                {"float4", "real"},
                                {"float8", "double precision"},
                                {"date", "date"},
                                {"timestamp", "timestamp without time zone"},
                                {"timestamptz", "timestamp with time zone"},
                                {"text", "text"},
                                {"varchar", "character varying"},
                                {"bpchar", "character"},
                                {"bpchar", "bpchar"},
                                {"name", "name"},
                                {"char", "\"char\""},
                                {"int4range", "int4range"},
                                {"int8range", "int8range"},
                                {"numrange", "numrange"},
                                {"daterange", "daterange"},
                                {"tsrange", "tsrange"},
                                {"tstzrange", "tstzrange"},
                                {"_text", "text[]"}};

// numeric(10,2), timestamp(3) without time zone: the first brackets hold nothing but numbers.
std::string without_modifier(std::string_view type) {
  auto const open = type.find('('), close = type.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::string(type);
  auto const numbers = type.substr(open + 1, close - open - 1);
  if (numbers.empty() || numbers.find_first_not_of("-0123456789,") != std::string_view::npos) return std::string(type);
  return std::string(type.substr(0, open)) + std::string(type.substr(close + 1));
}

bool is_built_in(std::string_view type) {
  auto const plain = without_modifier(type);
  return std::any_of(std::begin(kBuiltIn), std::end(kBuiltIn), [&](auto const& of) { return of.printed == plain; });
}

std::string names() {
  std::string list;
  for (auto const& of : kBuiltIn) list += (list.empty() ? "{" : ",") + std::string(of.name);
  return list + "}";
}

}  // namespace

LedgerTypes::Types const& LedgerTypes::types_of(std::string const& ledger) {
  auto const [at, is_new] = known_.try_emplace(ledger);
  if (!is_new) return at->second;
  CatalogWriter catalog(session_);
  auto const rows = catalog.execute(
      R"(
SELECT a.attname,
       pg_catalog.concat(pg_catalog.format_type(a.atttypid, a.atttypmod),
                         CASE WHEN a.attcollation OPERATOR(pg_catalog.<>) t.typcollation
                              THEN pg_catalog.format(' COLLATE %I.%I', n.nspname, c.collname) END)
FROM anon_seq.ledger_owners AS o
JOIN pg_catalog.pg_attribute AS a ON a.attrelid OPERATOR(pg_catalog.=) o.relation
JOIN pg_catalog.pg_type AS t ON t.oid OPERATOR(pg_catalog.=) a.atttypid
LEFT JOIN (pg_catalog.pg_collation AS c
           JOIN pg_catalog.pg_namespace AS n ON n.oid OPERATOR(pg_catalog.=) c.collnamespace)
       ON c.oid OPERATOR(pg_catalog.=) a.attcollation
WHERE o.name OPERATOR(pg_catalog.=) $1
  AND a.attnum OPERATOR(pg_catalog.>) 0
  AND NOT a.attisdropped
  AND (t.typnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace
       AND t.typname OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.name[])
       OR t.typtype OPERATOR(pg_catalog.=) 'e'
       AND (t.typowner OPERATOR(pg_catalog.=) o.owner
            OR EXISTS (SELECT FROM pg_catalog.pg_roles AS r WHERE r.oid OPERATOR(pg_catalog.=) t.typowner AND r.rolsuper))))",
      {ledger, names()});
  for (std::uint64_t row = 0; row < rows.count(); ++row) at->second.emplace(rows.get(row, 1), rows.get(row, 2));
  return at->second;
}

std::string LedgerTypes::check(std::string const& ledger, std::vector<PublishedColumn>& columns) {
  auto const& types = types_of(ledger);
  std::string wrong;
  constexpr std::pair<char const*, char const*> kOurs[] = {{"version", "integer"}, {"n", "bigint"}};
  for (auto const& [name, type] : kOurs) {
    auto const found = types.find(name);
    if (!types.empty() && (found == types.end() || found->second != type)) wrong = name;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto const name = "c" + std::to_string(i + 1);
    auto const found = types.find(name);
    if (types.empty() ? is_built_in(columns[i].type) : found != types.end() && found->second == columns[i].type)
      continue;
    columns[i].type = "text";
    if (!types.empty() && wrong.empty()) wrong = name;
  }
  return wrong;
}

}  // namespace anon_seq::catalog
