// Work that may fail without ending the transaction: a subtransaction.
//
// Only an Error of ours may be caught around it. A PgError must go on to the outer abort, as its data live in the
// subtransaction's memory: abandon() then leaves the cleaning to that abort. Inside, while the subtransaction is open,
// its code may be looked at; if no more is kept of it, the subtransaction may be undone instead.
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
    RollbackAndReleaseCurrentSubTransaction();
    restore();
  }
  SubTransaction(SubTransaction const&) = delete;
  SubTransaction& operator=(SubTransaction const&) = delete;

  void commit() {
    call_pg([]() noexcept { ReleaseCurrentSubTransaction(); });
    open_ = false;
    restore();
  }
  void abandon() { open_ = false; }

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

// Runs `body` in a subtransaction and undoes what it wrote; returns the Error that it met, or nothing.
template <class Body>
std::optional<Error> try_out(Body body) {
  try {
    SubTransaction work;
    try {
      body();
    } catch (PgError const&) {
      work.abandon();
      throw;
    }
  } catch (Error const& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace anon_seq::pg
