#include "release/registration.h"

#include <algorithm>

#include "core/taxonomy/taxonomy_builder.h"
#include "core/text/interval_text.h"
//
#include "catalog/catalog_writer.h"
#include "catalog/ledger.h"
#include "catalog/population.h"
#include "catalog/taxonomy_store.h"
#include "pg/lock_wait.h"
#include "pg/reading.h"
#include "pg/roles.h"
#include "pg/sql_text.h"
#include "pg/writing.h"
#include "release/shown_again.h"

namespace anon_seq::release {
namespace {

struct Listed {
  std::string attribute, column, taxonomy, type;
  bool is_range = false;
  bool by_text = false;  // its texts are read, as its type takes different ones for equal
};

std::vector<Listed> listed_columns(SpiSession& session, Oid relation, JsonValue const* attributes) {
  std::vector<Listed> listed;
  if (attributes == nullptr) {
    for (auto& column : column_names(session, relation)) listed.push_back({column, column, "", "", false});
  } else {
    for (auto const& [attribute, about] : attributes->members()) {
      if (about.kind() == JsonValue::Kind::kString) {
        listed.push_back({attribute, about.string(), "", "", false});
        continue;
      }
      about.expect_keys({"column", "taxonomy"});
      auto const *column = about.find("column"), *taxonomy = about.find("taxonomy");
      listed.push_back({attribute, column == nullptr ? attribute : column->string(),
                        taxonomy == nullptr ? "" : taxonomy->string(), "", false});
    }
  }
  if (listed.empty()) throw Error(Fault::kParameter, "attributes must list at least one column");
  std::vector<std::string> columns;
  for (auto const& column : listed) columns.push_back(column.column);
  lock_source(session, relation, columns);  // says which one is missing
  if (get_rel_persistence(relation) == RELPERSISTENCE_TEMP)
    throw Error(Fault::kUnsupported, "relation " + qualified_name(relation) + " is temporary, and cannot be registered",
                "Audits of all policies of the population would look for it when it has gone.");
  return listed;
}

void find_types(SpiSession& session, Oid relation, std::vector<Listed>& listed) {
  auto const sql = sql_text(R"(
SELECT a.atttypmod,
       t.typtype = 'r' AND t.typnamespace = 'pg_catalog'::regnamespace,
       a.atttypid,
       EXISTS (  -- a taxonomy of the attribute's name, of a role whose rights we have
         SELECT
         FROM anon_seq.taxonomies AS x
         WHERE x.name = $3 AND anon_seq.has_role({current_role}, x.owner)),
       a.attcollation
FROM pg_attribute AS a
JOIN pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = $1 AND a.attname = $2)",
                            {{"current_role", kCurrentRole}});
  for (auto& column : listed) {
    auto const rows = session.execute(sql, {SqlValue::oid(relation), column.column, column.attribute}, true);
    column.type = base_type_name(rows.oid(0, 3), rows.int32(0, 1));
    column.is_range = rows.boolean(0, 2);
    if (is_foreign_enum(rows.oid(0, 3))) column.type = "text";
    column.by_text = !column.is_range && !has_plain_equality(rows.oid(0, 3), rows.oid(0, 5));
    if (column.by_text) column.type = "text";
    if (!column.is_range && value_type_of(rows.oid(0, 3), column.column).kind != ValueKind::kText) continue;
    if (column.taxonomy.empty() && !column.is_range && rows.boolean(0, 4)) column.taxonomy = column.attribute;
  }
}

// The label of the taxonomy that a text means; the text itself if it is one already.
class LabelReader {
 public:
  LabelReader(SpiSession& session, std::string const& taxonomy)
      : taxonomy_(load_taxonomy(session, taxonomy, checkpoint_)) {}

  std::optional<std::string> read(std::string_view text) const {
    if (knows(text)) return std::string(text);
    if (text == "*") return root();
    auto const interval = interval_text(text);
    return interval && knows(*interval) ? interval : std::nullopt;
  }

 private:
  bool knows(std::string_view label) const {
    if (auto const* tree = std::get_if<Taxonomy>(&taxonomy_)) return tree->find(label) != kNoNode;
    return climb(std::get<OpenTaxonomy>(taxonomy_), label, 0).has_value();
  }
  std::string root() const {
    if (auto const* tree = std::get_if<Taxonomy>(&taxonomy_)) return std::string(tree->label(kRoot));
    return root_label(std::get<OpenTaxonomy>(taxonomy_));
  }
  InterruptCheckpoint checkpoint_;
  AnyTaxonomy taxonomy_;
};

// Text form of every code of a column as it goes to the ledger; decides the column's type there.
std::vector<std::optional<std::string>> ledger_texts(SpiSession& session, Listed& listed, Column const& column) {
  std::vector<std::optional<std::string>> texts{std::nullopt};
  std::int64_t unknown = 0;
  if (!listed.taxonomy.empty()) {
    LabelReader const labels(session, listed.taxonomy);
    for (Code code = 1; code < column.distinct(); ++code) {
      texts.push_back(labels.read(column.values[code]));
      unknown += !texts.back();
    }
    listed.type = "text";
    if (unknown > 0)
      throw Error(
          Fault::kData,
          "column " + quoted(listed.column) + " has values that are no part of taxonomy " + quoted(listed.taxonomy),
          std::to_string(unknown) + (unknown == 1 ? " distinct value." : " distinct values."));
    return texts;
  }
  bool intervals = column.kind == ValueKind::kText && !listed.is_range && column.distinct() > 1;
  for (Code code = 1; intervals && code < column.distinct(); ++code)
    intervals = interval_text(column.values[code]).has_value();
  for (Code code = 1; code < column.distinct(); ++code)
    texts.push_back(intervals ? *interval_text(column.values[code]) : std::string(column.values[code]));
  if (intervals) listed.type = "numrange";
  return texts;
}

std::string select_registered(std::vector<Listed> const& listed, Oid relation) {
  std::string columns;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    numbers.push_back(std::to_string(i + 1));
    columns += sql_text("{column}{as_text} AS c{i}, ", {{"column", quote_name(listed[i].column)},
                                                        {"as_text", listed[i].by_text    ? "::text COLLATE \"C\""
                                                                    : listed[i].is_range ? "::text"
                                                                                         : ""},
                                                        {"i", numbers.back()}});
  }
  return sql_text(R"(
SELECT {columns}count(*) AS n
FROM {relation}
GROUP BY {numbers}
ORDER BY {numbers})",
                  {{"columns", columns}, {"relation", qualified_name(relation)}, {"numbers", joined(numbers, ", ")}});
}

}  // namespace

std::string relation_fingerprint(SpiSession& session, Oid relation) {
  ActingAs const reader(reader_of(session, relation));
  auto const sql = sql_text(R"(
SELECT count(*) || '-' || coalesce(sum(hashtextextended((t.*)::text, 0)), 0)
FROM {relation} AS t)",
                            {{"relation", qualified_name(relation)}});
  return read_rows(session, sql, {}, "relation " + qualified_name(relation)).get(0, 1);
}

Release register_release(SpiSession& session, std::string const& name, Oid relation, std::string const& population,
                         JsonValue const* attributes) {
  check_name("release", name);
  if (name.find('/') != std::string::npos)
    throw Error(Fault::kParameter, "the name of a registered release has no slash");
  InterruptCheckpoint checkpoint;
  enter_population(session, population);
  lock(session, Lockable::name("policy", name, "the name " + quoted(name)));
  lock_population(session, population);
  auto listed = listed_columns(session, relation, attributes);
  FreshSnapshot const snapshot;
  find_types(session, relation, listed);
  CodedTable table;
  {
    ActingAs const owner(reader_of(session, relation));
    RowReader reader(session, select_registered(listed, relation), "relation " + qualified_name(relation), "n");
    table = reader.finish(checkpoint);
  }
  if (table.rows() == 0) throw Error(Fault::kData, "relation " + qualified_name(relation) + " is empty");
  for (auto const& column : listed) hold_taxonomy(session, column.taxonomy);
  std::vector<std::vector<std::optional<std::string>>> texts;
  Release release;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    texts.push_back(ledger_texts(session, listed[i], table.columns[i]));
    release.columns.push_back(
        {listed[i].column, listed[i].attribute, listed[i].taxonomy, Role::kQuasi, listed[i].type});
  }
  {
    CatalogWriter catalog(session);
    release.ledger =
        "r" + std::to_string(free_ledger_number(catalog, 'r', "SELECT pg_catalog.nextval('anon_seq.release_id_seq')"));
    auto const taken = catalog.execute("SELECT FROM anon_seq.policy WHERE name OPERATOR(pg_catalog.=) $1", {name});
    if (taken.count() > 0) throw Error(Fault::kExists, "there is a policy called " + quoted(name));
  }
  release.name = name;
  release.method = kRegistered;
  release.population = population;
  release.relations.push_back({qualified_name(relation), "", {}, false, RelationForm::kCopied});
  for (std::size_t i = 1; i <= listed.size(); ++i) release.relations.front().columns.push_back(i);
  release.published = table.total_weight();
  release.classes = static_cast<std::int64_t>(table.rows());
  release.digest = relation_fingerprint(session, relation);

  create_ledger(session, release.ledger, counted_ledger(release.columns, ""));
  LedgerPen const pen;
  std::vector<std::string> columns{"version", "cell", "n"};
  for (std::size_t i = 0; i < listed.size(); ++i) columns.push_back("c" + std::to_string(i + 1));
  BulkWriter writer(session, ledger_table(release.ledger, "cell"), columns);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    writer.put(std::int64_t{0});
    writer.put(static_cast<std::int64_t>(row) + 1);
    writer.put(table.weight(row));
    for (std::size_t i = 0; i < listed.size(); ++i) {
      auto const& text = texts[i][static_cast<std::size_t>(table.columns[i].codes[row])];
      if (text)
        writer.put(std::string_view(*text));
      else
        writer.put_null();
    }
    writer.end_row();
  }
  writer.finish();
  session.execute("INSERT INTO " + ledger_table(release.ledger, "note") + " (version, fingerprint) VALUES (0, $1)",
                  {release.digest});
  auto const others = releases_of(session, population);
  warn_released_again(session, others, release);
  warn_registered_late(session, others, release);
  insert_release(session, release);
  return release;
}

}  // namespace anon_seq::release
