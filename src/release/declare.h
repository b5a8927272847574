// Declaring a policy: what the words of create_*_policy and alter_policy mean, checked against the source.
//
// A policy is put together from its definition, which has the words of the SQL parameters. The same
// route serves create, alter (the old definition with changes on top) and the variants of a preview.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::release {

struct Definition {
  std::string name, method;
  Oid source = InvalidOid;
  std::optional<std::string> person;
  std::vector<std::string> quasi, sensitive, publish_as_is;
  std::string parameters = "{}", options = "{}", taxonomies = "{}";  // json
  std::string target_schema, target_name;
  std::optional<std::string> population;
};

// Throws what is wrong with it: columns, types, overlapping roles, taxonomies, thresholds. Reads no rows,
// but what the caller may not read is an error already.
Policy resolve(SpiSession& session, Definition const& definition);

// The definition that a stored policy came from.
Definition definition_of(Policy const& policy);

// The source of a policy. Error kNoObject, with a hint, if it is not there any more.
Oid source_of(SpiSession& session, Policy const& policy);

// The text form of a json value again; strings and numbers stay exact.
std::string text_of(JsonValue const& json);

// Throws an error about a policy's source again; of a column of the policy that is not there any more with what to do.
[[noreturn]] void rethrow_about_column(SpiSession& session, Policy const& policy, std::string const& source,
                                       Error const& error);

// Puts the keys of `changes` (json of SQL parameters) in place of what the definition had.
Definition changed(SpiSession& session, Definition definition, JsonValue const& changes);

}  // namespace anon_seq::release
