#include "core/attack/disclosure_risk.h"

#include <algorithm>
#include <bit>

namespace anon_seq {
namespace {

constexpr std::size_t kWords = 16, kBlock = kWords * 64;  // classes that are looked at together

// The classes of a block that hold each set of people: kWords words for each.
class Holders {
 public:
  Holders(RiskAxis const& axis, std::size_t begin, std::size_t end, Checkpoint& checkpoint) {
    for (SetId const set : axis.of_person) ask(set);
    words_.assign(static_cast<std::size_t>(asked_) * kWords, 0);
    for (SetId set = 0; set < static_cast<SetId>(place_.size()); ++set) {
      if (place_[static_cast<std::size_t>(set)] < 0) continue;
      checkpoint.tick();
      SetId last = -1;  // classes often show the same as the one before
      bool holds = false;
      for (std::size_t c = begin; c < end; ++c) {
        if (axis.of_class[c] != last) holds = axis.sets->holds(last = axis.of_class[c], set);
        if (holds) words(set)[(c - begin) / 64] |= std::uint64_t{1} << (c - begin) % 64;
      }
    }
  }

  std::uint64_t* words(SetId set) {
    return words_.data() + static_cast<std::size_t>(place_[static_cast<std::size_t>(set)]) * kWords;
  }

 private:
  void ask(SetId set) {
    auto const at = static_cast<std::size_t>(set);
    if (place_.size() <= at) place_.resize(at + 1, -1);
    if (place_[at] < 0) place_[at] = asked_++;
  }

  Vector<std::int32_t> place_;  // set -> its words, -1: nobody has it
  std::int32_t asked_ = 0;
  Vector<std::uint64_t> words_;
};

}  // namespace

Fitting people_fitting(std::span<RiskAxis const> axes, std::size_t classes, Vector<std::int64_t> const& weights,
                       Checkpoint& checkpoint) {
  Fitting fitting;
  fitting.people.assign(classes, 0);
  Vector<char> placed(weights.size(), 0);
  for (std::size_t begin = 0; begin < classes; begin += kBlock) {
    std::size_t const end = std::min(classes, begin + kBlock);
    std::vector<Holders> holders;
    for (auto const& axis : axes) holders.emplace_back(axis, begin, end, checkpoint);
    for (std::size_t person = 0; person < weights.size(); ++person) {
      checkpoint.tick();
      for (std::size_t word = 0; word * 64 < end - begin; ++word) {
        std::uint64_t fits = ~std::uint64_t{0};
        for (std::size_t a = 0; a < axes.size() && fits != 0; ++a)
          fits &= holders[a].words(axes[a].of_person[person])[word];
        if (std::size_t const left = end - begin - word * 64; left < 64) fits &= (std::uint64_t{1} << left) - 1;
        placed[person] |= fits != 0;
        for (; fits != 0; fits &= fits - 1)
          fitting.people[begin + word * 64 + static_cast<std::size_t>(std::countr_zero(fits))] += weights[person];
      }
    }
  }
  fitting.all_placed = std::find(placed.begin(), placed.end(), 0) == placed.end();
  return fitting;
}

namespace {

PopulationRisk population_risk(Vector<std::int64_t> const& sizes, Fitting const& fitting, double records) {
  PopulationRisk risk;
  double expected = 0;  // of records to be re-identified
  bool first = true;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    auto const size = sizes[c], fit = std::max(size, fitting.people[c]);
    double const share = static_cast<double>(size) / static_cast<double>(fit);
    risk.k_map = first ? fit : std::min(risk.k_map, fit);
    if (fitting.people[c] < size) risk.uncovered += size;
    if (fit == 1) ++risk.unique_both;
    if (2 * size >= fit) ++risk.half_shown;
    risk.delta_min = first ? share : std::min(risk.delta_min, share);
    risk.delta_max = std::max(risk.delta_max, share);
    expected += share;
    first = false;
  }
  if (!fitting.all_placed) risk.delta_min = 0;
  if (risk.k_map > 0) risk.journalist_max = 1 / static_cast<double>(risk.k_map);
  if (records > 0) risk.journalist_average = expected / records;
  return risk;
}

}  // namespace

DisclosureRisk disclosure_risk(Vector<std::int64_t> const& sizes, Fitting const* fitting) {
  DisclosureRisk risk;
  risk.classes = static_cast<std::int64_t>(sizes.size());
  std::int64_t smallest = 0;
  for (auto const size : sizes) {
    risk.records += size;
    risk.uniques += size == 1;
    smallest = smallest == 0 ? size : std::min(smallest, size);
  }
  if (smallest > 0) {
    risk.prosecutor_max = 1 / static_cast<double>(smallest);
    risk.prosecutor_average = static_cast<double>(risk.classes) / static_cast<double>(risk.records);
  }
  if (fitting != nullptr) risk.population = population_risk(sizes, *fitting, static_cast<double>(risk.records));
  return risk;
}

}  // namespace anon_seq
