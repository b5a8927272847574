#include "core/attack/worlds.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/table/dictionary.h"

namespace anon_seq {
namespace {

struct TooMuch {};  // work, or worlds

Wide times(Wide a, Wide b) {
  Wide made;
  if (__builtin_mul_overflow(a, b, &made)) throw TooMuch();
  return made;
}

Wide plus(Wide a, Wide b) {
  Wide made;
  if (__builtin_add_overflow(a, b, &made)) throw TooMuch();
  return made;
}

// The ways to share `total` out to places of which each takes so many at most, one after the other.
class Shares {
 public:
  // False if there are none.
  bool begin(std::int32_t total, Vector<std::int32_t> const& most) {
    most_ = &most;
    taken_.assign(most.size(), 0);
    return fill(0, total);
  }
  bool next() {
    std::int64_t after = 0, room = 0;  // of the places behind
    for (std::size_t place = taken_.size(); place-- > 0;) {
      if (taken_[place] > 0 && after + 1 <= room) {
        --taken_[place];
        return fill(place + 1, after + 1);
      }
      after += taken_[place];
      room += (*most_)[place];
    }
    return false;
  }
  Vector<std::int32_t> const& taken() const { return taken_; }

 private:
  bool fill(std::size_t place, std::int64_t total) {
    for (; place < taken_.size(); ++place) {
      taken_[place] = static_cast<std::int32_t>(std::min<std::int64_t>(total, (*most_)[place]));
      total -= taken_[place];
    }
    return total == 0;
  }

  Vector<std::int32_t> const* most_ = nullptr;
  Vector<std::int32_t> taken_;
};

// In how many ways people can be given values of which so many are each.
Wide orders(Vector<std::int32_t> const& taken) {
  Wide all = 1;
  std::int32_t people = 0;
  for (auto const of_value : taken)
    for (std::int32_t i = 1; i <= of_value; ++i) all = times(all, static_cast<Wide>(++people)) / static_cast<Wide>(i);
  return all;
}

// What is left of the bags once some kinds have taken theirs, and in how many ways it comes to that.
struct Layer {
  Dictionary states;
  Vector<Wide> ways, on;  // from the first layer to here; from here to the last one
};

struct Step {
  std::int32_t from, to;
  Wide ways;
};

class Counter {
 public:
  Counter(WorldsOf const& asked, std::size_t most_work, Checkpoint& checkpoint)
      : asked_(asked), most_work_(most_work), checkpoint_(checkpoint), last_of_(asked.groups) {
    put_in_order();
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (auto const group : asked.of(order_[i])) last_of_[static_cast<std::size_t>(group)] = i;
  }

  Worlds count() {
    layers_.resize(order_.size() + 1);
    steps_.resize(order_.size());
    taken_.resize(order_.size());
    layers_[0].states.intern(bytes_of(asked_.bags));
    layers_[0].ways = {1};
    for (std::size_t i = 0; i < order_.size(); ++i)
      for (Code state = 0; state < layers_[i].states.size(); ++state) leave(i, state);
    Worlds worlds;
    if (layers_.back().states.size() == 0) {
      worlds.none = true;
      return worlds;
    }
    count_on();
    worlds.chances.resize(asked_.kinds() * asked_.values);
    for (std::size_t i = 0; i < order_.size(); ++i) share_out(i, worlds);
    return worlds;
  }

 private:
  static std::string_view bytes_of(Vector<std::int32_t> const& bags) {
    return {reinterpret_cast<char const*>(bags.data()), bags.size() * sizeof(std::int32_t)};
  }
  std::int32_t* bag(std::int32_t group) { return &left_[static_cast<std::size_t>(group) * asked_.values]; }

  // Group after group, so that groups are done with soon.
  void put_in_order() {
    Vector<Vector<std::size_t>> kinds_of(asked_.groups);
    for (std::size_t kind = 0; kind < asked_.kinds(); ++kind)
      for (auto const group : asked_.of(kind)) kinds_of[static_cast<std::size_t>(group)].push_back(kind);
    Vector<char> met(asked_.kinds()), seen(asked_.groups);
    Vector<std::int32_t> queue{0};
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (auto const kind : kinds_of[static_cast<std::size_t>(queue[at])]) {
        if (std::exchange(met[kind], 1) != 0) continue;
        order_.push_back(kind);
        for (auto const group : asked_.of(kind))
          if (std::exchange(seen[static_cast<std::size_t>(group)], 1) == 0) queue.push_back(group);
      }
  }

  void work() {
    checkpoint_.tick();
    done_ += asked_.bags.size();
    if (done_ > most_work_) throw TooMuch();
  }

  // All that the i-th kind may take in a state.
  void leave(std::size_t i, Code state) {
    work();
    auto const groups = asked_.of(order_[i]);
    left_.resize(asked_.bags.size());
    auto const reset = [&] { std::memcpy(left_.data(), layers_[i].states[state].data(), asked_.bags.size() * 4); };
    reset();
    most_.assign(asked_.values, asked_.people[order_[i]]);
    for (auto const group : groups)
      for (std::size_t v = 0; v < asked_.values; ++v) most_[v] = std::min(most_[v], bag(group)[v]);
    for (auto const group : groups)  // whose last kind takes all that is left
      if (last_of_[static_cast<std::size_t>(group)] == i)
        for (std::size_t v = 0; v < asked_.values; ++v)
          if (bag(group)[v] > most_[v]) return;
    if (!shares_.begin(asked_.people[order_[i]], most_)) return;
    do {
      work();
      reset();
      for (auto const group : groups)
        for (std::size_t v = 0; v < asked_.values; ++v) bag(group)[v] -= shares_.taken()[v];
      enter(i, state);
    } while (shares_.next());
  }

  void enter(std::size_t i, Code from) {
    auto& next = layers_[i + 1];
    Code const to = next.states.intern(bytes_of(left_));
    next.ways.resize(static_cast<std::size_t>(next.states.size()));
    Wide const ways = orders(shares_.taken());
    auto& all = next.ways[static_cast<std::size_t>(to)];
    all = plus(all, times(layers_[i].ways[static_cast<std::size_t>(from)], ways));
    steps_[i].push_back({from, to, ways});
    taken_[i].insert(taken_[i].end(), shares_.taken().begin(), shares_.taken().end());
  }

  void count_on() {
    for (auto& layer : layers_) layer.on.assign(layer.ways.size(), 0);
    layers_.back().on = {1};
    for (std::size_t i = order_.size(); i-- > 0;)
      for (auto const& [from, to, ways] : steps_[i]) {
        auto& on = layers_[i].on[static_cast<std::size_t>(from)];
        on = plus(on, times(ways, layers_[i + 1].on[static_cast<std::size_t>(to)]));
      }
  }

  // The share of a kind's people, in all worlds, who have a value.
  void share_out(std::size_t i, Worlds& worlds) {
    std::size_t const kind = order_[i];
    Wide const all = times(layers_.back().ways.front(), static_cast<Wide>(asked_.people[kind]));
    Vector<Wide> with(asked_.values);
    for (std::size_t s = 0; s < steps_[i].size(); ++s) {
      auto const& [from, to, ways] = steps_[i][s];
      Wide const through = times(times(layers_[i].ways[static_cast<std::size_t>(from)], ways),
                                 layers_[i + 1].on[static_cast<std::size_t>(to)]);
      for (std::size_t v = 0; v < asked_.values; ++v)
        with[v] = plus(with[v], times(through, static_cast<Wide>(taken_[i][s * asked_.values + v])));
    }
    for (std::size_t v = 0; v < asked_.values; ++v) worlds.chances[kind * asked_.values + v] = share(with[v], all);
  }

  WorldsOf const& asked_;
  std::size_t const most_work_;
  Checkpoint& checkpoint_;
  std::size_t done_ = 0;
  Vector<std::size_t> order_;                // the kinds
  Vector<std::size_t> last_of_;              // group -> the last place in order_ of one of its kinds
  std::vector<Layer> layers_;                // before the i-th kind
  std::vector<Vector<Step>> steps_;          // of the i-th kind
  std::vector<Vector<std::int32_t>> taken_;  // step * values + value
  Vector<std::int32_t> left_, most_;
  Shares shares_;
};

// One kind: its groups have the same members, hence the same bags. However large they are.
Worlds only_kind(WorldsOf const& asked) {
  Worlds worlds;
  for (std::size_t i = asked.values; i < asked.bags.size(); ++i)
    worlds.none |= asked.bags[i] != asked.bags[i % asked.values];
  for (std::size_t v = 0; v < asked.values && !worlds.none; ++v)
    worlds.chances.push_back(share(static_cast<Wide>(asked.bags[v]), static_cast<Wide>(asked.people.front())));
  return worlds;
}

}  // namespace

std::optional<Worlds> count_worlds(WorldsOf const& asked, std::size_t most_work, Checkpoint& checkpoint) {
  if (asked.kinds() == 1) return only_kind(asked);
  try {
    return Counter(asked, most_work, checkpoint).count();
  } catch (TooMuch const&) {
    return std::nullopt;
  }
}

}  // namespace anon_seq
