// Which values of a sensitive column a list, or an alpha of their own, means: those equal to one by the column's type,
// and all below a label of its taxonomy.
#pragma once

#include "lossy_join/policy.h"
#include "pg/spi.h"
#include "release/taxonomy_pool.h"

namespace anon_seq::lossy_join {

// Throws kParameter for a text that is listed, or has an alpha, and is no value of its column's type.
void check_listed(SpiSession& session, Policy const& policy, LossyPolicy const& demands);

struct ListedValues {
  Vector<char> is_listed;                          // text -> whether it is meant; without a list all are
  std::vector<std::pair<std::size_t, Ratio>> own;  // texts with an alpha of their own, each once
  std::int64_t absent = 0;                         // entries that mean none of the texts
};

// `texts`: distinct values of the column, as the server prints them.
ListedValues find_listed(SpiSession& session, PublishedColumn const& column, std::vector<std::string_view> const& texts,
                         LossyPolicy const& demands, TaxonomyPool& pool);

// The type without its collation and its modifier: a cast to it loses nothing.
std::string bare_type(PublishedColumn const& column);

}  // namespace anon_seq::lossy_join
