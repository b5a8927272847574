// Who is a person: the column, or columns, of a source that tell persons apart, and their key as SQL.
//
// A policy keeps them as one text: the name of a column, or, if there are several, the array of their names,
// {hospital,number}. The key of several is the text of the array of their values, each in the one form that equal
// values share; it is what the ledger holds and what forget() takes.
#pragma once

#include "catalog/policy.h"

namespace anon_seq::release {

// The columns that a text means: those of an array, if it begins with a brace, else the one of that name.
// Throws kParameter for an array without columns, or with a NULL.
std::vector<std::string> person_columns(SpiSession& session, std::string const& person);

// The text by which a policy keeps them.
std::string person_text(std::vector<std::string> const& columns);

struct PersonKey {
  std::vector<std::string> columns;  // of the source
  std::vector<std::string> types;    // of those, as SQL, domains stripped
  std::string expression, type;      // as SQL, over a row of the source

  bool is_composite() const { return columns.size() > 1; }
};

// REQUIRES: the policy has persons. Throws kNoColumn.
PersonKey person_key(SpiSession& session, Policy const& policy);

// What select_with_key() yields, in its order; a key of several columns has no name.
std::vector<std::string> columns_with_key(PersonKey const& key, std::vector<std::string> const& columns);

// SELECT of the key and of columns of the source, each once; a key of one column may be among them. Without columns in
// the key, of the columns only.
std::string select_with_key(SpiSession& session, Oid source, PersonKey const& key,
                            std::vector<std::string> const& columns);

// A key as forget() takes it, in the form that the ledger of a policy has: of several columns each value as its
// column's type spells it, 1.5 for 1.50. Comes back as it is if it has not as many values as the policy's persons.
std::string canonical_key(SpiSession& session, Policy const& policy, std::string const& key);

}  // namespace anon_seq::release
