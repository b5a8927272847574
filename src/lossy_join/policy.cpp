#include "lossy_join/policy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "release/relations.h"

namespace anon_seq::lossy_join {
namespace {

JsonValue const& needed(JsonValue const& parameters, char const* key, char const* example) {
  if (auto const* const found = given(parameters, key)) return *found;
  throw Error(Fault::kParameter, "a lossy join needs " + quoted(key), "", "For example " + std::string(example) + ".");
}

// Classes of l rows with l different values: alpha and k follow from l, and may only repeat it.
void read_anatomy(LossyPolicy& into, JsonValue const& parameters) {
  auto const& l = needed(parameters, "l", "l => 4");
  std::int64_t const different = l.integer();
  if (different < 2) l.refuse("at least 2");
  into.alpha = {1, different};
  into.k = different;
  if (auto const* const alpha = given(parameters, "alpha")) {
    Ratio const asked = alpha->ratio();
    if (wide_mul(asked.num, different) != static_cast<Wide>(asked.den))
      alpha->refuse("1/l or NULL, with classes \"anatomy\"");
  }
  if (auto const* const k = given(parameters, "k"))
    if (std::int64_t const asked = k->integer(); asked < 1 || asked > different)
      k->refuse("from 1 to l or NULL, with classes \"anatomy\"");
}

void read_parameters(LossyPolicy& into, JsonValue const& json) {
  json.expect_keys({"alpha", "k", "form", "classes", "l", "sensitive_values"});
  into.generalized =
      one_of<bool>(needed(json, "form", "form => 'projections'"), {{"projections", false}, {"generalized", true}});
  if (into.generalized) into.classes = ClassKind::kTopdown;
  if (auto const* const classes = given(json, "classes"))
    into.classes = one_of<ClassKind>(
        *classes,
        {{"regional", ClassKind::kRegional}, {"topdown", ClassKind::kTopdown}, {"anatomy", ClassKind::kAnatomy}});
  if (into.generalized && into.classes != ClassKind::kTopdown)
    given(json, "classes")
        ->refuse("\"topdown\", with form \"generalized\"", "The others show nothing that their rows have in common.");
  if (into.classes == ClassKind::kAnatomy) return read_anatomy(into, json);
  into.alpha = needed(json, "alpha", "alpha => 0.5").ratio();
  auto const& k = needed(json, "k", "k => 2");
  into.k = k.integer();
  if (into.k < 1) k.refuse("at least 1");
  if (given(json, "l") != nullptr)
    throw Error(Fault::kParameter, "\"l\" is for classes \"anatomy\" alone",
                "Classes \"regional\" and \"topdown\" are bounded by alpha.",
                "Leave it out, or give classes => 'anatomy'.");
}

void require_sensitive(Policy const& policy, std::string const& column, std::string const& option) {
  if (std::find(policy.sensitive.begin(), policy.sensitive.end(), column) == policy.sensitive.end())
    throw Error(Fault::kParameter, "options." + option + " names " + quoted(column) + ", no sensitive column");
}

void read_lists(LossyPolicy& into, Policy const& policy, JsonValue const& parameters, JsonValue const& options) {
  auto const add = [&](std::string const& column, JsonValue const& values) {
    into.listed[column] = values.strings();
    if (into.listed[column].empty()) values.refuse("at least one value");
  };
  auto const* const one = given(parameters, "sensitive_values");
  auto const* const by_column = given(options, "sensitive_values");
  if (one != nullptr && policy.sensitive.size() > 1)
    throw Error(Fault::kParameter, "sensitive_values lists values of one column, and there are several", "",
                "Name them by column: options => '{\"sensitive_values\": {" + json_string(policy.sensitive.front()) +
                    ": [...]}}'.");
  if (one != nullptr && by_column != nullptr)
    throw Error(Fault::kParameter, "sensitive_values is given twice, as a parameter and as an option");
  if (one != nullptr && !policy.sensitive.empty()) add(policy.sensitive.front(), *one);
  if (by_column != nullptr)
    for (auto const& [column, values] : by_column->members()) {
      require_sensitive(policy, column, "sensitive_values");
      add(column, values);
    }
}

// REQUIRES: lists are read.
void read_alphas(LossyPolicy& into, Policy const& policy, JsonValue const& alphas) {
  if (into.classes == ClassKind::kAnatomy)
    throw Error(Fault::kParameter, "options.alphas is not for classes \"anatomy\"",
                "Its alpha is 1/l, of every value.");
  for (auto const& [column, values] : alphas.members()) {
    require_sensitive(policy, column, "alphas");
    if (values.members().size() == 0) values.refuse("at least one value");
    if (into.listing(column) == Listing::kAny)
      throw Error(Fault::kParameter,
                  "options.alphas names column " + quoted(column) + ", whose listed values are bounded together",
                  "Together they have one alpha.", "options => '{\"each\": true}' bounds each of them.");
    for (auto const& [value, alpha] : values.members()) into.alphas[column][value] = alpha.ratio();
  }
}

// REQUIRES: lists, alphas and decisions are read.
void read_near(LossyPolicy& into, Policy const& policy, JsonValue const& near) {
  into.near = near.number();
  if (double const width = std::strtod(into.near->c_str(), nullptr); width < 0 || std::isinf(width))
    near.refuse("a number from 0 on");
  auto const refuse = [](char const* beside, char const* why, char const* hint = "") {
    throw Error(Fault::kUnsupported, std::string("options.near is not offered ") + beside, why, hint);
  };
  if (policy.sensitive.size() > 1) refuse("with several sensitive columns", "They are dealt by their joint values.");
  if (!into.listed.empty()) refuse("beside listed values", "It bounds every value, with those near it.");
  if (!into.alphas.empty()) refuse("beside options.alphas", "Values that count together have one alpha.");
  if (into.classes == ClassKind::kAnatomy)
    refuse("with classes \"anatomy\"", "Its classes have different values, however near they are.");
  if (into.decisions == Decisions::kPaper)
    refuse("with decisions \"paper\"", "The paper bounds values one by one.",
           "Add \"decisions\": \"simulatable\" to options.");
}

void read_nss(LossyPolicy& into, JsonValue const& nss) {
  into.coarse = one_of<bool>(nss, {{"exact", false}, {"generalized", true}});
  if (into.generalized) throw Error(Fault::kParameter, "options.nss is for form \"projections\"");
  if (into.coarse && into.classes == ClassKind::kAnatomy)
    throw Error(Fault::kUnsupported, "options.nss \"generalized\" is not offered with classes \"anatomy\"",
                "Its classes follow no quasi-identifier: their rows have nothing in common to be shown.",
                "Use classes \"regional\".");
}

}  // namespace

LossyPolicy lossy_policy(Policy const& policy) {
  LossyPolicy read;
  auto const parameters = parse_json(policy.parameters, "parameters");
  auto const options = parse_json(policy.options, "options");
  read_parameters(read, parameters);
  read.flat = shows_labels(policy);  // else nothing is a range
  if (read.generalized) read.decisions = Decisions::kPaper;
  read_shared_options(read, options,
                      {"sensitive_values", "alphas", "near", "each", "nss", "unguarded_again", "decisions"});
  read_lists(read, policy, parameters, options);
  if (auto const* const each = given(options, "each")) read.each = each->boolean();
  if (auto const* const alphas = given(options, "alphas")) read_alphas(read, policy, *alphas);
  if (auto const* const nss = given(options, "nss")) read_nss(read, *nss);
  if (auto const* const again = given(options, "unguarded_again")) read.unguarded_again = again->boolean();
  if (auto const* const decisions = given(options, "decisions")) {
    read.decisions =
        one_of<Decisions>(*decisions, {{"simulatable", Decisions::kSimulatable}, {"paper", Decisions::kPaper}});
    if (read.classes != ClassKind::kTopdown)
      throw Error(Fault::kParameter, "options.decisions is for classes \"topdown\" alone");
  }
  if (auto const* const near = given(options, "near")) read_near(read, policy, *near);
  if (read.each && read.listed.empty())
    throw Error(Fault::kParameter, "options.each is for listed values, and there are none", "",
                "Without a list every value is bounded singly.");
  return read;
}

bool has_line(PublishedColumn const& column) {
  static constexpr std::string_view kTypes[] = {"smallint", "integer",          "bigint", "numeric",
                                                "real",     "double precision", "date"};
  auto const type = std::string_view(column.type).substr(0, column.type.find('('));
  return std::ranges::find(kTypes, type) != std::end(kTypes);
}

bool is_generalized(Policy const& policy) {
  auto const parameters = parse_json(policy.parameters, "parameters");
  auto const* const form = given(parameters, "form");
  return form != nullptr && form->kind() == JsonValue::Kind::kString && form->string() == "generalized";
}

bool shows_labels(Policy const& policy) {
  if (is_generalized(policy)) return true;
  auto const options = parse_json(policy.options, "options");
  auto const* const nss = given(options, "nss");
  return nss != nullptr && nss->kind() == JsonValue::Kind::kString && nss->string() == "generalized";
}

std::vector<RelationShape> relations(Policy const& policy) {
  if (is_generalized(policy)) return {whole(policy)};
  std::size_t const class_id = policy.columns.size();
  RelationShape people{.suffix = "_nss", .columns = {class_id}};
  for (std::size_t i = 1; i < class_id; ++i)
    if (policy.columns[i - 1].role != Role::kSensitive) people.columns.push_back(i);
  std::vector<RelationShape> shapes{people}, joins;
  for (std::size_t i = 1; i < class_id; ++i) {
    if (policy.columns[i - 1].role != Role::kSensitive) continue;
    auto const end = policy.sensitive.size() > 1 ? "_" + policy.columns[i - 1].column : std::string();
    shapes.push_back({.suffix = "_ss" + end, .columns = {class_id, i}, .counted = true});
    joins.push_back(
        {.suffix = "_joined" + end, .columns = people.columns, .form = RelationForm::kJoined, .more = kWeightColumn});
    joins.back().columns.push_back(i);
  }
  shapes.insert(shapes.end(), joins.begin(), joins.end());
  return shapes;
}

}  // namespace anon_seq::lossy_join
