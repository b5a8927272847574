// SQL functions that replay what several releases together tell of people: audit_inference,
// audit_inference_relations, audit_arrivals.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/attack/arrivals.h"
#include "core/attack/inference.h"
#include "core/numbers/decimal.h"
//
#include "audit/relation_sources.h"
#include "pg/arguments.h"
#include "pg/context.h"
#include "pg/json_object.h"
#include "pg/progress.h"
#include "pg/report.h"
#include "pg/result_rows.h"
#include "pg/sql_text.h"
#include "release/method.h"
#include "release/release_objects.h"

namespace anon_seq::api {
namespace {

constexpr std::pair<char const*, Reading> kReadings[] = {
    {"equal", Reading::kEqual}, {"contain", Reading::kContain}, {"cover", Reading::kCover}};
constexpr std::pair<char const*, Subsets> kSubsets[] = {
    {"all", Subsets::kAll}, {"prefixes", Subsets::kPrefixes}, {"full", Subsets::kFull}};

// Arguments k, reading, options from number `first`.
InferenceDemands demands_of(Arguments const& arguments, int k, int reading, int options) {
  InferenceDemands demands;
  demands.k = arguments.integer(k, "k");
  if (demands.k < 1)
    throw Error(Fault::kParameter, "k must be at least 1", "k is " + std::to_string(demands.k) + ".",
                "k is how many objects must be as good as each: 2 or more makes sense.");
  auto const name = arguments.text(reading, "reading");
  auto const* const found =
      std::find_if(std::begin(kReadings), std::end(kReadings), [&](auto const& known) { return name == known.first; });
  if (found == std::end(kReadings))
    throw Error(Fault::kParameter, quoted(name) + " is no reading of k-anonymity", "",
                "Readings are equal, contain and cover.");
  demands.reading = found->second;
  if (!arguments.has(options)) return demands;
  auto const json = parse_json(arguments.printed(options, "options", JSONBOID), "options");
  json.expect_keys({"subsets"});
  if (auto const* const subsets = json.find("subsets")) {
    auto const* const choice = std::find_if(std::begin(kSubsets), std::end(kSubsets),
                                            [&](auto const& known) { return subsets->string() == known.first; });
    if (choice == std::end(kSubsets)) subsets->refuse("\"all\", \"prefixes\" or \"full\"");
    demands.subsets = choice->second;
  }
  return demands;
}

std::string named(std::vector<Oid> const& relations) {
  std::vector<std::string> names;
  for (Oid const relation : relations) names.push_back(qualified_name(relation));
  return joined(names, ", ");
}

std::string truth(bool value) { return value ? "t" : "f"; }

// I of an object, and the releases that it takes if these are not all.
std::string inferred_json(PublishedHistory const& history, Inference const& inference, Finding const& finding) {
  JsonObject json;
  json.members(history.members(finding.inferred));
  auto const& subset = inference.subsets[static_cast<std::size_t>(finding.subset)];
  if (subset.size() < history.objects().releases.size())
    json.add("releases", json_array(subset, [&](auto release) {
               return json_string(history.source(static_cast<std::size_t>(release)));
             }));
  return json.json();
}

std::string summary_json(PublishedHistory const& history, Inference const& inference, InferenceDemands const& demands) {
  auto const objects = static_cast<std::int64_t>(history.objects().objects);
  auto const safe = objects - inference.at_risk;
  std::string const ratio = objects == 0 ? "null" : decimal_text((safe * 2000000 + objects) / (2 * objects), 6);
  JsonObject json;
  json.add("safe_ratio", ratio).number("objects", objects).number("at_risk", inference.at_risk);
  json.number("subsets", static_cast<std::int64_t>(inference.subsets.size())).boolean("sampled", inference.sampled);
  json.number("contradictions", inference.contradictions);
  if (inference.undecided > 0) json.number("undecided", inference.undecided);
  return json.text("reading", kReadings[static_cast<int>(demands.reading)].first).json();
}

// Frees what rows leave behind in the memory they are made in.
class RowScratch {
 public:
  RowScratch() : home_(MemoryContextSwitchTo(scratch_.get())) {}
  ~RowScratch() { MemoryContextSwitchTo(home_); }
  void next() {
    if (++rows_ % 1024 == 0) scratch_.reset();
  }

 private:
  ScratchContext scratch_;
  MemoryContext home_;
  std::int64_t rows_ = 0;
};

// What was found of each object. Candidates are counted where rows truly are, but around somebody of whom only the
// region is known, where labels say: any point of both might be meant, and there is none in most. The other readings
// compare what is shown.
class Findings {
 public:
  Findings(PublishedHistory& history, InferenceDemands const& demands, Checkpoint& checkpoint)
      : objects_(demands.reading == Reading::kCover ? history.placed() : history.objects()),
        found_(infer(history.boxes(), objects_, demands, checkpoint)) {
    if (objects_.vague.empty() || demands.reading != Reading::kCover) return;
    by_label_ = infer(history.boxes(), history.objects(), demands, checkpoint);
    found_.undecided = by_label_->undecided;  // whose point is known is decided
    found_.at_risk = 0;
    for (std::size_t object = 0; object < objects_.objects; ++object) {
      auto const group = of(object).group;
      found_.at_risk += group < demands.k;
      found_.smallest = object == 0 ? group : std::min(found_.smallest, group);
    }
  }

  Inference const& all() const { return found_; }
  Finding const& of(std::size_t object) const {
    return by_label_ && objects_.is_vague(object) ? by_label_->of(object) : found_.of(object);
  }

 private:
  PublishedObjects const& objects_;
  Inference found_;
  std::optional<Inference> by_label_;
};

void put_inference(FunctionCallInfo fcinfo, PublishedHistory& history, InferenceDemands const& demands,
                   Checkpoint& checkpoint) {
  Findings const findings(history, demands, checkpoint);
  auto const& inference = findings.all();
  {
    RowScratch scratch;
    for (bool const safe : {false, true})
      for (std::size_t object = 0; object < history.objects().objects; ++object) {
        checkpoint.tick();
        auto const& finding = findings.of(object);
        if ((finding.group >= demands.k) != safe) continue;
        put_texts(fcinfo, {std::string(history.object(object)), inferred_json(history, inference, finding),
                           std::to_string(finding.group), truth(safe)});
        scratch.next();
      }
  }
  put_texts(fcinfo, {std::nullopt, summary_json(history, inference, demands), std::to_string(inference.smallest),
                     truth(inference.at_risk == 0)});
}

// Object ids are a policy's own. Persons of other policies are found again by their keys; of policies that have none of
// them in common, nothing was put together.
void require_linked(std::vector<Release> const& releases) {
  auto const of_objects = std::ranges::find_if(
      releases, [](auto const& release) { return !release.is_registered() && method_of(release).places != nullptr; });
  bool const one =
      std::ranges::all_of(releases, [&](auto const& release) { return release.ledger == releases.front().ledger; });
  if (of_objects == releases.end() || one) return;
  throw Error(Fault::kUnsupported,
              "persons of release " + quoted(of_objects->reference()) + " are not linked with those of other policies",
              "An incremental release knows them by object ids of its own, so each would be taken for two persons, and"
              " somebody who is alone in both together for safe.",
              "Give versions of one policy, or releases of other methods, whose persons are linked by their keys.");
}

void warn_of_strangers(PublishedHistory const& history, std::vector<Release> const& releases) {
  std::map<std::string, bool> met;  // ledger -> whether somebody in it is in another
  for (auto const& release : releases) met.emplace(release.ledger, false);
  if (met.size() < 2) return;
  auto const& shown = history.objects();
  for (std::size_t object = 0; object < shown.objects; ++object) {
    std::set<std::string_view> in;
    for (std::size_t r = 0; r < releases.size(); ++r)
      if (shown.releases[r][object] != kAbsent) in.insert(releases[r].ledger);
    if (in.size() > 1)
      for (auto const ledger : in) met[std::string(ledger)] = true;
  }
  for (auto const& release : releases)
    if (!met[release.ledger])
      return warning(
          "nobody in release " + quoted(release.reference()) + " is in a release of another policy",
          "Persons are linked by their keys: if these are the same people under other keys, what the releases"
          " tell together was not measured.");
}

std::string arrival_json(PublishedHistory const& history, ArrivalFinding const& finding) {
  auto const values = [&](BoxId box) { return JsonObject().members(history.members(box)).json(); };
  JsonObject json;
  if (finding.from != kAbsent) json.add("from", values(finding.from));
  if (finding.to != kAbsent) json.add("group", values(finding.to));
  if (finding.cohort >= 0) json.text("arrived", history.source(static_cast<std::size_t>(finding.cohort)));
  return json.json();
}

}  // namespace

extern "C" {

PG_FUNCTION_INFO_V1(anon_seq_audit_inference_relations);
Datum anon_seq_audit_inference_relations(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const relations = arguments.relations(0, "relations");
    auto const object_id = arguments.text(1, "object_id");
    auto const quasi = arguments.array(2, "quasi");
    auto const demands = demands_of(arguments, 3, 4, 6);
    begin_result(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    std::optional<JsonValue> attributes;
    if (arguments.has(5)) attributes = parse_json(arguments.printed(5, "attributes", JSONBOID), "attributes");
    Progress progress("audit_inference_relations", named(relations), 2);
    progress.step("read");
    PublishedHistory history(
        session, quasi, relation_sources(session, relations, object_id, quasi, attributes ? &*attributes : nullptr),
        checkpoint);
    progress.step("attack");
    put_inference(fcinfo, history, demands, checkpoint);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_inference);
Datum anon_seq_audit_inference(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    Arguments const arguments(fcinfo);
    auto const references = arguments.array(0, "releases");
    auto const demands = demands_of(arguments, 1, 2, 3);
    begin_result(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    auto const releases = releases_meant(session, references);
    require_linked(releases);
    Progress progress("audit_inference", joined(references, ", "), 2);
    progress.step("read");
    auto history = history_of(session, releases, checkpoint);
    warn_of_strangers(history, releases);
    progress.step("attack");
    put_inference(fcinfo, history, demands, checkpoint);
    return Datum{};
  });
}

PG_FUNCTION_INFO_V1(anon_seq_audit_arrivals);
Datum anon_seq_audit_arrivals(PG_FUNCTION_ARGS) {
  return entry([&]() -> Datum {
    auto const references = Arguments(fcinfo).array(0, "releases");
    begin_result(fcinfo);
    SpiSession session;
    InterruptCheckpoint checkpoint;
    auto const releases = releases_meant(session, references);
    for (auto const& release : releases)
      if (release.ledger != releases.front().ledger)
        throw Error(Fault::kParameter, "arrivals are of versions of one policy",
                    "Releases " + quoted(releases.front().reference()) + " and " + quoted(release.reference()) +
                        " are of two.");
    if (releases.size() < 2)
      throw Error(Fault::kParameter, "arrivals need at least two versions", "",
                  "Give a policy's name for all its versions, or list some.");
    Progress progress("audit_arrivals", joined(references, ", "), 2);
    progress.step("read");
    auto const history = history_of(session, releases, checkpoint);
    progress.step("attack");
    for (auto const& finding : find_arrivals(history.objects(), checkpoint)) {
      bool const some = finding.groups > 0;
      put_texts(fcinfo,
                {history.source(static_cast<std::size_t>(finding.release)), arrival_check_name(finding.check),
                 some ? std::optional(std::to_string(finding.smallest)) : std::nullopt, std::to_string(finding.groups),
                 std::to_string(finding.objects), some ? std::optional(arrival_json(history, finding)) : std::nullopt});
    }
    return Datum{};
  });
}

}  // extern "C"

}  // namespace anon_seq::api
