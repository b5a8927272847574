#include "release/followable.h"

#include <algorithm>

#include "catalog/release.h"
#include "release/alter.h"

namespace anon_seq::release {

std::string alter_statement(Policy const& policy, std::string const& changes) {
  return "SELECT anon_seq.alter_policy(" + sql_literal(policy.name) + ", " + sql_literal("{" + changes + "}") + ");";
}

bool is_allowed(SpiSession& session, Policy const& policy, std::string const& changes) {
  auto const releases = releases_of(session, policy.population);
  if (std::none_of(releases.begin(), releases.end(),
                   [&](auto const& release) { return release.ledger == policy.ledger(); }))
    return true;
  try {
    auto definition = definition_of(policy);
    definition.source = source_of(session, policy);
    auto const json = parse_json("{" + changes + "}", "changes");
    Policy after = resolve(session, changed(session, std::move(definition), json));
    after.id = policy.id;
    after.version = policy.version;
    require_allowed_change(session, policy, after);
  } catch (Error const&) {
    return false;
  }
  return true;
}

std::string followable(SpiSession& session, Policy const& policy, std::string const& hint) {
  constexpr std::string_view kOptions = "options => '";
  auto const begin = hint.find(kOptions), end = hint.rfind("}'");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return hint;
  auto const from = begin + kOptions.size();
  auto const given = parse_json(std::string_view(hint).substr(from, end + 1 - from), "options");
  auto const known = parse_json(policy.options, "options");
  std::string merged;
  for (auto const& [key, value] : given.members()) {
    auto const* const before = known.find(key);
    std::string json = text_of(value);
    if (value.kind() == JsonValue::Kind::kArray) {
      auto all = before == nullptr || before->kind() != JsonValue::Kind::kArray ? std::vector<std::string>()
                                                                                : before->strings();
      for (auto& name : value.strings())
        if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
      json = json_array(all, json_string);
    }
    merged += (merged.empty() ? "" : ", ") + json_string(key) + ": " + json;
  }
  std::string const changes = "\"options\": {" + merged + "}";
  if (!is_allowed(session, policy, changes))
    return "What its releases have promised, and how they look, stays. Mend the source, as by a view, or declare another policy.";
  auto const rest = hint.substr(end + 2);
  auto pasted = alter_statement(policy, changes);
  if (rest == ".") return hint.substr(0, begin) + pasted;
  if (rest.starts_with(',')) pasted.pop_back();
  return hint.substr(0, begin) + pasted + rest;
}

}  // namespace anon_seq::release
