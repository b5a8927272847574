// The metered heap: it counts, it refuses, and it comes back to where it was.
#include "core/base/memory.h"

#include "error_of.h"

namespace anon_seq {
namespace {

// Puts a limit on the heap of one test.
class Limited {
 public:
  explicit Limited(std::size_t more) { heap_meter.limit = heap_meter.used + more; }
  ~Limited() { heap_meter.limit = static_cast<std::size_t>(-1); }
};

TEST(Memory, CountsWhatAVectorHolds) {
  auto const before = heap_meter.used;
  {
    Vector<std::int64_t> numbers(1000, 7);
    EXPECT_EQ(heap_meter.used, before + 8000);
    Vector<std::int64_t> const moved(std::move(numbers));
    EXPECT_EQ(heap_meter.used, before + 8000);
  }
  EXPECT_EQ(heap_meter.used, before);
}

TEST(Memory, ReleasedIsGivenBack) {
  auto const before = heap_meter.used;
  Vector<std::int64_t> numbers(1000, 7);
  give_back(numbers);
  EXPECT_EQ(heap_meter.used, before);
  EXPECT_TRUE(numbers.empty());
}

TEST(Memory, PeakOutlivesTheVector) {
  heap_meter.reset_peak();
  auto const before = heap_meter.used;
  { Vector<char> const bytes(5000); }
  EXPECT_EQ(heap_meter.peak, before + 5000);
  heap_meter.reset_peak();
  EXPECT_EQ(heap_meter.peak, before);
}

TEST(Memory, RefusesBeforeItAllocates) {
  auto const before = heap_meter.used;
  Limited const limited(1 << 20);
  auto const error = error_of([]() { Vector<char> const too_much((1 << 20) + 1); });
  EXPECT_ERROR(error, Fault::kLimit, "anon_seq needs more memory than it may use");
  EXPECT_NE(error.detail().find("needs 2 MB, anon_seq.max_memory is "), std::string::npos) << error.detail();
  EXPECT_EQ(heap_meter.used, before);
  EXPECT_NO_THROW(Vector<char>(1 << 20));  // exactly the limit is allowed
}

TEST(Memory, GrowingStopsAtTheLimitAndKeepsWhatWasThere) {
  auto const before = heap_meter.used;
  Limited const limited(100000);
  {
    Vector<char> bytes;
    EXPECT_THROW(while (true) bytes.push_back('x'), Error);
    EXPECT_GT(bytes.size(), 10000u);
    EXPECT_EQ(bytes.back(), 'x');
  }
  EXPECT_EQ(heap_meter.used, before);
}

TEST(Memory, AnImpossibleSizeIsBadAlloc) {
  Vector<std::int64_t> numbers;
  EXPECT_THROW(MeteredAllocator<std::int64_t>().allocate(static_cast<std::size_t>(-1) / 4), std::bad_alloc);
}

TEST(Memory, ALimitBelowWhatIsUsedRefusesEverything) {
  Vector<char> const held(100);
  Limited const limited(0);
  EXPECT_THROW(require_heap(1), Error);
  EXPECT_NO_THROW(require_heap(0));
}

}  // namespace
}  // namespace anon_seq
