// Memory contexts as C++ objects.
#pragma once

#include <utility>

#include "pg/guard.h"

namespace anon_seq::pg {

// A context for the garbage of one row or batch of rows; whoever makes it current switches back before the next call.
class ScratchContext {
 public:
  ScratchContext() {
    call_pg([this]() noexcept {
      context_ = AllocSetContextCreate(CurrentMemoryContext, "anon_seq scratch", ALLOCSET_DEFAULT_SIZES);
    });
  }
  ~ScratchContext() {
    // While an exception is under way its parent may be gone: the abort frees the context with it.
    if (std::uncaught_exceptions() == unwinding_) MemoryContextDelete(context_);
  }
  ScratchContext(ScratchContext const&) = delete;
  ScratchContext& operator=(ScratchContext const&) = delete;

  MemoryContext get() const { return context_; }
  void reset() { MemoryContextReset(context_); }

 private:
  int const unwinding_ = std::uncaught_exceptions();
  MemoryContext context_ = nullptr;
  Live live_;
};

// Makes a T that lives as long as `context`: its destructor runs when the context is reset or deleted.
template <class T, class... Args>
T* make_in_context(MemoryContext context, Args&&... args) {
  MemoryContextCallback* callback = nullptr;
  call_pg([&]() noexcept {
    callback = static_cast<MemoryContextCallback*>(MemoryContextAllocZero(context, sizeof(MemoryContextCallback)));
  });
  T* object = new T(std::forward<Args>(args)...);
  callback->func = [](void* made) { delete static_cast<T*>(made); };
  callback->arg = object;
  MemoryContextRegisterResetCallback(context, callback);
  return object;
}

}  // namespace anon_seq::pg
