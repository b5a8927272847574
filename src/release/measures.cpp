#include "release/measures.h"

#include "core/sequential/loss.h"

namespace anon_seq::release {
std::string measure_member(char const* name, double value) {
  char text[64];
  pg_snprintf(text, sizeof text, "\"%s\": %.10g", name, value);
  return text;
}

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

std::string measures_json(Policy const&, SequentialRelease const& release, Checkpoint& checkpoint) {
  auto const& problem = release.problem->problem();
  auto const axes = loss_axes(problem, release.outcome.cut);
  Loss const loss =
      measure_loss(*problem.table, release.outcome.classes, axes, release.demands->k.value_or(1), checkpoint);
  std::string json = "{" + measure_member("discernibility", loss.discernibility) + ", " +
                     measure_member("c_avg", loss.c_avg) + ", " + measure_member("ncp", loss.ncp);
  if (loss.distortion_categorical)
    json += ", " + measure_member("distortion_categorical", *loss.distortion_categorical);
  if (loss.distortion_continuous) json += ", " + measure_member("distortion_continuous", *loss.distortion_continuous);
  return json + ", " + measure_member("suppression", loss.suppression) + "}";
}

}  // namespace anon_seq::release
