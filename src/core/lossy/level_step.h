// One level down on one axis, of a part that is specialized (topdown.h).
#pragma once

#include "core/lossy/send_back.h"

namespace anon_seq {

struct LevelStep {
  std::size_t axis = 0;
  Vector<std::int64_t> sizes;  // of the children
  Vector<char> stays;          // child -> returns whole
  std::int64_t stay = 0;       // rows that are sent back
  std::int64_t leaving = 0;    // children that go on
  SentBack sent;               // by the paper's decisions

  // Fewer rows sent back, then fewer branches, then the first axis. Of one part.
  bool is_before(LevelStep const& other) const {
    if (stay != other.stay) return stay < other.stay;
    return leaving != other.leaving ? leaving < other.leaving : axis < other.axis;
  }
};

// Simulatable: children of fewer than `least` rows stay together, and with them the smallest of the others, ties to the
// first, if those are fewer.
inline LevelStep step_by_size(std::size_t axis, Vector<std::int64_t> const& sizes, std::int64_t least) {
  LevelStep step{axis, sizes, Vector<char>(sizes.size()), 0, 0, {}};
  auto const send = [&](std::size_t child) {
    step.stays[child] = 1;
    step.stay += sizes[child];
  };
  for (std::size_t c = 0; c < sizes.size(); ++c)
    if (sizes[c] < least) send(c);
  std::size_t smallest = sizes.size();
  for (std::size_t c = 0; c < sizes.size(); ++c)
    if (step.stays[c] == 0 && (smallest == sizes.size() || sizes[c] < sizes[smallest])) smallest = c;
  if (step.stay > 0 && step.stay < least && smallest < sizes.size()) send(smallest);
  for (auto const stays : step.stays) step.leaving += stays == 0;
  return step;
}

// No step on this axis by the paper's decisions comes before this one, if a class has at least `least` rows, whatever
// it holds: what is sent back is a class as well.
inline LevelStep best_case(std::size_t axis, Vector<std::int64_t> const& sizes, std::int64_t least) {
  LevelStep step;
  step.axis = axis;
  for (auto const size : sizes) {
    if (size < least) step.stay += size;
    step.leaving += size > 0;
  }
  if (step.stay == 0) return step;
  step.stay = std::max(step.stay, least);
  step.leaving = 1;
  return step;
}

}  // namespace anon_seq
