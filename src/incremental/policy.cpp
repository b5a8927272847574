#include "incremental/policy.h"

#include <algorithm>

namespace anon_seq::incremental {
namespace {

JsonValue const* given(JsonValue const& json, char const* key) {
  auto const* const found = json.find(key);
  return found == nullptr || found->kind() == JsonValue::Kind::kNull ? nullptr : found;
}

// Whether the second of two words was chosen.
bool chosen(JsonValue const& json, char const* usual, char const* other) {
  if (json.string() == other) return true;
  if (json.string() != usual) json.refuse("\"" + std::string(usual) + "\" or \"" + other + "\"");
  return false;
}

void read_domains(IncrementalPolicy& into, JsonValue const& json) {
  auto bound = [](JsonValue const& value) {
    return value.kind() == JsonValue::Kind::kNumber ? value.number() : value.string();
  };
  for (auto const& [column, range] : json.members()) {
    if (range.elements().size() != 2) range.refuse("an array of two bounds");
    into.domains[column] = {bound(range.elements()[0]), bound(range.elements()[1])};
  }
}

void read_options(IncrementalPolicy& into, JsonValue const& json) {
  json.expect_keys({"shape", "choice", "categorical", "erasure", "arrivals", "object_id", "keep", "changed_since",
                    "domains", "unguarded", "allow_unique", "independent"});
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
  if (auto const* column = given(json, "changed_since")) into.changed_since = column->string();
  if (auto const* domains = given(json, "domains")) read_domains(into, *domains);
  if (auto const* names = given(json, "unguarded")) into.unguarded = names->strings();
  if (auto const* columns = given(json, "allow_unique")) into.allow_unique = columns->strings();
  if (auto const* independent = given(json, "independent")) into.independent = independent->boolean();
}

[[noreturn]] void refuse(Policy const& policy, std::string const& what, std::string const& why,
                         std::string const& hint = "Declare another policy.") {
  throw Error(Fault::kParameter, "policy " + quoted(policy.name) + " has releases: " + what, why, hint);
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
  return read;
}

void require_followable(Policy const& before, Policy const& after) {
  auto const old = incremental_policy(before), now = incremental_policy(after);
  if (now.independent) return;
  if (columns_json(before.columns) != columns_json(after.columns))
    refuse(before, "its columns and taxonomies are fixed", "Views on it keep their columns, types and meaning.");
  if (before.target_schema != after.target_schema || before.target_name != after.target_name)
    refuse(before, "publish_as is fixed", "Views on it keep their names.");
  if (before.person != after.person) refuse(before, "person is fixed", "Persons are found again by their key.");
  if (before.population != after.population)
    refuse(before, "population is fixed", "Its releases would count for nobody else any more.");
  if (now.demands.k > old.demands.k)
    refuse(before, "k cannot be raised",
           "Its regions hold " + std::to_string(old.demands.k) +
               " persons or more and are published; they can be refined, never merged.",
           "Declare another policy with a greater k from the start.");
  if (now.demands.box != old.demands.box) refuse(before, "shape is fixed", "What is published cannot be reshaped.");
  if (now.demands.arrivals_known && !old.demands.arrivals_known)
    refuse(before, "arrivals cannot become known", "Earlier versions took no care of who came when.");
  if (!now.demands.arrivals_known && old.demands.arrivals_known)
    refuse(before, "arrivals must stay known", "Earlier versions promised to take care of who came when.");
  if (now.demands.erase_at_once && !old.demands.erase_at_once)
    refuse(before, "erasure cannot become immediate", "Earlier versions promised that no region is ever withheld.");
  if (now.object_id != old.object_id) refuse(before, "object_id is fixed", "Releases of a policy keep their columns.");
  if (old.domains != now.domains) refuse(before, "domains are fixed", "They bound the root of its regions.");
  for (auto const& name : now.allow_unique)
    if (std::find(old.allow_unique.begin(), old.allow_unique.end(), name) == old.allow_unique.end())
      refuse(before, "no column can be allowed to be unique later", "allow_unique would add " + name + ".");
}

}  // namespace anon_seq::incremental
