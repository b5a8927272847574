// Which values of a sensitive column a list, or an alpha of their own, means: those equal to one by the column's type,
// and all below a label of its taxonomy.
//
// A label is one value, and all below it are bounded together, also where entries are bounded singly: B20, B21 and B22
// of one stigma must not pass one by one. Of entries one below the other the outer one stands for both.
#pragma once

#include "lossy_join/policy.h"
#include "pg/spi.h"
#include "release/taxonomy_pool.h"

namespace anon_seq::lossy_join {

// Throws kParameter for a text that is listed, or has an alpha, and is no value of its column's type.
void check_listed(SpiSession& session, Policy const& policy, LossyPolicy const& demands);

struct ListedValues {
  // What is bounded as one value.
  struct Bounded {
    std::string name;       // a text, or a label
    std::string below;      // which values that label has: it is another bound if its taxonomy has grown; "" of others
    std::size_t first = 0;  // the first of its texts
  };
  static constexpr std::size_t kSingly = static_cast<std::size_t>(-1);

  Vector<char> is_listed;                          // text -> whether it is meant; without a list all are
  std::vector<std::pair<std::size_t, Ratio>> own;  // with an alpha of its own: the first text of what is bounded
  std::int64_t absent = 0;                         // entries that mean none of the texts
  std::vector<Bounded> bounded;                    // what entries mean
  Vector<std::size_t> bound_of;                    // text -> into bounded; kSingly: itself

  // The first of the texts that count together with one.
  std::size_t first(std::size_t text) const { return bound_of[text] == kSingly ? text : bounded[bound_of[text]].first; }
};

// `texts`: distinct values of the column, as the server prints them.
ListedValues find_listed(SpiSession& session, PublishedColumn const& column, std::vector<std::string_view> const& texts,
                         LossyPolicy const& demands, TaxonomyPool& pool);

// The same for what all lists mean together: "" if no list has a label of a taxonomy that may grow.
std::string values_below(SpiSession& session, std::vector<PublishedColumn> const& columns, LossyPolicy const& demands,
                         TaxonomyPool& pool);

// The type without its collation and its modifier: a cast to it loses nothing.
std::string bare_type(PublishedColumn const& column);

}  // namespace anon_seq::lossy_join
