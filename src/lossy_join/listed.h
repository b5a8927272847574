// Which values of a sensitive column a list means: those equal to one of it by the column's type, and all below a label
// of its taxonomy.
#pragma once

#include "lossy_join/policy.h"
#include "pg/spi.h"
#include "release/taxonomy_pool.h"

namespace anon_seq::lossy_join {

// Throws kParameter for a listed text that is no value of its column's type.
void check_listed(SpiSession& session, Policy const& policy, LossyPolicy const& demands);

struct ListedValues {
  Vector<char> is_listed;   // text -> whether it is meant
  std::int64_t absent = 0;  // entries of the list that mean none of the texts
};

// `texts`: distinct values of the column, as the server prints them.
ListedValues find_listed(SpiSession& session, PublishedColumn const& column, std::vector<std::string_view> const& texts,
                         std::vector<std::string> const& list, TaxonomyPool& pool);

// The type without its collation and its modifier: a cast to it loses nothing.
std::string bare_type(PublishedColumn const& column);

}  // namespace anon_seq::lossy_join
