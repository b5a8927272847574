#include "release/measures.h"

namespace anon_seq::release {

std::vector<Metric> const& metrics() {
  static std::vector<Metric> const all{
      {"discernibility", "pairs",
       "each record counts as often as there are records it cannot be told from: less is more detail"},
      {"c_avg", "ratio", "average class size over the size demanded (k, or 1): 1 is the best possible"},
      {"ncp", "share", "how much of its domain a published value covers, on average: 0 is exact, 1 says nothing"},
      {"distortion_categorical", "levels", "taxonomy levels that a record was generalized by, over all such columns"},
      {"distortion_continuous", "domains",
       "widths of a record's published intervals, each as a share of its column's domain"},
      {"suppression", "share", "share of the source's rows that were withheld"}};
  return all;
}

}  // namespace anon_seq::release
