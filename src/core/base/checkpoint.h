// Where a long loop of the core lets the world in.
//
// Every loop whose length depends on data calls tick() once per unit of work, a few hundred nanoseconds
// at most; every kInterval ticks that becomes a poll(), in which the server may cancel the work by
// throwing. Sorts of more than a million elements go in runs with a tick between them.
#pragma once

#include <cstdint>

namespace anon_seq {

class Checkpoint {
 public:
  virtual ~Checkpoint() = default;

  void tick() {
    if ((++ticks_ & (kInterval - 1)) == 0) poll();
  }
  virtual void poll() = 0;

 private:
  static constexpr std::uint32_t kInterval = 4096;
  std::uint32_t ticks_ = 0;
};

// For tests and short work: never interrupts.
class NoCheckpoint final : public Checkpoint {
 public:
  void poll() override {}
};

}  // namespace anon_seq
