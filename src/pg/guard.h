// The two doors between C++ and PostgreSQL.
//
// An ERROR is a longjmp, which skips destructors; an exception that leaves an SQL function aborts the
// whole server. So C++ calls PostgreSQL through call_pg(), where an ERROR becomes a PgError, and every
// SQL function runs inside entry(), where any exception becomes an ERROR after the last C++ frame is
// closed. PgError is caught by entry() alone, or by who re-throws it (reading.h): after it the backend
// is usable only once the (sub)transaction has been aborted (subtransaction.h).
#pragma once

#include <type_traits>

#include "core/base/checkpoint.h"
#include "core/base/error.h"
#include "rooms.h"
//
#include "pg/pg_headers.h"

namespace anon_seq::pg {

// An ERROR on its way out through C++ frames. No std::exception, so that nobody swallows it by habit.
struct PgError {
  ErrorData* data;  // in error_memory()
};

// Where what an ERROR said is kept until entry() raises it again: memory of the transaction that the SQL function was
// called in, so that it outlives every subtransaction begun inside.
MemoryContext error_memory();

// Made by entry(): what fails while it lives is kept where it was made.
class ErrorHome {
 public:
  ErrorHome();
  ~ErrorHome();
  ErrorHome(ErrorHome const&) = delete;
  ErrorHome& operator=(ErrorHome const&) = delete;

 private:
  MemoryContext const before_;
};

// Runs step(arg); returns the ERROR it raised, or nullptr. The project's only PG_TRY.
ErrorData* attempt(void (*step)(void*) noexcept, void* arg) noexcept;

// Runs `body`, C code that may raise ERROR, and throws that as PgError. The body allocates no C++
// object and throws nothing; what it finds out goes into variables it captured by reference.
template <class Body>
void call_pg(Body body) {
  static_assert(noexcept(body()) && std::is_trivially_destructible_v<Body>);
  if (auto* failure = attempt([](void* b) noexcept { (*static_cast<Body*>(b))(); }, &body)) throw PgError{failure};
}

// What an exception says, in plain bytes, so that it can be raised when no C++ object is left alive.
class Verdict {
 public:
  // REQUIRES: called inside a catch clause.
  void take_current_exception() noexcept;
  [[noreturn]] void raise();

 private:
  void note(int code, char const* message, char const* detail = "", char const* hint = "") noexcept;

  ErrorData* rethrow_ = nullptr;
  int code_ = 0;
  char message_[1024], detail_[8192], hint_[8192];
};

// The body of an SQL function: returns its Datum, or raises what it threw.
template <class Body>
Datum entry(Body body) {
  Verdict verdict;
  try {
    ErrorHome const home;
    return body();
  } catch (...) {
    verdict.take_current_exception();
  }
  verdict.raise();
}

// Lets a core loop be cancelled: a pending interrupt leaves the loop as PgError.
class InterruptCheckpoint final : public Checkpoint {
 public:
  void poll() override {
    if (INTERRUPTS_PENDING_CONDITION()) call_pg([]() noexcept { CHECK_FOR_INTERRUPTS(); });
  }
};

// Counts the boundary's own objects; a test holds it against 0 after thousands of errors.
class Live {
 public:
  Live() noexcept { ++count; }
  ~Live() { --count; }
  Live(Live const&) = delete;
  Live& operator=(Live const&) = delete;

  inline static constinit std::int64_t count = 0;
};

}  // namespace anon_seq::pg
