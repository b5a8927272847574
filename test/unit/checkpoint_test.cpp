// A checkpoint polls once every 4096 ticks, and what poll() throws leaves the loop.
#include "core/base/checkpoint.h"

#include <gtest/gtest.h>

namespace anon_seq {
namespace {

struct Cancelled {};

class Cancelling final : public Checkpoint {
 public:
  explicit Cancelling(int polls) : left_(polls) {}
  void poll() override {
    if (--left_ == 0) throw Cancelled();
  }

 private:
  int left_;
};

int ticks_until_cancelled(Checkpoint& checkpoint) {
  int ticks = 0;
  try {
    while (true) {
      checkpoint.tick();
      ++ticks;
    }
  } catch (Cancelled const&) {
  }
  return ticks;
}

TEST(Checkpoint, PollsOnceInManyTicks) {
  Cancelling first(1), third(3);
  EXPECT_EQ(ticks_until_cancelled(first), 4095);
  EXPECT_EQ(ticks_until_cancelled(third), 3 * 4096 - 1);
}

TEST(Checkpoint, NoCheckpointNeverInterrupts) {
  NoCheckpoint checkpoint;
  for (int i = 0; i < 100000; ++i) checkpoint.tick();
  checkpoint.poll();
}

}  // namespace
}  // namespace anon_seq
