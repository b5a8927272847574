#include "incremental/inference_check.h"

#include <algorithm>
#include <map>

#include "core/attack/candidate_sets.h"
#include "core/attack/inference.h"
//
#include "catalog/ledger.h"
#include "pg/datum_cursor.h"
#include "pg/json_object.h"
#include "pg/progress.h"
#include "release/release_objects.h"

namespace anon_seq::incremental {
namespace {

std::string ratio_text(std::int64_t at_risk, std::int64_t all) {
  char text[32];
  double const safe = static_cast<double>(all - at_risk);
  pg_snprintf(text, sizeof text, "%.6g", all == 0 ? 1 : safe / static_cast<double>(all));
  return text;
}

// Which objects of a history are one person: those that the ledger says were shown one after the other.
Vector<std::int32_t> persons_of(SpiSession& session, Release const& release, PublishedHistory const& history) {
  std::map<std::string, std::string, std::less<>> before;
  auto const first = [&](std::string_view object) {
    for (auto at = before.find(object); at != before.end(); at = before.find(object)) object = at->second;
    return object;
  };
  DatumCursor moved(session, "SELECT object::pg_catalog.text, before::pg_catalog.text FROM " +
                                 ledger_table(release.ledger, "moved") + " WHERE before <> 0");
  while (moved.next())
    for (std::size_t row = 0; row < moved.rows(); ++row)
      if (auto const earlier = first(moved.text(row, 1)); earlier != moved.text(row, 0))  // else it goes in a circle
        before.emplace(moved.text(row, 0), earlier);
  Dictionary names;
  Vector<std::int32_t> persons;
  for (std::size_t object = 0; object < history.objects().objects; ++object)
    persons.push_back(names.intern(first(history.object(object))));
  return persons;
}

// Of the attack by object, whoever is not known exactly aside: what his region shows may hold more than the region
// does, as that of the others of a cut; where he can be is attacked by person.
struct ByObject {
  std::int64_t at_risk = 0, smallest = 0;
};
ByObject by_object(Inference const& found, PublishedObjects const& objects, std::int64_t k) {
  ByObject result;
  bool any = false;
  for (std::size_t object = 0; object < objects.objects; ++object) {
    if (objects.is_vague(object)) continue;
    auto const group = found.of(object).group;
    result.at_risk += group < k;
    result.smallest = any ? std::min(result.smallest, group) : group;
    any = true;
  }
  return result;
}

}  // namespace

InferenceCheck inference_check(SpiSession& session, std::string const& scope, std::vector<Release> const& versions,
                               std::int64_t k) {
  Progress::at("inference");
  InterruptCheckpoint checkpoint;
  auto history = history_of(session, versions, checkpoint);
  auto const persons = persons_of(session, versions.front(), history);
  auto const fewest = fewest_candidates(history.boxes(), history.placed(), persons, {.k = k}, checkpoint);
  InferenceDemands demands;
  demands.k = k;
  demands.reading = Reading::kCover;
  auto const cover = infer(history.boxes(), history.placed(), demands, checkpoint);
  JsonObject detail;
  detail.number("moved", fewest.moved).number("undecided", fewest.undecided);
  detail.add("versions", json_array(fewest.versions, [&](auto version) {
               return std::to_string(versions[static_cast<std::size_t>(version)].version);
             }));
  detail.boolean("sampled", cover.sampled).number("subsets", static_cast<std::int64_t>(cover.subsets.size()));
  auto const objects = static_cast<std::int64_t>(history.objects().objects);
  for (auto const& [name, reading] : {std::pair{"equal", Reading::kEqual}, {"contain", Reading::kContain}}) {
    demands.reading = reading;
    auto const found = infer(history.boxes(), history.objects(), demands, checkpoint);
    detail.add(name, ratio_text(found.at_risk, objects));
  }
  // By object, who moved is two: each of them is attacked as well.
  auto const single = by_object(cover, history.placed(), k);
  std::int64_t const offending =
      fewest.at_risk + fewest.undecided > 0 ? fewest.at_risk + fewest.undecided : single.at_risk;
  Check check{"inference",
              scope,
              "at least " + std::to_string(k) + " candidates for everybody in any set of versions",
              "safe ratio " + ratio_text(offending, objects) + ", " +
                  std::to_string(std::min(fewest.smallest, single.smallest)) + " candidates at least" +
                  (fewest.undecided > 0 ? ", " + std::to_string(fewest.undecided) + " not decided" : ""),
              offending == 0 && cover.contradictions == 0,
              offending,
              detail.json()};
  return {std::move(check), fewest.at_risk == 0 ? fewest.undecided : 0};
}

}  // namespace anon_seq::incremental
