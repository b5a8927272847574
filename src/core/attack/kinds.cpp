#include "core/attack/kinds.h"

#include "core/table/dictionary.h"

namespace anon_seq {
namespace {

class Maker {
 public:
  Maker() { kinds_.begins.push_back(0); }

  // The kind of people in these groups; more of them now.
  std::int32_t add(std::span<std::int32_t const> groups, std::int64_t people) {
    Code const kind = known_.intern({reinterpret_cast<char const*>(groups.data()), groups.size_bytes()});
    if (static_cast<std::size_t>(kind) == kinds_.count()) {
      kinds_.people.push_back(0);
      for (auto const group : groups) kinds_.groups.push_back({group, 1});
      kinds_.begins.push_back(kinds_.groups.size());
    }
    kinds_.people[static_cast<std::size_t>(kind)] += people;
    return kind;
  }
  void add_person(std::int32_t kind) { kinds_.of.push_back(kind); }
  Kinds take() { return std::move(kinds_); }

 private:
  Dictionary known_;
  Kinds kinds_;
};

[[noreturn]] void throw_several_rows(std::int64_t persons) {
  throw Error(Fault::kData, "a person has several rows in a release",
              std::to_string(persons) + (persons == 1 ? " person has" : " persons have") +
                  " several: values that are permanent are one for each person.",
              "Use the model \"transient\", or relations with one row for each person.");
}

}  // namespace

Kinds kinds_of(PublishedGroups const& groups, GroupBags const& bags, Checkpoint& checkpoint) {
  Maker maker;
  Vector<std::int64_t> unknown(groups.sizes.begin(), groups.sizes.end());
  Vector<std::int32_t> in;
  std::int64_t several = 0;
  for (std::size_t person = 0; person < groups.persons(); ++person) {
    in.clear();
    bool once = true;
    std::int32_t release = -1;
    for (auto const& [group, rows] : groups.of(person)) {
      checkpoint.tick();
      auto const g = static_cast<std::size_t>(group);
      once &= rows == 1 && groups.release_of[g] != release;
      release = groups.release_of[g];
      unknown[g] -= rows;
      if (!bags.of(group).empty()) in.push_back(group);
    }
    several += once ? 0 : 1;
    maker.add_person(in.empty() ? kNoKind : maker.add(in, 1));
  }
  if (several > 0) throw_several_rows(several);
  for (std::size_t g = 0; g < unknown.size(); ++g) {
    auto const group = static_cast<std::int32_t>(g);
    if (unknown[g] > 0 && !bags.of(group).empty()) maker.add({&group, 1}, unknown[g]);
  }
  return maker.take();
}

}  // namespace anon_seq
