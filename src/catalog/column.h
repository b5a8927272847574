// A column that a release shows, and the part it plays there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pg/json.h"

namespace anon_seq::catalog {

// kClass: the number of the class that a row is in, the same in every relation of the release; the source has no such
// column.
enum class Role { kQuasi, kSensitive, kAsIs, kClass };

char const* name_of(Role role);
std::optional<Role> role_named(std::string_view name);

// Entry i of the columns of a policy or a release is column c<i> of its cells, from 1.
struct PublishedColumn {
  std::string column;     // its name in source and release
  std::string attribute;  // what it is called when releases are compared; empty: it is not
  std::string taxonomy;   // empty: none
  Role role = Role::kQuasi;
  std::string type;  // of the release, as SQL, collation included

  bool is_quasi() const { return role == Role::kQuasi; }
  // Published as the source has it.
  bool is_plain() const { return role == Role::kSensitive || role == Role::kAsIs; }
};

// Json of a list of published columns, and back.
std::string columns_json(std::vector<PublishedColumn> const& columns);
std::vector<PublishedColumn> columns_from(JsonValue const& json);

// What rows are ordered by in the column `value`: by its type, texts by their bytes.
std::string order_of(PublishedColumn const& column, std::string const& value);

// ORDER BY of the cells c of any method: by cell, which may be a region, then by the values published as they are; and
// the part of it for the rows c of one cell, after a comma.
std::string cell_order(std::vector<PublishedColumn> const& columns);
std::string plain_order(std::vector<PublishedColumn> const& columns);

}  // namespace anon_seq::catalog
