#include "serial/lives_new.h"

#include <algorithm>
#include <limits>

#include "core/lossy/regional.h"
//
#include "pg/strong_random.h"

namespace anon_seq::serial {

LeastNewcomers least_newcomers(SerialPolicy const& demands) {
  auto const rows = std::max(demands.k, rows_for(1, demands.alpha));
  return {rows, demands.cohorts.least * rows};
}

Classes new_classes(SerialPolicy const& demands, lossy_join::LossyProblem const& problem, Checkpoint& checkpoint) {
  Sensitive const sensitive(problem.rows(), problem.columns(), checkpoint);
  StrongRandom random;
  Draws draws([&random] { return random.next(); });
  try {
    return regional(problem.axes(), sensitive, demands.k, draws, checkpoint);
  } catch (Error const& error) {
    if (error.fault() != Fault::kData) throw;
    throw Error(Fault::kData, "a listed value is too frequent among the new persons", error.detail(),
                "Nothing was written: new persons are grouped all together, or none of them. Publish again when others"
                " have come.");
  }
}

void append_classes(Lives& lives, Classes const& classes, std::span<std::uint32_t const> joining,
                    std::vector<std::span<Code const>> const& values, Checkpoint& checkpoint) {
  auto const last = lives.last_class();
  if (classes.count() > std::numeric_limits<std::int32_t>::max() - last)
    throw Error(Fault::kLimit, "there are no numbers left for new classes");
  std::size_t const begin = lives.size(), end = begin + joining.size();
  auto const sizes = classes.sizes();
  Vector<std::size_t> begins(sizes.size() + 1, begin);
  for (std::size_t id = 0; id < sizes.size(); ++id) begins[id + 1] = begins[id] + static_cast<std::size_t>(sizes[id]);
  auto next = begins;
  for (auto* const numbers : {&lives.class_of, &lives.place_of, &lives.row_of}) numbers->resize(end);
  lives.is_blank.resize(end);
  for (auto& of : lives.values) of.resize(end);
  for (std::size_t i = 0; i < joining.size(); ++i) {
    checkpoint.tick();
    auto const id = static_cast<std::size_t>(classes.class_of(i));
    auto const entry = next[id]++;
    lives.class_of[entry] = last + 1 + static_cast<std::int32_t>(id);
    lives.place_of[entry] = static_cast<std::int32_t>(entry - begins[id]) + 1;
    lives.row_of[entry] = static_cast<std::int32_t>(joining[i]);
    for (std::size_t s = 0; s < values.size(); ++s) lives.values[s][entry] = values[s][joining[i]];
  }
}

std::int64_t classes_above(Lives const& lives, Vector<std::size_t> const& entries, std::vector<SensitiveColumn> listed,
                           std::vector<Vector<Code>> const& together, Checkpoint& checkpoint) {
  std::vector<Vector<Code>> values(listed.size());
  for (std::size_t s = 0; s < listed.size(); ++s) {
    for (auto const entry : entries) {
      Code const code = lives.values[s][entry];
      bool const alone = static_cast<std::size_t>(code) >= together[s].size();
      values[s].push_back(alone ? code : together[s][static_cast<std::size_t>(code)]);
    }
    listed[s].codes = values[s];
  }
  Sensitive const sensitive(entries.size(), listed, checkpoint);
  std::int64_t above = 0;
  for (std::size_t begin = 0, end; begin < entries.size(); begin = end) {
    Vector<std::int64_t> held(sensitive.bounds().size());
    for (end = begin; end < entries.size() && lives.class_of[entries[end]] == lives.class_of[entries[begin]]; ++end) {
      checkpoint.tick();
      for (auto const bound : sensitive.bounds_of(sensitive.joint_of(end)))
        if (bound != kNoBound) ++held[static_cast<std::size_t>(bound)];
    }
    bool broken = false;
    for (std::size_t b = 0; b < held.size(); ++b)
      broken |= sensitive.is_broken(static_cast<std::int32_t>(b), held[b], static_cast<std::int64_t>(end - begin));
    above += broken;
  }
  return above;
}

}  // namespace anon_seq::serial
