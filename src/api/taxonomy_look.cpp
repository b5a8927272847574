// SQL functions that show taxonomies: taxonomy_tree and suggest_taxonomy.
#include "core/taxonomy/suggest.h"
//
#include "catalog/ledger.h"
#include "catalog/taxonomy_store.h"
#include "pg/arguments.h"
#include "pg/context.h"
#include "pg/reading.h"
#include "pg/report.h"
#include "pg/roles.h"

namespace anon_seq::api {
namespace {

struct TreeRow {
  std::int32_t depth;
  std::string_view value, parent;
  std::int32_t leaves;
  bool has_parent, has_leaves;
};

text* make_text(std::string_view bytes) {
  return cstring_to_text_with_len(bytes.data(), static_cast<int>(bytes.size()));
}

// Adds one row to the result that InitMaterializedSRF() set up.
void put_row(FunctionCallInfo fcinfo, TreeRow const& row, ScratchContext& scratch) {
  call_pg([&]() noexcept {
    auto* const result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
    MemoryContext const home = MemoryContextSwitchTo(scratch.get());
    Datum values[4] = {Int32GetDatum(row.depth), PointerGetDatum(make_text(row.value)),
                       row.has_parent ? PointerGetDatum(make_text(row.parent)) : Datum{}, Int32GetDatum(row.leaves)};
    bool nulls[4] = {false, false, !row.has_parent, !row.has_leaves};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
    MemoryContextSwitchTo(home);
  });
}

void put_tree(FunctionCallInfo fcinfo, Taxonomy const& tree, Checkpoint& checkpoint) {
  ScratchContext scratch;
  for (Node n = 0; n < tree.size(); ++n) {
    checkpoint.tick();
    if (n % 1024 == 0) scratch.reset();
    bool const is_root = n == kRoot;
    put_row(fcinfo,
            {tree.depth(n), tree.label(n), is_root ? "" : tree.label(tree.parent(n)), tree.leaves(n), !is_root, true},
            scratch);
  }
}

// An open taxonomy has no leaves to count; of its nodes only those of a range taxonomy can be listed.
void put_open(FunctionCallInfo fcinfo, OpenTaxonomy const& open, Checkpoint& checkpoint) {
  ScratchContext scratch;
  put_row(fcinfo, {0, root_label(open), "", 0, false, false}, scratch);
  auto const* const range = std::get_if<RangeRule>(&open);
  if (range == nullptr) return;
  list_intervals(*range, checkpoint, [&](int depth, std::string const& value, std::string const& parent) {
    scratch.reset();
    put_row(fcinfo, {depth, value, parent, 0, true, false}, scratch);
  });
}

// Throws kType if a column cannot be read; by itself, GROUP BY would complain about json in its own words.
void require_readable(Oid relation, std::string const& column) {
  Oid type = InvalidOid, collation = InvalidOid;
  std::int32_t typmod = -1;
  char const* const name = column.c_str();
  call_pg([&]() noexcept { get_atttypetypmodcoll(relation, get_attnum(relation, name), &type, &typmod, &collation); });
  value_type_of(type, column);
  require_plain_equality(type, collation, column);
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_taxonomy_tree);
Datum anon_seq_taxonomy_tree(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const name = arguments.text(0, "name");
    InterruptCheckpoint checkpoint;
    auto const taxonomy = [&]() {
      SpiSession session;
      return load_taxonomy(session, name, checkpoint);
    }();
    call_pg([&]() noexcept { InitMaterializedSRF(fcinfo, 0); });
    if (auto const* const tree = std::get_if<Taxonomy>(&taxonomy))
      put_tree(fcinfo, *tree, checkpoint);
    else
      put_open(fcinfo, std::get<OpenTaxonomy>(taxonomy), checkpoint);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_suggest_taxonomy);
Datum anon_seq_suggest_taxonomy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    Oid const source = arguments.relation(0, "source");
    std::vector<std::string> const attribute{arguments.text(1, "attribute")};
    Suggestion suggestion;
    {
      SpiSession session;
      InterruptCheckpoint checkpoint;
      select_columns(session, source, attribute);  // says if it is missing
      require_readable(source, attribute[0]);
      std::string const column = quote_name(attribute[0]);
      ActingAs const owner(reader_of(session, source));
      RowReader reader(session,
                       "SELECT " + column + ", pg_catalog.count(*) AS anon_seq_n FROM " + qualified_name(source) +
                           " WHERE " + column + " IS NOT NULL GROUP BY 1",
                       "relation " + qualified_name(source), "anon_seq_n");
      CodedTable const table = reader.finish(checkpoint);
      Vector<std::int64_t> counts(static_cast<std::size_t>(table.columns[0].distinct()), 0);
      for (std::size_t row = 0; row < table.rows(); ++row)
        counts[static_cast<std::size_t>(table.columns[0].codes[row])] += table.weight(row);
      suggestion = suggest_taxonomy(table.columns[0], counts);
    }
    if (!suggestion.note.empty()) notice(suggestion.note, suggestion.hint.c_str());
    Datum result{};
    call_pg([&]() noexcept { result = PointerGetDatum(make_text(suggestion.json)); });
    return result;
  });
}

}  // extern "C"

}  // namespace anon_seq::api
