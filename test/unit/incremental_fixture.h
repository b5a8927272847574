// Small histories of an incremental policy for tests: persons with values, and what every version shows of them.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/partition/incremental.h"
#include "core/partition/node_set.h"
#include "core/taxonomy/grown_taxonomy.h"
#include "region_attacker.h"

namespace anon_seq::testing {

using Edges = std::vector<std::pair<std::string, std::string>>;  // child, parent; the root first as a parent
using Values = std::vector<std::string>;                         // per attribute; "" is NULL

inline Taxonomy tree_of(Edges const& edges) {
  Dictionary labels;
  Vector<Node> parents;
  labels.intern(edges.front().second);
  parents.push_back(kNoNode);
  for (auto const& [child, parent] : edges) {
    labels.intern(child);
    parents.push_back(labels.find(parent));
  }
  return Taxonomy(labels, parents);
}

// A line of the numbers 1 .. size - 1, which are their own codes, or a taxonomy; an open one has the values that occur.
struct Attribute {
  std::int32_t size = 0;
  Edges edges;
  bool by_children = false;
  std::int32_t domain_from = 0, domain_below = Shown::kUnbounded;
  std::optional<OpenTaxonomy> open = std::nullopt;
  bool is_line() const { return edges.empty() && !open; }
};

struct Object {
  int person;
  Values values;
  RegionId region = kNoRegion;
  std::int32_t since = 0;
  bool gone = false, dropped = false;
  RegionId last = kNoRegion;               // that showed it
  bool moved = false, left_alone = false;  // left_alone: when its person was nowhere else
  bool placeless = false;                  // forgotten
};

struct Version {
  Partition partition;
  std::vector<std::shared_ptr<Taxonomy>> taxonomies;
  std::vector<RegionId> regions;  // object -> leaf that is shown, or kNoRegion
  Refined refined;
};

class History {
 public:
  History(std::vector<Attribute> attributes, std::int64_t k) : attributes(std::move(attributes)) { demands.k = k; }

  std::size_t insert(int person, Values values) {
    objects.push_back({person, std::move(values)});
    return objects.size() - 1;
  }
  void remove(std::size_t object) {
    if (objects[object].region == kNoRegion)
      objects[object].dropped = true;
    else
      objects[object].gone = true;
  }
  std::size_t change(std::size_t object, Values values) {
    int const person = objects[object].person;
    remove(object);
    return insert(person, std::move(values));
  }

  // To values that he had before: if that row is still shown, it is his again.
  std::size_t change_back(std::size_t object, std::size_t to) {
    if (!objects[to].gone || objects[to].region == kNoRegion || objects[to].placeless)
      return change(object, objects[to].values);
    remove(object);
    objects[to].gone = false;
    return to;
  }
  // Nobody knows any more who he is and where in his region he was.
  void forget(std::size_t object) {
    for (auto& other : objects)
      if (other.person == objects[object].person) other.placeless = true;
  }

  Version const& publish();

  // What the policy would show with the rows in another order; of the gone ones, the order counts.
  std::pair<Partition, std::vector<RegionId>> shuffled(std::uint64_t seed);

  // Whether a published region holds a point, by what is published and the taxonomies as they are now.
  static bool shows(std::vector<Shown> const& shown, std::vector<Taxonomy const*> const& now,
                    std::vector<std::int32_t> const& point);

  // By what is published, or by one who knows the tree too (then it holds less).
  Sight sight(bool knows_tree) const;

  std::vector<Shown> shown(std::size_t version, RegionId region) const;  // nodes as numbered now
  std::vector<Shown> shown_now(std::size_t object) const { return shown(versions.size() - 1, region(object)); }
  RegionId region(std::size_t object) const { return versions.back().regions[object]; }
  std::vector<std::int32_t> point(std::size_t object, std::vector<Taxonomy const*> const& trees) const {
    std::vector<std::int32_t> point;
    for (std::size_t a = 0; a < trees.size(); ++a) point.push_back(point_of(trees[a], objects[object].values[a]));
    return point;
  }

  std::vector<Attribute> attributes;
  IncrementalDemands demands;
  Partition partition = whole_space();
  std::vector<Object> objects;
  std::vector<Version> versions;

  // The nodes as later taxonomies number them.
  static void renumber(Partition& partition, std::vector<std::shared_ptr<Taxonomy>> const& from,
                       std::vector<std::shared_ptr<Taxonomy>> const& to) {
    for (auto const& region : partition.regions)
      for (auto i = region.nodes_begin; i < region.nodes_end; ++i) {
        auto const a = static_cast<std::size_t>(region.attribute);
        if (Node& node = partition.nodes[i]; node != kUnknown) node = to[a]->find(from[a]->label(node));
      }
    put_in_order(partition);
  }
  // As a publish sees them: the values of an open one are those of its objects, those that the ledger knows of people
  // who were published once, and what regions name. `ever`: of all objects there were.
  std::vector<std::shared_ptr<Taxonomy>> taxonomies(bool ever = false) const {
    std::vector<std::shared_ptr<Taxonomy>> trees;
    for (std::size_t a = 0; a < attributes.size(); ++a) {
      if (attributes[a].is_line())
        trees.push_back(nullptr);
      else if (attributes[a].open)
        trees.push_back(std::make_shared<Taxonomy>(grown(a, ever)));
      else
        trees.push_back(std::make_shared<Taxonomy>(tree_of(attributes[a].edges)));
    }
    return trees;
  }
  Taxonomy grown(std::size_t a, bool ever) const {
    ValueTexts values;
    for (auto const& object : objects)
      if ((ever || !object.dropped || object.since > 0) && !object.values[a].empty()) values.insert(object.values[a]);
    if (!versions.empty())
      for (auto const& region : partition.regions)
        for (auto i = region.nodes_begin; i < region.nodes_end; ++i)
          if (static_cast<std::size_t>(region.attribute) == a && partition.nodes[i] != kUnknown)
            values.emplace(versions.back().taxonomies[a]->label(partition.nodes[i]));
    NoCheckpoint checkpoint;
    return grow_taxonomy("grown", *attributes[a].open, values, checkpoint);
  }
  static std::int32_t point_of(Taxonomy const* taxonomy, std::string const& value) {
    if (taxonomy == nullptr) return value.empty() ? 0 : std::stoi(value);
    return value.empty() ? kUnknown : taxonomy->find(value);
  }

  // Of all versions together; what shown() numbers its nodes by.
  std::vector<std::shared_ptr<Taxonomy>> const& all_taxonomies() const {
    if (all_of_ != versions.size()) {
      bool const grows =
          std::any_of(attributes.begin(), attributes.end(), [](auto const& a) { return a.open.has_value(); });
      all_ = grows ? taxonomies(true) : versions.back().taxonomies;
      all_of_ = versions.size();
    }
    return all_;
  }

  static std::vector<Taxonomy const*> pointers(std::vector<std::shared_ptr<Taxonomy>> const& trees) {
    std::vector<Taxonomy const*> plain;
    for (auto const& tree : trees) plain.push_back(tree.get());
    return plain;
  }

 private:
  Refined run(Partition& tree, std::vector<std::shared_ptr<Taxonomy>> const& trees,
              std::vector<std::size_t> const& order, std::vector<RegionId>& regions,
              std::vector<char>* moved = nullptr);
  // Where a person was shown before, as another object.
  RegionId before(Partition const& tree, std::size_t object) const;
  std::vector<std::size_t> live() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (!objects[i].dropped) order.push_back(i);
    return order;
  }

  mutable std::vector<std::shared_ptr<Taxonomy>> all_;
  mutable std::size_t all_of_ = 0;
};

inline Refined History::run(Partition& tree, std::vector<std::shared_ptr<Taxonomy>> const& trees,
                            std::vector<std::size_t> const& order, std::vector<RegionId>& regions,
                            std::vector<char>* moved) {
  std::vector<Axis> axes;
  std::vector<Vector<double>> positions(attributes.size());
  std::vector<Vector<std::int32_t>> roundness(attributes.size());
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    Axis axis;
    axis.taxonomy = trees[a].get();
    axis.by_children = attributes[a].by_children;
    axis.size = attributes[a].size;
    for (std::int32_t code = 0; code < axis.size; ++code) {
      positions[a].push_back(code);
      roundness[a].push_back(code % 5 == 0 ? 1 : 0);
    }
    axis.positions = positions[a];
    axis.roundness = roundness[a];
    axis.domain_from = attributes[a].domain_from;
    axis.domain_below = attributes[a].domain_below;
    axes.push_back(axis);
  }
  Objects rows;
  std::map<int, std::int32_t> row_of;  // person -> who is not gone
  for (std::size_t i = 0; i < order.size(); ++i)
    if (!objects[order[i]].gone) row_of[objects[order[i]].person] = static_cast<std::int32_t>(i);
  for (std::size_t i : order) {
    Object const& object = objects[i];
    for (std::size_t a = 0; a < attributes.size(); ++a)
      rows.points.push_back(point_of(trees[a].get(), object.values[a]));
    rows.region.push_back(object.region);
    rows.since.push_back(object.since);
    rows.gone.push_back(object.gone);
    rows.before.push_back(object.region == kNoRegion ? before(tree, i) : kNoRegion);
    rows.moved.push_back(object.moved);
    rows.placeless.push_back(object.placeless);
    bool const changed = object.gone && !object.placeless && row_of.count(object.person) != 0;
    rows.successor.push_back(changed ? row_of[object.person] : -1);
  }
  NoCheckpoint checkpoint;
  auto const version = static_cast<std::int32_t>(versions.size()) + 1;
  Refined refined = refine(tree, axes, demands, rows, version, checkpoint);
  regions.assign(objects.size(), kNoRegion);
  for (std::size_t i = 0; i < order.size(); ++i) regions[order[i]] = refined.region[i];
  if (moved != nullptr) {
    moved->assign(objects.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) (*moved)[order[i]] = rows.moved[i];
  }
  return refined;
}

inline RegionId History::before(Partition const& tree, std::size_t object) const {
  RegionId deepest = kNoRegion;
  auto const lies_in = [&](RegionId region, RegionId other) {
    while (region != kNoRegion && region != other) region = tree.regions[static_cast<std::size_t>(region)].parent;
    return region == other;
  };
  for (auto const& other : objects) {
    if (other.person != objects[object].person || other.last == kNoRegion || &other == &objects[object]) continue;
    if (other.left_alone && demands.arrivals_known) return kNeverAgain;
    if (deepest == kNoRegion || lies_in(other.last, deepest))
      deepest = other.last;
    else if (!lies_in(deepest, other.last))
      return kScattered;
  }
  return deepest;
}

inline Version const& History::publish() {
  auto const trees = taxonomies();
  if (!versions.empty()) renumber(partition, versions.back().taxonomies, trees);
  Version version;
  std::vector<char> moved;
  version.refined = run(partition, trees, live(), version.regions, &moved);
  version.taxonomies = trees;
  version.partition = partition;
  versions.push_back(std::move(version));
  for (std::size_t i = 0; i < objects.size(); ++i) {
    Object& object = objects[i];
    RegionId const now = versions.back().regions[i];
    if (object.since == 0 && now != kNoRegion) object.since = static_cast<std::int32_t>(versions.size());
    if (object.gone && !object.dropped && now == kNoRegion) {
      object.dropped = true;
      object.left_alone = std::none_of(objects.begin(), objects.end(), [&](auto const& other) {
        return other.person == object.person && !other.gone && !other.dropped;
      });
    }
    object.region = now;
    if (now == kNoRegion) continue;
    object.moved = moved[i] != 0;
    object.last = now;
  }
  return versions.back();
}

inline std::pair<Partition, std::vector<RegionId>> History::shuffled(std::uint64_t seed) {
  auto order = live();
  std::mt19937_64 random(seed);
  std::vector<std::size_t> gone, rest;
  for (std::size_t i : order) (objects[i].gone ? gone : rest).push_back(i);
  for (std::size_t i = rest.size(); i > 1; --i) std::swap(rest[i - 1], rest[random() % i]);
  rest.insert(rest.end(), gone.begin(), gone.end());
  auto const trees = taxonomies();
  Partition tree = partition;
  if (!versions.empty()) renumber(tree, versions.back().taxonomies, trees);
  std::vector<RegionId> regions;
  run(tree, trees, rest, regions);
  return {std::move(tree), std::move(regions)};
}

inline std::vector<Shown> History::shown(std::size_t version, RegionId region) const {
  auto const& then = versions[version].taxonomies;
  auto const& now = all_taxonomies();
  auto shown = shown_of(versions[version].partition, pointers(then), region);
  for (std::size_t a = 0; a < shown.size(); ++a)
    for (Node& n : shown[a].nodes)
      if (n != kUnknown) n = now[a]->find(then[a]->label(n));
  for (auto& own : shown) std::sort(own.nodes.begin(), own.nodes.end());
  return shown;
}

inline bool History::shows(std::vector<Shown> const& shown, std::vector<Taxonomy const*> const& now,
                           std::vector<std::int32_t> const& point) {
  for (std::size_t a = 0; a < shown.size(); ++a) {
    auto const& own = shown[a];
    bool held = false;
    if (now[a] == nullptr) {
      held = point[a] == 0 ? own.from == 0 : !own.unknown && own.from <= point[a] && point[a] < own.below;
    } else if (point[a] == kUnknown) {
      for (Node const n : own.nodes) held |= n == kUnknown || (n == anon_seq::kRoot && !own.known);
    } else {
      for (Node up = point[a]; up != kNoNode; up = now[a]->parent(up))
        held |= std::find(own.nodes.begin(), own.nodes.end(), up) != own.nodes.end();
    }
    if (!held) return false;
  }
  return true;
}

inline Sight History::sight(bool knows_tree) const {
  Sight sight;
  sight.versions = static_cast<int>(versions.size());
  sight.shown.assign(objects.size(), 0);
  sight.covers.assign(objects.size(), std::vector<Mask>(objects.size(), 0));
  for (auto const& object : objects) sight.person.push_back(object.person);
  auto const& all = all_taxonomies();
  auto const trees = pointers(all);
  std::vector<std::vector<std::int32_t>> points;
  for (std::size_t o = 0; o < objects.size(); ++o) points.push_back(point(o, trees));
  for (std::size_t v = 0; v < versions.size(); ++v) {
    Mask const bit = Mask{1} << v;
    Version version = versions[v];
    renumber(version.partition, version.taxonomies, all);
    std::map<RegionId, std::vector<std::size_t>> members;
    for (std::size_t o = 0; o < version.regions.size(); ++o)
      if (version.regions[o] != kNoRegion) {
        sight.shown[o] |= bit;
        members[version.regions[o]].push_back(o);
      }
    for (auto const& [region, group] : members) {
      auto const published = shown(v, region);
      for (std::size_t victim = 0; victim < objects.size(); ++victim) {
        auto const& at = points[victim];
        if (knows_tree ? leaf_of(version.partition, trees, at) != region : !shows(published, trees, at)) continue;
        for (std::size_t const o : group) sight.covers[o][victim] |= bit;
      }
    }
  }
  return sight;
}

}  // namespace anon_seq::testing
