// SQL functions that show taxonomies, and suggest them and policies: taxonomy_tree, suggest_taxonomy, suggest_policy.
#include "api/declaration.h"
#include "catalog/taxonomy_store.h"
#include "pg/arguments.h"
#include "pg/context.h"
#include "pg/report.h"
#include "pg/result_rows.h"
#include "release/suggestion.h"

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
    auto const attribute = arguments.text(1, "attribute");
    auto const frequent = arguments.has(2) ? std::optional(arguments.integer(2, "frequent")) : std::nullopt;
    if (frequent && *frequent < 1) throw Error(Fault::kParameter, "argument \"frequent\" must be at least 1");
    Suggestion suggestion;
    {
      SpiSession session;
      InterruptCheckpoint checkpoint;
      suggestion = frequent ? suggest_frequent(session, source, attribute, *frequent, checkpoint)
                            : suggest(session, source, attribute, checkpoint);
    }
    if (!suggestion.note.empty()) notice(suggestion.note, suggestion.hint);
    return text_datum(suggestion.json);
  });
}

PG_FUNCTION_INFO_V1(anon_seq_suggest_policy);
Datum anon_seq_suggest_policy(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Oid const source = Arguments(fcinfo).relation(0, "source");
    auto const schema = current_schema();
    std::string policy;
    {
      SpiSession session;
      InterruptCheckpoint checkpoint;
      policy = suggest_policy(session, source, schema, checkpoint);
    }
    return text_datum(policy);
  });
}

}  // extern "C"

}  // namespace anon_seq::api
