#include "release/demands.h"

#include <algorithm>

#include "core/text/nearest.h"
//
#include "pg/line_type.h"
#include "release/parameters.h"

namespace anon_seq::release {
namespace {

std::string bound(JsonValue const& value) {
  return value.kind() == JsonValue::Kind::kNumber ? value.number() : value.string();
}

void read_domains(Demands& into, JsonValue const& json) {
  for (auto const& [column, range] : json.members()) {
    if (range.elements().size() != 2) range.refuse("an array of two bounds");
    into.domains[column] = {bound(range.elements()[0]), bound(range.elements()[1])};
  }
}

// Once in how many.
void read_every(int& into, JsonValue const& options, char const* key, std::int64_t most) {
  auto const* const every = given(options, key);
  if (every == nullptr) return;
  if (every->integer() < 1 || every->integer() > most)
    every->refuse("a whole number from 1 to " + std::to_string(most));
  into = static_cast<int>(every->integer());
}

// Somebody who writes a parameter among the options is told where it belongs.
void refuse_parameters(JsonValue const& options, std::span<std::string_view const> known) {
  for (auto const& [key, value] : options.members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    auto const functions = functions_with(key);
    if (functions.empty()) continue;
    throw Error(Fault::kParameter, options.place() + " has the unknown key " + quoted(key),
                quoted(key) + " is a parameter of " + functions + ", and no option.",
                "Write " + key + " => ... there, or {" + json_string(key) + ": ...} in alter_policy().");
  }
}

}  // namespace

bool Demands::leaves_out(std::string const& name, std::string const& reference) const {
  return std::any_of(unguarded.begin(), unguarded.end(),
                     [&](auto const& known) { return known == name || known == reference; });
}

bool Demands::leaves_out_refused(std::string const& name, std::string const& reference) const {
  return leaves_out_all() || leaves_out("*", "*") || leaves_out(name, reference);
}

JsonValue const* given(JsonValue const& json, char const* key) {
  auto const* const found = json.find(key);
  return found == nullptr || found->kind() == JsonValue::Kind::kNull ? nullptr : found;
}

void read_shared_options(Demands& into, JsonValue const& options, std::initializer_list<std::string_view> own) {
  std::vector<std::string_view> keys(own);
  keys.insert(keys.end(),
              {"unguarded", "allow_unique", "domains", "flat", "indexes", "full_read_every", "full_audit_every"});
  refuse_parameters(options, keys);
  options.expect_keys(keys);
  if (auto const* names = given(options, "unguarded")) into.unguarded = names->strings();
  if (auto const* columns = given(options, "allow_unique")) into.allow_unique = columns->strings();
  if (auto const* domains = given(options, "domains")) read_domains(into, *domains);
  if (auto const* flat = given(options, "flat")) into.flat = flat->boolean();
  read_every(into.full_read_every, options, "full_read_every", 1000000);
  read_every(into.full_audit_every, options, "full_audit_every", 1000);
  if (auto const* indexes = given(options, "indexes"))
    for (auto const& index : indexes->elements())
      into.indexes.push_back(index.kind() == JsonValue::Kind::kString ? std::vector{index.string()} : index.strings());
}

namespace {

std::vector<std::string> names_of(Policy const& policy) {
  std::vector<std::string> names;
  for (auto const& column : policy.columns) names.push_back(column.column);
  return names;
}

}  // namespace

void check_indexes(Policy const& policy, Demands const& demands) {
  auto const is_shown = [&](std::string const& column) {
    return std::any_of(policy.columns.begin(), policy.columns.end(),
                       [&](auto const& published) { return published.column == column; });
  };
  for (auto const& index : demands.indexes) {
    constexpr std::size_t kMost = 32;  // PostgreSQL's
    if (index.empty() || index.size() > kMost)
      throw Error(Fault::kParameter, index.empty() ? "options.indexes has an index without columns"
                                                   : "options.indexes has an index of more than 32 columns");
    for (auto column = index.begin(); column != index.end(); ++column)
      if (std::find(index.begin(), column, *column) != column)
        throw Error(Fault::kParameter, "options.indexes has an index with column " + quoted(*column) + " twice");
    for (auto const& column : index)
      if (!is_shown(column))
        throw Error(Fault::kParameter,
                    "options.indexes names column " + quoted(column) + ", which this policy does not publish", "",
                    perhaps(column, names_of(policy)));
  }
}

void check_domains(SpiSession& session, Policy const& policy, std::map<std::string, Domain> const& domains) {
  for (auto const& [column, domain] : domains) {
    auto const shown = std::find_if(policy.columns.begin(), policy.columns.end(), [&](auto const& published) {
      return published.column == column && published.is_quasi() && is_range_type(published.type);
    });
    if (shown == policy.columns.end())
      throw Error(
          Fault::kParameter,
          "options.domains names column " + quoted(column) + ", which is no continuous quasi column of this policy", "",
          perhaps(column, names_of(policy)));
    check_domain(session, *shown, domain);
  }
}

}  // namespace anon_seq::release
