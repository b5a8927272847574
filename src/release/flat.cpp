#include "release/flat.h"

#include <algorithm>

#include "catalog/ledger.h"
#include "pg/line_type.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/sql_text.h"
#include "release/comments.h"
#include "release/relations.h"

namespace anon_seq::release {
namespace {

constexpr char kEnd[] = "_flat";

struct FlatColumn {
  std::string name, expression;  // over a row s of the stable name, or a cell
  PublishedColumn const* of;
};

bool is_whole(std::string const& range) { return range == "int4range" || range == "int8range" || range == "daterange"; }

void add_columns(std::vector<FlatColumn>& into, PublishedColumn const& column, std::string const& value) {
  if (column.is_quasi() && is_range_type(column.type)) {
    into.push_back({column.column + "_from", "lower(" + value + ")", &column});
    if (is_whole(column.type))
      into.push_back({column.column + "_to", "upper(" + value + ") - 1", &column});
    else
      into.push_back({column.column + "_below", "upper(" + value + ")", &column});
  } else if (column.is_quasi() && column.type == "text[]") {
    into.push_back({column.column, "array_to_string(" + value + ", ' or ', 'not known')", &column});
  } else {
    into.push_back({column.column, value, &column});
  }
}

std::vector<FlatColumn> columns_of(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers,
                                   bool of_cells) {
  std::vector<FlatColumn> flat;
  for (std::size_t const i : numbers)
    add_columns(flat, columns[i - 1], "s." + (of_cells ? "c" + std::to_string(i) : quote_name(columns[i - 1].column)));
  return flat;
}

std::string select(std::vector<FlatColumn> const& columns, std::string const& n, std::string const& from) {
  std::string shown, groups;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    shown += columns[i].expression + " AS " + quote_name(columns[i].name) + ", ";
    groups += (i == 0 ? "" : ", ") + std::to_string(i + 1);
  }
  return "SELECT " + shown + n + " AS n FROM " + from + " AS s GROUP BY " + groups;
}

}  // namespace

bool has_flat(Policy const& policy, RelationShape const& relation) {
  return !relation.counted && !relation.is_joined() && method_of(policy).demands(policy)->flat;
}

std::string flat_name(std::string const& name) { return name + kEnd; }

void check_flat(Policy const& policy, RelationShape const& relation) {
  std::vector<std::string> names{"n"};
  for (auto const& column : columns_of(policy.columns, relation.columns, false)) {
    bool const taken = std::find(names.begin(), names.end(), column.name) != names.end();
    if (taken || column.name.size() >= NAMEDATALEN)
      throw Error(Fault::kName,
                  "column " + quoted(column.name) + " of the companion view " +
                      quoted(flat_name(policy.target_name + relation.suffix)) +
                      (taken ? " would be there twice" : " would have too long a name"),
                  "It comes of column " + quoted(column.of->column) + "; \"n\" counts rows.",
                  "Rename the column in a view of the source, or do without the companion: options => "
                  "'{\"flat\": false}'.");
    names.push_back(column.name);
  }
}

bool has_columns_of_flat(SpiSession& session, std::vector<PublishedColumn> const& columns,
                         std::vector<std::size_t> const& numbers, std::string const& flat) {
  std::vector<std::string> names;
  for (auto const& column : columns_of(columns, numbers, false)) names.push_back(column.name);
  names.push_back("n");
  auto const found = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {flat}, true);
  return OidIsValid(found.oid(0, 1)) && column_names(session, found.oid(0, 1)) == names;
}

void make_flat(SpiSession& session, Policy const& policy, RelationShape const& relation, std::string const& view) {
  auto const [schema, name] = split_name(view);
  auto const flat = quote_name(schema) + "." + quote_name(flat_name(name));
  if (session.exists("SELECT FROM pg_class AS c WHERE c.oid = to_regclass($1)", {flat})) {
    if (flat_on(session, view, true).empty() || !has_columns_of_flat(session, policy.columns, relation.columns, flat))
      notice(flat + " is another relation: " + view + " gets no companion",
             "Rename that one, or options => '{\"flat\": false}'.");
    return;
  }
  auto const query = relation.is_shared()
                         ? select_flat_of_cells(policy.columns, relation.columns, shown_cells(policy.ledger()))
                         : select_flat(policy.columns, relation.columns, view);
  session.execute("CREATE VIEW " + flat + " AS " + query);
  std::vector<ColumnComment> comments;
  for (auto const& column : columns_of(policy.columns, relation.columns, false))
    comments.push_back({column.name, about_flat(*column.of, column.name)});
  comments.push_back({"n", "how many rows of " + view + " there are of this kind"});
  comment_on(session, "VIEW", flat,
             "What " + view + " shows, for tools that know neither ranges nor arrays: a row for each distinct one.",
             comments);
}

std::string select_flat(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers,
                        std::string const& view) {
  return select(columns_of(columns, numbers, false), "count(*)", view);
}

std::string select_flat_of_cells(std::vector<PublishedColumn> const& columns, std::vector<std::size_t> const& numbers,
                                 std::string const& cells) {
  return select(columns_of(columns, numbers, true), "sum(s.n)::bigint", cells);
}

std::string flat_on(SpiSession& session, std::string const& view, bool now) {
  auto const [schema, name] = split_name(view);
  auto const flat = quote_name(schema) + "." + quote_name(flat_name(name));
  return session.execute(R"(
WITH below AS (
  SELECT r.ev_class, d.refobjid
  FROM pg_depend AS d
  JOIN pg_rewrite AS r ON r.oid = d.objid AND d.classid = 'pg_rewrite'::regclass
  WHERE d.refclassid = 'pg_class'::regclass AND r.ev_class <> d.refobjid
    AND r.ev_class IN (to_regclass($1), to_regclass($2))
)
SELECT
FROM pg_class AS f
JOIN pg_class AS v ON v.oid = to_regclass($1) AND v.relowner = f.relowner
JOIN below AS b ON b.ev_class = f.oid
WHERE f.oid = to_regclass($2)
  AND (b.refobjid = v.oid
       OR EXISTS (SELECT
                  FROM below AS o
                  JOIN pg_class AS c ON c.oid = o.refobjid
                  WHERE o.ev_class = v.oid AND o.refobjid = b.refobjid
                    AND c.relnamespace = 'anon_seq_ledger'::regnamespace)))",
                         {view, flat}, !now)
                     .count() > 0
             ? flat
             : "";
}

}  // namespace anon_seq::release
