#include "core/sequential/rule_spec.h"

#include <algorithm>

namespace anon_seq {
namespace {

RuleColumn parse_column(JsonValue const& json) {
  if (json.kind() == JsonValue::Kind::kString) return {"", json.string()};
  if (json.kind() != JsonValue::Kind::kObject)
    json.refuse(
        "a column",
        "Write \"job\" for a column of the source, {\"release\": \"imm\", \"column\": \"race\"} for one of a release.");
  json.expect_keys({"release", "column"});
  auto const* const column = json.find("column");
  return {json.at("release").string(), column == nullptr ? "" : column->string()};
}

std::vector<RuleColumn> parse_columns(JsonValue const& json) {
  std::vector<RuleColumn> columns;
  for (auto const& element : json.elements()) {
    columns.push_back(parse_column(element));
    if (std::count(columns.begin(), columns.end(), columns.back()) > 1) element.refuse("named once");
  }
  if (columns.empty()) json.refuse("a list of at least one column");
  return columns;
}

std::vector<std::string> parse_names(JsonValue const& json) {
  auto const names = json.strings();
  auto sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) json.refuse("free of repeated names");
  if (names.empty()) json.refuse("at least one release");
  return names;
}

std::optional<std::string> parse_part(JsonValue const& json) {
  if (json.kind() == JsonValue::Kind::kNull) return std::nullopt;
  return json.string();
}

std::vector<ListedValue> parse_values(JsonValue const& json, std::size_t width) {
  std::vector<ListedValue> values;
  if (json.kind() == JsonValue::Kind::kObject) {
    if (width != 1) json.refuse("an array of arrays, as y has several columns");
    for (auto const& [value, max] : json.members()) values.push_back({{value}, max.ratio()});
  } else {
    for (auto const& element : json.elements()) {
      auto& parts = values.emplace_back().parts;
      if (width == 1)
        parts.push_back(parse_part(element));
      else
        for (auto const& part : element.elements()) parts.push_back(parse_part(part));
      if (parts.size() != width) element.refuse("a value for each column of y");
    }
  }
  if (values.empty()) json.refuse("at least one value", "Leave \"values\" out to bound every value.");
  return values;
}

// What is compared with tables of people is what this release shows.
std::vector<RuleColumn> parse_own_columns(JsonValue const& json) {
  auto columns = parse_columns(json);
  for (auto const& column : columns)
    if (!column.release.empty()) json.refuse("a list of columns of the source");
  return columns;
}

RuleSpec parse_population_rule(JsonValue const& json, bool k_map) {
  RuleSpec rule;
  rule.anonymity = k_map;
  if (k_map)
    json.expect_keys({"kind", "population", "x", "min"});
  else
    json.expect_keys({"kind", "population", "x", "max", "below", "min"});
  rule.population = json.at("population").string();
  if (rule.population.empty()) json.at("population").refuse("the name of a registered population");
  if (auto const* x = json.find("x")) rule.x = parse_own_columns(*x);
  if (k_map) {
    rule.min = json.at("min").integer();
    if (rule.min < 1) json.at("min").refuse("at least 1");
    return rule;
  }
  auto const *max = json.find("max"), *below = json.find("below"), *min = json.find("min");
  if (max != nullptr && below != nullptr) below->refuse("left out beside \"max\"");
  if (max == nullptr && below == nullptr && min == nullptr)
    json.refuse("an object with \"max\", \"below\" or \"min\"",
                "Fewer than half: {\"kind\": \"presence\", \"population\": " + json_string(rule.population) +
                    ", \"below\": 0.5}.");
  rule.below = below != nullptr;
  if (auto const* upper = rule.below ? below : max) rule.max = upper->ratio();
  if (min == nullptr) return rule;
  rule.least = min->ratio();
  if (rule.max && (rule.below ? at_most(rule.max->num, rule.max->den, *rule.least)
                              : !at_most(rule.least->num, rule.least->den, *rule.max)))
    min->refuse(rule.below ? "less than \"below\"" : "at most \"max\"");
  return rule;
}

RuleSpec parse_rule(JsonValue const& json) {
  RuleSpec rule;
  auto const& kind = json.at("kind").string();
  if (kind == "k_map" || kind == "presence") return parse_population_rule(json, kind == "k_map");
  if (kind != "anonymity" && kind != "linkability")
    json.at("kind").refuse("\"anonymity\", \"linkability\", \"k_map\" or \"presence\"");
  rule.anonymity = kind == "anonymity";
  if (rule.anonymity)
    json.expect_keys({"kind", "x", "y", "min", "with", "partial_x"});
  else
    json.expect_keys({"kind", "x", "y", "values", "max", "each", "nulls", "with", "partial_x"});
  rule.x = parse_columns(json.at("x"));
  rule.y = parse_columns(json.at("y"));
  for (auto const& column : rule.x) {
    if (column.column.empty()) json.at("x").refuse("a list of columns; records can stand in y only");
    if (std::count(rule.y.begin(), rule.y.end(), column) > 0)
      json.refuse("free of columns that are both in x and in y");
  }
  if (auto const* with = json.find("with")) rule.with = parse_names(*with);
  if (auto const* partial = json.find("partial_x")) rule.partial_x = partial->boolean();
  if (rule.anonymity) {
    rule.min = json.at("min").integer();
    if (rule.min < 1) json.at("min").refuse("at least 1");
    return rule;
  }
  for (auto const& column : rule.y)
    if (column.column.empty())
      json.at("y").refuse("a list of columns; a share of records is what linkability measures");
  if (auto const* values = json.find("values")) rule.values = parse_values(*values, rule.y.size());
  if (auto const* each = json.find("each")) rule.each = each->boolean();
  if (auto const* nulls = json.find("nulls")) rule.nulls = nulls->boolean();
  if (rule.nulls && !rule.values.empty())
    json.at("nulls").refuse("left out beside \"values\"", "List null among them: \"values\": [\"HIV\", null].");
  bool const own = !rule.values.empty() && rule.values.front().max.has_value();
  if (auto const* max = json.find("max")) rule.max = max->ratio();
  if (!rule.max && !own) (void)json.at("max");
  return rule;
}

std::string values_text(RuleSpec const& rule) {
  if (rule.values.front().max) {
    std::string json;
    for (auto const& value : rule.values)
      json += (json.empty() ? "{" : ", ") + json_string(*value.parts[0]) + ": " + ratio_text(*value.max);
    return json + "}";
  }
  return json_array(rule.values, [](ListedValue const& value) {
    auto const part = [](auto const& text) { return text ? json_string(*text) : std::string("null"); };
    return value.parts.size() == 1 ? part(value.parts[0]) : json_array(value.parts, part);
  });
}

}  // namespace

std::string rule_column_text(RuleColumn const& column) {
  if (column.release.empty()) return json_string(column.column);
  return "{\"release\": " + json_string(column.release) +
         (column.column.empty() ? "" : ", \"column\": " + json_string(column.column)) + "}";
}

char const* RuleSpec::kind() const {
  if (population.empty()) return anonymity ? "anonymity" : "linkability";
  return anonymity ? "k_map" : "presence";
}

std::vector<RuleSpec> parts_of(RuleSpec const& rule) {
  if (!rule.max || !rule.least) return {rule};
  std::vector<RuleSpec> parts{rule, rule};
  parts[0].least.reset();
  parts[1].max.reset();
  parts[1].below = false;
  return parts;
}

std::string RuleSpec::text() const {
  std::string json = "{\"kind\": " + json_string(kind());
  if (!population.empty()) {
    json += ", \"population\": " + json_string(population);
    if (!x.empty()) json += ", \"x\": " + json_array(x, rule_column_text);
    if (anonymity) return json + ", \"min\": " + std::to_string(min) + "}";
    if (max) json += (below ? ", \"below\": " : ", \"max\": ") + ratio_text(*max);
    if (least) json += ", \"min\": " + ratio_text(*least);
    return json + "}";
  }
  json += ", \"x\": " + json_array(x, rule_column_text) + ", \"y\": " + json_array(y, rule_column_text);
  if (anonymity) json += ", \"min\": " + std::to_string(min);
  if (!values.empty()) json += ", \"values\": " + values_text(*this);
  if (each) json += ", \"each\": true";
  if (nulls) json += ", \"nulls\": true";
  if (max) json += ", \"max\": " + ratio_text(*max);
  if (!with.empty()) json += ", \"with\": " + json_array(with, json_string);
  if (partial_x) json += ", \"partial_x\": true";
  return json + "}";
}

std::vector<RuleSpec> parse_rules(JsonValue const& json) {
  std::vector<RuleSpec> rules;
  for (auto const& element : json.elements()) rules.push_back(parse_rule(element));
  return rules;
}

}  // namespace anon_seq
