#include "incremental/policy.h"

namespace anon_seq::incremental {
namespace {

// Whether the second of two words was chosen.
bool chosen(JsonValue const& json, char const* usual, char const* other) {
  if (json.string() == other) return true;
  if (json.string() != usual) json.refuse("\"" + std::string(usual) + "\" or \"" + other + "\"");
  return false;
}

void read_options(IncrementalPolicy& into, JsonValue const& json) {
  read_shared_options(into, json,
                      {"shape", "choice", "categorical", "erasure", "arrivals", "object_id", "keep", "changed_since",
                       "independent", "max_leavers", "max_newcomers", "unknown_values", "storage"});
  if (auto const* shape = given(json, "shape")) into.demands.box = chosen(*shape, "region", "box");
  if (auto const* choice = given(json, "choice")) into.demands.by_entropy = chosen(*choice, "span", "entropy");
  if (auto const* cut = given(json, "categorical")) into.by_children = !chosen(*cut, "children", "order");
  if (auto const* erasure = given(json, "erasure"))
    into.demands.erase_at_once = chosen(*erasure, "deferred", "immediate");
  if (auto const* arrivals = given(json, "arrivals"))
    into.demands.arrivals_known = chosen(*arrivals, "unknown", "known");
  if (auto const* object_id = given(json, "object_id")) into.object_id = object_id->boolean();
  if (auto const* keep = given(json, "keep")) {
    into.keep = keep->integer();
    if (*into.keep < 1) keep->refuse("at least 1");
  }
  if (auto const* storage = given(json, "storage")) into.shared = chosen(*storage, "copied", "shared");
  if (auto const* column = given(json, "changed_since")) into.changed_since = column->string();
  if (auto const* share = given(json, "max_leavers")) into.max_leavers = share->ratio();
  if (auto const* share = given(json, "max_newcomers")) into.max_newcomers = share->ratio();
  if (auto const* unknown = given(json, "unknown_values")) into.unknown_wait = chosen(*unknown, "refuse", "wait");
  if (auto const* independent = given(json, "independent")) into.independent = independent->boolean();
}

}  // namespace

IncrementalPolicy incremental_policy(Policy const& policy) {
  IncrementalPolicy read;
  auto const parameters = parse_json(policy.parameters, "parameters");
  parameters.expect_keys({"k"});
  auto const* const k = given(parameters, "k");
  if (k == nullptr)
    throw Error(Fault::kParameter, "policy " + quoted(policy.name) + " guarantees nothing", "",
                "Give k, for example k => 10.");
  read.demands.k = k->integer();
  if (read.demands.k < 2) k->refuse("at least 2");
  auto const options = parse_json(policy.options, "options");
  read_options(read, options);
  if (read.demands.arrivals_known && read.demands.erase_at_once)
    throw Error(Fault::kParameter, "options.arrivals \"known\" and options.erasure \"immediate\" exclude each other",
                "Who knows when people leave must not see one leave alone.",
                "Let deletions be deferred, or accept that arrivals are unknown.");
  if (read.shared && read.object_id)
    throw Error(
        Fault::kParameter, "options.storage \"shared\" and options.object_id exclude each other",
        "A release with object ids has a row for each person, which only the rows of persons in the ledger tell.",
        "Let versions be copied, or show no ids.");
  if (read.shared && !read.indexes.empty())
    throw Error(Fault::kParameter, "options.storage \"shared\" and options.indexes exclude each other",
                "An index would be on the rows of all versions, and plans would tell readers what later ones hold.",
                "Let versions be copied, or index a copy that analysts make.");
  return read;
}

char const* labels_of(Policy const& policy) {
  auto const read = incremental_policy(policy);
  return read.by_children && !read.demands.box ? "text" : "text[]";
}

}  // namespace anon_seq::incremental
