// SQL functions that make, change and drop taxonomies.
#include "core/taxonomy/json_taxonomy.h"
#include "core/taxonomy/taxonomy_builder.h"
//
#include "catalog/ledger.h"
#include "catalog/taxonomy_store.h"
#include "pg/arguments.h"
#include "pg/json.h"
#include "pg/lock_wait.h"
#include "pg/reading.h"
#include "pg/roles.h"

namespace anon_seq::api {
namespace {

// The text of every cell of one batch: nullopt for NULL. Codes are those of the reader.
std::optional<std::string_view> cell(RowReader const& reader, std::size_t row, std::size_t column) {
  auto const& from = reader.columns()[column];
  if (from.codes[row] == kNull) return std::nullopt;
  return from.values[from.codes[row]];
}

// All columns of a relation as text, so that a hierarchy of numbers will do as well.
std::string select_as_text(std::vector<std::string> const& columns, Oid relation) {
  std::string list;
  for (auto const& column : columns) list += (list.empty() ? "" : ", ") + quote_name(column) + "::pg_catalog.text";
  return "SELECT " + list + " FROM " + qualified_name(relation);
}

std::string row_place(TaxonomyBuilder::Place row) { return "row " + std::to_string(row); }

void add_path_row(TaxonomyBuilder& builder, RowReader const& reader, std::size_t row, TaxonomyBuilder::Place place,
                  std::vector<std::string_view>& path) {
  path.clear();
  for (std::size_t column = 0; column < reader.columns().size(); ++column) {
    auto const label = cell(reader, row, column);
    if (!label) return builder.note_bad_label("a NULL label", place);
    path.push_back(*label);
  }
  builder.add_path(path, place);
}

void add_edge_row(TaxonomyBuilder& builder, RowReader const& reader, std::size_t row, TaxonomyBuilder::Place place) {
  auto const child = cell(reader, row, 0), parent = cell(reader, row, 1);
  if (!child) return builder.note_bad_label("a NULL child", place);
  if (parent)
    builder.add_edge(*child, *parent, place);
  else
    builder.add_root(*child, place);
}

// Reads the named columns and hands every row, with its number, to `add`.
template <class Add>
Taxonomy read_taxonomy(SpiSession& session, std::string const& name, Oid relation,
                       std::vector<std::string> const& columns, Add add) {
  TaxonomyBuilder builder(name, row_place);
  InterruptCheckpoint checkpoint;
  lock_source(session, relation, columns);
  {
    ActingAs const owner(reader_of(session, relation));
    RowReader reader(session, select_as_text(columns, relation), "relation " + qualified_name(relation));
    for (TaxonomyBuilder::Place place = 0; reader.next_batch(); reader.forget_rows())
      for (std::size_t row = 0; row < reader.rows(); ++row) {
        checkpoint.tick();
        add(builder, reader, row, ++place);
      }
  }
  return builder.finish(checkpoint);
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_create_taxonomy);
Datum anon_seq_create_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    auto const json = arguments.datum(1, "tree");
    SpiSession session;
    InterruptCheckpoint checkpoint;
    check_new_taxonomy(session, name);
    auto const events = json_events(json);
    if (auto const spec = spec_from_json(name, events))
      create_open(session, name, *spec);
    else
      create_tree(session, name, taxonomy_from_json(name, events, checkpoint));
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_create_taxonomy_from_paths);
Datum anon_seq_create_taxonomy_from_paths(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    Oid const relation = arguments.relation(1, "paths");
    SpiSession session;
    check_new_taxonomy(session, name);
    auto const columns = column_names(session, relation);
    if (columns.empty()) throw Error(Fault::kParameter, "relation " + qualified_name(relation) + " has no columns");
    std::vector<std::string_view> path;
    create_tree(session, name,
                read_taxonomy(session, name, relation, columns, [&](auto& builder, auto& reader, auto row, auto place) {
                  add_path_row(builder, reader, row, place, path);
                }));
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_create_taxonomy_from_edges);
Datum anon_seq_create_taxonomy_from_edges(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    Oid const relation = arguments.relation(1, "edges");
    SpiSession session;
    check_new_taxonomy(session, name);
    std::vector<std::string> const columns{"child", "parent"};
    select_columns(session, relation, columns);  // says which one is missing
    create_tree(session, name, read_taxonomy(session, name, relation, columns, add_edge_row));
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_create_flat_taxonomy);
Datum anon_seq_create_flat_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    auto const leaves = arguments.array(1, "leaves");
    SpiSession session;
    InterruptCheckpoint checkpoint;
    check_new_taxonomy(session, name);
    TaxonomyBuilder builder(name, [](TaxonomyBuilder::Place place) {
      return place == 0 ? std::string("the root") : "position " + std::to_string(place);
    });
    builder.add_new("ANY", "", 0);
    TaxonomyBuilder::Place place = 0;
    for (auto const& leaf : leaves) builder.add_new(leaf, "ANY", ++place);
    create_tree(session, name, builder.finish(checkpoint));
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_create_prefix_taxonomy);
Datum anon_seq_create_prefix_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    OpenSpec const spec{"prefix", arguments.array(1, "lengths")};
    SpiSession session;
    check_new_taxonomy(session, name);
    if (GetDatabaseEncoding() != PG_UTF8)
      throw Error(Fault::kUnsupported, "prefix taxonomies need a database with encoding UTF8");
    create_open(session, name, spec);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_create_range_taxonomy);
Datum anon_seq_create_range_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    OpenSpec spec{"range", {arguments.printed(1, "lower", NUMERICOID), arguments.printed(2, "upper", NUMERICOID)}};
    for (auto& width : arguments.array(3, "widths")) spec.parameters.push_back(std::move(width));
    SpiSession session;
    check_new_taxonomy(session, name);
    create_open(session, name, spec);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_create_date_taxonomy);
Datum anon_seq_create_date_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    OpenSpec const spec{"date", arguments.array(1, "units")};
    SpiSession session;
    check_new_taxonomy(session, name);
    create_open(session, name, spec);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_add_to_taxonomy);
Datum anon_seq_add_to_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    add_to_taxonomy(session, arguments.text(0, "name"), arguments.text(1, "parent"), arguments.text(2, "value"),
                    checkpoint);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_drop_taxonomy);
Datum anon_seq_drop_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    SpiSession session;
    drop_taxonomy(session, arguments.text(0, "name"));
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_grant_taxonomy);
Datum anon_seq_grant_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    SpiSession session;
    set_reader(session, arguments.text(0, "name"), arguments.text(1, "role"), true);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_revoke_taxonomy);
Datum anon_seq_revoke_taxonomy(PG_FUNCTION_ARGS) {
  return writing(fcinfo, [&]() -> Datum {
    Arguments const arguments(fcinfo);
    SpiSession session;
    set_reader(session, arguments.text(0, "name"), arguments.text(1, "role"), false);
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
