// The extension's own heap, metered.
//
// work_mem knows nothing of C++ containers, so whatever grows with the data lives in a Vector, whose
// allocator counts bytes and refuses, before it allocates, what would pass the limit
// (anon_seq.max_memory): Error kLimit with both numbers. Short strings of messages are not counted.
// One backend is one thread: the meter is a plain global of trivial type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "core/base/error.h"

namespace anon_seq {

struct HeapMeter {
  std::size_t used = 0;
  std::size_t peak = 0;  // highest `used` since reset_peak()
  std::size_t limit = static_cast<std::size_t>(-1);

  void reset_peak() { peak = used; }
};

inline constinit HeapMeter heap_meter;

// Throws Error kLimit if `bytes` more would pass the limit.
inline void require_heap(std::size_t bytes) {
  if (bytes <= heap_meter.limit && heap_meter.used <= heap_meter.limit - bytes) return;
  auto megabytes = [](std::size_t n) { return std::to_string((n + 0xfffff) >> 20) + " MB"; };
  throw Error(Fault::kLimit, "anon_seq needs more memory than it may use",
              "The work at hand needs " + megabytes(heap_meter.used + bytes) + ", anon_seq.max_memory is " +
                  megabytes(heap_meter.limit) + ".",
              "Raise anon_seq.max_memory, or work on fewer rows or columns.");
}

template <class T>
struct MeteredAllocator {
  using value_type = T;
  MeteredAllocator() = default;
  template <class U>
  MeteredAllocator(MeteredAllocator<U> const&) {}

  T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    require_heap(n * sizeof(T));
    T* memory = static_cast<T*>(::operator new(n * sizeof(T)));
    heap_meter.used += n * sizeof(T);
    if (heap_meter.used > heap_meter.peak) heap_meter.peak = heap_meter.used;
    return memory;
  }
  void deallocate(T* memory, std::size_t n) noexcept {
    heap_meter.used -= n * sizeof(T);
    ::operator delete(memory);
  }
  bool operator==(MeteredAllocator const&) const { return true; }
};

template <class T>
using Vector = std::vector<T, MeteredAllocator<T>>;

// Gives back what a vector holds; to assign {} would keep its room.
template <class T>
void give_back(Vector<T>& vector) {
  Vector<T>().swap(vector);
}

// Makes room for `more` elements, growing by a quarter rather than by half or double: for vectors with an
// element per row, where the slack would be a good part of the memory.
template <class T>
void make_room(Vector<T>& vector, std::size_t more) {
  std::size_t const wanted = vector.size() + more;
  if (wanted > vector.capacity()) vector.reserve(std::max(wanted, vector.capacity() + vector.capacity() / 4));
}

}  // namespace anon_seq
