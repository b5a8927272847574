// Random histories of an incremental policy against attackers by enumeration.
#include <gtest/gtest.h>

#include "incremental_fixture.h"
#include "runs.h"

namespace anon_seq::testing {
namespace {

class Instance {
 public:
  explicit Instance(std::uint64_t seed) : random_(seed), history_(attributes(), 2 + draw(3)) { demand(); }

  void check();
  std::string text() const;

 private:
  int draw(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  bool chance(int percent) { return draw(100) < percent; }
  std::vector<Attribute> attributes();
  OpenTaxonomy open_rule();
  std::string open_value(OpenTaxonomy const& open);
  void demand();
  Values values();
  void grow_taxonomies();
  void move_people();
  void return_people();
  void publish();
  void check_version();
  void check_attacks();
  std::vector<char> moved() const;

  std::mt19937_64 random_;
  bool skewed_ = false, in_order_ = false;
  History history_;
  int persons_ = 0, forgetting_ = 0;
};

OpenTaxonomy Instance::open_rule() {
  switch (draw(4)) {
    case 0: return make_range_rule("-4", "12", {"2", "4"});
    case 1: return make_range_rule("-4", "12", {"1"});
    case 2: return make_prefix_rule({2, 1});
    default: return make_date_rule({"month", "quarter", "year"});
  }
}

// Some value of an open taxonomy, from few or from many.
std::string Instance::open_value(OpenTaxonomy const& open) {
  if (std::holds_alternative<PrefixRule>(open)) {
    std::string code;
    for (int n = 2 + draw(2); n > 0; --n) code += "a!z"[draw(3)];
    return code;
  }
  if (std::holds_alternative<RangeRule>(open))
    return std::to_string(draw(15) - 3) + (chance(20) ? "." + std::to_string(25 * draw(4)) : "");
  if (chance(5)) return chance(50) ? "infinity" : "-infinity";
  int const year = chance(10) ? 12000 : 2018 + draw(4);
  return std::to_string(year) + (chance(50) ? "-0" + std::to_string(1 + draw(9)) : "-1" + std::to_string(draw(3))) +
         "-15";
}

std::vector<Attribute> Instance::attributes() {
  std::vector<Attribute> all;
  skewed_ = chance(40);
  for (int a = 1 + draw(3); a > 0; --a) {
    Attribute attribute;
    if (chance(50)) {
      attribute.size = 4 + draw(8);
      if (chance(20)) {
        attribute.domain_from = 1 + draw(2);
        attribute.domain_below = attribute.size - draw(2);
      }
    } else if (chance(40)) {
      attribute.by_children = chance(30);
      attribute.open = open_rule();
    } else {
      attribute.by_children = chance(60);
      attribute.edges = {{"a", "r"}, {"b", "r"}, {"a1", "a"}, {"a2", "a"}, {"b1", "b"}, {"b2", "b"}};
      if (chance(50)) attribute.edges.push_back({"c", "r"});
      if (chance(50)) attribute.edges.insert(attribute.edges.end(), {{"a3", "a"}, {"a3x", "a3"}, {"a3y", "a3"}});
    }
    all.push_back(attribute);
  }
  return all;
}

void Instance::demand() {
  history_.demands.by_entropy = chance(40);
  history_.demands.box = chance(50);
  history_.demands.arrivals_known = chance(35);
  history_.demands.erase_at_once = chance(8);
  forgetting_ = chance(40) ? 50 : 0;
}

Values Instance::values() {
  Values found;
  for (auto const& attribute : history_.attributes) {
    if (chance(10)) {
      found.push_back("");
    } else if (attribute.is_line()) {
      int const n = attribute.size - 1;
      found.push_back(std::to_string(1 + (skewed_ ? draw(1 + draw(n)) : draw(n))));
    } else if (attribute.open) {
      found.push_back(open_value(*attribute.open));
    } else {
      std::set<std::string> inner;
      std::vector<std::string> leaves;
      for (auto const& [child, parent] : attribute.edges) inner.insert(parent);
      for (auto const& [child, parent] : attribute.edges)
        if (inner.count(child) == 0) leaves.push_back(child);
      int const n = static_cast<int>(leaves.size());
      found.push_back(leaves[static_cast<std::size_t>(skewed_ ? draw(1 + draw(n)) : draw(n))]);
    }
  }
  return found;
}

void Instance::grow_taxonomies() {
  for (auto& attribute : history_.attributes) {
    if (attribute.edges.empty() || !chance(30)) continue;
    std::string const parent =
        attribute.edges[static_cast<std::size_t>(draw(static_cast<int>(attribute.edges.size())))].second;
    attribute.edges.push_back({"n" + std::to_string(attribute.edges.size()), parent});
  }
}

void Instance::move_people() {
  int const leaving = draw(45), changing = draw(25);
  for (std::size_t i = 0, n = history_.objects.size(); i < n; ++i) {
    if (history_.objects[i].gone || history_.objects[i].dropped) continue;
    std::size_t const other = static_cast<std::size_t>(draw(static_cast<int>(n)));
    if (chance(leaving)) {
      history_.remove(i);
      if (chance(forgetting_)) history_.forget(i);
    } else if (chance(changing)) {
      bool const back = other != i && history_.objects[other].person == history_.objects[i].person;
      Values const now = back ? history_.objects[other].values : values();
      if (now == history_.objects[i].values) continue;  // he has not changed
      back ? history_.change_back(i, other) : history_.change(i, now);
    }
  }
  return_people();
  int const coming = history_.versions.empty() ? 4 + draw(14) : draw(12);
  Values const like = values();
  for (int i = 0; i < coming; ++i) history_.insert(persons_++, chance(25) ? like : values());
}

// Some of those who left come again, as they were or with other values; a forgotten one would be somebody new.
void Instance::return_people() {
  std::set<int> there;
  for (auto const& object : history_.objects)
    if ((!object.gone && !object.dropped) || object.placeless) there.insert(object.person);
  for (std::size_t i = 0, n = history_.objects.size(); i < n; ++i) {
    Object& object = history_.objects[i];
    if (there.count(object.person) != 0 || !chance(8)) continue;
    there.insert(object.person);
    Values const now = chance(50) ? object.values : values();
    if (object.gone && object.values == now)
      object.gone = false;
    else
      history_.insert(object.person, now);
  }
}

void Instance::publish() {
  bool const lower = history_.demands.k > 2 && !history_.versions.empty() && chance(8);
  history_.demands.k -= lower;
  history_.demands.cut_all = lower;
  if (!chance(15)) {
    history_.publish();
    return;
  }
  auto const [partition, regions] = history_.shuffled(random_());
  auto const& version = history_.publish();
  EXPECT_EQ(regions, version.regions);
  ASSERT_EQ(partition.regions.size(), version.partition.regions.size());
  EXPECT_EQ(partition.nodes, version.partition.nodes);
  for (std::size_t i = 0; i < partition.regions.size(); ++i) {
    Region const &a = partition.regions[i], &b = version.partition.regions[i];
    EXPECT_EQ(std::tie(a.parent, a.side, a.at, a.attribute, a.open),
              std::tie(b.parent, b.side, b.at, b.attribute, b.open));
  }
}

void Instance::check_version() {
  Version const& version = history_.versions.back();
  std::map<RegionId, std::set<int>> persons, staying;
  std::set<int> shown;
  std::size_t published = 0, waiting = 0, deferred = 0;
  for (std::size_t i = 0; i < history_.objects.size(); ++i) {
    Object const& object = history_.objects[i];
    RegionId const region = i < version.regions.size() ? version.regions[i] : kNoRegion;
    if (region == kNoRegion) {
      waiting += !object.gone && !object.dropped;
      continue;
    }
    ++published;
    deferred += object.gone;
    EXPECT_TRUE(version.partition.regions[static_cast<std::size_t>(region)].open);
    EXPECT_TRUE(version.partition.is_leaf(region));
    persons[region].insert(object.person);
    if (!object.moved) staying[region].insert(object.person);
    EXPECT_TRUE(shown.insert(object.person).second) << "two objects of one person in one version";
  }
  Refined const& refined = version.refined;
  EXPECT_EQ(static_cast<std::size_t>(refined.published), published);
  EXPECT_EQ(static_cast<std::size_t>(refined.waiting + refined.withheld), waiting);
  EXPECT_EQ(static_cast<std::size_t>(refined.deferred), deferred);
  EXPECT_EQ(static_cast<std::size_t>(refined.leaves), persons.size());
  for (auto const& [region, people] : persons) {
    EXPECT_GE(static_cast<std::int64_t>(staying[region].size()), history_.demands.k);
    EXPECT_GE(static_cast<std::int64_t>(people.size()), refined.smallest_leaf);
  }
  if (history_.demands.erase_at_once) {
    EXPECT_EQ(deferred, 0U);
    return;
  }
  for (std::size_t r = 0; r < version.partition.regions.size(); ++r)
    if (version.partition.regions[r].open) {
      EXPECT_EQ(persons.count(static_cast<RegionId>(r)), 1U) << "open and not published";
    }
  if (history_.demands.arrivals_known) {
    for (auto const least : {refined.smallest_arrival, refined.smallest_departure})
      EXPECT_TRUE(least == 0 || least >= history_.demands.k) << least;
  }
}

// Whether a point that was outside the object's region is inside it later.
bool grows(Mask shown, Mask covers) {
  Mask const outside = shown & ~covers;
  return outside != 0 && (covers & ~((outside & -outside) - 1)) != 0;
}

// Published regions hold whom they should, and shrink.
void check_regions(History const& history, Sight const& exact, Sight const& published) {
  for (std::size_t i = 0; i < exact.shown.size(); ++i) {
    if (!history.objects[i].placeless) {
      EXPECT_EQ(exact.covers[i][i], exact.shown[i]) << "object " << i;
    }
    for (std::size_t j = 0; j < exact.shown.size(); ++j) {
      Mask const real = exact.covers[i][j], seen = published.covers[i][j];
      if ((real & ~seen) != 0 || grows(exact.shown[i], real) || grows(exact.shown[i], seen))
        ADD_FAILURE() << "objects " << i << " and " << j << ": in versions " << real << ", shown " << seen;
    }
  }
}

// Whether a bound of an attribute keeps something out of a region.
bool is_cut(Partition const& partition, std::size_t a, RegionId id) {
  for (; id != kWholeSpace; id = partition.regions[static_cast<std::size_t>(id)].parent)
    if (partition.regions[static_cast<std::size_t>(id)].attribute == static_cast<std::int16_t>(a)) return true;
  return false;
}

// Where nothing was lumped into "others", and no part of a line shows everything as it may hold unknown, what is
// published is disjoint too.
void check_disjoint(History const& history, std::size_t v) {
  auto const& partition = history.versions[v].partition;
  for (auto const& region : partition.regions)
    if (region.side == Side::kOthers && (region.open || region.children > 0)) return;
  std::set<RegionId> regions;
  for (RegionId const region : history.versions[v].regions)
    if (region != kNoRegion) regions.insert(region);
  std::vector<std::vector<Shown>> shown;
  for (RegionId const region : regions) {
    shown.push_back(history.shown(v, region));
    for (std::size_t a = 0; a < history.attributes.size(); ++a) {
      Shown const& own = shown.back()[a];
      if (history.attributes[a].is_line() && own.from == 0 && !own.unknown && is_cut(partition, a, region)) return;
    }
  }
  auto const trees = History::pointers(history.all_taxonomies());
  for (std::size_t i = 0; i < history.objects.size(); ++i) {
    int holders = 0;
    for (auto const& region : shown) holders += History::shows(region, trees, history.point(i, trees));
    EXPECT_LE(holders, 1);
  }
}

void Instance::check_attacks() {
  auto const exact = history_.sight(true), published = history_.sight(false);
  check_regions(history_, exact, published);
  for (std::size_t v = 0; v < history_.versions.size(); ++v) check_disjoint(history_, v);
  if (history_.demands.erase_at_once) return;
  bool const known = history_.demands.arrivals_known;
  auto const k = static_cast<std::size_t>(history_.demands.k);
  auto const spared = moved();
  for (auto const& sight : {exact, published}) {
    for (auto const& breach : breaches(sight, k, known))
      ADD_FAILURE() << "versions " << breach.versions << ": object " << breach.victim << " is one of "
                    << breach.candidates;
    for (auto const& breach : recognised_breaches(sight, k, known, spared))
      ADD_FAILURE() << "versions " << breach.versions << ": object " << breach.victim << " is recognised as one of "
                    << breach.candidates;
  }
}

// Objects of persons who had other values once; to who knows presence, also of those who came again.
std::vector<char> Instance::moved() const {
  std::map<int, std::set<Values>> values;
  std::map<int, int> times;
  for (auto const& object : history_.objects) {
    values[object.person].insert(object.values);
    times[object.person] += object.last != kNoRegion;
  }
  std::vector<char> found;
  for (auto const& object : history_.objects)
    found.push_back(values[object.person].size() > 1 || (history_.demands.arrivals_known && times[object.person] > 1));
  return found;
}

void Instance::check() {
  for (int version = 2 + draw(4); version > 0 && !::testing::Test::HasFailure(); --version) {
    if (!history_.versions.empty()) grow_taxonomies();
    move_people();
    publish();
    check_version();
  }
  check_attacks();
}

std::string Instance::text() const {
  auto const& demands = history_.demands;
  std::string text = "k " + std::to_string(demands.k) + (demands.box ? " box" : "") +
                     (demands.arrivals_known ? " arrivals known" : "") + (demands.by_entropy ? " entropy" : "") +
                     (demands.erase_at_once ? " erase at once" : "") + "\n";
  for (auto const& attribute : history_.attributes)
    text += (attribute.is_line()     ? "line of " + std::to_string(attribute.size - 1)
             : attribute.by_children ? "taxonomy by children"
                                     : "taxonomy in leaf order") +
            "; ";
  for (std::size_t i = 0; i < history_.objects.size(); ++i) {
    Object const& object = history_.objects[i];
    text += "\n" + std::to_string(i) + ": person " + std::to_string(object.person) + ", values";
    for (auto const& value : object.values) text += " " + (value.empty() ? "NULL" : value);
    text += object.moved ? ", moved" : "";
    text += object.placeless ? ", forgotten" : "";
    text += ", regions";
    for (auto const& version : history_.versions) {
      RegionId const region = i < version.regions.size() ? version.regions[i] : kNoRegion;
      text += region == kNoRegion ? " -" : " " + std::to_string(region);
    }
  }
  auto const& partition = history_.partition;
  for (std::size_t r = 1; r < partition.regions.size(); ++r) {
    Region const& region = partition.regions[r];
    text += "\nregion " + std::to_string(r) + " of " + std::to_string(region.parent) + ": attribute " +
            std::to_string(region.attribute) + " side " + std::to_string(static_cast<int>(region.side)) + " at " +
            std::to_string(region.at) + (region.open ? " open" : "") + (region.departed ? " departed" : "");
    for (Node const n : partition.nodes_of(region))
      text +=
          " " + (n == kUnknown
                     ? "NULL"
                     : std::string(
                           history_.versions.back().taxonomies[static_cast<std::size_t>(region.attribute)]->label(n)));
  }
  return text;
}

TEST(IncrementalProperty, NobodyIsFoundAmongFewerThanK) {
  auto const [seed, instances] = runs(20070709, 1500);
  for (int i = 0; i < instances; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", instance " + std::to_string(i));
    Instance instance(seed * 1000003 + static_cast<std::uint64_t>(i));
    instance.check();
    if (HasFailure()) FAIL() << instance.text();
  }
}

}  // namespace
}  // namespace anon_seq::testing
