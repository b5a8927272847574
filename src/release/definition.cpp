// Definitions and changes of them: the json that alter_policy and preview take.
#include "pg/json_object.h"
#include "pg/reading.h"
#include "release/declare.h"
#include "release/method.h"
#include "release/person_key.h"

namespace anon_seq::release {

std::string text_of(JsonValue const& json) {
  switch (json.kind()) {
    case JsonValue::Kind::kNull: return "null";
    case JsonValue::Kind::kBoolean: return json.boolean() ? "true" : "false";
    case JsonValue::Kind::kNumber: return json.number();
    case JsonValue::Kind::kString: return json_string(json.string());
    case JsonValue::Kind::kArray: return json_array(json.elements(), text_of);
    case JsonValue::Kind::kObject: break;
  }
  JsonObject object;
  for (auto const& [key, value] : json.members()) object.add(key, text_of(value));
  return object.json();
}

namespace {

// An object with the members of `over` in place of those of `under`; NULL takes a member away.
std::string overlaid(std::string const& under, std::vector<std::pair<std::string, std::string>> const& over) {
  JsonObject object;
  auto add = [&](std::string const& key, std::string const& value) {
    if (value != "null") object.add(key, value);
  };
  auto const old = parse_json(under, "parameters");
  for (auto const& [key, value] : old.members()) {
    bool replaced = false;
    for (auto const& change : over) replaced |= change.first == key;
    if (!replaced) add(key, text_of(value));
  }
  for (auto const& [key, value] : over) add(key, value);
  return object.json();
}

Oid relation_named(SpiSession& session, std::string const& name) {
  auto const rows = session.execute("SELECT pg_catalog.to_regclass($1)::pg_catalog.oid", {name}, true);
  if (auto const oid = rows.oid(0, 1); OidIsValid(oid)) return oid;
  throw Error(Fault::kNoObject, "relation " + quoted(name) + " does not exist", "",
              "Write it with its schema: \"schema.table\".");
}

std::optional<std::string> text_or_null(JsonValue const& json) {
  if (json.kind() == JsonValue::Kind::kNull) return std::nullopt;
  return json.string();
}

// The name of a column, or an array of names.
std::optional<std::string> person_or_null(JsonValue const& json) {
  if (json.kind() == JsonValue::Kind::kArray) return person_text(json.strings());
  return text_or_null(json);
}

// Column lists may be taken away too: then they are empty.
std::vector<std::string> strings_or_none(JsonValue const& json) {
  if (json.kind() == JsonValue::Kind::kNull) return {};
  return json.strings();
}

// Columns that have no role any more take their taxonomies with them.
void drop_unused_taxonomies(Definition& definition) {
  std::vector<std::pair<std::string, std::string>> unused;
  auto const old = parse_json(definition.taxonomies, "taxonomies");
  for (auto const& [column, taxonomy] : old.members()) {
    bool used = false;
    for (auto const* role : {&definition.quasi, &definition.sensitive, &definition.publish_as_is})
      for (auto const& name : *role) used |= name == column;
    if (!used) unused.emplace_back(column, "null");
  }
  definition.taxonomies = overlaid(definition.taxonomies, unused);
}

}  // namespace

Definition changed(SpiSession& session, Definition definition, JsonValue const& changes) {
  std::vector<std::string_view> keys{"source",     "person",     "quasi",      "sensitive", "publish_as_is",
                                     "taxonomies", "publish_as", "population", "options"};
  auto const& parameters_of = method_called(definition.method).parameters;
  keys.insert(keys.end(), parameters_of.begin(), parameters_of.end());
  changes.expect_keys(keys);
  std::vector<std::pair<std::string, std::string>> parameters;
  for (auto const& [key, value] : changes.members()) {
    if (key == "source")
      definition.source = relation_named(session, value.string());
    else if (key == "person")
      definition.person = person_or_null(value);
    else if (key == "quasi")
      definition.quasi = value.strings();
    else if (key == "sensitive")
      definition.sensitive = strings_or_none(value);
    else if (key == "publish_as_is")
      definition.publish_as_is = strings_or_none(value);
    else if (key == "taxonomies")
      definition.taxonomies = value.kind() == JsonValue::Kind::kNull ? "{}" : text_of(value);
    else if (key == "population")
      definition.population = text_or_null(value);
    else if (key == "publish_as") {
      auto const names =
          split_name(value.kind() == JsonValue::Kind::kNull ? quote_name(definition.name) : value.string());
      if (!names.first.empty()) definition.target_schema = names.first;
      definition.target_name = names.second;
    } else if (key == "options" && value.kind() == JsonValue::Kind::kNull) {
      definition.options = "{}";
    } else if (key == "options") {
      std::vector<std::pair<std::string, std::string>> options;
      for (auto const& [name, option] : value.members()) options.emplace_back(name, text_of(option));
      definition.options = overlaid(definition.options, options);
    } else {
      parameters.emplace_back(key, text_of(value));
    }
  }
  definition.parameters = overlaid(definition.parameters, parameters);
  if (changes.find("taxonomies") == nullptr) drop_unused_taxonomies(definition);
  return definition;
}

}  // namespace anon_seq::release
