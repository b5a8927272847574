#include "core/lossy/grouping.h"

namespace anon_seq {

void check_one_rule(Grouping const& grouping) {
  // A boundary of a tested node may not lie between the first and the last place of a class.
  auto const classes = static_cast<std::size_t>(grouping.count);
  Vector<std::size_t> first(classes, grouping.classes.size()), last(classes, 0);
  for (std::size_t place = 0; place < grouping.classes.size(); ++place) {
    auto const id = static_cast<std::size_t>(grouping.classes[place]);
    if (grouping.classes[place] < 0 || id >= classes) throw Error(Fault::kInternal, "a row is in no class");
    first[id] = std::min(first[id], place);
    last[id] = place;
  }
  Vector<std::int32_t> open(grouping.classes.size() + 1);  // p -> classes with places before p and from p on
  for (std::size_t id = 0; id < classes; ++id) {
    if (first[id] > last[id]) throw Error(Fault::kInternal, "a class is empty");
    ++open[first[id] + 1];
    --open[last[id] + 1];
  }
  for (std::size_t place = 1; place < open.size(); ++place) open[place] += open[place - 1];
  for (auto const& part : grouping.tested)
    if (open[part.begin] != 0 || open[part.end] != 0)
      throw Error(Fault::kInternal, "a tested node is no union of classes");
}

void check_classes(Sensitive const& sensitive, Grouping const& grouping, std::int64_t k, Checkpoint& checkpoint) {
  Vector<std::size_t> ends(static_cast<std::size_t>(grouping.count) + 1);
  for (auto const id : grouping.classes) ++ends[static_cast<std::size_t>(id) + 1];
  for (std::size_t id = 1; id < ends.size(); ++id) ends[id] += ends[id - 1];
  Vector<std::size_t> next(ends.begin(), ends.end() - 1);
  Vector<JointValue> values(grouping.classes.size());
  Vector<char> seen(grouping.rows.size());
  for (std::size_t place = 0; place < grouping.classes.size(); ++place) {
    checkpoint.tick();
    if (seen[grouping.rows[place]]++ != 0) throw Error(Fault::kInternal, "a row is in two classes");
    values[next[static_cast<std::size_t>(grouping.classes[place])]++] = sensitive.joint_of(grouping.rows[place]);
  }
  Tally tally(sensitive, k);
  for (std::size_t id = 0; id + 1 < ends.size(); ++id)
    if (!tally.is_ok(std::span(values).subspan(ends[id], ends[id + 1] - ends[id]), checkpoint))
      throw Error(Fault::kInternal, "a class is not (alpha,k)-anonymous");
}

Vector<ClassId> renumber(Grouping& grouping, Draws& draws, Checkpoint& checkpoint) {
  auto ids = draws.permutation(static_cast<std::size_t>(grouping.count), checkpoint);
  for (auto& id : grouping.classes) {
    checkpoint.tick();
    id = ids[static_cast<std::size_t>(id)];
  }
  return ids;
}

Classes bare_classes(Grouping const& grouping, std::size_t rows) {
  Classes classes(std::max(rows, grouping.rows.size()), 0);
  for (ClassId id = 0; id < grouping.count; ++id) classes.add_class();
  for (std::size_t place = 0; place < grouping.rows.size(); ++place)
    classes.assign(grouping.rows[place], grouping.classes[place]);
  return classes;
}

}  // namespace anon_seq
