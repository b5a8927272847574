// The risks that practice knows, of classes of a release: prosecutor, journalist, marketer; k-map, delta-presence.
//
// f is how many records a class has, F how many of a population fit it. Prosecutor: the victim is known to be in the
// release, 1/f. Journalist: he is known to be in the population, 1/F. Marketer: what share of the records is expected
// to be re-identified, the average of 1/F over records, or of 1/f without a population (El Emam, Guide to the
// De-Identification of Personal Health Information, 2013, ch. 16; Dankar and El Emam, PAIS 2010). k-map: the least F
// (Sweeney, 2001). delta-presence: between which bounds f/F lies for everybody in the population (Nergiz, Atzori and
// Clifton, SIGMOD 2007).
#pragma once

#include <optional>

#include "core/attack/value_sets.h"
#include "core/base/checkpoint.h"

namespace anon_seq {

// What classes and people show of an attribute. REQUIRES: `sets` and spans outlive its use.
struct RiskAxis {
  ValueSets const* sets = nullptr;
  std::span<SetId const> of_class, of_person;
};

struct Fitting {
  Vector<std::int64_t> people;  // per class: weight of those whose values certainly lie within what it shows
  bool all_placed = true;       // everybody fits some class
};

// Who fits. `weights`: of people. Cost: people times classes times axes over 64.
Fitting people_fitting(std::span<RiskAxis const> axes, std::size_t classes, Vector<std::int64_t> const& weights,
                       Checkpoint& checkpoint);

struct PopulationRisk {
  std::int64_t k_map = 0;        // the least F
  std::int64_t uncovered = 0;    // records of classes that fewer fit than they have records
  std::int64_t unique_both = 0;  // records alone in their class, and in the population
  std::int64_t half_shown = 0;   // classes that hold half of who fits, or more
  double journalist_max = 0, journalist_average = 0;
  double delta_min = 0, delta_max = 0;
};

struct DisclosureRisk {
  std::int64_t records = 0, classes = 0, uniques = 0;
  double prosecutor_max = 0, prosecutor_average = 0;
  std::optional<PopulationRisk> population;
};

// `sizes`: f of each class, all positive. `fitting`: nullptr without a population. Records of a release are people of
// the population, so no fewer than f fit, whatever its table says.
DisclosureRisk disclosure_risk(Vector<std::int64_t> const& sizes, Fitting const* fitting);

}  // namespace anon_seq
