// Work that may fail without ending the transaction: a subtransaction.
//
// It is undone unless it was committed, whatever leaves it: an Error, or an ERROR of PostgreSQL on its way out, whose
// data live outside of it (guard.h). So an outer handler finds the level that it began, and nothing of ours above.
#pragma once

#include <optional>

#include "pg/guard.h"

namespace anon_seq::pg {

class SubTransaction {
 public:
  SubTransaction() {
    call_pg([this]() noexcept {
      memory_ = CurrentMemoryContext;
      owner_ = CurrentResourceOwner;
      BeginInternalSubTransaction(nullptr);
      MemoryContextSwitchTo(memory_);
    });
  }
  ~SubTransaction() {
    if (!open_) return;
    // An ERROR must not jump over frames that an exception is unwinding.
    if (attempt([](void*) noexcept { RollbackAndReleaseCurrentSubTransaction(); }, nullptr) != nullptr)
      ereport(FATAL, (errmsg("could not undo a subtransaction")));
    restore();
  }
  SubTransaction(SubTransaction const&) = delete;
  SubTransaction& operator=(SubTransaction const&) = delete;

  void commit() {
    call_pg([]() noexcept { ReleaseCurrentSubTransaction(); });
    open_ = false;
    restore();
  }

 private:
  void restore() {
    MemoryContextSwitchTo(memory_);
    CurrentResourceOwner = owner_;
  }
  MemoryContext memory_ = nullptr;
  ResourceOwner owner_ = nullptr;
  bool open_ = true;
  Live live_;
};

// Runs `body` in a subtransaction and undoes what it wrote; returns the Error that it met, or nothing. What PostgreSQL
// raises goes on.
template <class Body>
std::optional<Error> try_out(Body body) {
  try {
    SubTransaction const work;
    body();
  } catch (Error const& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace anon_seq::pg
