#include "core/attack/candidate_sets.h"

#include <map>
#include <optional>

#include "core/attack/box_tree.h"
#include "core/attack/version_paths.h"

namespace anon_seq {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

class CandidateSearch {
 public:
  CandidateSearch(Boxes const& boxes, PublishedObjects const& published, std::span<std::int32_t const> person,
                  CandidateDemands const& demands, Checkpoint& checkpoint)
      : boxes_(boxes), published_(published), demands_(demands), checkpoint_(checkpoint), left_(demands.budget) {
    place_persons(person);
    list_boxes();
    tree_.emplace(boxes_, listed_, weights_, checkpoint_);
  }

  FewestCandidates run() {
    result_.smallest = demands_.k;
    for (std::size_t p = 0; p < objects_.size(); ++p) add_victim(static_cast<std::int32_t>(p));
    for (auto const& [around, victims] : victims_) judge(around, victims);
    for (char const state : states_) {
      result_.at_risk += state == kAtRisk;
      result_.undecided += state == kUndecided;
      result_.moved += state == kMoved;
      result_.persons += state != kMoved;
    }
    if (result_.persons == 0) result_.smallest = 0;
    return std::move(result_);
  }

 private:
  enum : char { kSafe, kUndecided, kAtRisk, kMoved };
  using Around = std::vector<std::int32_t>;  // boxes that hold a point, by their places in listed_

  std::size_t versions() const { return published_.releases.size(); }
  BoxId shown(std::int32_t person, std::size_t version) const { return shown_[at(person) * versions() + version]; }

  // Who is shown where. Somebody who is shown twice in one version is nobody's candidate.
  void place_persons(std::span<std::int32_t const> person) {
    std::int32_t persons = 0;
    for (auto const p : person) persons = std::max(persons, p + 1);
    objects_.resize(at(persons));
    for (std::size_t o = 0; o < person.size(); ++o) objects_[at(person[o])].push_back(static_cast<std::int32_t>(o));
    shown_.assign(at(persons) * versions(), kAbsent);
    states_.assign(at(persons), kSafe);
    doubled_.assign(at(persons), 0);
    for (std::size_t v = 0; v < versions(); ++v)
      for (std::size_t o = 0; o < person.size(); ++o) {
        checkpoint_.tick();
        BoxId const box = published_.releases[v][o];
        if (box == kAbsent) continue;
        auto& own = shown_[at(person[o]) * versions() + v];
        doubled_[at(person[o])] |= own != kAbsent;
        own = box;
      }
  }

  // The distinct boxes, and who is in each of them in some version.
  void list_boxes() {
    place_.assign(at(boxes_.size()), -1);
    for (std::size_t p = 0; p < objects_.size(); ++p)
      for (std::size_t v = 0; v < versions(); ++v) {
        checkpoint_.tick();
        BoxId const box = shown(static_cast<std::int32_t>(p), v);
        if (box == kAbsent || boxes_.is_contradiction(box)) continue;
        if (place_[at(box)] < 0) {
          place_[at(box)] = static_cast<std::int32_t>(listed_.size());
          listed_.push_back(box);
          weights_.push_back(1);
          people_.emplace_back();
        }
        auto& people = people_[at(place_[at(box)])];
        if (people.empty() || people.back() != static_cast<std::int32_t>(p))
          people.push_back(static_cast<std::int32_t>(p));
      }
  }

  Around around(BoxId target) const {
    Vector<std::uint32_t> numbers;
    tree_->meeting(target, numbers);
    Around found;
    for (auto const number : numbers)
      if (boxes_.holds(listed_[number], target)) found.push_back(static_cast<std::int32_t>(number));
    std::sort(found.begin(), found.end());
    return found;
  }

  // At his last true point, if all that was shown of him holds it.
  void add_victim(std::int32_t person) {
    auto const& objects = objects_[at(person)];
    std::int32_t last = -1;
    for (auto const o : objects)
      if (std::size_t const first = first_version(o); first < versions() && (last < 0 || first > first_version(last)))
        last = o;
    if (last < 0) return void(states_[at(person)] = kMoved);
    BoxId const point = published_.points[at(last)];
    if (point == kAbsent) return void(states_[at(person)] = kUndecided);
    for (auto const o : objects)
      for (std::size_t v = 0; v < versions(); ++v) {
        BoxId const box = published_.releases[v][at(o)];
        // Where he is forgotten, he may have been put elsewhere since.
        if (box == kAbsent || boxes_.holds(box, point) || (o == last && published_.is_vague(at(o)))) continue;
        return void(states_[at(person)] = kMoved);
      }
    if (published_.is_vague(at(last)))
      add_vague(person, point);
    else
      victims_[around(point)].push_back(person);
  }

  std::size_t first_version(std::int32_t object) const {
    std::size_t v = 0;
    while (v < versions() && published_.releases[v][at(object)] == kAbsent) ++v;
    return v;
  }

  void add_vague(std::int32_t person, BoxId box) {
    auto& arounds = vague_[box];
    if (arounds.empty()) {
      for (std::size_t o = 0; o < published_.points.size(); ++o) {
        checkpoint_.tick();
        BoxId const point = published_.points[o];
        if (point != kAbsent && !published_.is_vague(o) && boxes_.holds(box, point)) arounds.push_back(around(point));
      }
      Vector<std::uint32_t> numbers;
      tree_->meeting(box, numbers);
      for (auto const i : numbers) {
        auto const smaller = [&](auto j) { return i != j && boxes_.holds(listed_[i], listed_[j]); };
        if (boxes_.holds(box, listed_[i]) && std::none_of(numbers.begin(), numbers.end(), smaller))
          arounds.push_back(around(listed_[i]));
      }
      std::sort(arounds.begin(), arounds.end());
      arounds.erase(std::unique(arounds.begin(), arounds.end()), arounds.end());
    }
    for (auto const& found : arounds) victims_[found].push_back(person);
  }

  // Everybody whose point lies in the same boxes.
  void judge(Around const& around, std::vector<std::int32_t> const& victims) {
    std::vector<std::int32_t> people;
    for (auto const box : around) people.insert(people.end(), people_[at(box)].begin(), people_[at(box)].end());
    std::sort(people.begin(), people.end());
    people.erase(std::unique(people.begin(), people.end()), people.end());
    auto const sight = [&](std::int32_t person, std::size_t v) {
      BoxId const box = shown(person, v);
      if (box == kAbsent) return VersionPaths::kAbsentThen;
      return std::binary_search(around.begin(), around.end(), place_[at(box)]) ? VersionPaths::kHit
                                                                               : VersionPaths::kMiss;
    };
    VersionPaths paths(versions(), demands_.k, checkpoint_);
    for (auto const person : people) {
      checkpoint_.tick();
      if (doubled_[at(person)] != 0) continue;
      auto* const row = paths.add_person();
      for (std::size_t v = 0; v < versions(); ++v) row[v] = sight(person, v);
    }
    for (auto const person : victims) {
      auto* const row = paths.add_victim();
      for (std::size_t v = 0; v < versions(); ++v) row[v] = sight(person, v) == VersionPaths::kHit;
    }
    auto const verdicts = paths.judge(left_);
    for (std::size_t i = 0; i < victims.size(); ++i) note(victims[i], verdicts[i]);
  }

  void note(std::int32_t person, VersionPaths::Verdict const& verdict) {
    auto& state = states_[at(person)];
    if (verdict.candidates < demands_.k) {
      state = kAtRisk;
      if (verdict.candidates >= result_.smallest && !result_.versions.empty()) return;
      result_.smallest = verdict.candidates;
      result_.versions = verdict.versions;
    } else if (!verdict.decided && state == kSafe) {
      state = kUndecided;
    }
  }

  Boxes const& boxes_;
  PublishedObjects const& published_;
  CandidateDemands const& demands_;
  Checkpoint& checkpoint_;
  std::int64_t left_;  // of the budget
  FewestCandidates result_;
  std::vector<std::vector<std::int32_t>> objects_;  // of a person
  Vector<BoxId> shown_;                             // person, version -> box
  Vector<char> states_, doubled_;                   // of persons
  Vector<BoxId> listed_;
  Vector<std::int64_t> weights_;
  Vector<std::int32_t> place_;                     // box -> into listed_
  std::vector<std::vector<std::int32_t>> people_;  // of listed boxes; somebody may be there twice
  std::optional<BoxTree> tree_;
  std::map<Around, std::vector<std::int32_t>> victims_;  // one with a vague point under several
  std::map<BoxId, std::vector<Around>> vague_;
};

}  // namespace

FewestCandidates fewest_candidates(Boxes const& boxes, PublishedObjects const& published,
                                   std::span<std::int32_t const> person, CandidateDemands const& demands,
                                   Checkpoint& checkpoint) {
  // Points are read of the versions of one ledger alone.
  if (person.size() != published.objects || published.points.size() != published.objects)
    throw Error(Fault::kDamaged, "the versions of a policy do not belong to one ledger");
  return CandidateSearch(boxes, published, person, demands, checkpoint).run();
}

}  // namespace anon_seq
