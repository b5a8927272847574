#include "api/declaration.h"

#include "release/declare_checks.h"

namespace anon_seq::api {

std::string current_schema() {
  char const* name = nullptr;
  call_pg([&]() noexcept {
    List* const path = fetch_search_path(false);
    name = path == NIL ? nullptr : get_namespace_name(linitial_oid(path));
  });
  return name == nullptr ? "" : name;
}

namespace {

void place_release(Definition& definition, std::string const& name) {
  auto const [schema, relation] = split_name(name);
  definition.target_schema = schema.empty() ? current_schema() : schema;
  definition.target_name = relation;
  if (definition.target_schema.empty())
    throw Error(Fault::kParameter, "no schema has been selected to make the release in", "",
                "Give publish_as with a schema.");
}

// The arguments that all create functions share begin at `first`.
void read_common(Definition& definition, Arguments const& arguments, int first, int sensitive) {
  if (arguments.has(sensitive)) definition.sensitive = arguments.array(sensitive, "sensitive");
  if (arguments.has(first + 1)) definition.publish_as_is = arguments.array(first + 1, "publish_as_is");
  if (arguments.has(first + 2)) definition.taxonomies = arguments.printed(first + 2, "taxonomies", JSONBOID);
  if (arguments.has(first + 3))
    place_release(definition, arguments.text(first + 3, "publish_as"));
  else
    place_release(definition, quote_name(definition.name));
  if (arguments.has(first + 4)) definition.population = arguments.text(first + 4, "population");
  if (arguments.has(first + 5)) definition.options = arguments.printed(first + 5, "options", JSONBOID);
}

}  // namespace

void declare_policy(Arguments const& arguments, std::string const& method, int common, JsonObject const& parameters,
                    int sensitive) {
  Definition definition;
  definition.name = arguments.text(0, "name");
  definition.method = method;
  definition.source = arguments.relation(1, "source");
  if (arguments.has(2)) definition.person = arguments.text(2, "person");
  definition.quasi = arguments.array(3, "quasi");
  definition.parameters = parameters.json();
  read_common(definition, arguments, common, sensitive < 0 ? common : sensitive);
  SpiSession session;
  declare(session, definition);
}

}  // namespace anon_seq::api
