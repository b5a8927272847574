// What a policy demands, and the options that all methods share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/text/json_value.h"
//
#include "release/domain.h"

namespace anon_seq::release {

struct Demands {
  Demands() = default;
  Demands(Demands const&) = default;
  Demands& operator=(Demands const&) = default;
  virtual ~Demands() = default;

  std::vector<std::string> unguarded;             // releases of the population that are left out of account
  std::vector<std::string> allow_unique;          // columns that are published as they are though nearly unique
  std::map<std::string, Domain> domains;          // column -> declared domain
  int full_read_every = 30;                       // publishes of a watched source
  int full_audit_every = 30;                      // audits; see catalog/audit_record.h
  bool flat = true;                               // stable names have companions, see flat.h
  std::vector<std::vector<std::string>> indexes;  // on the relations of each version: columns of each

  // Whether every release is left out of account, which audits tell.
  virtual bool leaves_out_all() const { return false; }
  // Whether there may be rows that show none of their generalized values, beside others.
  virtual bool may_blank() const { return false; }
  // Whether audits read relations of others whose rows change without a trace.
  virtual bool reads_others() const { return false; }
  // Whether a release is left out of account: by its name, or as that one version.
  bool leaves_out(std::string const& name, std::string const& reference) const;
  // The same of a release that no joint guarantee is known with: "*" leaves out all of those, as a release of another
  // role has no name for us.
  bool leaves_out_refused(std::string const& name, std::string const& reference) const;
};

// Reads those options; a method's own, of these keys, are read by it. Throws kParameter, also for any other key.
void read_shared_options(Demands& into, JsonValue const& options, std::initializer_list<std::string_view> own);

// Throws kParameter unless each domain is that of a continuous quasi column of the policy, and of its type.
void check_domains(SpiSession& session, Policy const& policy, std::map<std::string, Domain> const& domains);

// Throws kParameter for an index on what is no column of the policy's releases.
void check_indexes(Policy const& policy, Demands const& demands);

// What the word stands for. Throws kParameter for any other.
template <class T>
T one_of(JsonValue const& json, std::initializer_list<std::pair<char const*, T>> choices) {
  std::string names;
  for (auto const& [name, meaning] : choices) {
    if (json.string() == name) return meaning;
    names += (names.empty() ? "" : ", ") + quoted(name);
  }
  json.refuse("one of " + names);
}

// A member that is there and not null.
JsonValue const* given(JsonValue const& json, char const* key);

}  // namespace anon_seq::release
