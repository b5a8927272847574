// (alpha,k)-anonymity of any relations, counted in SQL: of one generalized table, and of two projections.
#pragma once

#include "pg/spi.h"

namespace anon_seq::audit {

struct AuditAlpha {
  std::int64_t classes = 0, smallest = 0;
  std::string largest;               // share of a value, or of the listed values together, in a class; numeric
  std::optional<std::string> worst;  // jsonb: the first class with that share
};

// The shares that are looked at: of every value singly, NULL among them, or of all listed ones together, which are read
// as the column's type.
using ListedTexts = std::optional<std::vector<std::string>>;

// Classes are rows equal in all quasi columns. The columns are there. Errors met while reading lose what could show a
// value.
AuditAlpha measure_alpha(SpiSession& session, Oid relation, std::vector<std::string> const& quasi,
                         std::string const& sensitive, ListedTexts const& listed);

struct AuditProjections : AuditAlpha {
  std::int64_t differing = 0;             // classes that do not have equally many rows in both
  std::optional<std::int64_t> recovered;  // rows of the original
};

struct ProjectionPair {
  Oid nss = InvalidOid, ss = InvalidOid, original = InvalidOid;  // the last one may be missing
  std::string class_id, sensitive;
  bool counted = false;                  // ss has a column n: how many rows a row of it stands for
  std::vector<std::string> shared = {};  // columns of nss and of the original
};

// Rows of a class in their physical order in both relations, put together one by one: how many of these are rows of the
// original.
AuditProjections measure_projections(SpiSession& session, ProjectionPair const& pair, ListedTexts const& listed);

}  // namespace anon_seq::audit
